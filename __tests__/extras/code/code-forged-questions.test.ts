import { describe, expect, it } from "@jest/globals";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { openCode } from "./open-code.js";

const server = await startHttpServer((request, response) =>
  sendJson(response, { url: request.url }),
);

/** @param token - Of each call. */
const open = async (token = () => "unused-token") => {
  const credentials = () => ({ token: token() });
  const sources = [{ name: "Shop" }, { name: "Mail" }];
  return (
    await openCode(
      { baseUrl: server.url, authType: "bearer" },
      { writes: "allow" },
      { sources, credentials },
    )
  ).run;
};

/** Runs code whose question is the given JSON value, whatever the code calls. */
const forge = (question: unknown): string =>
  `const question = ${JSON.stringify(question)}; let isFirst = true;
   Object.prototype.toJSON = function () { if (!isFirst) return this; isFirst = false; return question };
   let done; try { done = await api.shop.get("/") } catch (error) { done = error } delete Object.prototype.toJSON; return done.message ?? done.ok ?? done`;

describe("a question that code has forged", () => {
  it.each([
    [null],
    [{ sleep: -1 }],
    [{ kept: { toString: 1, valueOf: 1 } }],
    [{ file: [] }],
    [{ source: ["shop"], input: {} }],
    [{ source: "shop" }],
    [{ source: "shop", input: null }],
    [{ source: "shop", describe: null }],
  ])("ends the run with an answer, and sends nothing: %j", async (question) => {
    const run = await open();
    const { error } = await run(forge(question));
    expect([error.category, server.requests]).toEqual(["code_error", []]);
    expect(error.message).toContain("does not exist");
  });

  it.each([
    [{ source: "shop", input: { method: 5, path: {} } }],
    [{ source: "shop", input: { method: "GET", path: ["/"], wait: {}, until: [] } }],
    [{ source: "shop", input: { method: "GET", path: "/", wait: "x", until: "@" } }],
    [
      {
        source: "shop",
        input: { method: "GET", path: "/", pages: {}, select: {}, headers: 5, query: 5 },
      },
    ],
    [{ source: "shop", describe: { find: {}, path: [], method: 5 } }],
    [{ source: "constructor", input: {} }],
  ])("is answered as wrong input, and sends nothing: %j", async (question) => {
    const run = await open();
    const { error, data } = await run(forge(question));
    expect([error, server.requests]).toEqual([undefined, []]);
    expect([false, expect.any(String)]).toContainEqual(data);
  });
});

describe("the questions that code asks at once", () => {
  it("are handled each in a turn of the event loop", async () => {
    let beat = 0;
    let timer = setImmediate(function next() {
      beat += 1;
      timer = setImmediate(next);
    });
    const beats: number[] = [];
    const run = await open(() => {
      beats.push(beat);
      return "unused-token";
    });
    await run("return (await Promise.all([1, 2, 3].map((at) => api.shop.get('/' + at)))).length");
    clearImmediate(timer);
    expect(beats).toHaveLength(3);
    expect(new Set(beats).size).toBe(3);
  });
});

describe("a secret of one source", () => {
  it("is redacted in what code returns after a call of another source", async () => {
    let calls = 0;
    const run = await open(() => {
      calls += 1;
      return `token-of-call-${calls}`;
    });
    const ends = await run(
      "await api.shop.get('/a'); await api.mail.get('/b'); return 'token-of-' + 'call-1'",
    );
    expect([calls, ends.data]).toEqual([2, "[REDACTED]"]);
  });
});

describe("a credential that code has guessed", () => {
  const guess = `"unused-" + "token"`;
  it.each([
    ["the result", `return ${guess}`],
    ["the log", `console.log(${guess}); return 1`],
    ["an error", `throw new Error(${guess})`],
    ["the name of an error", `const error = new Error(""); error.name = ${guess}; throw error`],
    [
      "an answer that repeats it",
      `return (await api.shop.get("/", { query: { guess: ${guess} } })).data`,
    ],
  ])("is redacted in %s", async (_where, code) => {
    const run = await open();
    // The package knows a credential from the first call on.
    expect(JSON.stringify(await run(`await api.shop.get("/"); ${code}`))).not.toContain(
      "unused-token",
    );
  });

  it("is a text in the result and the state where it is a number", async () => {
    const run = await open(() => "48151623");
    const pin = await run(
      `await api.shop.get("/"); state.pin = 48151000 + 623; return { pin: state.pin }`,
    );
    expect(pin.data).toEqual({ pin: "[REDACTED]" });
    expect((await run("return state")).data).toEqual({ pin: "[REDACTED]" });
  });

  it("is redacted in the state before that is kept", async () => {
    const run = await open();
    await run(`await api.shop.get("/"); state.guess = ${guess}; return 1`);
    expect((await run(`return [state.guess === ${guess}, state]`)).data).toEqual([
      false,
      { guess: "[REDACTED]" },
    ]);
  });
});
