/** Step 1 of a call: the input as a model or a program gives it, reduced to the members that are present; and the expressions of a record and of a call. */

import {
  ApiSourceError,
  invalidInput,
  type RecordProblem,
  SourceRecordError,
} from "../base/errors.js";
import type { JsonValue } from "../base/exact-number.js";
import { isAbsent, isPlainObject, parseCount, parseString, readMembers } from "../base/input.js";
import type { ResponseBody } from "../body/response-body.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { ApiSource, HttpMethod } from "../record/api-source.js";
import { namesSlug } from "../record/find-source.js";
import { listExpressions } from "../record/templates.js";

type Scalar = string | number | bigint | boolean | null | undefined;

/** One parameter or header: a name and its value. */
export type CallPair<Value> =
  | { readonly name: string; readonly value?: Value }
  | readonly [name: string, value: Value];

/** Pairs, an object, or text. */
export type CallPairs<Value> =
  | readonly CallPair<Value>[]
  | Readonly<Record<string, Value>>
  | string
  | null
  | undefined;

/** The value of a query parameter: a list is a repeated one, or what the API's document describes. */
export type QueryValue =
  | Scalar
  | readonly Scalar[]
  | Readonly<Record<string, Scalar | readonly Scalar[]>>;

/** The input of a call. In an optional member `null`, `""` and `[]` mean that it is absent, in `pages` and `wait` also 0; in `body` only `null` and `""` do. */
export interface CallRequest {
  /** One of GET, POST, PUT, DELETE, PATCH, in any case. @default "GET", without a body */
  readonly method?: HttpMethod | (string & NonNullable<unknown>) | undefined;
  /** The path below the base URL; may carry a query string. */
  readonly path: string;
  /** Pairs `[{name, value}]`, an object, or a query string. */
  readonly query?: CallPairs<QueryValue>;
  /** Any JSON value, or JSON text. */
  readonly body?: object | Scalar;
  /** Extra headers: an object or pairs `[{name, value}]`. */
  readonly headers?: CallPairs<Scalar>;
  /** A JMESPath over the answer's body. */
  readonly select?: string | undefined;
  /** How many pages to read at most; the answer's `data` then holds the rows of all of them. @default 1 */
  readonly pages?: number | undefined;
  /** How many seconds the call may wait for unfinished work, at most 600. @default 45 with `until`, else 0 */
  readonly wait?: number | undefined;
  /** A JMESPath over the polled response, true when the work is finished. @default its reported state decides */
  readonly until?: string | undefined;
}

/** A request that was read: it always has a method. What is inside of the other members is not checked yet. */
export interface ParsedCall extends Omit<CallRequest, "method" | "query" | "body" | "headers"> {
  readonly method: string;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly headers?: unknown;
}

/** The longest wait of a call, and the one of a call with `until` alone, in seconds. */
export const maxWaitSeconds = 600;
export const usualWaitSeconds = 45;

const callMembers = [
  "method",
  "path",
  "query",
  "body",
  "headers",
  "select",
  "pages",
  "wait",
  "until",
] as const;

/**
 * Checks the outer shape of a call; the request policy judges what is inside.
 *
 * @param slug - As `parseCall` takes it.
 * @throws ApiSourceError `invalid_input` that names the member and what would be right.
 */
export function parseCallRequest(input: unknown, slug?: string): ParsedCall {
  const given = slug === undefined ? readCall(input) : readCombinedCall(input, slug);
  const { method, path, query, body, headers, select, pages, wait, until } = given;
  const request: ParsedCall = {
    method: parseMethod(method, body),
    path: parsePath(path),
    query: isAbsent(query) ? undefined : checkLength("query", query),
    body,
    headers: isAbsent(headers) ? undefined : checkLength("headers", headers),
    select: parseString("select", select),
    pages: parseCount("pages", pages, 0) || undefined,
    wait: parseCount("wait", wait, 0) || undefined,
    until: parseString("until", until),
  };
  if ((request.pages ?? 1) > 1 && (request.wait !== undefined || request.until !== undefined))
    throw invalidInput(
      "pages is given together with wait or until.",
      "Wait for the job first, then read the pages of its result by another call.",
    );
  return request;
}

/** A URL and headers have room for a fraction of it. Nothing longer is parsed: a megabyte would stop the process for half a second. */
const mostTextCharacters = 50_000;
const mostMembers = 5_000;

/** @throws ApiSourceError `invalid_input` for a text, list or object that is too long for any request. */
function checkLength(name: "query" | "headers", value: unknown): unknown {
  const isText = typeof value === "string";
  const length = countLength(value);
  const most = isText ? mostTextCharacters : mostMembers;
  if (length <= most) return value;
  throw invalidInput(
    `${name} has ${length} ${isText ? "characters" : "members"}; at most ${most} are read.`,
    name === "query"
      ? "Send fewer parameters: a URL has at most 8000 characters."
      : "Send fewer or shorter headers.",
  );
}

function countLength(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return isPlainObject(value) ? Object.keys(value).length : 0;
}

const advice = " Put parameters of the API into query or body.";

type CallMembers = Partial<Record<(typeof callMembers)[number], unknown>>;

function readCall(input: unknown): CallMembers {
  return readMembers(input, callMembers, { example: '{"method":"GET","path":"/"}', advice });
}

/** The input of the tool of many sources: a person who edits a call may not lead it to another source. */
function readCombinedCall(input: unknown, slug: string): CallMembers {
  const example = `{"source":"${slug}","method":"GET","path":"/"}`;
  const given = readMembers(input, ["source", ...callMembers], { example, advice });
  const { source } = given;
  if (isAbsent(source) || namesSlug(source, slug)) return given;
  throw invalidInput(
    `The call is one of ${slug}, and source names another one.`,
    "Make a new call for another source.",
  );
}

/** In any case. GET where there is neither a method nor a body; `""` is not a method. */
function parseMethod(method: unknown, body: unknown): string {
  if (typeof method === "string" && method !== "") {
    return /^[A-Za-z]{1,20}$/.test(method) ? method.toUpperCase() : method;
  }
  const hasBody = body !== undefined && body !== null && body !== "";
  if ((method === undefined || method === null) && !hasBody) return "GET";
  throw invalidInput("method is missing.", "Give the HTTP method, such as GET.");
}

/** How long a call may wait for unfinished work, in milliseconds; 0 for a call that does not wait. */
export function readWaitMs({ wait, until }: Pick<CallRequest, "wait" | "until">): number {
  const seconds = wait ?? (until === undefined ? 0 : usualWaitSeconds);
  return Math.min(seconds, maxWaitSeconds) * 1_000;
}

/** Pages take their own time; a single answer has the source's, and what it may wait. */
export function findTimeoutMs(source: ApiSource, asked: ParsedCall, isPaged: boolean): number {
  const { timeoutMs, pagesTimeoutMs } = source.api.limits;
  const ownMs = isPaged ? Math.max(timeoutMs, pagesTimeoutMs) : timeoutMs;
  return readWaitMs(asked) + ownMs;
}

/** A longer wait than the longest one is shortened, which the answer says. */
export function describeLongWait({ wait = 0 }: Pick<CallRequest, "wait">): string[] {
  if (wait <= maxWaitSeconds) return [];
  return [`\`wait\` is at most ${maxWaitSeconds} seconds: ${maxWaitSeconds} count, not ${wait}.`];
}

/** `""` is the base URL itself. */
function parsePath(path: unknown): string {
  if (typeof path === "string") return path;
  const isMissing = path === undefined || path === null;
  throw invalidInput(
    isMissing ? "path is missing." : "path is not a string.",
    'Give the path below the base URL, such as "/items"; "" is the base URL itself.',
  );
}

/** @throws SourceRecordError that lists every field of every record that does not hold a valid JMESPath. */
export async function checkExpressions(sources: readonly ApiSource[]): Promise<void> {
  const problems = (await Promise.all(sources.map(listProblems))).flat();
  if (problems.length > 0) throw new SourceRecordError(problems);
}

async function listProblems(source: ApiSource): Promise<RecordProblem[]> {
  const asked = listExpressions(source);
  if (asked.length === 0) return [];
  const engine = await loadQueryEngine();
  return asked.flatMap(({ field, name, text }) => {
    try {
      engine.check(text, name);
      return [];
    } catch (error) {
      if (!(error instanceof ApiSourceError)) throw error;
      const given = JSON.stringify(text.slice(0, 200));
      return [{ source: source.name, path: field, given, message: error.message, fix: error.hint }];
    }
  });
}

/** Runs an expression of a record over a body; the result is undefined without one, and where it does not fit this body. */
export async function readByRule(
  expression: string | undefined,
  { document, kind }: Pick<ResponseBody, "document" | "kind">,
): Promise<JsonValue | undefined> {
  if (expression === undefined || document === undefined) return undefined;
  const engine = await loadQueryEngine();
  try {
    return engine.run(document, expression, { kind }).value;
  } catch {
    return undefined;
  }
}

/**
 * Parses a call, its expressions included.
 *
 * @param slug - The source of a call by the tool of many sources, whose input has `source`.
 * @throws ApiSourceError `invalid_input`
 */
export function parseCall(input: unknown, slug?: string): ParsedCall | Promise<ParsedCall> {
  const request = parseCallRequest(input, slug);
  const { select, until } = request;
  return select === undefined && until === undefined ? request : checkQueries(request);
}

/** @throws ApiSourceError `invalid_input` for what is no JMESPath. */
async function checkQueries(request: ParsedCall): Promise<ParsedCall> {
  const { select, until } = request;
  const engine = await loadQueryEngine();
  if (select !== undefined) engine.check(select);
  if (until !== undefined) engine.check(until, "until");
  return request;
}
