/** Reads JSON text once, before anything is built of it: how large its tree would be, and which numbers a double would change. */

export interface JsonScan {
  /** Starts and ends of the numbers that JavaScript would print differently, alternating. */
  readonly changed: readonly number[];
  /** How many containers are open at most. */
  readonly depth: number;
  readonly containers: number;
  /** Elements and members, within a container's worth. */
  readonly values: number;
  /** Different keys, to within a few in a hundred. */
  readonly names: number;
  /** The first key that stands twice in one object, as far as that was looked for. */
  readonly repeated: string | undefined;
}

/** RFC 8259 section 6. */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** Decimal digits that a double always gives back. */
const safeDigits = 15;
/** Keys are told apart by a hash: one slot for each. */
const nameSlots = 2 ** 18;
/** In a longer text repeated keys are looked for in its beginning only: rows that repeat a key do so in each row. */
const repeatsSearched = 100_000;

/** What a tree may have of each; by default anything. */
export type ScanLimits = Partial<Readonly<Record<"depth" | "containers" | "values" | "names", number>>>;

/**
 * Takes any text. Never throws; one pass. What it says is true when the text is valid JSON (or several documents of it).
 *
 * @param limits - Reading ends where one of these is passed: what it was is then one too high.
 */
export function scanJson(text: string, limits: ScanLimits = {}): JsonScan {
  const { depth: maxDepth = Number.POSITIVE_INFINITY, containers: maxContainers = Number.POSITIVE_INFINITY } =
    limits;
  const { values: maxValues = Number.POSITIVE_INFINITY, names: maxNames = Number.POSITIVE_INFINITY } = limits;
  const changed: number[] = [];
  const slots = new Uint8Array(nameSlots);
  const open: Set<string>[] = [];
  let repeated: string | undefined;
  let [depth, deepest, containers, commas, names] = [0, 0, 0, 0, 0];
  for (let position = 0; position < text.length; ) {
    const unit = text.charCodeAt(position);
    let end = position + 1;
    if (unit === 34) {
      end = skipString(text, position);
      if (isBeforeColon(text, end)) {
        const slot = hashOf(text, position, end);
        if (slots[slot] === 0) names += 1;
        slots[slot] = 1;
        const keys = position < repeatsSearched ? open.at(-1) : undefined;
        const key = keys === undefined ? "" : readKey(text.slice(position, end));
        if (keys?.has(key)) repeated ??= key;
        keys?.add(key);
      }
    } else if (isDigit(unit) || unit === 45) {
      end = skipNumber(text, position);
      // A number where a key belongs is no JSON, and must not become some by a mark.
      if (isChanged(text, position, end) && !isBeforeColon(text, end)) changed.push(position, end);
    } else if (unit === 44) {
      commas += 1;
      if (containers + commas > maxValues || names > maxNames) break;
    } else if (unit === 91 || unit === 123) {
      containers += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (deepest > maxDepth || containers > maxContainers) break;
      if (position < repeatsSearched) open.push(new Set());
    } else if (unit === 93 || unit === 125) {
      depth -= 1;
      open.pop();
    }
    position = end;
  }
  return {
    changed,
    depth: deepest,
    containers,
    values: containers + commas,
    names,
    repeated,
  };
}

function readKey(quoted: string): string {
  try {
    return quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  } catch {
    return quoted;
  }
}

/** Of the first 64 characters and the length. */
function hashOf(text: string, start: number, end: number): number {
  let hash = end - start;
  const last = Math.min(end, start + 64);
  for (let position = start; position < last; position += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(position)) | 0;
  return (hash ^ (hash >>> 15)) & (nameSlots - 1);
}

/** Takes the index of an opening quote. Returns the index behind the closing one; the text's length when there is none. */
export function skipString(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position += 1) {
    const unit = text.charCodeAt(position);
    if (unit === 34) return position + 1;
    if (unit === 92) position += 1;
  }
  return text.length;
}

function skipNumber(text: string, start: number): number {
  let end = start + 1;
  while (isNumberUnit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Most numbers are known to be safe by their length and their digits; the others are printed and compared. */
function isChanged(text: string, start: number, end: number): boolean {
  if (isPlain(text, start, end)) return false;
  const literal = text.slice(start, end);
  return jsonNumber.test(literal) && String(Number(literal)) !== literal;
}

/** Whether it is short and positive, of digits and at most one point, with no zero at its end or right behind `0.`. */
function isPlain(text: string, start: number, end: number): boolean {
  if (end - start > safeDigits) return false;
  let points = 0;
  for (let position = start; position < end; position += 1) {
    const unit = text.charCodeAt(position);
    if (unit === 46) points += 1;
    else if (!isDigit(unit)) return false;
  }
  if (points === 0) return true;
  const isTiny = text.charCodeAt(start) === 48 && text.charCodeAt(start + 2) === 48;
  return points === 1 && !isTiny && text.charCodeAt(end - 1) !== 48;
}

function isBeforeColon(text: string, end: number): boolean {
  return text.charCodeAt(skipSpaces(text, end)) === 58;
}

/** The index of the first character from `start` on that is no JSON white space. */
export function skipSpaces(text: string, start: number): number {
  let position = start;
  for (;;) {
    const unit = text.charCodeAt(position);
    if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return position;
    position += 1;
  }
}

/** Whether a code unit can stand in a number: a digit, `+`, `-`, `.`, `e`, `E`. */
export function isNumberUnit(unit: number): boolean {
  if (unit <= 57) return unit >= 48 || unit === 45 || unit === 46 || unit === 43;
  return unit === 101 || unit === 69;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
