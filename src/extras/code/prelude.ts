/** The names that code sees besides the language, such as `api` and `kept`: made inside the sandbox, of one host function. */

/**
 * Source of a function that runs in QuickJS before the model's code. Its host function takes strings and numbers alone, so that nothing of
 * the host is ever reachable. No limit is enforced here: code may replace every built-in that this uses.
 */
export const prelude = `(send, names, stateText) => {
  "use strict";
  const { parse, stringify } = JSON;
  const waiting = new Map();
  const lists = new WeakMap();
  const methods = ["get", "post", "put", "patch", "delete"];

  const plain = (_key, value) => {
    if (typeof value === "bigint") return String(value);
    if (value instanceof Map) return Object.fromEntries(value);
    return value instanceof Set ? [...value] : value;
  };
  const ask = (kind, question, read) => {
    // Made here, where its stack still leads to the line of the call.
    const place = new Error();
    return new Promise((resolve, reject) => {
      const id = send(kind, question);
      if (typeof id === "number") return waiting.set(id, { resolve, reject, place, read });
      place.message = id;
      reject(place);
    });
  };
  const settle = (id, text, isRefused) => {
    const { resolve, reject, place, read } = waiting.get(id);
    waiting.delete(id);
    if (!isRefused) return resolve(read(parse(text)));
    place.message = text;
    reject(place);
  };
  const readAnswer = ({ where = {}, ...answer }) => {
    const found = { headers: {}, total: null, ...answer };
    lists.set(found, where);
    return found;
  };
  const readRows = (data, { rowsAt, areMembers, lists: candidates = [] }) => {
    const at = (path) => path.reduce((value, key) => value?.[key], data);
    if (rowsAt !== undefined) {
      const list = at(rowsAt);
      if (areMembers) return Object.values(list);
      return Array.isArray(list) ? list : [list];
    }
    const writeStep = (key) => (/^[A-Za-z_]\\w*$/.test(key) ? "." + key : "[" + stringify(key) + "]");
    const names = candidates.map((path) => "data" + path.map(writeStep).join(""));
    if (names.length > 0)
      throw new Error("rows: it is not certain which list is meant: write rows(answer." + names.slice(0, 20).join("), or rows(answer.") + ")");
    throw new Error("rows: data is not a list and has none: " + show(Object.keys(Object(data)).slice(0, 20)));
  };
  // A promise that is not awaited lacks the members that code reads of it: the error names the call.
  const named = (name, promise) =>
    new Proxy(promise, {
      get(target, key) {
        if (typeof key === "symbol") return target[key];
        if (key === "toJSON") throw new TypeError(name + " is async, and was not awaited: write await " + name);
        if (!(key in target)) throw new TypeError(name + " is async: write (await " + name + ")." + key);
        return typeof target[key] === "function" ? target[key].bind(target) : target[key];
      },
    });
  const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const listRecords = (data) => {
    const values = isRecord(data) ? Object.values(data) : [];
    return values.length > 0 && values.every(isRecord) ? values : undefined;
  };
  const rows = (answer) => {
    if (Array.isArray(answer)) return answer;
    if (answer?.ok === false) throw new Error("rows: the call failed: " + answer.error?.message);
    const records = answer?.ok === true ? undefined : listRecords(answer);
    if (records !== undefined) return records;
    const where = lists.get(Object(answer));
    if (where === undefined) throw new TypeError("rows takes the answer of a call: { ok, data, … }, a list or an object of rows");
    return readRows(answer.data, where);
  };

  const guard = (target, refuse) =>
    new Proxy(Object.freeze(target), {
      get(_target, name) {
        if (typeof name === "symbol" || Object.hasOwn(target, name) || ["then", "toJSON"].includes(name)) return target[name];
        throw refuse(name);
      },
    });
  const same = (value) => value;
  const toCalls = (source) => {
    const call = async (question, read) => ask("call", stringify({ source, ...question() }, plain), read);
    return Object.fromEntries([
      ...methods.map((method) => [
        method,
        (path, options) =>
          named("api." + source + "." + method + "(…)", call(() => ({ input: { ...options, method: method.toUpperCase(), path } }), readAnswer)),
      ]),
      ["describe", (asked) => named("api." + source + ".describe(…)", call(() => ({ describe: { ...asked } }), same))],
    ]);
  };
  const toSource = (source) =>
    guard(toCalls(source), (name) => new TypeError("api." + source + " has no " + name + ": it has " + methods.join(", ") + ", describe."));
  const { sources, hidden } = names;
  const shown = sources.filter((source) => !hidden.includes(source));
  const clients = {};
  for (const source of sources)
    Object.defineProperty(clients, source, { value: toSource(source), enumerable: shown.includes(source) });
  const api = guard(
    clients,
    (name) => new ReferenceError("There is no source " + stringify(name) + "; there are " + (shown.join(", ") || "none")),
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
  const openFile = async (file) => {
    const read = (as) => () => named("file." + as + "()", ask("call", stringify({ file, as }), same));
    return { ...(await ask("call", stringify({ file }), same)), text: read("text"), base64: read("base64") };
  };
  const write = (...values) => {
    send("log", values.map(show).join(" ").slice(0, 10000));
  };
  const fixed = {
    api,
    file: (id) => named("file(id)", openFile(String(id))),
    kept: (id) => named("kept(id)", ask("call", stringify({ kept: String(id) }), same)),
    sleep: async (ms) => ask("sleep", Number(ms), same),
    rows,
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
  const fail = (thrown) => {
    send("thrown", stringify(describe(thrown)), readState());
  };
  const run = async (code) => {
    try {
      send("value", stringify(await code(), plain), readState());
    } catch (thrown) {
      fail(thrown);
    }
  };
  return { settle, run, stop: () => fail(new Error("the code waits for a promise that can no longer settle")) };
}`;
