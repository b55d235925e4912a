/** Lets only the five methods pass, and keeps the agent's parameters from being read as the source's own, or as another method, in any spelling. */

import { invalidInput, refusedByPolicy } from "../base/errors.js";
import { encodedSlash, listReadings, toFolded } from "../base/path-readings.js";
import { skipSpaces, skipString } from "../base/scan-json.js";
import { quoteText } from "../base/text.js";
import { type ApiSettings, type HttpMethod, httpMethods } from "../record/api-source.js";
import { readBodyFormat } from "./check-content-type.js";
import type { QueryPair } from "./query-style.js";
import type { SerializedBody } from "./serialize-body.js";

/**
 * Every parameter that some server could read in a query: its parts at `&`, `;` and NUL, also those that appear only when a value
 * is decoded before the query is split (`a=1%26key%3D2`).
 *
 * @param query as it is sent, without `?`
 * @throws ApiSourceError `refused_by_policy` for more layers of escapes than anybody means
 */
export function listParameters(query: string): QueryPair[] {
  if (query === "") return [];
  return query.split("&").flatMap((part) => {
    const readings = listReadings(part);
    if (readings === undefined) {
      throw refusedByPolicy(
        `The query parameter ${quoteText(part)} is percent-encoded too many times.`,
        "Encode it at most once; pairs in query are encoded for you.",
      );
    }
    return readings.flatMap((reading, index) => {
      const [first = "", ...others] = reading.replaceAll(encodedSlash, "/").split(/[&;\0]/);
      // A part that only decoding separates, and that has no "=", is more likely a value's own "&".
      const named = index === 0 ? others : others.filter((text) => text.includes("="));
      return [first, ...named].filter(Boolean).map((text): QueryPair => {
        const equals = text.indexOf("=");
        return equals === -1 ? [text, ""] : [text.slice(0, equals), text.slice(equals + 1)];
      });
    });
  });
}

/**
 * Refuses a name that some server could read as a reserved one: in other letter case, with spaces or invisible
 * characters, in a Unicode compatibility form, with brackets anywhere a parser forgives them (`name[]`, `[name]`, `name]`),
 * as `name.x`, or in the spellings that PHP folds into one (`api.key`, `api key` and `api[key` are `api_key` there).
 *
 * @param parameters of `listParameters`
 * @throws ApiSourceError `refused_by_policy`
 */
export function checkReservedNames(
  parameters: readonly QueryPair[],
  reserved: readonly string[],
): void {
  if (reserved.length === 0 || parameters.length === 0) return;
  const taken = new Set(
    reserved.flatMap((name) => [toPieces(name).join("\0"), toPhpName(toFoldedName(name))]),
  );
  const depth = Math.max(...reserved.map((name) => toPieces(name).length));
  for (const [name] of parameters) {
    const folded = toFoldedName(name);
    const pieces = toPieces(name);
    const prefixes = pieces
      .slice(0, depth)
      .map((_, index) => pieces.slice(0, index + 1).join("\0"));
    const bare = folded.replace(/^[[\]]+/, "");
    const phpNames = [bare, bare.replaceAll("]", ""), bare.split("[", 1)[0] ?? ""].map(toPhpName);
    if (![...prefixes, ...phpNames].some((reading) => taken.has(reading))) continue;
    throw refusedByPolicy(
      `The query parameter ${quoteText(name)} is set by this source's configuration.`,
      "Leave it out: it is added to every request.",
    );
  }
}

/** Upper case first, as it folds letters such as "ſ" that lower case leaves alone. */
export function toFoldedName(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll("+", " ")
    .replace(/^[\s?&;]+/, "")
    .trimEnd();
}

/** `fields`, `users` of `fields[users]`, `fields.users` and `[fields][users]`; what a second parse would drop is dropped. */
export function toPieces(name: string): string[] {
  const [kept = ""] = toFoldedName(name).split(/[?#=;&]/, 1);
  return kept
    .split(/[[\].]/)
    .map((piece) => piece.trim())
    .filter(Boolean);
}

function toPhpName(folded: string): string {
  return folded.replace(/[\s.[]/g, "_");
}

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
    throw invalidInput(
      `The method ${quoteText(value)} is not spelt exactly.`,
      `Send ${quoteText(meant)}.`,
    );
  }
  throw refusedByPolicy(`The method ${quoteText(value)} is not allowed.`, `Use one of: ${names}.`);
}

/** The part of a record that decides which methods a request may end as. */
export type MethodSettings = Pick<ApiSettings, "methods" | "methodParameter" | "query">;

/** The bytes that are sent, whatever they were made from. */
interface SentBody extends SerializedBody {
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
  const possible = method === "GET" ? ["GET", "HEAD"] : methods;
  // The record's constant parameters: their meaning is the record's.
  const name = findOverride(possible, parameters, body, Object.keys(query));
  if (name === undefined) return;
  throw refusedByPolicy(
    `The parameter ${quoteText(name)} would make some APIs carry out another method than ${method}.`,
    `Send the method itself, and leave the parameter out. If it means something else in this API, the person who set up the source can write "methodParameter": "allow" into its record.`,
  );
}

/** The name of the first parameter, member or header by which some frameworks carry out a method that is not among the possible ones. */
function findOverride(
  possibleMethods: readonly string[],
  parameters: readonly QueryPair[],
  body: SentBody | undefined,
  exemptNames: readonly string[] = [],
): string | undefined {
  const exempt = new Set(exemptNames.map(toFoldedName));
  const overrides = listOverrides(parameters, body);
  return overrides.find(
    ([name, value]) => !possibleMethods.includes(value) && !exempt.has(toFoldedName(name)),
  )?.[0];
}

/** The parameters, members and headers by which some frameworks carry out the method that they hold. */
export function listOverrides(
  parameters: readonly QueryPair[],
  body: SentBody | undefined,
): readonly QueryPair[] {
  if (parameters.length === 0 && body === undefined) return [];
  return [...parameters, ...listBodyParameters(body)].filter(([name, value]) => {
    if (!isMethodName(name)) return false;
    const [piece = ""] = toPieces(toFolded(name));
    return sureName.test(piece) ? value !== "" : isKnownMethod(toMethodWord(value));
  });
}

export function isKnownMethod(word: string): boolean {
  return knownMethod.test(word);
}

/** The letters of a method as a lax framework reads them: `DELETE` of ` delete`. */
export function toMethodWord(value: string): string {
  return toFolded(value)
    .toUpperCase()
    .replace(/[^A-Z]/g, "");
}

/** Whether a parameter or member of this name may mean the method, such as `_method` or `verb`. */
export function isMethodName(name: string): boolean {
  // A body may have a million names.
  const isPlain = !/[%\x80-\uffff]/.test(name);
  if (isPlain && !/method|verb/i.test(name.replace(/[^a-z]/gi, ""))) return false;
  const [piece = ""] = toPieces(toFolded(name));
  return methodName.test(piece.replace(/[^a-z]/g, ""));
}

/** Members that choose an operation, or hold several requests. */
const choosing = new Set(
  "jsonrpc method action operation operations command calls requests batch".split(" "),
);

export function choosesOperation(name: string): boolean {
  return isMethodName(name) || choosing.has(toLetters(name));
}

/** The letters of a name's first piece: `action` of `_action[]`. */
export function toLetters(name: string): string {
  const [piece = ""] = toPieces(name);
  return piece.replace(/[^a-z]/g, "");
}

function listBodyParameters(body: SentBody | undefined): QueryPair[] {
  if (body === undefined) return [];
  const {
    bytes,
    contentType,
    text = body.files === undefined ? new TextDecoder().decode(bytes) : "",
  } = body;
  const format = readBodyFormat(contentType);
  // A body that is neither JSON nor a form by its type may be read as either.
  return [
    ...(format === "form" ? [] : listJsonMembers(text)),
    ...(format === "json" ? [] : listFormFields(text)),
  ];
}

/** The beginning of each field in every reading of a text as a form. @throws ApiSourceError as `listParameters` does. */
export function listFormFields(text: string): QueryPair[] {
  // A sign that is encoded divides a field where it is decoded first: `_method%3DDELETE`.
  if (!/[=%]/.test(text)) return [];
  const fields = text.split(/[&;]/, maxFields);
  return fields.flatMap((field) => listParameters(field.slice(0, maxFieldCharacters)));
}

/** No framework that knows such parameters reads more fields of a body: PHP and Express read 1,000, Rack 4,096. */
const maxFields = 5_000;
const maxFieldCharacters = 200;

/**
 * The members of an object in JSON text with their values (`…` for anything but a string), a name given twice included.
 *
 * @param isDeep - Whether those inside of values, too.
 */
export function listJsonMembers(json: string, isDeep = false): QueryPair[] {
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
