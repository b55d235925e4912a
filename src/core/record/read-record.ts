/** Reads one record and finds everything that is wrong with it, without throwing. */

import { dirname, resolve } from "node:path";
import type { z } from "zod";
import type { RecordProblem } from "../base/errors.js";
import { isPlainObject } from "../base/input.js";
import type { ApiSource } from "./api-source.js";
import { findHostName } from "./base-url.js";
import {
  describeGiven,
  isCredentialKey,
  maxProblems,
  type Path,
  type PlacedProblem,
} from "./problem.js";
import { findFix, isSecretPlace, recordSchema } from "./record-schema.js";
import { findUnknownKeys } from "./unknown-keys.js";

export interface RecordPlace {
  readonly file?: string;
  /** The record's place in a list. */
  readonly index?: number;
}

export interface ReadRecord {
  /** As it is in the file. */
  readonly given?: unknown;
  readonly file?: string;
  /** Absent when there are problems. */
  readonly source?: ApiSource;
  readonly problems: readonly RecordProblem[];
}

export function readRecord(given: unknown, { file, index }: RecordPlace = {}): ReadRecord {
  const record = copyData(given);
  const { problems: found, source } = judge(record);
  const label = findLabel(record);
  const problems = keepFirst(found).map(({ path, message, ...problem }) => {
    const isSecret = isSecretPlace(path) || path.some((step) => isCredentialKey(String(step)));
    return {
      file,
      source: label,
      path: writePath(index === undefined ? path : [index, ...path]),
      given: problem.given ?? describeGiven(findValue(record, path), isSecret),
      message,
      fix: problem.fix ?? findFix(path),
    };
  });
  const read = source && found.length === 0 ? placeDocuments(source, file) : undefined;
  return { given, file, source: read, problems };
}

/** No honest record goes deeper; a hostile one ends here instead of in a stack overflow. */
const maxDepth = 50;

/** A copy of plain data: nothing later reads or changes the original. Undefined for what can't be copied: a cycle, or a getter of the caller's that throws. */
function copyData(given: unknown): unknown {
  const copy = (value: unknown, depth: number): unknown => {
    if (depth > maxDepth) throw new RangeError();
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
    if (!isPlainObject(value)) return value;
    const members = Object.entries(value).filter(
      ([key, member]) => key !== "__proto__" && member !== undefined,
    );
    return Object.fromEntries(members.map(([key, member]) => [key, copy(member, depth + 1)]));
  };
  try {
    return copy(given, 0);
  } catch {
    return undefined;
  }
}

/** The documents of a record are beside its file, wherever the process was started. */
function placeDocuments(source: ApiSource, file: string | undefined): ApiSource {
  const { openapi, guide, ...api } = source.api;
  if (file === undefined) return source;
  const place = (document: string | undefined) => document && resolve(dirname(file), document);
  return { ...source, api: { ...api, openapi: place(openapi), guide: place(guide) } };
}

/** The problems of a record, and the source that it means; the source counts only where nothing is wrong. */
interface Judged {
  readonly problems: readonly PlacedProblem[];
  readonly source: ApiSource | undefined;
}

/** Says what to give in place of a value that is no record. */
function describeRecordKind(given: unknown): string {
  if (Array.isArray(given))
    return "Give one record; `loadSources` reads a list of them from a file.";
  if (typeof given === "string")
    return "Give the record itself; `ApiSourceToolkit.fromFile` and `fromDirectory` take a path.";
  return `Give plain data, at most ${maxDepth} levels deep, such as { "api": { "baseUrl": "https://api.example.com" } }.`;
}

function judge(record: unknown): Judged {
  if (!isPlainObject(record)) {
    const fix = describeRecordKind(record);
    const problems: PlacedProblem[] = [{ path: [], message: "is not an object", fix }];
    return { problems, source: undefined };
  }
  const problems = findUnknownKeys(record);
  const { data: source, error } = recordSchema.safeParse(record, { error: describeIssue });
  const found = error?.issues.flatMap((issue) => listProblems(issue, issue.path)) ?? [];
  return { problems: [...problems, ...found], source };
}

/** One problem for each place is enough. */
function keepFirst(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const places = new Set<string>();
  const first = problems.filter(({ path }) => places.size < places.add(JSON.stringify(path)).size);
  if (first.length <= maxProblems) return first;
  const message = `has ${first.length - maxProblems} more problems`;
  return [...first.slice(0, maxProblems), { path: [], message, fix: "Fix those above first." }];
}

/** Lists what zod found: for a union, the problems of the option that has the value's own type. */
function listProblems(issue: z.core.$ZodIssue, path: Path): PlacedProblem[] {
  const isOther = ({ code, path: at }: z.core.$ZodIssue) =>
    code === "invalid_type" && at.length === 0;
  const meant =
    issue.code === "invalid_union"
      ? issue.errors.find((issues) => !issues.some(isOther))
      : undefined;
  if (meant) return meant.flatMap((inner) => listProblems(inner, [...path, ...inner.path]));
  if (issue.code === "invalid_key") {
    const inner = issue.issues.flatMap((each) => listProblems(each, path));
    return inner.map(({ message, fix = "Correct the name." }) => ({ path, message, fix }));
  }
  const fix: unknown = issue.code === "custom" ? issue.params?.["fix"] : undefined;
  return [{ path, message: issue.message, fix: typeof fix === "string" ? fix : undefined }];
}

/** Describes in plain words what zod found; undefined where the schema has its own words. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, input } = issue;
  if (code === "invalid_union") return "is of a type that this field can't have";
  if (code === "too_small")
    return typeof input === "number" ? `must be at least ${issue.minimum}` : "is empty";
  if (code === "too_big")
    return `must be at most ${issue.maximum}${typeof input === "string" ? " characters" : ""}`;
  if (code !== "invalid_type" && code !== "invalid_value") return undefined;
  if (input === undefined) return "is missing";
  if (code === "invalid_type") return `must be ${typeNames[issue.expected] ?? issue.expected}`;
  return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** The value at a path; undefined where the path leads nowhere. */
function findValue(record: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
    return isPlainObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
  }, record);
}

/** Finds what a person would call the record: its name, else its host. */
function findLabel(record: unknown): string | undefined {
  const [name, baseUrl] = [["name"], ["api", "baseUrl"]].map((path) => findValue(record, path));
  if (typeof name === "string" && name.trim() !== "") return name.trim().slice(0, 80);
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
