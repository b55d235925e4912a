/** Marks a source as read, so that it is read once however many doors it goes through. */

import type { ApiSource } from "./api-source.js";

/** Shared by the ESM and the CommonJS build; no JSON file can hold it, and a spread doesn't copy it. */
const sealKey: symbol = Symbol.for("langchain-api-sources.sealed");

/** Freezes a source of our own making, all levels of it, and marks it; one that is marked stays as it is. */
export function sealSource(source: ApiSource): ApiSource {
  if (isSealedSource(source)) return source;
  Object.defineProperty(source, sealKey, { value: true, enumerable: false });
  freezeDeep(source);
  return source;
}

/** Whether `sealSource` returned this very object. A throwing proxy isn't one. */
export function isSealedSource(value: unknown): value is ApiSource {
  try {
    return (
      typeof value === "object" && value !== null && Object.hasOwn(value, sealKey) && Object.isFrozen(value)
    );
  } catch {
    return false;
  }
}

/**
 * Recursion is safe here: a source is a copy whose depth is capped. Its objects lose their prototype, because a `proxy` that
 * someone put on `Object.prototype` must not look like one of the record's.
 */
function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  if (!Array.isArray(value)) Object.setPrototypeOf(value, null);
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
}
