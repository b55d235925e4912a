/** Whether a request surely changes nothing: a GET without a GraphQL mutation, or one that the record's `reads` names. */

import { refusedByPolicy } from "../base/errors.js";
import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { writeWord } from "../base/graphql-sign.js";
import { decodePercent } from "../base/text.js";
import { isPathAllowed } from "../record/path-rules.js";
import {
  choosesOperation,
  isMethodName,
  listFormFields,
  listJsonMembers,
} from "./check-parameters.js";
import type { QueryPair } from "./query-style.js";

export interface ReadableRequest {
  readonly method: string;
  /** The base URL's own path. @default "" */
  readonly basePath?: string;
  /** Below the base URL, encoded as it is sent, without a query. */
  readonly path: string;
  /** Query parameters and the headers of the call. */
  readonly parameters: readonly QueryPair[];
  /** The JSON value that is sent, or the body's text. */
  readonly body?: unknown;
  /** Whether the body is JSON by its type. @default true */
  readonly isJson?: boolean;
}

/**
 * Plain characters, and encoded ones that end or divide no segment: a path that some server could read as another one is not surely the
 * path that was named.
 */
const plainPath =
  /^(?:\/?|(?:\/(?!\.\.?(?:\/|$))(?:[\w.~!$'()*+,:@-]|%(?!2[35ef]|3[bf]|5c|[01])[\da-f]{2})+)+\/?)$/i;
/** Members that a GraphQL request may have. */
const graphqlMembers = new Set(["query", "variables", "operationName"]);
/** Members with the id of a document, which does not show what it does. */
const storedDocument = new Set(["extensions", "documentId", "doc_id", "queryId"]);

/**
 * @param reads - As in the record: `"POST /search/**"`.
 * @returns false also where it is not certain. A GraphQL request is a read only if the operation that it selects is a query.
 */
export function isRead(request: ReadableRequest, reads: readonly string[]): boolean {
  if (request.method === "GET") return !hasWrite(listParts(request));
  try {
    if (request.isJson === false) return isOtherRead(request, reads);
    if (isGraphqlPath(request)) return isQueryRequest(request);
    return isNamed(request, reads) && (!isGraphql(request) || isQueryRequest(request));
  } catch {
    // Its body is not JSON, or is encoded too many times.
    return false;
  }
}

/** Whether the record names a request whose body is not JSON, and nothing in it looks like GraphQL. */
function isOtherRead(request: ReadableRequest, reads: readonly string[]): boolean {
  if (isGraphqlPath(request) || !isNamed(request, reads)) return false;
  const parts = listParts(request);
  // The part that holds GraphQL's documents beside files (GraphQL multipart request specification).
  const isGraphqlForm = parts.some((part) => part === "operations" || storedDocument.has(part));
  return !isGraphqlForm && !hasWrite(parts);
}

/** The names and values of parameters and body. */
function listParts({ parameters, body }: ReadableRequest): string[] {
  return [...parameters.flat(), ...listTexts(body)];
}

/** A part that is divided only after it is decoded (`&` in a string of the document) is whole where it is decoded alone. */
function hasWrite(parts: readonly string[]): boolean {
  return parts
    .flatMap((text) => [text, decodePercent(text.replaceAll("+", " "))])
    .some(hasGraphqlWrite);
}

/** A body as text, the names and values of a form, and the members of a JSON text at any depth. */
function listTexts(body: unknown): string[] {
  if (typeof body !== "string") return [];
  // A form is divided before it is decoded. As a whole, `query=mutation…` would begin as a query does.
  const fields = body.includes("=") ? body.split("&") : [];
  const inForm = fields.flatMap((field) => field.split(/=(.*)/s, 2));
  return [body, ...inForm, ...listJsonMembers(body, true).flat()];
}

/**
 * A request that an answer leads to (a redirect, a page, a poll, the place of a job) is sent only where it surely changes nothing: no one was asked
 * about it.
 *
 * @param reads - How the record would make it a read; absent where it can't.
 * @throws ApiSourceError `refused_by_policy`
 */
export function checkFollowed(method: string, isReading: boolean, reads: string | undefined): void {
  if (isReading) return;
  const advice = reads === undefined ? "" : ` (${reads})`;
  const what =
    method === "GET"
      ? "A GET with a GraphQL mutation or subscription may change something"
      : `This ${method} may change something${advice}`;
  throw refusedByPolicy(
    `${what}, and is not sent because an answer leads to it.`,
    "If it is meant, send it as a call of its own.",
  );
}

/** For a model, which cannot change the record. */
export function adviseReads({ method, path }: Pick<ReadableRequest, "method" | "path">): string {
  const named = JSON.stringify([`${method} ${path === "" ? "/" : path}`]);
  return `if it only reads, its operator can set \`"reads": ${named}\` under \`api\` of the record`;
}

/** Whether a request that is not named may be paged: a search by convention (`/search`, `_search`, `:search`), or a GraphQL query. */
export function isSearch(request: ReadableRequest): boolean {
  if (request.method !== "POST") return false;
  const isForm = request.isJson === false;
  if (isForm && hasWrite(listParts(request))) return false;
  if (!isForm && isGraphql(request)) return isQueryRequest(request);
  const text = writeBody(request.body);
  const inBody = isForm ? listFormFields(text) : listJsonMembers(text);
  const members = [...request.parameters, ...inBody];
  if (members.some(([name]) => choosesOperation(name))) return false;
  return /(?:^|[/:])_?search\/?$/.test(toWholePath(request));
}

function isNamed(
  { method, path, parameters, body, isJson = true }: ReadableRequest,
  reads: readonly string[],
): boolean {
  // A framework might make another method of it by a pair or a member of any depth.
  const text = writeBody(body);
  const fields = isJson ? [] : listFormFields(text);
  const members = [...parameters, ...listJsonMembers(text, true), ...fields];
  if (!plainPath.test(path) || members.some(([name]) => isMethodName(name))) return false;
  const allow = reads
    .filter((read) => read.startsWith(`${method} `))
    .map((read) => read.slice(method.length + 1));
  return isPathAllowed(path, { allow }) || allow.some((pattern) => isPartlyNamed(path, pattern));
}

/** Whether a pattern with a `*` in a segment (`/*.list`) names a path: then every reading of the path has to be the path itself. */
function isPartlyNamed(path: string, pattern: string): boolean {
  if (!/[^/*]\*|\*[^/*]/.test(pattern) || path.includes("*")) return false;
  const parts = pattern.split(/(\/\*\*|\*)/).map((part) => {
    if (part === "/**") return "(?:/[^/]+)*";
    return part === "*" ? "[^/]+" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`).test(path) && isPathAllowed(path, { allow: [path] });
}

function isGraphqlPath(request: ReadableRequest): boolean {
  return /\/graphql\/?$/.test(toWholePath(request));
}

/** The endpoint may be the base URL itself. */
function toWholePath({ basePath = "", path }: ReadableRequest): string {
  return basePath + path;
}

/** By its path, or because the body, or one of several in a list, has a document or the id of one. */
function isGraphql(request: ReadableRequest): boolean {
  const { body } = request;
  readBody(body);
  if (isGraphqlPath(request)) return true;
  // By its text: that a number is written as `1.0` does not make another request of it.
  const text = writeBody(body);
  return listJsonMembers(text, /^\s*\[/.test(text)).some(([name, value]) =>
    name === "query" ? isGraphqlDocument(value) : storedDocument.has(name),
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
  if (
    /quer|operation|variables|extensions|document|method|verb|"id"/i.test(
      JSON.stringify(parameters),
    )
  )
    return false;
  return (
    typeof value["query"] === "string" && isGraphqlQuery(value["query"], value["operationName"])
  );
}

/** A text that reading changes, such as one with a member twice, is left a text: servers may read it in another way. */
function readBody(body: unknown): JsonValue | undefined {
  if (typeof body !== "string") return body as JsonValue | undefined;
  const value: JsonValue = JSON.parse(body);
  const dropSpace = (text: string): string => text.replace(/\s/g, "");
  return dropSpace(JSON.stringify(value)) === dropSpace(body) ? value : undefined;
}

function writeBody(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body ?? null);
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
  if (!writeWord.test(text)) return false;
  return readOperations(text)?.some(({ type }) => type !== "query") === true;
}

/** Comments and strings (GraphQL, section 2.1). One that does not end is read once, not from each quote in it. */
const unread = /#[^\n\r]*|"""(?:\\"""|[^"]|"(?!""))*"""|"(?:\\.|[^"\\\n\r])*("?)/g;
const innermost = /\{[^{}()[\]]*\}|\([^{}()[\]]*\)|\[[^{}()[\]]*\]/g;
const maxDocumentLength = 100_000;
const maxDepth = 100;

/** Stands for the operation of a text that is too long or too deep to be read: it may change something. */
const unknownOperation = { type: "unknown", name: undefined };

/** Undefined for a text that is not an executable document: definitions, each with balanced brackets. */
function readOperations(document: string) {
  if (document.length > maxDocumentLength) return [unknownOperation];
  let text = document.replace(unread, (found, end) => (end === "" ? found : " "));
  // Text that begins no token: a string that does not end, for one.
  if (/[^\w\s{}()[\]!$&:=@|.,\ufeff+-]/.test(text)) return undefined;
  // From the inside out; what is left of a definition is what is before its block, and a `;`.
  for (let depth = 0; depth < maxDepth && /[{([]/.test(text); depth += 1)
    text = text.replace(innermost, ([bracket]) => (bracket === "{" ? ";" : " "));
  if (text.search(innermost) !== -1) return [unknownOperation];
  const definitions = text.split(";").map((each) => each.replaceAll(/[,\ufeff]/g, " ").trim());
  if (definitions.pop() !== "" || /[{}()[\]]/.test(text)) return undefined;
  const operations = definitions.map((definition) => {
    const [, type = "", name] =
      /^(query|mutation|subscription|fragment)?\b\s*([_A-Za-z]\w*)?/.exec(definition) ?? [];
    return { type: definition === "" ? "query" : type, name };
  });
  if (operations.some(({ type }) => type === "")) return undefined;
  const found = operations.filter(({ type }) => type !== "fragment");
  return found.length === 0 ? undefined : found;
}
