/** Lets only the five methods pass, each in its exact spelling, and keeps parameters from making another one of it. */

import { invalidInput, refusedByPolicy } from "../base/errors.js";
import { skipSpaces, skipString } from "../base/parse-json.js";
import { quoteText } from "../base/text.js";
import { type ApiSettings, type HttpMethod, httpMethods } from "../record/api-source.js";
import { toFolded } from "../record/path-readings.js";
import { readBodyFormat } from "./check-headers.js";
import { listParameters, toFoldedName, toPieces } from "./check-parameters.js";
import type { QueryPair } from "./parse-query.js";

/**
 * Compared before any case mapping: `"poſt".toUpperCase()` is `"POST"`, and would slip past a rule about POST.
 *
 * @param allowed the record's `methods`
 * @throws ApiSourceError `invalid_input` for a missing or misspelt method, `refused_by_policy` for another method
 *   and for one that the record leaves out
 */
export function checkMethod(value: unknown, allowed: readonly HttpMethod[]): HttpMethod {
  const names = allowed.join(", ");
  if (typeof value !== "string" || value === "") {
    throw invalidInput("The method is missing.", `Send one of: ${names}.`);
  }
  const method = httpMethods.find((known) => known === value);
  if (method !== undefined && allowed.includes(method)) return method;
  const meant = httpMethods.find((known) => known.toLowerCase() === value.trim().toLowerCase());
  if (method === undefined && meant !== undefined) {
    throw invalidInput(`The method ${quoteText(value)} is not spelt exactly.`, `Send ${quoteText(meant)}.`);
  }
  throw refusedByPolicy(`The method ${quoteText(value)} is not allowed.`, `Use one of: ${names}.`);
}

/** The part of a record that decides which methods a request may end as. */
export type MethodSettings = Pick<ApiSettings, "methods" | "methodParameter" | "query">;

/** The bytes that are sent, whatever they were made from. */
export interface SentBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** As the receiver reads a file; absent for a file that is not text. */
  readonly text?: string;
  /** Set for a file. */
  readonly files?: unknown;
}

/** Names that mean another method wherever they are read, by a sign or the word "override"; and those that may mean it. */
const sureName = /^(?:[_$].*|.*override.*|x.*)$/;
const methodName = /^(?:x|http|request|original|real|form|override)*(?:method|verb)(?:override)?$/;
const knownMethod =
  /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|QUERY|MERGE|PURGE|COPY|MOVE|(?:UN)?LOCK|MKCOL|PROPPATCH)$/;

/**
 * Refuses a parameter, member or header that makes some frameworks carry out another method than the one that was sent and
 * judged: `_method`, `$method`, `x-http-method-override` whatever they say, `method` and `verb` when they hold a method's name.
 * It may name a method that this request could have been sent with: for a GET only GET and HEAD, so that a person who approves
 * or retries a read can rely on it. Looked at only where it matters which method it is: for a GET, and where the record
 * leaves a method out.
 *
 * @throws ApiSourceError `refused_by_policy`
 */
export function checkOverride(
  { methods, methodParameter, query }: MethodSettings,
  method: HttpMethod,
  parameters: readonly QueryPair[],
  body?: SentBody,
): void {
  const isRestricted = httpMethods.some((each) => !methods.includes(each));
  if (methodParameter === "allow" || !(isRestricted || method === "GET")) return;
  const possible = new Set<string>(method === "GET" ? ["GET", "HEAD"] : methods);
  // The record's constant parameters: their meaning is the record's.
  const exempt = new Set(Object.keys(query).map(toFoldedName));
  for (const [name, value] of [...parameters, ...listBodyParameters(body)]) {
    if (!isMethodName(name) || exempt.has(toFoldedName(name))) continue;
    const [piece = ""] = toPieces(toFolded(name));
    const isMeant = sureName.test(piece) ? value !== "" : isMethodWord(value);
    if (!isMeant || possible.has(value)) continue;
    throw refusedByPolicy(
      `The parameter ${quoteText(name)} would make some APIs carry out another method than ${method}.`,
      `Send the method itself, and leave the parameter out. If it means something else in this API, the person who set up the source can write "methodParameter": "allow" into its record.`,
    );
  }
}

/** Whether a parameter or member of this name may mean the method, such as `_method` or `verb`. */
export function isMethodName(name: string): boolean {
  // Of a body there may be a million names.
  const isPlain = !/[%\x80-\uffff]/.test(name);
  if (isPlain && !/method|verb/i.test(name.replace(/[^a-z]/gi, ""))) return false;
  const [piece = ""] = toPieces(toFolded(name));
  return methodName.test(piece.replace(/[^a-z]/g, ""));
}

/** Whether a value is the name of a method. */
function isMethodWord(value: string): boolean {
  const word = toFolded(value)
    .toUpperCase()
    .replace(/[^A-Z]/g, "");
  return knownMethod.test(word);
}

function listBodyParameters(body: SentBody | undefined): QueryPair[] {
  if (body === undefined) return [];
  const { bytes, contentType, text = body.files === undefined ? new TextDecoder().decode(bytes) : "" } = body;
  const format = readBodyFormat(contentType);
  // What is neither JSON nor a form by its type may be read as either.
  const isForm = format === "form" || (format !== "json" && text.includes("="));
  const fields = isForm ? text.split(/[&;]/, maxFields) : [];
  return [
    ...(format === "form" ? [] : listMembers(text)),
    ...fields.flatMap((field) => listParameters(field.slice(0, maxFieldCharacters))),
  ];
}

/** No framework that knows such parameters reads more fields of a body: PHP and Express read 1,000, Rack 4,096. */
const maxFields = 5_000;
const maxFieldCharacters = 200;

/**
 * The members of an object in JSON text with their values (`…` for anything but a string), a name given twice included.
 *
 * @param isDeep - Whether those inside of values, too.
 */
export function listMembers(json: string, isDeep = false): QueryPair[] {
  if (!isDeep && !/^\s*\{/.test(json)) return [];
  const members: QueryPair[] = [];
  const token = /["{}[\]]/g;
  let depth = 0;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    const [mark] = found;
    if (mark === "{" || mark === "[") depth += 1;
    if (mark === "}" || mark === "]") depth -= 1;
    if (mark !== '"') continue;
    const end = skipString(json, found.index);
    token.lastIndex = end;
    const colon = skipSpaces(json, end);
    if ((depth !== 1 && !isDeep) || json[colon] !== ":") continue;
    const start = skipSpaces(json, colon + 1);
    const value = json[start] === '"' ? json.slice(start, skipString(json, start)) : '"…"';
    members.push([readText(json.slice(found.index, end)), readText(value)]);
  }
  return members;
}

/** A file need not be JSON: what cannot be read is taken as it is. */
function readText(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
