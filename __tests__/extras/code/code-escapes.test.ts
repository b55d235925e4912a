import { describe, expect, it } from "@jest/globals";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { openCode } from "./open-code.js";

const server = await startHttpServer((request, response) =>
  sendJson(response, { path: request.url, list: [1, { a: 2 }] }),
);
const { run } = await openCode(
  { baseUrl: server.url, authType: "bearer" },
  { writes: "allow" },
  { credentials: { shop: { token: "tok-9f8e7d6c5b" } } },
);

/** What is there of a host, seen through anything that leads to a global object. */
const probe = `const names = ["process", "require", "module", "Buffer", "global", "setTimeout", "setInterval", "setImmediate", "fetch",
  "XMLHttpRequest", "WebAssembly", "SharedArrayBuffer", "Worker", "postMessage", "parentPort", "importScripts", "std", "os", "bjson", "scriptArgs", "print", "load",
  "structuredClone", "queueMicrotask", "performance", "navigator", "Deno", "Bun"];
const look = (host) => host === undefined || host === null ? [] : names.filter((name) => { try { return name in Object(host) } catch { return false } });`;

/** Each ends in the list of what it found, and leaves everything as it was: one run tries them all. */
const tricks: Record<string, string> = {
  "the global object": "return look(globalThis)",
  "the constructor of a function": `return look((() => {}).constructor("return this")())`,
  "the constructor of an async function": `return look(await (async () => {}).constructor("return globalThis")())`,
  "the constructor of a generator": `return look((function* () {}).constructor("yield globalThis")().next().value)`,
  "the constructor of a host function": `return look(console.log.constructor("return this")()).concat(look(api.shop.get.constructor("return globalThis")()), look(kept.constructor("return this")()))`,
  "this of a host function": `let seen = []; console.log.call(globalThis, { toString() { seen = look(this) } }); return seen.concat(look((function () { return this })()))`,
  "the promise of a call": `const p = api.shop.get("/1"); return look(p.constructor.constructor("return globalThis")()).concat(look(p.then.constructor("return this")()))`,
  "an answer and its parts": `const a = await api.shop.get("/1"); return look(a.constructor.constructor("return globalThis")()).concat(look(a.data.list.constructor.constructor("return this")()), look(a.__proto__), look(Object.getPrototypeOf(a.data.list)))`,
  "an error that came from the host": `try { await kept("r_none") } catch (e) { return look(e.constructor.constructor("return globalThis")()).concat(look(e.__proto__.__proto__), /node_modules|\\/work|\\.ts|\\.js:/.test(e.stack.replace(/(code|prelude)\\.js/g, "")) ? ["stack: " + e.stack] : []) }`,
  "the caller of a function": `function f() { return f.caller } try { return look(f()) } catch { return [] }`,
  "arguments.callee": `return look((function () { return arguments.callee.constructor("return this")() })())`,
  "a getter on an argument": `let seen = []; await api.shop.get("/1", { get query() { seen = look(this); return undefined } }); return seen`,
  "a toJSON of an argument": `let seen = []; await api.shop.get("/1", { query: { toJSON() { seen = look(this).concat(look(globalThis)); return { a: 1 } } } }); return seen`,
  "a proxy as argument": `const seen = []; await api.shop.get("/1", new Proxy({}, { get(t, n, r) { seen.push(...look(r)); return undefined }, ownKeys() { return [] } })); return seen`,
  "a path that is an object": `const seen = []; await api.shop.get({ toString() { seen.push(...look(this)); return "/1" }, toJSON() { return "/1" } }); return seen`,
  "a thenable that is returned": `let seen = []; await { then(resolve) { seen = look(resolve.constructor("return globalThis")()); resolve(1) } }; return seen`,
  "Symbol.species": `class P extends Promise { static get [Symbol.species]() { return function (executor) { executor((v) => v, (v) => v) } } } const p = new P((r) => r(1)); p.then(() => {}); return look(p.constructor)`,
  "Symbol.toPrimitive": `let seen = []; console.log({ [Symbol.toPrimitive]() { seen = look(this); return "" } }); return seen`,
  "a module": `try { return look(await import("node:fs")) } catch { return [] }`,
  "modules of QuickJS": `const seen = []; for (const name of ["std", "os", "qjs:std", "qjs:os", "fs", "./code.js"]) try { await import(name); seen.push(name) } catch {} return seen`,
  eval: `return look((0, eval)("globalThis"))`,
  "api itself": `const seen = []; for (const key of ["constructor", "__proto__", "prototype", "valueOf"]) try { const found = api[key] ?? api.shop[key]; seen.push(...look(found?.constructor?.constructor?.("return globalThis")())) } catch {} return seen`,
  "what the prelude leaves": `return Object.getOwnPropertyNames(globalThis).filter((name) => /send|finish|fail|settle|host|prelude/i.test(name))`,
};

/** The same, each in a run of its own: it changes what others use, or is no function. */
const changes: Record<string, string> = {
  "a stack trace's preparation": `let frames; Error.prepareStackTrace = (e, f) => { frames = f; return "" }; try { await kept("r_none") } catch (e) { String(e.stack) } return look(frames?.[0]?.getThis?.()).concat(look(frames?.[0]?.getFunction?.()))`,
  "patched built-ins": `const seen = []; for (const [o, n] of [[JSON, "parse"], [JSON, "stringify"], [Promise.prototype, "then"], [Map.prototype, "get"], [Array.prototype, "map"], [Object, "entries"]]) { const old = o[n]; o[n] = function (...all) { for (const each of [this, ...all]) seen.push(...look(each)); return old.apply(this, all) } } await api.shop.get("/1"); console.log("x"); return seen`,
  "a patched prototype": `Object.prototype.get = () => "mine"; Object.defineProperty(Object.prototype, "isRefused", { get() { return false }, configurable: true }); const a = await api.shop.get("/1"); delete Object.prototype.isRefused; return a.ok ? [] : ["no answer"]`,
  "the text after the function": `}); globalThis.found = "outside"; (async () => { return look(globalThis)`,
};

describe("code in run_api_code", () => {
  it("finds nothing of the host by any of the tricks that leave it as it was", async () => {
    const tries = Object.entries(tricks).map(
      ([name, code]) => `seen[${JSON.stringify(name)}] = await (async () => { ${code} })();`,
    );
    const { data, error } = await run(
      `${probe}\nconst seen = {};\n${tries.join("\n")}\nreturn seen`,
    );
    expect(error).toBeUndefined();
    expect(data).toEqual(Object.fromEntries(Object.keys(tricks).map((name) => [name, []])));
  });

  it.each(Object.entries(changes))("finds nothing of the host by %s", async (_name, code) => {
    const isOutside = code.startsWith("})");
    const [before, after] = isOutside ? code.split(/(?=return look)/) : ["", code];
    const { data, error } = await run(`${before}${probe}\n${after}`);
    expect(error).toBeUndefined();
    expect(data).toEqual([]);
  });

  it("assigns and deletes without effect: api, kept and console stay what they are", async () => {
    const code = `const before = [api, api.shop, api.shop.get, kept, console, console.log];
      for (const change of [() => { api = 1 }, () => { api.shop = 1 }, () => { api.shop.get = 1 }, () => { delete globalThis.kept }, () => { console.log = 1 },
        () => Object.setPrototypeOf(api.shop, { list() {} })]) try { change() } catch {}
      return [api, api.shop, api.shop.get, kept, console, console.log].map((each, index) => each === before[index]);`;
    expect((await run(code)).data).toEqual([true, true, true, true, true, true]);
  });

  it("has strings alone in its log, whatever it puts in the place of built-ins", async () => {
    const code = `const others = [null, undefined, 5, { length: -1 }, Symbol("x"), Promise.resolve(1), 10n];
      for (const other of others) { Array.prototype.join = () => ({ slice: () => other }); console.log("x"); }
      return others.length`;
    const { data, log } = await run(code);
    expect([data, log]).toEqual([7, Array(7).fill(expect.any(String))]);
  });

  it("sends what the policy lets pass, and nothing for input that no call has", async () => {
    const code = `const all = await Promise.all([
        api.shop.get("//evil.example/x"), api.shop.get("https://evil.example/x"), api.shop.get("/x", { headers: { Authorization: "Bearer mine" } }),
        api.shop.get("/x", { headers: { Host: "evil.example" } }), api.shop.get("/x", { baseUrl: "https://evil.example" }), api.shop.get("/x", { method: "DELETE", path: "/y" }),
      ]);
      return all.map(({ ok, error, data }) => (ok ? data.path : error.category));`;
    const { data } = await run(code);
    expect(
      data.slice(0, 5).every((each: string) => /refused_by_policy|invalid_input/.test(each)),
    ).toBe(true);
    // A method among the options is not the one that is sent.
    expect(data[5]).toBe("/x");
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /x"]);
  });
});
