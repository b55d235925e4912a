/** The command as a person drives it, in a pseudo-terminal that Python opens. */

import { describe, expect, it } from "@jest/globals";
import { openCommandLine } from "../support/command-line.js";
import { findFreePort } from "../support/find-free-port.js";
import { sendJson, startHttpServer } from "../support/http-server.js";

const secret = "tok_canary_2d90e4b8a1";
const enter = "\r";
const down = "\u001b[B";
const interrupt = "\u0003";
const endOfInput = "\u0004";

const command = await openCommandLine("cli-terminal");
const api = await startHttpServer(({ headers, url, body }, response) => {
  if (url === "/token")
    return `${headers.authorization}${body}`.match(/Y2xpZW50OnJpZ2h0|right/)
      ? sendJson(response, { access_token: secret, token_type: "Bearer", expires_in: 60 })
      : sendJson(response, { error: "invalid_client" }, 401);
  const isKnown = [`Bearer ${secret}`, `Basic ${btoa(`ada:${secret}`)}`].includes(
    headers.authorization ?? "",
  );
  if (!isKnown) return sendJson(response, { message: "Bad credentials" }, 401);
  if (url === "/hostile") return sendJson(response, { text: "\u009b31mred \u202edetrever" });
  return sendJson(response, { path: url }, url === "/me" ? 200 : 404);
});

describe("add on a terminal", () => {
  it("asks for what is missing, shows no secret, and offers to enter the credential again", async () => {
    const { code, raw, screen } = await command.drive(
      ["add", "--auth", "basic"],
      [
        ["Base URL", api.url + enter],
        ["Name", `Bank${enter}`],
        ["Test endpoint", enter],
        ["Tagline", `Accounts and payments${enter}`],
        ["Username for Bank", `ada${enter}`],
        ["Password of ada", `wrong-password${enter}`],
        ["What now?", enter],
        ["Username for Bank", `ada${enter}`],
        ["Password of ada", secret + enter],
      ],
    );
    expect(code).toBe(0);
    expect(screen).toContain("FAILED invalid_credentials (status 401)");
    expect(raw).not.toContain(secret);
    expect(raw).not.toContain("wrong-password");
    expect(await command.read(".env")).toBe(`BANK_USERNAME=ada\nBANK_PASSWORD=${secret}\n`);
    const { tagline } = JSON.parse(await command.read("sources/bank.json"));
    expect(tagline).toBe("Accounts and payments");
  }, 40_000);

  it("lets a person correct a wrong test endpoint, and take it away", async () => {
    for (const [name, endpoint, told] of [
      ["Bank", "/me", "the credential is right"],
      ["Shop", "none", "Saved shop"],
    ] as const) {
      const { code, screen } = await command.drive(
        ["add", api.url, "--name", name, "--auth", "bearer"],
        [
          ["Test endpoint", `/nowhere${enter}`],
          ["Tagline", enter],
          ["Token or key", secret + enter],
          ["What now?", down + enter],
          ["Test endpoint", endpoint + enter],
        ],
      );
      expect([code, screen]).toEqual([0, expect.stringContaining(told)]);
      const { api: saved } = JSON.parse(await command.read(`sources/${name.toLowerCase()}.json`));
      expect(saved.testEndpoint).toBe(endpoint === "none" ? undefined : endpoint);
    }
  }, 60_000);

  it("asks whether an OAuth client that a person uses has a secret", async () => {
    const grant = ["--oauth2", "authorization_code", "--token-url", `${api.url}/token`];
    const urls = ["--authorization-url", `${api.url}/agree`, "--client-id", "client"];
    for (const [name, answer, clientAuthentication] of [
      ["Public", "n", "none"],
      ["Secret", "y", undefined],
    ] as const) {
      const steps: [string, string][] = [
        ["Does the OAuth client have a secret?", answer],
        ["Test endpoint", enter],
        ["Tagline", enter],
      ];
      if (answer === "y") steps.push(["SECRET_CLIENT_SECRET", `right${enter}`]);
      const { code } = await command.drive(
        ["add", api.url, "--name", name, ...grant, ...urls],
        steps,
      );
      const { api: saved } = JSON.parse(await command.read(`sources/${name.toLowerCase()}.json`));
      expect([code, saved.oauth2.clientAuthentication]).toEqual([0, clientAuthentication]);
      expect(saved.oauth2.clientSecret === undefined).toBe(answer === "n");
    }
  }, 60_000);

  it("asks again for the secret of a client, takes no test endpoint, and a curl line in place of the URL", async () => {
    const grant = [
      "--oauth2",
      "client_credentials",
      "--token-url",
      `${api.url}/token`,
      "--client-id",
      "client",
    ];
    const { code, screen } = await command.drive(
      ["add", api.url, "--name", "Bank", ...grant],
      [
        ["Test endpoint", enter],
        ["Tagline", enter],
        ["BANK_CLIENT_SECRET", `wrong${enter}`],
        ["What now?", enter],
        ["BANK_CLIENT_SECRET", `right${enter}`],
      ],
    );
    expect([code, screen]).toEqual([
      0,
      expect.stringContaining("Next: api-sources call bank GET /me"),
    ]);
    expect(await command.read(".env")).toBe("BANK_CLIENT_SECRET=right\n");
    const open = await command.drive(
      ["add"],
      [
        ["Base URL", `http://127.0.0.1:${await findFreePort()}${enter}`],
        ["Name", `Open${enter}`],
        ["How is the credential sent?", `${down.repeat(4)}${enter}`],
        ["Test endpoint", `none${enter}`],
        ["Tagline", enter],
        ["What now?", down + enter],
      ],
    );
    expect([open.code, open.screen]).toEqual([0, expect.stringContaining("Saved open")]);
    for (const args of [["add"], ["add", "--from", "-"]]) {
      const line = `curl ${api.url}/me -H 'Authorization: Bearer ${secret}'`;
      const question = args.length === 1 ? "Base URL" : "Paste a curl line";
      const name = `Shop ${args.length}`;
      const pasted = await command.drive(args, [
        [question, line + enter],
        ["Name", name + enter],
        ["Tagline", enter],
      ]);
      expect([pasted.code, pasted.screen]).toEqual([
        0,
        expect.stringContaining("the credential is right"),
      ]);
    }
  }, 60_000);

  it("asks before a pasted curl line sends a variable of the user's to its host", async () => {
    const line = "curl https://x.example/me -H 'Authorization: Bearer of-the-line-1'";
    const steps: [string, string][] = [
      ["Base URL", line + enter],
      ["Name", `OpenAI${enter}`],
      ["Tagline", enter],
      ["send OPENAI_TOKEN of your environment to x.example", "n"],
    ];
    const { code } = await command.drive(["add", "--no-test"], steps, { OPENAI_TOKEN: secret });
    expect([code, await command.list()]).toEqual([1, []]);
  }, 40_000);

  it("offers the recipes, and answers a misspelt one with the nearest", async () => {
    const { code, screen } = await command.drive(
      ["add", "--no-test"],
      [
        ["or a recipe", `notio${enter}`],
        ["Nearest: notion.", `n${enter}`],
        ["Tagline", enter],
        ["not shown while you type", `${secret}${enter}`],
      ],
    );
    expect([code, screen]).toEqual([0, expect.stringContaining("Kept NOTION_TOKEN in .env.")]);
  }, 40_000);

  const tested = ["--test-endpoint", "/me"];

  it("is left with Ctrl-C at a secret, and nothing is written", async () => {
    const args = ["add", "https://shop.example", "--name", "Shop", "--auth", "basic", ...tested];
    const steps: [string, string][] = [
      ["Tagline", enter],
      ["Username for Shop", `ada${enter}`],
      ["Password of ada", interrupt],
    ];
    expect((await command.drive(args, steps)).code).toBe(130);
    expect(await command.list()).toEqual([]);
  }, 40_000);

  it("is left with Ctrl-C after a test that failed, and where a source would be changed", async () => {
    const args = ["add", "--base-url", api.url, "--name", "Shop", "--auth", "bearer", ...tested];
    const failed = await command.drive(args, [
      ["Tagline", enter],
      ["Token or key", `wrong-token${enter}`],
      ["What now?", interrupt],
    ]);
    expect([failed.code, await command.list()]).toEqual([130, []]);
    expect((await command.run([...args, "--no-test"])).code).toBe(0);
    const before = await command.read("sources/shop.json");
    const set = ["set", "shop", "--test-endpoint", "/other"];
    const { code } = await command.drive(set, [["Change the source", interrupt]]);
    expect([code, await command.read("sources/shop.json")]).toEqual([130, before]);
  }, 40_000);

  it("is left with the end of input, and writes no colour with NO_COLOR", async () => {
    const { code, raw } = await command.drive(["add"], [["Base URL", endOfInput]], {
      NO_COLOR: "1",
    });
    expect(code).toBe(130);
    expect(raw).not.toMatch(new RegExp(`${String.fromCharCode(27)}\\[[349][0-9]m`));
  }, 40_000);
});

describe("call on a terminal", () => {
  const env = { SHOP_TOKEN: secret };
  const add = ["add", "--base-url", "", "--name", "Shop", "--auth", "bearer", "--no-test", "--yes"];

  it("shows nothing of an answer that would steer the terminal", async () => {
    expect((await command.run(add.with(2, api.url))).code).toBe(0);
    const { code, raw } = await command.drive(["call", "shop", "GET", "/hostile"], [], env);
    expect(code).toBe(0);
    expect(raw).toContain("\\u009b31mred \\u202edetrever");
  }, 40_000);

  it("is left with Ctrl-C while a body is typed", async () => {
    expect((await command.run(add.with(2, api.url))).code).toBe(0);
    const args = ["call", "shop", "POST", "/me", "--body", "-"];
    const { code } = await command.drive(
      args,
      [
        ["Ctrl-D ends it", `{${enter}`],
        ["{", interrupt],
      ],
      env,
    );
    expect(code).toBe(130);
  }, 40_000);

  it("takes no secret from a keyboard that shows it", async () => {
    const { code, screen } = await command.drive([...add.with(2, api.url), "--secret-stdin"], []);
    expect([code, screen]).toEqual([2, expect.stringContaining("would show the secret")]);
    expect(await command.list()).toEqual([]);
  }, 40_000);
});

describe("remove on a terminal", () => {
  const add = [
    "add",
    "--base-url",
    "https://shop.example",
    "--name",
    "Shop",
    "--auth",
    "none",
    "--no-test",
  ];

  it("removes what is confirmed, and nothing when the answer is no, Enter, or the end of input", async () => {
    expect((await command.run(add)).code).toBe(0);
    for (const answer of [enter, "n", endOfInput, interrupt]) {
      const { code } = await command.drive(["remove", "shop"], [["Remove shop", answer]]);
      expect(code).toBeGreaterThan(0);
      expect(await command.list("sources")).toEqual(["shop.json"]);
    }
    const { code } = await command.drive(["remove", "shop"], [["Remove shop", "y"]]);
    expect(code).toBe(0);
    expect(await command.list("sources")).toEqual([]);
  }, 60_000);
});
