/** Reads one record and finds everything that is wrong with it, without throwing. */

import { dirname, resolve } from "node:path";
import type { z } from "zod";
import type { RecordProblem } from "../base/errors.js";
import { isPlainObject } from "../base/input.js";
import type { ApiSource } from "./api-source.js";
import { findHostName } from "./base-url.js";
import { describeGiven, isCredentialKey } from "./inline-credentials.js";
import { findKeyProblems } from "./key-rules.js";
import { copyPlainData, type Path, type PlacedProblem, type PlainData } from "./plain-data.js";
import { findFix, isSecretPlace, recordSchema } from "./record-schema.js";

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
  /** Paths of keys that were kept and have no effect. */
  readonly unknownKeys: readonly string[];
}

/** A list with thousands of wrong elements has one problem, not thousands; no person reads more than this. */
const maxProblems = 100;

export function readRecord(given: unknown, { file, index }: RecordPlace = {}): ReadRecord {
  const { value: record, problems: copyProblems } = copyPlainData(given);
  const { problems: ownProblems, unknown = [], source } = judge(record);
  const found = keepFirst([...copyProblems, ...ownProblems]);
  const label = findLabel(record);
  const problems = clipProblems(found).map(({ path, message, ...problem }) => {
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
  const unknownKeys = unknown.map(writePath);
  if (!source || found.length > 0) return { given, file, problems, unknownKeys };
  return { given, file, source: placeDocuments(source, file), problems, unknownKeys };
}

/** The documents of a record are beside its file, wherever the process was started. */
function placeDocuments(source: ApiSource, file: string | undefined): ApiSource {
  const { openapi, guide, ...api } = source.api;
  if (file === undefined) return source;
  const place = (document: string | undefined) => document && resolve(dirname(file), document);
  return { ...source, api: { ...api, openapi: place(openapi), guide: place(guide) } };
}

interface Judgement {
  readonly problems: readonly PlacedProblem[];
  readonly unknown?: readonly Path[];
  readonly source?: ApiSource | undefined;
}

function judge(record: PlainData): Judgement {
  if (!isPlainObject(record)) {
    const fix = Array.isArray(record)
      ? "Give one record; `loadSources` reads a list of them from a file."
      : undefined;
    return { problems: [{ path: [], message: "is not an object", fix }] };
  }
  const { problems, unknown } = findKeyProblems(record);
  const { data: source, error } = recordSchema.safeParse(record, { error: describeIssue });
  const found = error?.issues.flatMap((issue) => listProblems(issue, issue.path)) ?? [];
  return { problems: [...problems, ...found], unknown, source };
}

/** One problem for each place is enough: a value that could not be copied, for example, is missing in the copy too. */
function keepFirst(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const places = new Set<string>();
  return problems.filter(({ path }) => places.size < places.add(JSON.stringify(path)).size);
}

function clipProblems(problems: readonly PlacedProblem[]): readonly PlacedProblem[] {
  if (problems.length <= maxProblems) return problems;
  const message = `has ${problems.length - maxProblems} more problems`;
  return [...problems.slice(0, maxProblems), { path: [], message, fix: "Fix those above first." }];
}

/** What zod found: of a union, what is wrong with the option that has the value's own type. */
function listProblems(issue: z.core.$ZodIssue, path: Path): PlacedProblem[] {
  const isOther = ({ code, path: at }: z.core.$ZodIssue) => code === "invalid_type" && at.length === 0;
  const meant =
    issue.code === "invalid_union" ? issue.errors.find((issues) => !issues.some(isOther)) : undefined;
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
    return isPlainObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
  }, record);
}

/** What a person would call the record: its name, else its host. */
function findLabel(record: PlainData): string | undefined {
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
