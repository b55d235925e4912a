/** Whether a request surely changes nothing: a GET without a GraphQL mutation, or one that the record's `reads` names. */

import { refusedByPolicy } from "../base/errors.js";
import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { isMethodName } from "./check-method.js";
import { isPathAllowed } from "./check-path-rules.js";

export interface ReadableRequest {
  readonly method: string;
  /** Below the base URL, encoded as it is sent, without a query. */
  readonly path: string;
  /** Query parameters and the headers of the call, in any form. */
  readonly parameters: unknown;
  /** The JSON value that is sent, or its text. */
  readonly body?: unknown;
}

/**
 * Plain characters, and encoded ones that end or divide no segment: a path that some server could read as another one is not surely the
 * path that was named.
 */
const plainPath =
  /^(?:\/|(?:\/(?!\.\.?(?:\/|$))(?:[\w.~!$'()*+,:@-]|%(?!2[35ef]|3[bf]|5c|[01])[\da-f]{2})+)+\/?)$/i;
/** Members that a GraphQL request may have; a persisted id, for one, does not show what it does. */
const graphqlMembers = new Set(["query", "variables", "operationName"]);

/**
 * @param reads - As in the record: `"POST /search/**"`.
 * @returns false also where it is not certain. A GraphQL request is a read only if the operation that it selects is a query.
 */
export function isRead(request: ReadableRequest, reads: readonly string[]): boolean {
  if (request.method === "GET") return !listTexts(request.parameters).some(hasGraphqlWrite);
  try {
    if (isGraphqlPath(request.path)) return isQueryRequest(request);
    return isNamed(request, reads) && (!isGraphql(request) || isQueryRequest(request));
  } catch {
    // Its body is not JSON.
    return false;
  }
}

/**
 * What an answer leads to (a redirect, a page, a poll, the place of a job) is sent only where it surely changes nothing: no one was asked
 * about it.
 *
 * @param couldBeRead - Whether it would be a read if the record's `reads` named it.
 * @throws ApiSourceError `refused_by_policy`
 */
export function checkFollowed(method: string, isReading: boolean, couldBeRead: boolean): void {
  if (isReading) return;
  const what =
    method === "GET"
      ? "A GET with a GraphQL mutation or subscription may change something"
      : `This ${method} may change something${couldBeRead ? ` (${readsAdvice})` : ""}`;
  throw refusedByPolicy(
    `${what}, and is not sent because an answer leads to it.`,
    "If it is meant, send it as a call of its own.",
  );
}

export const readsAdvice = "if it only reads, its operator can name it in `reads` of the record";

/** Whether a request that is not named may be paged: a search by convention (`/search`, `_search`, `:search`), or a GraphQL query. */
export function isSearch(request: ReadableRequest): boolean {
  if (request.method !== "POST") return false;
  return isGraphql(request) ? isQueryRequest(request) : /(?:^|[/:])_?search\/?$/.test(request.path);
}

/** Every string of the parameters, and of a query string the decoded values. */
function listTexts(parameters: unknown): string[] {
  if (typeof parameters === "string") return [parameters, ...[...new URLSearchParams(parameters)].flat()];
  if (typeof parameters !== "object" || parameters === null) return [];
  return Object.values(parameters).flatMap(listTexts);
}

function isNamed({ method, path, parameters, body }: ReadableRequest, reads: readonly string[]): boolean {
  if (!plainPath.test(path) || hasMethodName(parameters) || hasMethodName(readBody(body), body)) return false;
  const allow = reads
    .filter((read) => read.startsWith(`${method} `))
    .map((read) => read.slice(method.length + 1));
  return isPathAllowed(path, allow);
}

/** Whether a framework might make another method of the request, by a pair or a member of any depth. */
function hasMethodName(value: unknown, text?: unknown): boolean {
  // A text that reading changes shows all of its members only as a text.
  if (value === undefined) return /method|verb/i.test(String(text));
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) && typeof value[0] === "string" && isMethodName(value[0])) return true;
  return Object.entries(value).some(([name, inner]) => isMethodName(name) || hasMethodName(inner));
}

function isGraphqlPath(path: string): boolean {
  return /\/graphql\/?$/.test(path);
}

/** By its path, or because the body has a document or the id of one. */
function isGraphql({ path, body }: ReadableRequest): boolean {
  const value = readBody(body);
  if (isGraphqlPath(path)) return true;
  if (!isJsonObject(value)) return false;
  const { query } = value;
  return (
    (typeof query === "string" && isGraphqlDocument(query)) ||
    ["extensions", "documentId", "doc_id", "queryId"].some((name) => Object.hasOwn(value, name))
  );
}

/** Whether a text begins as a GraphQL document does. */
export function isGraphqlDocument(text: string): boolean {
  return /^[\s,]*(?:#[^\n]*\n\s*)*(?:\{|(?:query|mutation|subscription|fragment)\b)/.test(text);
}

/** Servers may take a parameter of the URL instead of the body's member, so the URL may not have one. */
function isQueryRequest({ method, parameters, body }: ReadableRequest): boolean {
  const value = readBody(body);
  if (method !== "POST" || !isJsonObject(value)) return false;
  if (!Object.keys(value).every((name) => graphqlMembers.has(name))) return false;
  if (/quer|operation|variables|extensions|document|method|verb|"id"/i.test(JSON.stringify(parameters ?? [])))
    return false;
  return typeof value["query"] === "string" && isGraphqlQuery(value["query"], value["operationName"]);
}

/** A text that reading changes, such as one with a member twice, is left a text: servers may read it in another way. */
function readBody(body: unknown): JsonValue | undefined {
  if (typeof body !== "string") return body as JsonValue | undefined;
  const value: JsonValue = JSON.parse(body);
  const dropSpace = (text: string): string => text.replace(/\s/g, "");
  return dropSpace(JSON.stringify(value)) === dropSpace(body) ? value : undefined;
}

/** Comments, strings, punctuation and names (GraphQL, section 2.1); what fits none of them is an error. */
const token =
  /#[^\n\r]*|"""(?:\\"""|[^"]|"(?!""))*"""|"(?:\\.|[^"\\\n\r])*"|\.\.\.|[{}()[\]!$&:=@|]|[_A-Za-z]\w*|-?\d[\d.eE+-]*|[\s,\ufeff]+/y;
const maxTokens = 20_000;

interface Operation {
  readonly type: string;
  readonly name: string | undefined;
}

/**
 * Whether a document parses as definitions with balanced brackets and the operation that is selected is a query.
 *
 * @param operationName - Needed where the document has several operations.
 */
function isGraphqlQuery(document: string, operationName?: unknown): boolean {
  const operations = readOperations(document);
  if (operations === undefined) return false;
  const isNamed = typeof operationName === "string" && operationName !== "";
  const selected = isNamed ? operations.filter(({ name }) => name === operationName) : operations;
  return selected.length === 1 && selected[0]?.type === "query";
}

/** Whether a text is a document with a mutation or a subscription, whichever operation is selected. */
function hasGraphqlWrite(text: string): boolean {
  if (!/mutation|subscription/.test(text)) return false;
  return readOperations(text)?.some(({ type }) => type !== "query") === true;
}

/** Undefined for a text that is not an executable document. */
function readOperations(document: string): Operation[] | undefined {
  const words = readTokens(document);
  if (words === undefined) return undefined;
  const operations: Operation[] = [];
  const open: string[] = [];
  let definition: string[] = [];
  for (const word of words) {
    const closes = { "}": "{", ")": "(", "]": "[" }[word];
    if (closes !== undefined && open.pop() !== closes) return undefined;
    if (open.length === 0 && closes === undefined && word !== "(") definition.push(word);
    if ("{([".includes(word)) open.push(word);
    if (word !== "}" || open.length > 0) continue;
    const [type = "", name = ""] = definition;
    if (!/^(?:\{|query|mutation|subscription|fragment)$/.test(type)) return undefined;
    const isShort = type === "{";
    if (type !== "fragment")
      operations.push({ type: isShort ? "query" : type, name: /^\w/.test(name) ? name : undefined });
    definition = [];
  }
  return open.length > 0 || definition.length > 0 || operations.length === 0 ? undefined : operations;
}

function readTokens(document: string): string[] | undefined {
  const words: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < document.length) {
    const found = token.exec(document)?.[0];
    if (found === undefined || words.length > maxTokens) return undefined;
    if (!/^[\s,#\ufeff]/.test(found)) words.push(found);
  }
  return words;
}
