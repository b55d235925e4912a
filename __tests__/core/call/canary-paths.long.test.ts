import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import { expectNoCanary, openEars } from "../../support/canary-toolkit.js";
import { startEchoApi } from "../../support/echo-api.js";
import { createCanaryFinder } from "../../support/find-canary.js";
import { makeCertificates } from "../../support/make-certificates.js";
import { answerWith, startRawServer } from "../../support/raw-server.js";
import { splitOptions, type TestOptions } from "../../support/seams.js";
import { asRecords } from "../../support/unchecked.js";

const secret = "Qx7Zk9vMw2Lp4RtYb8Nd3Hs6Jf1Gc5Va0Ue";
const finder = createCanaryFinder([secret]);
/** The next answers of the raw server. */
let reply = { status: 200, headers: {}, body: "" };
const api = await startEchoApi();
const raw = await startRawServer((_request, socket) =>
  answerWith(socket, reply.status, reply.body, reply.headers),
);

type Ask = (
  name: string,
  input: unknown,
  config?: unknown,
) => Promise<{ content: string; artifact?: { responseId?: string } }>;

async function open(records: readonly unknown[], options: TestOptions) {
  const ears = openEars();
  const toolkit = await ApiSourceToolkit.fromSources(
    asRecords(records),
    ...splitOptions({ ...ears.options, ...options }),
  );
  const ask: Ask = async (name, args, config) => {
    const tool = toolkit.getTools().find((one) => one.name === name);
    const message = await tool?.invoke(
      { type: "tool_call", id: "c", name, args } as never,
      config as never,
    );
    ears.hear("message", message);
    return message;
  };
  return { ask, toolkit, expectNoCanary: (find = finder) => expectNoCanary(ears, find) };
}

const bearer = (baseUrl: string, more = {}): Record<string, unknown> => ({
  name: "A",
  api: { baseUrl, authType: "bearer", limits: { retries: 0, maxTokens: 400 }, ...more },
});

describe("a secret across the place where a text is truncated", () => {
  const header = (status: number, headers: Record<string, string>, body = ""): typeof reply => {
    return { status, headers, body };
  };
  const typed = (status: number, type: string, body: string): typeof reply =>
    header(status, { "Content-Type": type }, body);
  const json = (status: number, value: unknown): typeof reply =>
    typed(status, "application/json", JSON.stringify(value));
  const sixty = Array.from({ length: 60 }, (_, id) => id);
  const limited = { "X-RateLimit-Remaining": "0" };
  const challenge = (text: string): typeof reply =>
    header(401, { "WWW-Authenticate": `Bearer ${text}` });
  const places: Readonly<Record<string, (text: string) => typeof reply>> = {
    "an error text in WWW-Authenticate": (text) =>
      challenge(`error="x", error_description="${text}"`),
    "an error code in WWW-Authenticate": (text) => challenge(`error="${text}"`),
    "X-Error-Message": (text) => header(400, { "X-Error-Message": text }),
    "X-Ms-Error-Code": (text) => header(400, { "X-Ms-Error-Code": text }),
    "the name of a rate limit's policy": (text) =>
      header(429, { "RateLimit-Policy": `"${text}";q=1;w=1`, RateLimit: `"${text}";r=0;t=1` }),
    "a legacy policy": (text) =>
      header(200, { ...limited, "X-RateLimit-Limit": `1, 1;w=60;name="${text}"` }, "[]"),
    "a named policy": (text) => header(200, { ...limited, "X-RateLimit-Policy": text }, "[]"),
    "a charset": (text) => typed(200, `text/plain; charset=${text}`, "words"),
    "a content type": (text) => typed(200, `text/x-${text}`, "words"),
    "a content encoding": (text) => header(200, { "Content-Encoding": text }, "words"),
    "the target of a redirect": (text) => header(302, { Location: `http://127.0.0.1:9/${text}` }),
    "a malformed redirect": (text) => header(302, { Location: `http://[${text}` }),
    "an error message": (text) => json(400, { error: { message: text, code: text, field: text } }),
    "an error page": (text) => typed(500, "text/html", `<title>${text}</title><h1>${text}</h1>`),
    "a long value": (text) => {
      const rows = sixty.map((id) => ({ id, [text]: text, text }));
      return json(200, rows);
    },
    "a row of CSV": (text) =>
      typed(200, "text/csv", [`id,${text}`, ...sixty.map((id) => `${id},${text}`)].join("\n")),
    "broken JSON": (text) => typed(200, "application/json", `{"${text}":1,"b":["${text}`),
    "a next link": (text) =>
      header(200, { Link: `</v1/x?page=2&cursor=${text}>; rel="next"` }, "[1]"),
  };

  it.each(Object.entries(places))("is not shown in part: %s", async (_place, write) => {
    const { ask, expectNoCanary } = await open([bearer(`${raw.url}/v1`)], {
      credentials: { a: { token: secret } },
    });
    // Every length up to that of the longest text shown, in steps that no cut of eight characters slips through.
    for (let before = 0; before < 700; before += secret.length - 9) {
      reply = write(`${"x".repeat(before)}.${secret}`);
      await ask("a", { method: "GET", path: "/x" });
    }
    expectNoCanary();
  });
});

describe("a secret in the URL", () => {
  it.each([
    ["the base URL", { baseUrl: "{origin}/v1/bot{key}", variables: { key: "${KEY}" } }],
    ["a constant parameter", { baseUrl: "{origin}/v1", query: { key: "a-${KEY}" } }],
  ])("is not shown: %s", async (_where, settings) => {
    const baseUrl = settings.baseUrl.replace("{origin}", api.url);
    const { ask, expectNoCanary } = await open(
      [bearer(baseUrl, { ...settings, baseUrl, authType: undefined })].map(plain),
      { secrets: { KEY: secret } },
    );
    api.secrets = [secret];
    const errors = ["message", "errors-list", "html-error", "problem"];
    for (const echo of ["json", "next", "text", "redirect-outside", "redirect-loop", ...errors]) {
      await ask("a", { method: "GET", path: `/${echo}` });
      await ask("a", { method: "POST", path: `/${echo}?form=0`, body: { a: 1 } });
    }
    expect(api.requests.at(-1)?.url).toContain(secret);
    expectNoCanary();
  });

  it("is not shown in part where a hint clips a long URL", async () => {
    for (let length = 200; length < 330; length += secret.length - 9) {
      const baseUrl = `${raw.url}/${"x".repeat(length - raw.url.length)}/{key}`;
      const { ask, expectNoCanary } = await open(
        [{ name: "A", api: { baseUrl, variables: { key: "${KEY}" } } }],
        { secrets: { KEY: secret } },
      );
      for (const body of ["no route", '{"message":"No such item"}']) {
        reply = { status: 404, headers: {}, body };
        await ask("a", { method: "GET", path: "/items/42" });
      }
      expectNoCanary();
    }
  });
});

/** Without members that are undefined, as a file holds it. */
function plain(record: unknown): unknown {
  return JSON.parse(JSON.stringify(record));
}

describe("a secret of one call", () => {
  it("is kept from that call's exits and from what is read of it later", async () => {
    const { ask, toolkit, expectNoCanary } = await open([bearer(`${api.url}/v1`)], {
      credentials: async (_source, { configurable }) => ({
        token: String(configurable?.["token"]),
      }),
    });
    api.secrets = [secret];
    const ofThread = { configurable: { token: secret, thread_id: "t" } };
    for (const echo of [
      "json",
      "text",
      "error-message",
      "headers",
      "redirect-away",
      "binary",
      "next",
    ]) {
      const { artifact } = await ask("a", { method: "GET", path: `/${echo}` }, ofThread);
      const id = artifact?.responseId;
      if (id === undefined) continue;
      await ask("read_api_response", { id }, ofThread);
      await ask("read_api_response", { id, select: "rows[*].text" }, ofThread);
      const value = await toolkit.readResponse(id, { threadId: "t" });
      const text =
        value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : JSON.stringify(value);
      expect(finder.find(text)).toBeUndefined();
    }
    expectNoCanary();
  });

  it("that changed in the environment is kept from all, the old one and the new", async () => {
    const all = ["old-Kd8Wm3Xc6Vb9Tn2", "b-Jf5Gh7Kl2Pq9Rs4"];
    const environment: Record<string, string | undefined> = { A_TOKEN: all[0], B_TOKEN: all[1] };
    const records = ["A", "B"].map((name) => ({ ...bearer(`${api.url}/v1`), name }));
    const readEnvironment = (name: string): string | undefined => environment[name];
    const { ask, expectNoCanary } = await open(records, { readEnvironment });
    api.secrets = all;
    await ask("a", { method: "GET", path: "/list" });
    environment["A_TOKEN"] = secret;
    api.secrets = [...all, secret];
    api.requests.length = 0;
    await ask("a", { method: "GET", path: "/json" });
    expect(api.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    await ask("b", { method: "GET", path: "/json" });
    expectNoCanary(createCanaryFinder(api.secrets));
  });
});

describe("a client certificate's key and a proxy's password", () => {
  it("are shown nowhere, line by line", async () => {
    const { client, ca } = makeCertificates();
    const lines = client.key
      .split(/\r?\n/)
      .filter((line) => line.length > 20 && !line.startsWith("-----"));
    const find = createCanaryFinder([...lines, secret]);
    const { ask, expectNoCanary } = await open(
      [
        bearer(`${api.url}/v1`, { network: { key: "${CLIENT_KEY}", cert: client.cert, ca } }),
        {
          ...bearer(`${api.url}/v1`, {
            network: { proxy: "http://user:${PROXY_PASSWORD}@127.0.0.1:9" },
          }),
          name: "B",
        },
      ],
      {
        credentials: { a: { token: "abcdefgh-ijkl" }, b: { token: "abcdefgh-ijkm" } },
        secrets: { CLIENT_KEY: client.key, PROXY_PASSWORD: secret },
      },
    );
    const { key } = client;
    const encoded = [
      JSON.stringify(key),
      encodeURIComponent(key),
      Buffer.from(key).toString("base64"),
    ];
    api.secrets = [];
    for (const text of [key, ...encoded, lines[3] ?? "", secret]) {
      const echo = await ask("a", { method: "POST", path: "/text", body: { text } });
      expect(echo.content).toContain("[REDACTED]");
    }
    await ask("b", { method: "GET", path: "/text" });
    expectNoCanary(find);
  });
});
