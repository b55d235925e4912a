/** Reads one record and finds everything that is wrong with it, without throwing. */

import type { RecordProblem } from "../errors.js";
import type { ApiSource } from "./api-source.js";
import { copyPlainData, isPlainObject, type PlainData, readMember } from "./copy-plain-data.js";
import { fillDefaults, toHostName } from "./fill-defaults.js";
import { findCrossFieldFlaws } from "./find-cross-field-flaws.js";
import { findKeyFlaws } from "./find-key-flaws.js";
import type { PlacedFlaw } from "./flaw.js";
import { presentGiven } from "./present-given.js";
import { recordSchema } from "./record-schema.js";
import { suggestFix } from "./suggest-fix.js";
import { findValue, toSchemaFlaws } from "./to-schema-flaws.js";
import { findNameFlaw } from "./tool-name.js";

export interface RecordPlace {
  readonly file?: string;
  /** The record's place in a list. */
  readonly index?: number;
}

export interface ReadRecord {
  /** Absent when there are problems. */
  readonly source?: ApiSource;
  readonly problems: readonly RecordProblem[];
  /** Paths of keys that were kept and have no effect. */
  readonly unknownKeys: readonly string[];
}

/** A list with thousands of wrong elements has one problem, not thousands; no person reads more than this. */
const maxProblems = 100;

export function readRecord(value: unknown, place: RecordPlace = {}): ReadRecord {
  const { record, flaws: allFlaws, unknown, source } = judge(value);
  const flaws = shorten(allFlaws);
  const name = labelRecord(record);
  const problems = flaws.map(
    ({ path, given = presentGiven(path, findValue(record, path)), message, fix }) => ({
      ...(place.file === undefined ? {} : { file: place.file }),
      ...(name === undefined ? {} : { source: name }),
      path: presentPath(place.index === undefined ? path : [place.index, ...path]),
      ...(given === undefined ? {} : { given }),
      message,
      fix,
    }),
  );
  return { problems, unknownKeys: unknown.map(presentPath), ...(source === undefined ? {} : { source }) };
}

function shorten(flaws: readonly PlacedFlaw[]): readonly PlacedFlaw[] {
  if (flaws.length <= maxProblems) return flaws;
  const rest = flaws.length - maxProblems;
  const more = { path: [], message: `has ${rest} more problems`, fix: "Fix those above first." };
  return [...flaws.slice(0, maxProblems), more];
}

interface Judgement {
  readonly record: PlainData;
  readonly flaws: readonly PlacedFlaw[];
  readonly unknown: readonly (readonly PropertyKey[])[];
  readonly source?: ApiSource;
}

function judge(value: unknown): Judgement {
  const copied = copySafely(value);
  const record = copied.value;
  if (!isPlainObject(record)) {
    const own = { path: [], message: "is not an object", fix: suggestFix([], record) };
    return { record, flaws: copied.flaws.length > 0 ? copied.flaws : [own], unknown: [] };
  }
  const keys = findKeyFlaws(record);
  const api = readMember(record, "api");
  const parsed = recordSchema.safeParse(record);
  const flaws = [
    ...copied.flaws,
    ...keys.flaws,
    ...withoutRepeats(copied.flaws, [
      ...(parsed.success ? [] : toSchemaFlaws(parsed.error.issues, record)),
      ...(isPlainObject(api) ? findCrossFieldFlaws(api) : []),
    ]),
  ];
  if (!parsed.success || flaws.length > 0) return { record, flaws, unknown: keys.unknown };
  const source = fillDefaults(parsed.data);
  const nameFlaw = parsed.data.slug === undefined ? findNameFlaw(source.name) : undefined;
  if (!nameFlaw) return { record, flaws, unknown: keys.unknown, source };
  return { record, flaws: [{ path: ["name"], ...nameFlaw }], unknown: keys.unknown };
}

/** A getter or a proxy of the caller's may throw; that is a wrong record too, and what it throws may hold a secret. */
function copySafely(value: unknown): ReturnType<typeof copyPlainData> {
  try {
    return copyPlainData(value);
  } catch {
    const flaw = {
      path: [],
      message: "can't be read",
      fix: "Give plain data, such as what JSON.parse returns.",
    };
    return { value: null, flaws: [flaw] };
  }
}

/** What couldn't be copied is missing in the copy; saying so once is enough. */
function withoutRepeats(told: readonly PlacedFlaw[], found: readonly PlacedFlaw[]): PlacedFlaw[] {
  const paths = new Set(told.map(({ path }) => presentPath(path)));
  return found.filter(({ path }) => !paths.has(presentPath(path)));
}

/** By what a person would call the record: its name, else its host. */
function labelRecord(record: PlainData): string | undefined {
  const name = readMember(record, "name");
  if (typeof name === "string" && name.trim() !== "") return name.trim().slice(0, 80);
  const baseUrl = readMember(readMember(record, "api"), "baseUrl");
  return typeof baseUrl === "string" ? toHostName(baseUrl)?.slice(0, 80) : undefined;
}

/** Writes a path as JavaScript would: `api.methods[0]`, `api.headers["a b"]`; `record` is the whole. */
export function presentPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "record";
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const key = String(step).slice(0, 80);
    if (!/^[$\w-]+$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}
