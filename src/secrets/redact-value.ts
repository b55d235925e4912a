/** Redacts plain data: headers, an error's details, what is logged. */

import { redactBytes } from "./redact-bytes.js";
import type { Redactor } from "./redactor.js";
import { redactedMarker } from "./secret.js";

type Put = (copy: unknown) => void;

/** What is still to be done, last first: so that nesting costs memory and no stack. */
type Task = () => void;

interface Walk {
  readonly redactor: Redactor;
  readonly tasks: Task[];
  /** The objects that hold the one at hand. */
  readonly open: Set<object>;
  /** An object that stands in many places is copied once, or a few lines could grow without end. */
  readonly copies: Map<object, unknown>;
}

/**
 * A redacted copy of plain JSON data, keys as well as values. A number that is a secret becomes the marker; `toJSON` is
 * respected; maps and sets become arrays, errors keep name, message and own fields; functions and symbols are left out;
 * a reference back to what holds it becomes `"[Circular]"`. Nesting may be of any depth.
 */
export function redactValue(value: unknown, redactor: Redactor): unknown {
  const walk: Walk = { redactor, tasks: [], open: new Set(), copies: new Map() };
  let result: unknown;
  copy(value, walk, (copied) => {
    result = copied;
  });
  for (let task = walk.tasks.pop(); task !== undefined; task = walk.tasks.pop()) task();
  return result;
}

function copy(given: unknown, walk: Walk, put: Put): void {
  const value = toPlain(given);
  if (typeof value === "string") put(walk.redactor.redact(value));
  else if (typeof value === "number" || typeof value === "bigint") put(copyNumber(value, walk.redactor));
  else if (typeof value === "function" || typeof value === "symbol") put(undefined);
  else if (typeof value !== "object" || value === null) put(value);
  else if (value instanceof Uint8Array) put(redactBytes(value, walk.redactor));
  else if (walk.open.has(value)) put("[Circular]");
  else if (walk.copies.has(value)) put(walk.copies.get(value));
  else put(copyObject(value, walk));
}

function copyNumber(value: number | bigint, redactor: Redactor): unknown {
  const text = String(value);
  return redactor.redact(text) === text ? value : redactedMarker;
}

function copyObject(value: object, walk: Walk): unknown {
  const target: object = Array.isArray(value) ? [] : {};
  walk.open.add(value);
  walk.copies.set(value, target);
  walk.tasks.push(() => walk.open.delete(value));
  const fields = Object.entries(value).map(([key, child]) => {
    const name = Array.isArray(value) ? key : freeKey(target, walk.redactor.redact(key));
    define(target, name, undefined);
    return [name, child] as const;
  });
  for (const [name, child] of fields) {
    walk.tasks.push(() => copy(child, walk, (copied) => define(target, name, copied)));
  }
  return target;
}

/** Assigning `__proto__` would change the copy's prototype instead of adding a key. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
}

/** Two keys can become the same; no value is dropped for it. */
function freeKey(target: object, key: string): string {
  let free = key;
  for (let count = 2; Object.hasOwn(target, free); count++) free = `${key} (${count})`;
  return free;
}

/** What stands for a value in plain data. */
function toPlain(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Error) return { ...value, name: value.name, message: value.message };
  if (!("toJSON" in value) || typeof value.toJSON !== "function") return value;
  try {
    return value.toJSON();
  } catch {
    return undefined;
  }
}
