/** Reads one record and finds everything that is wrong with it, without throwing. */

import { dirname, resolve } from "node:path";
import type { z } from "zod";
import type { RecordProblem } from "../errors.js";
import type { ApiSource } from "./api-source.js";
import { findHostName } from "./base-url.js";
import { findCrossFieldFlaws } from "./cross-field-rules.js";
import { describeGiven } from "./inline-credentials.js";
import { findKeyFlaws } from "./key-rules.js";
import {
  copyPlainData,
  isPlainObject,
  type Path,
  type PlacedFlaw,
  type PlainData,
  readMember,
} from "./plain-data.js";
import { type FilledRecord, findFix, recordSchema } from "./record-schema.js";
import { createToolName, findNameFlaw } from "./tool-name.js";

type Issue = z.core.$ZodIssue;

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
  const { record, flaws, unknown, source } = judge(value);
  const name = findLabel(record);
  const problems = clipFlaws(flaws).map((flaw) => {
    const value = findValue(record, flaw.path);
    const { path, given = describeGiven(path, value), message, fix = findFix(path, value) } = flaw;
    return {
      ...(place.file === undefined ? {} : { file: place.file }),
      ...(name === undefined ? {} : { source: name }),
      path: writePath(place.index === undefined ? path : [place.index, ...path]),
      ...(given === undefined ? {} : { given }),
      message,
      fix,
    };
  });
  return {
    problems,
    unknownKeys: unknown.map(writePath),
    ...(source === undefined ? {} : { source: placeDocuments(source, place.file) }),
  };
}

/** The documents of a record stand beside its file, wherever the process was started. */
function placeDocuments(source: ApiSource, file: string | undefined): ApiSource {
  if (file === undefined) return source;
  const { openapi, guide } = source.api;
  const beside = (path: string): string => resolve(dirname(file), path);
  const placed = {
    ...(openapi === undefined ? {} : { openapi: beside(openapi) }),
    ...(guide === undefined ? {} : { guide: beside(guide) }),
  };
  return { ...source, api: { ...source.api, ...placed } };
}

interface Judgement {
  readonly record: PlainData;
  readonly flaws: readonly PlacedFlaw[];
  readonly unknown: readonly Path[];
  readonly source?: ApiSource;
}

function judge(value: unknown): Judgement {
  const { value: record, flaws: copyFlaws } = copyPlainData(value);
  if (!isPlainObject(record)) {
    const fix = "Give one record; `loadSources` reads a list of them from a file.";
    const own = { path: [], message: "is not an object", ...(Array.isArray(record) ? { fix } : {}) };
    return { record, flaws: copyFlaws.length > 0 ? copyFlaws : [own], unknown: [] };
  }
  const { flaws: keyFlaws, unknown } = findKeyFlaws(record);
  const { data, error } = recordSchema.safeParse(record);
  const api = record["api"];
  const source = data && fillNames(data);
  const nameFlaw = source && record["slug"] === undefined ? findNameFlaw(source.name) : undefined;
  const flaws = keepFirst([
    ...copyFlaws,
    ...keyFlaws,
    ...(error?.issues.flatMap((issue) => listFlaws(issue, issue.path, record)) ?? []),
    ...(isPlainObject(api) ? findCrossFieldFlaws(api) : []),
    ...(nameFlaw ? [{ path: ["name"], ...nameFlaw }] : []),
  ]);
  return { record, flaws, unknown, ...(source && flaws.length === 0 ? { source } : {}) };
}

/** The first thing to say of a place is enough: what couldn't be copied, for one, is missing in the copy too. */
function keepFirst(flaws: readonly PlacedFlaw[]): PlacedFlaw[] {
  const first = new Map<string, PlacedFlaw>();
  for (const flaw of flaws) {
    const place = JSON.stringify(flaw.path);
    if (!first.has(place)) first.set(place, flaw);
  }
  return [...first.values()];
}

function fillNames(record: FilledRecord): ApiSource {
  const name = record.name?.trim() ?? findHostName(record.api.baseUrl) ?? "";
  return { ...record, name, slug: record.slug ?? createToolName(name) };
}

function clipFlaws(flaws: readonly PlacedFlaw[]): readonly PlacedFlaw[] {
  if (flaws.length <= maxProblems) return flaws;
  const message = `has ${flaws.length - maxProblems} more problems`;
  return [...flaws.slice(0, maxProblems), { path: [], message, fix: "Fix those above first." }];
}

/** What zod found, in a person's words. */
function listFlaws(issue: Issue, path: Path, record: PlainData): PlacedFlaw[] {
  const value = findValue(record, path);
  // Of a union, what is wrong with the option that has the value's own type.
  const meant =
    issue.code === "invalid_union"
      ? issue.errors.find(
          (issues) => !issues.some(({ code, path: at }) => code === "invalid_type" && at.length === 0),
        )
      : undefined;
  if (meant) return meant.flatMap((inner) => listFlaws(inner, [...path, ...inner.path], record));
  const fix =
    issue.code === "invalid_key" ? "Correct the name." : issue.code === "custom" && issue.params?.["fix"];
  return [{ path, message: describeIssue(issue, value), ...(typeof fix === "string" ? { fix } : {}) }];
}

function describeIssue(issue: Issue, value: PlainData | undefined): string {
  switch (issue.code) {
    case "invalid_type":
      return value === undefined ? "is missing" : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return value === undefined
        ? "is missing"
        : `must be ${issue.values.map((one) => JSON.stringify(one)).join(" or ")}`;
    case "too_small":
      return issue.origin === "array" || issue.origin === "string"
        ? "is empty"
        : `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}${issue.origin === "string" ? " characters" : ""}`;
    case "invalid_key":
      return issue.issues[0]?.message ?? "is not a name that can be used here";
    case "invalid_union":
      return "is of a type that this field can't have";
    default:
      return issue.message;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  int: "a whole number",
  number: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** The value at a path; undefined where the path leads nowhere. */
function findValue(record: PlainData, path: Path): PlainData | undefined {
  return path.reduce<PlainData | undefined>((value, step) => {
    if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
    return readMember(value, String(step));
  }, record);
}

/** What a person would call the record: its name, else its host. */
function findLabel(record: PlainData): string | undefined {
  const name = readMember(record, "name");
  if (typeof name === "string" && name.trim() !== "") return name.trim().slice(0, 80);
  const baseUrl = readMember(readMember(record, "api"), "baseUrl");
  return typeof baseUrl === "string" ? findHostName(baseUrl)?.slice(0, 80) : undefined;
}

/** Writes a path as JavaScript would: `api.methods[0]`, `api.headers["a b"]`; `record` is the whole. */
function writePath(path: Path): string {
  if (path.length === 0) return "record";
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const key = String(step).slice(0, 80);
    if (!/^[$\w-]+$/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}
