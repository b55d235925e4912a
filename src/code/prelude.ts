/** What code sees besides the language: `api`, `kept`, `state` and `console`, made inside the sandbox of one host function. */

/**
 * Source of a function that runs in QuickJS before the model's code. Its host function takes strings and numbers alone, so that
 * nothing of the host is ever reachable; what code may do to the built-ins afterwards harms nobody but itself.
 */
export const prelude = `(tell, sources, stateText, maxAsked) => {
  "use strict";
  const { parse, stringify } = JSON;
  const waiting = new Map();
  const maxUnderWay = 2e7;
  const maxResult = 1e7;
  const methods = ["get", "post", "put", "patch", "delete"];
  let lastId = 0;
  let underWay = 0;

  const plain = (_key, value) => {
    if (typeof value === "bigint") return String(value);
    if (value instanceof Map) return Object.fromEntries(value);
    return value instanceof Set ? [...value] : value;
  };
  const ask = (question) => {
    const text = stringify(question, plain);
    // Here, so that no loop can fill the host with what it will refuse.
    if (lastId >= maxAsked) throw new Error("this run has asked for far more than maxCalls");
    if (text.length + underWay > maxUnderWay)
      throw new Error("the calls under way hold more than " + maxUnderWay / 1e6 + " MB: await some before the next");
    // Made here, where its stack still leads to the line of the call.
    const place = new Error();
    return new Promise((resolve, reject) => {
      lastId += 1;
      underWay += text.length;
      waiting.set(lastId, { resolve, reject, place, characters: text.length });
      tell("call", text, lastId);
    });
  };
  const settle = (id, text, isRefused) => {
    const { resolve, reject, place, characters } = waiting.get(id);
    waiting.delete(id);
    underWay -= characters;
    if (!isRefused) return resolve(parse(text));
    place.message = text;
    reject(place);
  };

  const guard = (target, refuse) =>
    new Proxy(Object.freeze(target), {
      get(_target, name) {
        if (typeof name === "symbol" || Object.hasOwn(target, name) || ["then", "toJSON"].includes(name)) return target[name];
        throw refuse(name);
      },
    });
  const toCalls = (source) =>
    Object.fromEntries([
      ...methods.map((method) => [method, async (path, options) => ask({ source, input: { ...options, method: method.toUpperCase(), path } })]),
      ["describe", async (asked) => ask({ source, describe: { ...asked } })],
    ]);
  const toSource = (source) =>
    guard(toCalls(source), (name) => new TypeError("api." + source + " has no " + name + ": it has " + methods.join(", ") + ", describe."));
  const api = guard(
    Object.fromEntries(sources.map((source) => [source, toSource(source)])),
    (name) => new ReferenceError("There is no source " + stringify(name) + ". Sources: " + sources.join(", ") + "."),
  );

  const show = (value) => {
    try {
      if (typeof value === "string") return value;
      if (value instanceof Error) return value.name + ": " + value.message;
      return stringify(value, plain) ?? String(value);
    } catch {
      return "(something that can't be shown)";
    }
  };
  const write = (...values) => tell("log", values.map(show).join(" ").slice(0, 10000));
  const fixed = {
    api,
    kept: async (id) => ask({ kept: id }),
    console: Object.freeze({ log: write, info: write, warn: write, error: write, debug: write }),
  };
  for (const [name, value] of Object.entries(fixed)) Object.defineProperty(globalThis, name, { value, enumerable: true });
  globalThis.state = parse(stateText);
  // Made for threads, which code has none of; one of them could wait.
  for (const name of ["SharedArrayBuffer", "Atomics"]) delete globalThis[name];

  const readState = () => {
    try {
      return stringify(globalThis.state, plain) ?? "";
    } catch {
      return "";
    }
  };
  const describe = (thrown) => {
    try {
      if (!(thrown instanceof Error)) return { message: show(thrown).slice(0, 2000) };
      const { name, message, stack } = thrown;
      return { name: String(name).slice(0, 100), message: String(message).slice(0, 2000), stack: String(stack).slice(0, 4000) };
    } catch {
      return { name: "Error", message: "something that can't be shown was thrown" };
    }
  };
  const fail = (thrown) => tell("thrown", stringify(describe(thrown)), readState());
  const run = async (code) => {
    try {
      const text = stringify(await code(), plain);
      if (text?.length > maxResult)
        throw new Error("what the code returned has " + Math.round(text.length / 1e6) + " MB as JSON, and " + maxResult / 1e6 + " MB is the most: return less");
      tell("value", text, readState());
    } catch (thrown) {
      fail(thrown);
    }
  };
  return { settle, run, stop: () => fail(new Error("the code waits for a promise that nothing can settle any more")) };
}`;
