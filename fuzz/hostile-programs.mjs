// Generates hostile code for run_api_code: replaced built-ins, getters and proxies, floods, huge texts, races over everything.

/** Each replaces something that the prelude of the sandbox may use. */
const replacements = [
  "globalThis.Promise = class { constructor(f) { for (let i = 0; i < 1e4; i++) f(() => {}, () => {}) } then() {} };",
  "Promise.prototype.then = function (f) { f?.(1); return this };",
  "Map.prototype.set = function () { return this }; Map.prototype.delete = () => true;",
  "Map.prototype.get = () => ({ resolve() {}, reject() {}, place: {}, read: (v) => v });",
  "WeakMap.prototype.set = function () { return this };",
  "Object.prototype.toJSON = function () { return { sleep: 600000 } };",
  "Object.prototype.then = function (f) { f(this) };",
  "String.prototype.slice = function () { return this + this };",
  "String.prototype.toJSON = () => 'x'.repeat(1e6);",
  "Array.prototype.map = function () { return ['x'.repeat(1e6)] };",
  "Array.prototype.join = () => 'x'.repeat(1e6);",
  "Object.entries = () => [];",
  "Object.defineProperty(globalThis, 'state', { get() { return { x: 'x'.repeat(1e6) } }, set() {} });",
  "Error.prototype.toString = () => { for (;;); };",
];

/** Each gives a value; V is a value inside it. */
const wrappers = [
  "V",
  "[V, V]",
  "({ a: V })",
  "({ get a() { return V } })",
  "new Proxy({ a: V }, { ownKeys() { return ['a', 'b'] }, getOwnPropertyDescriptor() { return { enumerable: true, configurable: true } } })",
  "({ toJSON() { return V } })",
  "Object.fromEntries(Array.from({ length: COUNT }, (_, i) => ['k' + i, V]))",
  "Array.from({ length: COUNT }, () => V)",
  "new Map([[1, V]])",
];
const scalars = [
  "1",
  "'x'.repeat(SIZE)",
  "'\\u0000\\ud800'.repeat(COUNT)",
  "1n",
  "undefined",
  "NaN",
  "Symbol.iterator",
  "() => 1",
];

/** Each is a statement; P is a path, V a value. */
const statements = [
  "api.shop.get(P);",
  "await api.shop.get(P);",
  "all.push(api.shop.get(P));",
  "all.push(api.shop.get(P, { query: { q: V }, headers: V, pages: V }));",
  "all.push(api.shop.post('/echo', { body: V }));",
  "all.push(api.shop.describe(V));",
  "for (let i = 0; i < COUNT; i++) all.push(api.shop.get(P + '&i=' + i));",
  "for (let i = 0; i < COUNT; i++) all.push(kept('r_' + i));",
  "for (let i = 0; i < COUNT; i++) all.push(sleep(i % 3));",
  "all.push(sleep(1e9), sleep(-1), sleep(V));",
  "for (let i = 0; i < COUNT; i++) console.log(V);",
  "state.v = V;",
  "await Promise.race(all);",
  "await Promise.allSettled(all);",
  "await Promise.any(all);",
  "rows(await api.shop.get(P));",
  "rows(V);",
  "try { throw V } catch {}",
  "for (const each of all) each.catch?.(() => api.shop.get(P));",
];
const endings = [
  "return V;",
  "return all;",
  "return Promise.race(all);",
  "throw V;",
  "throw new Error('x'.repeat(SIZE));",
  "await new Promise(() => {});",
  "for (;;) await null;",
  "for (;;);",
  "for (;;) api.shop.get(P);",
  "",
];

/** @param {typeof import("fast-check")} fc @returns {import("fast-check").Arbitrary<string>} the body of one run on a source `shop` */
export function hostileProgram(fc) {
  const count = fc.integer({ min: 0, max: 5 }).map((power) => 10 ** power);
  const size = fc.integer({ min: 0, max: 7 }).map((power) => 10 ** power);
  const path = fc.constantFrom(
    "'/rows?'",
    "'/big?bytes=1000000'",
    "'/echo?'",
    "'/../x?'",
    "'//'.repeat(1000)",
  );
  const value = fc
    .tuple(fc.constantFrom(...scalars), fc.array(fc.constantFrom(...wrappers), { maxLength: 3 }))
    .map(([scalar, around]) =>
      around.reduce((inside, wrapper) => wrapper.replaceAll("V", `(${inside})`), scalar),
    );
  const fill = (template) =>
    fc.tuple(value, path, count, size).map(([v, p, n, s]) =>
      // Placeholders are words of capitals: a function as the replacement keeps `$` as it is.
      template
        .replace(/\bV\b/g, () => v)
        .replace(/\bP\b/g, () => p)
        .replace(/\bCOUNT\b/g, () => String(n))
        .replace(/\bSIZE\b/g, () => String(s)),
    );
  const one = (templates) => fc.constantFrom(...templates).chain(fill);
  const caught = one(statements).map((statement) => `try { ${statement} } catch {}`);
  return fc
    .tuple(
      fc.array(fc.constantFrom(...replacements), { maxLength: 2 }),
      fc.array(fc.oneof(one(statements), caught), { minLength: 1, maxLength: 6 }),
      one(endings),
    )
    .map(([first, middle, end]) => ["const all = [];", ...first, ...middle, end].join("\n"));
}
