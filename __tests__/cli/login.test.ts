import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { openCommandLine } from "../support/command-line.js";
import {
  clientSecret,
  createTokenRecord,
  startTokenServer,
  type TokenServer,
} from "../support/token-server.js";

const line = await openCommandLine("login-command");
let server: TokenServer;
const env = { SHOP_CLIENT_SECRET: clientSecret };

beforeEach(async () => {
  server = await startTokenServer();
});

async function save(oauth2: Record<string, unknown>): Promise<void> {
  const record = createTokenRecord(server, {
    authorizationUrl: `${server.url}/authorize`,
    ...oauth2,
  });
  await line.put("sources/shop.json", record);
}

/** Runs the command, and does what `react` does with the first lines it shows that match. */
function login(
  react: (match: RegExpMatchArray, stop: () => void) => unknown,
  pattern: RegExp,
  ...flags: string[]
) {
  const child = spawn(
    process.execPath,
    ["--", line.program, "login", "shop", "--no-browser", ...flags],
    {
      cwd: line.cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: line.cwd, ...env },
    },
  );
  let shown = "";
  let stdout = "";
  let isDone = false;
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    shown += chunk;
    const match = pattern.exec(shown);
    if (match === null || isDone) return;
    isDone = true;
    void react(match, () => child.kill("SIGINT"));
  });
  return new Promise<{ code: number | null; stdout: string; shown: string }>((done) => {
    child.on("close", (code) => done({ code, stdout, shown }));
  });
}

const address = /(http:\/\/127[^\s]+\/authorize[^\s]+)\n/;
const call = () => line.run(["call", "shop", "GET", "/me"], { env });

describe("api-sources login", () => {
  it("listens for the browser, keeps the grant for its owner alone, and calls work; logout forgets it", async () => {
    await save({ grant: "authorization_code" });
    expect((await call()).stdout).toContain("auth_required");
    const statuses: number[] = [];
    const { code, stdout, shown } = await login(async ([, url = ""]) => {
      const callback = server.agree(url, "ada");
      const states = ["&state=forged", "&state=", ""].map((state) =>
        callback.replace(/&state=.*/, state),
      );
      for (const target of [...states, callback.replace("/callback", "/other")])
        statuses.push((await fetch(target)).status);
      statuses.push((await fetch(callback, { method: "POST" })).status);
      // One of two is taken: the other arrives while the code is redeemed.
      server.options.delayMs = 300;
      const both = await Promise.all([fetch(callback), fetch(callback)]);
      statuses.push(...both.map(({ status }) => status).sort());
    }, address);
    expect(server.tokenRequests).toHaveLength(1);
    expect({ code, statuses }).toEqual({ code: 0, statuses: [400, 400, 400, 400, 400, 200, 400] });
    // How many seconds are left depends on how fast the command is.
    expect(stdout).toMatch(
      /^Authorized Shop\.\nScopes: read, write\nThe token lives 3[56]\d\d seconds \(about \d\d minutes\) and is renewed automatically\.\n$/,
    );
    const folder = join(line.cwd, ".api-sources/tokens");
    const files = (await line.list(".api-sources/tokens")).filter((name) =>
      name.startsWith("shop-"),
    );
    for (const name of files) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await line.read(".api-sources/tokens/.gitignore")).toBe("*\n");
    expect(JSON.parse((await call()).stdout)).toMatchObject({ status: 200, data: { user: "ada" } });
    const tested = await line.run(["test", "shop", "--json"], { env });
    expect(JSON.parse(tested.stdout)).toMatchObject([{ ok: true, grant: { renewable: true } }]);
    for (const canary of server.canaries)
      expect(stdout + shown + tested.stdout).not.toContain(canary);
    expect((await line.run(["logout", "shop"], { env })).stdout).toBe(
      "Forgot the grant of shop.\n",
    );
    expect((await call()).stdout).toContain("auth_required");
    expect((await line.run(["logout", "shop"], { env })).stdout).toBe(
      "There was no grant of shop.\n",
    );
  }, 60_000);

  it("shows a device code and waits until it was entered", async () => {
    await save({ grant: "device_code", deviceAuthorizationUrl: `${server.url}/device` });
    const { code, stdout } = await login(
      ([, userCode = ""]) => server.agreeToDevice(userCode),
      /enter the code (\S+) at:\n {2}http\S+\/activate\n/,
      "--json",
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      source: "shop",
      renewable: true,
      scopes: ["read", "write"],
    });
    expect(JSON.parse((await call()).stdout).data.user).toBe("device");
  }, 60_000);

  it("ends with 1 when the person refuses, and with 130 at Ctrl-C", async () => {
    await save({ grant: "authorization_code", redirectUri: "http://localhost/back" });
    const refused = await login(async ([, url = ""]) => {
      const { searchParams } = new URL(url);
      expect(searchParams.get("redirect_uri")).toMatch(/^http:\/\/localhost:\d+\/back$/);
      await fetch(
        `${searchParams.get("redirect_uri")}?error=access_denied&state=${searchParams.get("state")}`,
      );
    }, address);
    expect(refused).toMatchObject({ code: 1, shown: expect.stringContaining("access_denied") });
    const stopped = await login((_match, stop) => stop(), address);
    expect(stopped.code).toBe(130);
  }, 60_000);

  it.each([
    ["a source that needs no person", { grant: "client_credentials" }, /needs no login/],
    [
      "an address of the application, without a terminal",
      { grant: "authorization_code", redirectUri: "https://app.example.com/cb" },
      /127\.0\.0\.1\/callback/,
    ],
  ])("is wrong usage for %s", async (_what, oauth2, told) => {
    await save(oauth2);
    const { code, stderr } = await line.run(["login", "shop", "--no-browser"], { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(told) });
  });
});
