/** JSON values in which no number is lost: the tree of plain values, and the number that a double can't hold. */

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

  toString(): string {
    return this.text;
  }

  /** For `JSON.stringify`: a number where only digits of a fraction are lost, else the digits as a string. `writeJson` loses nothing. */
  toJSON(): number | string {
    const nearest = Number(this.text);
    const isKept = integer.test(this.text) ? Number.isSafeInteger(nearest) : Number.isFinite(nearest);
    return isKept ? nearest : this.text;
  }
}

export type JsonObject = { [key: string]: JsonValue };

/** What JSON text parses to. */
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

/** Sets a member of an object whatever its name: assigning to `__proto__` would set the prototype. */
export function writeMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * Puts something else in the place of scalars, anywhere in a tree. Any depth.
 *
 * @param replace - Gets each scalar, `ExactNumber` included; what it returns is put in its place when it is another value.
 * @returns the tree, changed in place (or what replaces it when it is a scalar itself)
 */
export function applyToScalars(value: JsonValue, replace: (scalar: JsonValue) => JsonValue): JsonValue {
  if (!isJsonContainer(value)) return replace(value);
  const open: (JsonValue[] | JsonObject)[] = [value];
  const change = (item: JsonValue): JsonValue => {
    if (!isJsonContainer(item)) return replace(item);
    open.push(item);
    return item;
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
  return value;
}

/** Turns every `ExactNumber` of a tree into the nearest double, as `JSON.parse` would have given it. Changes the tree in place. */
export function applyNativeNumbers(value: JsonValue): JsonValue {
  return applyToScalars(value, (scalar) => (scalar instanceof ExactNumber ? scalar.valueOf() : scalar));
}
