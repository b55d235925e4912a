import { describe, expect, it } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { createAgent, fakeModel } from "langchain";
import {
  type ApiSourceRecord,
  type ApiSourceTool,
  ApiSourceToolkit,
  createApiSourceTool,
  errorCategories,
} from "langchain-api-sources";
import { anyCharacter } from "../../support/any-character.js";
import { combineHostilePaths, knownHostilePaths } from "../../support/hostile-paths.js";
import { staysUnderBase } from "../../support/lenient-server.js";
import { isLongRun, runsOf } from "../../support/long-run.js";
import { answerWith, startRawServer } from "../../support/raw-server.js";
import type { AnswerDocument } from "../../support/shop-tool.js";

const token = "w4ll-T0ken+/=Zq9LmX41vK";
/** Where `/v1/go` points. */
let location = "";
const evil = await startRawServer();
const server = await startRawServer((request, socket) => {
  const isRedirect = /^\/v1\/go(?:$|[?/])/.test(request.target);
  if (isRedirect) answerWith(socket, 302, "", { Location: location });
  else answerWith(socket, 200, '{"ok":true}', { "Content-Type": "application/json" });
});
const tool = makeTool({});

function makeTool(settings: Record<string, unknown>): ApiSourceTool {
  const api: ApiSourceRecord["api"] = {
    baseUrl: `${server.url}/v1`,
    authType: "header",
    headerName: "X-Api-Key",
    headers: { "X-Constant": "constant" },
    query: { version: "7" },
    limits: { retries: 0 },
    ...settings,
  };
  return createApiSourceTool({ name: "Shop", api }, { credentials: { shop: { token } } });
}

async function ask(input: unknown, which: ApiSourceTool = tool): Promise<AnswerDocument> {
  const call = { type: "tool_call", id: "c", name: "shop", args: input };
  const { content } = (await which.invoke(call as never)) as { content: string };
  return JSON.parse(content);
}

/** The rules that no argument may break, read from the bytes on the wire. */
function expectConfined(documents: readonly AnswerDocument[]): void {
  expect(evil.requests).toEqual([]);
  expect([...server.garbage, ...evil.garbage]).toEqual([]);
  for (const request of server.requests) {
    expect(["GET", "POST", "PUT", "DELETE", "PATCH"]).toContain(request.method);
    expect(staysUnderBase(request.target, "/v1")).toBe(true);
    expect(request.headers["host"]).toBe(new URL(server.url).host);
    expect(request.headers["x-api-key"]).toBe(token);
    expect(request.headers["x-constant"]).toBe("constant");
    expect(request.head.match(/^x-api-key:/gim)).toHaveLength(1);
    expect(
      request.head.match(
        /^(?:cookie|authorization|transfer-encoding|upgrade|expect|x-forwarded|proxy-)/gim,
      ),
    ).toBeNull();
    expect(request.headers["content-length"] ?? "0").toBe(String(request.body.length));
    expect(new URL(request.target, server.url).searchParams.getAll("version")).toEqual(["7"]);
  }
  for (const { status, error } of documents) {
    if (error === undefined) expect(status).toBe(200);
    else {
      expect(errorCategories).toContain(error.category);
      expect([error.message, error.hint]).not.toContain("");
      expect(error.message).not.toContain("Something inside the tool");
    }
  }
}

const badValues: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    Number.POSITIVE_INFINITY,
    "",
    " ",
    "\0",
    "\r\n",
    "null",
    "{}",
    "\ud800",
    "é日本😀",
  ],
  ...[
    "A=1&B",
    "?a=1",
    "#x",
    "%zz",
    "%00",
    "x".repeat(100_000),
    [],
    {},
    [[]],
    [null],
    [{}],
    [1, "a"],
  ],
  { "": "", a: null },
  JSON.parse(
    '{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}},"then":"x","toJSON":"y","length":5}',
  ),
  { toString: 1 },
  { a: { b: { c: [1, { d: 2 }] } } },
  Array.from({ length: 5_000 }, (_, id) => id),
  [{ name: "version", value: "8" }],
  [{ name: "Host", value: "evil" }],
  [{ name: 1, value: 2 }],
  { Host: "evil", "Content-Length": "0", "X-Api-Key": "x", "x-constant": "y", Cookie: "a=b" },
  { "Transfer-Encoding": "chunked" },
  { "Content-Length": ["0"] },
  { "X-A": "1\r\nX-Injected: 1" },
  { "X-A\r\nX-B": "1" },
  { common: { Host: "evil" } },
  { VERSION: "8" },
  { "version[]": "8" },
  { " version": "8" },
  { "v%65rsion": "8" },
];

describe("a call with any argument", () => {
  it.each(["method", "path", "query", "headers", "body", "select"])(
    "answers whatever %s is, and breaks no rule on the wire",
    async (member) => {
      const documents: AnswerDocument[] = [];
      for (const value of badValues) {
        for (const method of ["GET", "POST"]) {
          documents.push(await ask({ method, path: "/items", [member]: value }));
        }
      }
      expectConfined(documents);
    },
  );

  it("answers whatever the whole input is", async () => {
    const documents = [];
    for (const value of badValues) documents.push(await ask(value));
    expectConfined(documents);
    expect(server.requests).toEqual([]);
  });

  it.each([5_000, 100_000])(
    "answers a body nested %i levels deep, callbacks or not",
    async (levels) => {
      const nested = JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
      const documents = [];
      for (const member of ["body", "query", "headers", "path", "method", "select", "other"]) {
        documents.push(await ask({ method: "POST", path: "/items", [member]: nested }));
      }
      documents.push(await ask({ method: "POST", path: "/items", body: "[".repeat(levels) }));
      expectConfined(documents.filter(({ error }) => error !== undefined));
    },
  );

  it("never reaches another place by a hostile path", async () => {
    const combined = [...combineHostilePaths()].filter(
      (_, index) => index % (isLongRun ? 29 : 290) === 0,
    );
    const documents = [];
    for (const path of [...knownHostilePaths, ...combined]) {
      for (const given of [path, path.replaceAll("evil", `127.0.0.1:${evil.port}`)]) {
        documents.push(await ask({ method: "GET", path: given }));
      }
    }
    expectConfined(documents);
    expect(documents.filter(({ error }) => error === undefined)).toEqual([]);
  });

  it("puts no generated argument where it does not belong", async () => {
    const parts = [..."/\\:@?#;&a", "..", "%2e", "%2f", "//", "http:", "version=1"];
    const piece = fc.oneof(
      fc.constantFrom(...parts),
      fc.string({ maxLength: 3, unit: anyCharacter }),
    );
    const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
    const known = ["Host", "host ", "X-Api-Key", "version", "Content-Length", "X-A", "Accept"];
    const name = fc.oneof(text, fc.constantFrom(...known));
    const value = fc.oneof(text, fc.jsonValue());
    const pairs = fc.oneof(
      text,
      fc.dictionary(name, value, { maxKeys: 3 }),
      fc.array(fc.record({ name, value }), { maxLength: 3 }),
      fc.jsonValue(),
    );
    const method = fc.oneof(fc.constantFrom("GET", "POST", "DELETE", "poſt", "get", "TRACE"), text);
    const input = fc.record(
      { method, path: text, query: pairs, headers: pairs, body: value, select: fc.option(text) },
      { requiredKeys: ["method", "path"] },
    );
    const documents: AnswerDocument[] = [];
    await fc.assert(
      fc.asyncProperty(input, async (args) => {
        documents.push(await ask(args));
      }),
      { numRuns: runsOf(600) },
    );
    expectConfined(documents.filter(({ status }) => status === undefined));
  });
});

describe("the record's rules", () => {
  const rules = { methods: ["GET"], paths: { deny: ["/admin/**"] } };

  it.each(["/v1/%61dmin/x", "/v1/items?_method=DELETE"])(
    "hold for a redirect to %s",
    async (target) => {
      location = target;
      const { error } = await ask({ method: "GET", path: "/go" }, makeTool(rules));
      expect(error?.category).toBe("refused_by_policy");
      expect(server.requests.map((request) => request.target)).toEqual(["/v1/go?version=7"]);
    },
  );
});

describe("a redirect", () => {
  const inQuery = { authType: "query", queryParam: "api_key", headerName: undefined, headers: {} };

  it.each(["/v1/items?api%5Fkey=other", "/v1/items?a=1&api_key[]=other"])(
    "to %s carries no other value of the credential's parameter",
    async (target) => {
      location = target;
      await ask({ method: "GET", path: "/go" }, makeTool(inQuery));
      for (const request of server.requests) {
        const sent = [...new URL(request.target, server.url).searchParams];
        expect(sent.filter(([name]) => /^api.?key/i.test(name))).toEqual([["api_key", token]]);
      }
    },
  );

  it("that repeats the credential as it was sent is followed, and sends it once", async () => {
    const own = makeTool(inQuery);
    for (const spelt of [
      encodeURIComponent(token),
      token.replaceAll("+", "%2b").replaceAll("=", "%3D"),
    ]) {
      location = `/v1/items/?version=7&api_key=${spelt}`;
      expect(await ask({ method: "GET", path: "/go" }, own)).toMatchObject({ status: 200 });
      const sent = new URL(server.requests.at(-1)?.target ?? "", server.url).searchParams;
      expect(new Set(sent.getAll("api_key"))).toEqual(new Set([token]));
    }
  });
});

describe("a call that looks like another", () => {
  const args = { method: "DELETE", path: "/items/1" };
  const nested = { type: "tool_call", id: "x", name: "shop", method: "GET", path: "/items", args };

  it("is not taken for a tool call inside of a tool call", async () => {
    expect((await ask(nested)).error?.category).toBe("invalid_input");
    expect(server.requests).toEqual([]);
  });

  it("does not slip a write past approval", async () => {
    const record = { name: "Shop", api: { baseUrl: `${server.url}/v1` } };
    const toolkit = await ApiSourceToolkit.fromSources([record], { approve: "writes" });
    const agent = createAgent({
      model: fakeModel()
        .respondWithTools([{ name: "shop", args: nested, id: "c1" }])
        .respond(new AIMessage("done")),
      tools: toolkit.getTools(),
    });
    await agent.invoke({ messages: [{ role: "user", content: "go" }] } as never);
    expect(server.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

describe("a logger that throws", () => {
  it("fails no call", async () => {
    const fail = (): never => {
      throw new Error("log is full");
    };
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const own = createApiSourceTool(
      { name: "Shop", api: { baseUrl: `${server.url}/v1`, authType: "bearer" } },
      { credentials: { shop: { token: "short" } }, logger },
    );
    expect(await ask({ method: "GET", path: "/items" }, own)).toMatchObject({ status: 200 });
    expect((await ask({ method: "GET", path: "/../x" }, own)).error?.category).toBe(
      "refused_by_policy",
    );
  });
});
