/** The class of an error that someone else's function threw: all of it that may be shown. */

/** Class names as people write them. An error's `name` is a field like any other, and could hold what its message does. */
const className = /^[A-Z][A-Za-z]{0,40}(?:Error|Exception)$/;

/** Its class, `Error` for one with an unusual name, or the type of what was thrown instead of an error. */
export function nameErrorClass(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  return [thrown.name, thrown.constructor?.name].find((name) => className.test(name ?? "")) ?? "Error";
}
