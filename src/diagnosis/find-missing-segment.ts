/** Finds the segment of a path that most probably names what is missing. */

export interface SaidThing {
  /** What the API calls it, such as `package`. */
  readonly noun: string | undefined;
  /** Whether the text names one by an id or a name, which need not stand in the path. */
  readonly hasOwnName: boolean;
}

export interface MissingSegment {
  readonly name: string;
  /** The path in front of it; `""` when there is none. */
  readonly parent: string;
  /** The last segment, where it is a word behind the id. */
  readonly below?: string;
}

/** Numbers, UUIDs, hex, `cus_123`, `SHOP-12`, mail addresses; `@scope` is a namespace and none of them. */
const idSegment =
  /^(?:\d+|(?=[^\d]*\d)[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{27}|[a-z]{1,8}_(?=[^\d]*\d)[0-9A-Za-z]{3,}|[A-Z]{2,10}-\d+|[^/@]+@[^/@]+)$/;
/** At the end of a path also prefixed words, names with two digits, and file names. */
const nameSegment =
  /^(?:[a-z]{1,8}_[0-9A-Za-z]{3,}|(?=[^/\d]*\d[^/\d]*\d)[\w.~-]{3,}|[^/]+\.[a-z][a-z0-9]{0,5})$/;

export function segmentsOf(path: string): string[] {
  return (path.split("?")[0] ?? "").split("/").filter((segment) => segment !== "");
}

/**
 * A segment that the message names, else the one behind the message's noun (`user` behind `/users`), else the last one where it looks
 * like an id or the API says that a thing is missing, else an id right before a last word. Undefined when it can't be told.
 */
export function findMissingSegment(
  path: string,
  message: string,
  said: SaidThing | undefined,
): MissingSegment | undefined {
  const segments = segmentsOf(path);
  const last = segments.length - 1;
  const index = indexNamed(segments, message) ?? indexBehindNoun(segments, said?.noun);
  if (index !== undefined) return at(segments, index);
  const name = segments[last] ?? "";
  const isId = (segment: string): boolean => idSegment.test(segment) && !/^v\d/.test(segment);
  if (last > 0 && (isId(name) || (nameSegment.test(name) && !/^v\d/.test(name)))) return at(segments, last);
  const before = segments[last - 1];
  if (before !== undefined && isId(before) && last > 1) return { ...at(segments, last - 1), below: name };
  return said !== undefined && !said.hasOwnName && last >= 0 ? at(segments, last) : undefined;
}

function at(segments: readonly string[], index: number): MissingSegment {
  const parent = segments.slice(0, index).join("/");
  return { name: segments[index] ?? "", parent: parent === "" ? "" : `/${parent}` };
}

/** The last segment that stands in the text as a whole word. */
function indexNamed(segments: readonly string[], message: string): number | undefined {
  const words = new Set(
    message
      .slice(0, 1_000)
      .split(/[\s'"`“”‘’()[\]{}<>,;:=]+/)
      .map((word) => word.replace(/[.!?]+$/, "")),
  );
  const index = segments.findLastIndex(
    (segment) => /^(?:\d+|\S{2,})$/.test(segment) && words.has(decode(segment)),
  );
  return index < 0 ? undefined : index;
}

function indexBehindNoun(segments: readonly string[], noun: string | undefined): number | undefined {
  const word = noun?.toLowerCase();
  if (word === undefined) return undefined;
  const index = segments.findIndex((segment) =>
    [word, `${word}s`, `${word}es`].includes(segment.toLowerCase()),
  );
  return index < 0 || index === segments.length - 1 ? undefined : index + 1;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
