/** Takes a copy of what a caller passed, as far as it is JSON data: nothing later reads or changes the original. */

/** The keys and indexes that lead from the record's root to a place in it. */
export type Path = readonly PropertyKey[];

/** What is wrong with a value. */
export interface Flaw {
  readonly message: string;
  /** What would fix it; absent where the field's own words say so. */
  readonly fix?: string;
}

/** A flaw and its place. */
export interface PlacedFlaw extends Flaw {
  readonly path: Path;
  /** What was given, ready to be shown; by default it is looked up at `path`. */
  readonly given?: string;
}

export type PlainData = null | boolean | number | string | PlainData[] | PlainObject;
export interface PlainObject {
  [key: string]: PlainData;
}

/** No honest record comes near these; a hostile one ends here instead of in a stack overflow. */
const maxDepth = 50;
const maxValues = 20_000;
const maxCharacters = 1_000_000;

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of a copied object; undefined for one that it hasn't, and for what is no object. */
export function readMember(object: PlainData | undefined, key: string): PlainData | undefined {
  return isPlainObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Copies own enumerable members; `undefined` counts as absent. What can't be in a record is named in `flaws` and
 * left out: functions, symbols, bigints, numbers that aren't finite, `__proto__` keys, and what goes too deep.
 */
export function copyPlainData(value: unknown): { readonly value: PlainData; readonly flaws: PlacedFlaw[] } {
  const copy: Copy = { flaws: [], values: maxValues, characters: maxCharacters, isTooLarge: false };
  try {
    return { value: copyValue(value, [], copy), flaws: copy.flaws };
  } catch {
    // A getter or a proxy of the caller's threw; what it throws may hold a secret.
    const fix = "Give plain data, such as what JSON.parse returns.";
    return { value: null, flaws: [{ path: [], message: "can't be read", fix }] };
  }
}

interface Copy {
  readonly flaws: PlacedFlaw[];
  /** How many may still come. */
  values: number;
  characters: number;
  /** Told once: everything after it is left out. */
  isTooLarge: boolean;
}

function copyValue(given: unknown, path: Path, copy: Copy): PlainData {
  const refuse = (place: Path, message: string, fix: string): null => {
    copy.flaws.push({ path: place, message, fix });
    return null;
  };
  copy.values -= 1;
  if (typeof given === "string") copy.characters -= given.length;
  if (copy.values < 0 || copy.characters < 0) {
    const fix = "Keep a record under 1,000,000 characters and 20,000 values.";
    if (!copy.isTooLarge) refuse([], "is too large", fix);
    copy.isTooLarge = true;
    return null;
  }
  if (given === null || typeof given === "string" || typeof given === "boolean") return given;
  if (typeof given === "number" && Number.isFinite(given)) return given;
  if (typeof given !== "object") {
    const what = typeof given === "number" ? "not a finite number" : `a ${typeof given}, not JSON data`;
    return refuse(path, `is ${what}`, "Give a string, a number, true, false, a list or an object.");
  }
  if (path.length > maxDepth) return refuse(path.slice(0, 3), "is nested too deeply", "Flatten it.");
  if (Array.isArray(given)) {
    return given.slice(0, copy.values + 1).map((item, index) => copyValue(item, [...path, index], copy));
  }
  // Without a prototype: what someone puts on `Object.prototype` must not look like a field of the record.
  const members: PlainObject = Object.create(null);
  for (const [key, member] of Object.entries(given)) {
    if (copy.isTooLarge) break;
    copy.characters -= key.length;
    if (key === "__proto__") refuse([...path, key], "is a name that no field can have", "Remove it.");
    else if (member !== undefined) members[key] = copyValue(member, [...path, key], copy);
  }
  return members;
}
