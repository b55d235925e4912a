/** Takes a copy of what a caller passed, as far as it is JSON data: nothing later reads or changes the original. */

/** The keys and indexes that lead from the record's root to a place in it. */
export type Path = readonly PropertyKey[];

/** What is wrong with a value. */
export interface Problem {
  readonly message: string;
  /** What would fix it; absent where the field's own words say so. */
  readonly fix?: string | undefined;
}

/** A problem and its place. */
export interface PlacedProblem extends Problem {
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
const maxCharacters = 1_000_000;
/** What a value costs beside its own characters: there are 20,000 at most. */
const charactersPerValue = 50;

/**
 * Copies own enumerable members; `undefined` counts as absent. What can't be in a record is named in `problems` and
 * left out: functions, symbols, bigints, numbers that aren't finite, `__proto__` keys, and what goes too deep.
 */
export function copyPlainData(value: unknown): {
  readonly value: PlainData;
  readonly problems: PlacedProblem[];
} {
  const problems: PlacedProblem[] = [];
  let room = maxCharacters;
  const refuse = (path: Path, message: string, fix: string): null => {
    problems.push({ path, message, fix });
    return null;
  };

  const copy = (given: unknown, path: Path): PlainData => {
    room -= charactersPerValue + (typeof given === "string" ? given.length : 0);
    if (room < 0) return null;
    if (given === null || typeof given === "string" || typeof given === "boolean") return given;
    if (typeof given === "number" && Number.isFinite(given)) return given;
    if (typeof given !== "object") {
      const fix = "Give a string, a finite number, true, false, a list or an object.";
      return refuse(path, `is not JSON data, but of type ${typeof given}`, fix);
    }
    if (path.length > maxDepth) return refuse(path.slice(0, 3), "is nested too deeply", "Flatten it.");
    if (Array.isArray(given)) {
      const items = given.slice(0, room / charactersPerValue + 1);
      return items.map((item, index) => copy(item, [...path, index]));
    }
    const members: PlainObject = {};
    for (const [key, member] of Object.entries(given)) {
      room -= key.length;
      if (key === "__proto__") refuse([...path, key], "is a name that no field can have", "Remove it.");
      else if (member !== undefined && room >= 0) members[key] = copy(member, [...path, key]);
    }
    return members;
  };

  try {
    const copied = copy(value, []);
    if (room < 0) refuse([], "is too large", "Keep a record under 1,000,000 characters and 20,000 values.");
    return { value: copied, problems };
  } catch {
    // A getter or a proxy of the caller's threw; what it throws may hold a secret.
    refuse([], "can't be read", "Give plain data, such as what JSON.parse returns.");
    return { value: null, problems: problems.slice(-1) };
  }
}

/** Judges every member, at all depths, but not what is in one with a problem. Recursion is safe here: a copy's depth is capped. */
export function findMemberProblems(
  value: unknown,
  findProblem: (key: string, member: unknown) => Problem | undefined,
): PlacedProblem[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const problem = findProblem(key, member);
    const problems = problem ? [{ path: [], ...problem }] : findMemberProblems(member, findProblem);
    return placeAt([Array.isArray(value) ? Number(key) : key], problems);
  });
}

/** Problems of what is at a place, as problems of the whole. */
export const placeAt = (place: Path, problems: readonly PlacedProblem[]): PlacedProblem[] =>
  problems.map((problem) => ({ ...problem, path: [...place, ...problem.path] }));
