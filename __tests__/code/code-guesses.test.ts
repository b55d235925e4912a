import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { InMemoryStore } from "@langchain/langgraph";
import fc from "fast-check";
import { createApiCodeTool } from "../../src/code/create-api-code-tool.js";
import { GuessWatch, hasGuess } from "../../src/code/guess-watch.js";
import { createRedactor } from "../../src/secrets/redactor.js";
import { Secret } from "../../src/secrets/secret.js";
import { ApiSourceToolkit } from "../../src/toolkit/api-source-toolkit.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

type Answer = ReturnType<typeof JSON.parse>;

const token = "tok-9f8e7d6c5b";
/** The code writes the secret without knowing it: one of its guesses is right. */
const guesses = `const guesses = ["tok-0000000000", "tok-9f8e7d6c" + "5b", "tok-1111111111"];`;

let server: HttpServer;
beforeAll(async () => {
  server = await startHttpServer((_request, response) => sendJson(response, { role: "admin" }));
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

let threads = 0;
async function open() {
  const warnings: string[] = [];
  const logger = {
    debug: () => {},
    info: () => {},
    error: () => {},
    warn: (text: string) => warnings.push(text),
  };
  const store = new InMemoryStore();
  const toolkit = await ApiSourceToolkit.fromSources(
    [{ name: "Shop", api: { baseUrl: server.url, authType: "bearer" } }],
    { credentials: { shop: { token } }, responseStore: store, logger },
  );
  const tool = createApiCodeTool(toolkit, { writes: "allow" });
  threads += 1;
  const thread_id = `guesses-${threads}`;
  const run = async (code: string, thread = thread_id): Promise<Answer> =>
    JSON.parse(await tool.invoke({ code }, { configurable: { thread_id: thread } }));
  return { run, store, warnings };
}

describe("code whose output contains a secret that it did not receive", () => {
  it.each([
    ["a result", "return guesses"],
    ["a log", "for (const each of guesses) console.log(each); return 1"],
    ["a state", "state.guesses = guesses; return 1"],
    ["an error", "throw new Error(guesses.join())"],
    ["the name of an error", "const error = new Error(''); error.name = guesses.join(); throw error"],
    ["a query", "await api.shop.get('/', { query: { guesses } }); return 1"],
    ["a body", "await api.shop.post('/', { body: guesses }); return 1"],
    ["an id", "await kept(guesses[1])"],
    ["base64", "return 'dG9rLTlmOGU3ZDZjNWI='"],
  ])("ends with the same error for %s, and shows and keeps nothing", async (_what, way) => {
    const { run, store, warnings } = await open();
    const { data, log, notes, error, shortened, kept } = await run(
      `${guesses} console.log("before"); ${way}`,
    );
    expect([data, log, notes, shortened, kept]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(error).toMatchObject({ category: "code_error", code: "credential_in_output" });
    expect(error.details).toBeUndefined();
    expect(server.requests).toEqual([]);
    expect(await store.search([], { limit: 10 })).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it("ends code for the thread at the third time, and for no other thread", async () => {
    const { run, warnings } = await open();
    for (const code of [1, 2, 3])
      expect((await run(`${guesses} return [guesses, ${code}]`)).error.code).toBe("credential_in_output");
    expect((await run("return 1")).error).toMatchObject({ code: "code_ended" });
    expect(warnings).toHaveLength(3);
    expect((await run("return 1", "another-thread")).data).toBe(1);
  });

  it("is not code that sends and returns what it received", async () => {
    const { run } = await open();
    const { data } = await run(`const { data } = await api.shop.get("/"); console.log(data);
      await api.shop.post("/", { body: data }); return [data, "[REDACTED]"]`);
    expect(data).toEqual([{ role: "admin" }, "[REDACTED]"]);
  });
});

describe("hasGuess", () => {
  const redactor = createRedactor([new Secret(token), new Secret("admin")]);
  const pieces = fc.constantFrom("[REDACTED]", "a", "[", "RED", ",", "tok-", " ", "]", '"', "5b");

  it("finds a secret of eight and more characters among markers and other texts", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), fc.array(pieces, { maxLength: 8 }), (before, after) => {
        const text = `${before.join("")} ${token} ${after.join("")}`;
        expect(hasGuess(text, redactor.redact(text))).toBe(true);
      }),
    );
  });

  it("finds nothing where only short secrets or none are replaced", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = JSON.stringify({ user: "admin", parts });
        const clean = redactor.redact(text);
        fc.pre(!text.includes(token));
        expect(hasGuess(text, clean)).toBe(false);
      }),
    );
  });
});

describe("GuessWatch", () => {
  it("forgets the oldest of 10,000 threads, and keeps each that was seen again", () => {
    const watch = new GuessWatch();
    for (let time = 0; time < 3; time += 1) for (const thread of ["old", "again"]) watch.add(thread);
    for (let thread = 0; thread < 9_998; thread += 1) watch.add(String(thread));
    watch.add("again");
    watch.add("one more");
    expect([watch.isEnded("old"), watch.isEnded("again")]).toEqual([false, true]);
  });
});
