/** Whether the method and the path of a request say what it does: not where one path serves many operations. */

import { listReadings } from "../source/path-readings.js";
import { readBodyFormat } from "./check-headers.js";
import { isMethodName, isMethodWord, listMembers } from "./check-method.js";
import { listParameters, toPieces } from "./check-parameters.js";
import { isGraphqlDocument } from "./is-read.js";
import type { QueryPair } from "./parse-query.js";
import { type BuiltRequest, findHeader } from "./wire-request.js";

/** Paths behind which a request may be any operation, or several. */
const manyOperations =
  /graphi?ql|(?:^|\/)gql(?:\/|$)|batch|bulk|(?:^|\/)_m(?:search|get)|(?:json|xml)-?rpc|(?:^|\/)(?:rpc2?|soap)\/?$/i;
/** Parameters and members that choose an operation, or hold several; of their names the letters. */
const choosing = new Set(
  "action actions operation operations op ops command commands cmd function func procedure proc call calls requests batch bulk jsonrpc rpc atomicoperations operationname documentid docid queryid extensions mutation".split(
    " ",
  ),
);

/** Each name of a larger body would be read: a megabyte takes a second. */
const maxBytes = 100_000;

/** @returns what hides the purpose of the request, as a clause; undefined where its method and path say it. */
export function findHiddenPurpose({ wire, url, encoded }: BuiltRequest): string | undefined {
  if ((listReadings(url.path) ?? ["batch"]).some((path) => manyOperations.test(path)))
    return "one path of a GraphQL, RPC or batch endpoint serves many operations";
  const members = listBodyMembers(wire, encoded);
  if (members === undefined)
    return `its body is neither a JSON object nor a form of at most ${maxBytes} bytes`;
  const named = [...url.parameters, ...members.own].find(isChoosing) ?? members.inner.find(namesMethod);
  return named && "a parameter or member chooses what it does, as with GraphQL, RPC and batches";
}

/** The members of the body, and those inside them; undefined for a body that may contain anything. */
function listBodyMembers(
  { body, headers }: BuiltRequest["wire"],
  encoded: BuiltRequest["encoded"],
): { readonly own: readonly QueryPair[]; readonly inner: readonly QueryPair[] } | undefined {
  if (encoded !== undefined) return { own: encoded.fields ?? [], inner: [] };
  if (body === undefined) return { own: [], inner: [] };
  if (body.length > maxBytes) return undefined;
  const format = readBodyFormat(findHeader(headers, "content-type") ?? "");
  const text = new TextDecoder().decode(body);
  if (format === "form") return { own: listParameters(text), inner: [] };
  if (format !== "json" || !/^\s*\{/.test(text)) return undefined;
  return { own: listMembers(text), inner: listMembers(text, true) };
}

function isChoosing([name, value]: QueryPair): boolean {
  return choosesOperation(name) || (toLetters(name) === "query" && isGraphqlDocument(value));
}

/** Whether a parameter of this name may choose the operation, such as `action` or `_method`. */
export function choosesOperation(name: string): boolean {
  return isMethodName(name) || choosing.has(toLetters(name));
}

/** Of `_action[]` the word `action`. */
function toLetters(name: string): string {
  const [piece = ""] = toPieces(name);
  return piece.replace(/[^a-z]/g, "");
}

/** Of a request inside the request. */
function namesMethod([name, value]: QueryPair): boolean {
  return isMethodName(name) && isMethodWord(value);
}
