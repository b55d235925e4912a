/** JSON values in which no number is lost: the tree of plain values and its members, the number that a double can't hold, and both written as compact text. */

const integer = /^-?\d+$/;

/**
 * A number that a double can't hold: `12345678901234567890`, `1e400`. Every other number of a document is a plain number.
 *
 * @example
 * const id = new ExactNumber("12345678901234567890");
 * id.text; // "12345678901234567890"
 * Number(id); // 12345678901234567000
 * `${id}`; // "12345678901234567890"
 */
export class ExactNumber {
  /** @param text - The digits as they were written (RFC 8259 section 6). */
  constructor(readonly text: string) {}

  /** The nearest double, to compute and compare with; `1e400` is Infinity. */
  valueOf(): number {
    return Number(this.text);
  }

  /** It is not a plain object to code that checks for one. */
  get [Symbol.toStringTag](): string {
    return "ExactNumber";
  }

  /** The digits as the API wrote them. */
  toString(): string {
    return this.text;
  }

  /** For `JSON.stringify`: a number where only digits of a fraction are lost, else the digits as a string. `writeJson` loses nothing. */
  toJSON(): number | string {
    const nearest = Number(this.text);
    const isKept = integer.test(this.text)
      ? Number.isSafeInteger(nearest)
      : Number.isFinite(nearest);
    return isKept ? nearest : this.text;
  }
}

export type JsonObject = { [key: string]: JsonValue };

/** A value that JSON text parses to. */
export type JsonValue = null | boolean | number | string | ExactNumber | JsonValue[] | JsonObject;

/** Whether a value is an object with members: no list, no number, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isJsonContainer(value) && !Array.isArray(value);
}

/** Whether a value is a number of JSON, as a double or with its digits. */
export function isJsonNumber(value: unknown): value is number | ExactNumber {
  return typeof value === "number" || value instanceof ExactNumber;
}

/** Whether a value is a list or an object with members. */
export function isJsonContainer(value: unknown): value is JsonValue[] | JsonObject {
  return typeof value === "object" && value !== null && !(value instanceof ExactNumber);
}

/** An object with more members is a map, such as hosts by name: its keys are data, and mean nothing to this package. */
const mostNamedMembers = 5_000;
/** To list the keys of an object with more members takes a millisecond and more, and many steps of a call do. */
const mostCheapKeys = 200;
/** No document is changed once it is read. */
const wideKeys = new WeakMap<object, readonly string[]>();

/** All keys of an object of a document. */
export function listKeys(object: object): readonly string[] {
  const known = wideKeys.get(object);
  if (known !== undefined) return known;
  const keys = Object.keys(object);
  if (keys.length > mostCheapKeys) wideKeys.set(object, keys);
  return keys;
}

/** Whether an object is a map, without a shape, a state or fields. */
export function isMap(object: object): boolean {
  return listKeys(object).length > mostNamedMembers;
}

/** The first members of an object, at most so many. Not by `Object.entries`: it makes a list of all of them first. */
export function listMembers<Value>(
  object: { readonly [key: string]: Value },
  most: number,
): (readonly [key: string, value: Value])[] {
  return listKeys(object)
    .slice(0, most)
    .flatMap((key): [string, Value][] => {
      const value = object[key];
      return value === undefined ? [] : [[key, value]];
    });
}

/** Sets a member of an object whatever its name: assigning to `__proto__` would set the prototype. */
export function writeMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name !== "__proto__") object[name] = value;
  else
    Object.defineProperty(object, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}

/**
 * Puts something else in the place of values, anywhere in a tree. Any depth.
 *
 * @param replace - Gets each value, before what is in it; what it returns is put in its place when it is another value.
 * @returns the tree, changed in place (or what replaces it)
 */
export function replaceValues(
  root: JsonValue,
  replace: (value: JsonValue) => JsonValue,
): JsonValue {
  const whole = [root];
  const open: (JsonValue[] | JsonObject)[] = [whole];
  const change = (item: JsonValue): JsonValue => {
    const changed = replace(item);
    if (isJsonContainer(changed)) open.push(changed);
    return changed;
  };
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length; index += 1) {
        const item = container[index] ?? null;
        const changed = change(item);
        if (changed !== item) container[index] = changed;
      }
    } else {
      // A list of the keys of each object would cost more than the walk.
      for (const key in container) {
        const item = container[key] ?? null;
        const changed = change(item);
        // An own `__proto__` is an own property: this assigns to it and sets no prototype.
        if (changed !== item) container[key] = changed;
      }
    }
  }
  return whole[0] ?? null;
}

/** Turns every `ExactNumber` of a tree into the nearest double, as `JSON.parse` would have given it. Changes the tree in place. */
export function applyNativeNumbers(value: JsonValue): JsonValue {
  return replaceValues(value, (item) => (item instanceof ExactNumber ? item.valueOf() : item));
}

/** Characters gathered before a piece is given. */
const pieceLength = 4_096;
/** Items that are written at once, and characters of each of them that is a string. */
const mostAtOnce = 100;

/** A container that is being written. */
interface OpenContainer {
  /** The keys of an object, by which its members are read; absent for a list. */
  readonly keys?: readonly string[];
  readonly length: number;
  readonly at: (index: number) => JsonValue | undefined;
  next: number;
}

function openContainer(value: JsonValue[] | JsonObject): OpenContainer {
  if (Array.isArray(value)) return { length: value.length, at: (index) => value[index], next: 0 };
  const keys = listKeys(value);
  return { keys, length: keys.length, at: (index) => value[keys[index] ?? ""], next: 0 };
}

/**
 * Takes a value of a parsed document. Returns compact JSON text, as `JSON.stringify` would but with the digits of each `ExactNumber`.
 *
 * @example
 * writeJson(parseJson('{ "id": 12345678901234567890 }')); // {"id":12345678901234567890}
 */
export function writeJson(value: JsonValue): string {
  let text = "";
  for (const piece of writeJsonPieces(value)) text += piece;
  return text;
}

/**
 * A document for `JSON.parse`, with each row of its outer lists in a line of its own: tools that page and search files by lines can read
 * it. An integer beyond 2^53 is a string.
 *
 * @param depth - In how many nested containers lists are looked for. @default 4
 * @example
 * writeJsonRows(parseJson('{"orders":[{"id":1},{"id":2}]}')); // {"orders":[⏎{"id":1},⏎{"id":2}⏎]}
 */
export function writeJsonRows(value: JsonValue, depth = 4): string {
  if (!isJsonContainer(value) || depth === 0) return JSON.stringify(value);
  if (Array.isArray(value) && value.some(isJsonContainer))
    return `[\n${value.map((row) => JSON.stringify(row)).join(",\n")}\n]`;
  if (Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${writeJsonRows(item, depth - 1)}`,
  );
  return `{${members.join(",")}}`;
}

/**
 * The same text in pieces of some thousand characters (a longer string is one piece, and so are all keys of a short row), for a caller
 * that stops when it grows too long.
 *
 * @example
 * for (const piece of writeJsonPieces(value)) if ((length += piece.length) > limit) break;
 */
export function* writeJsonPieces(value: JsonValue): Generator<string, void> {
  const open: OpenContainer[] = [];
  let piece = "";
  const write = (item: JsonValue): void => {
    if (item instanceof ExactNumber) {
      piece += item.text;
      return;
    }
    const container = isJsonContainer(item) ? openContainer(item) : undefined;
    if (container === undefined || isPlain(container)) {
      piece += JSON.stringify(item);
      return;
    }
    piece += container.keys === undefined ? "[" : "{";
    open.push(container);
  };
  write(value);
  for (let container = open.at(-1); container !== undefined; container = open.at(-1)) {
    const { keys, length, next } = container;
    if (next === length) {
      piece += keys === undefined ? "]" : "}";
      open.pop();
    } else {
      if (next > 0) piece += ",";
      if (keys !== undefined) piece += `${JSON.stringify(keys[next])}:`;
      container.next += 1;
      write(container.at(next) ?? null);
    }
    if (piece.length <= pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** Whether a container is a short one of short scalars, which `JSON.stringify` writes as they are. */
function isPlain({ length, at }: OpenContainer): boolean {
  if (length > mostAtOnce) return false;
  for (let index = 0; index < length; index += 1) {
    const item = at(index);
    const isShort =
      typeof item === "string"
        ? item.length <= mostAtOnce
        : typeof item !== "object" || item === null;
    if (!isShort) return false;
  }
  return true;
}
