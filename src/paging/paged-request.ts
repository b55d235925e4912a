/** The request that a page answered: where it carries its paging parameters, and the same request with one of them changed. */

import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { normalizeKey } from "../json/shape.js";
import { writeJson } from "../json/write-json.js";
import type { HttpMethod } from "../source/api-source.js";
import { dropEnd } from "../text.js";
import { parseCount } from "./read-envelope.js";

export type Query = readonly (readonly [string, string])[];

export interface PagedRequest {
  readonly method: HttpMethod;
  /** Below the base URL as sent, without a query. */
  readonly path: string;
  /** The agent's own, without constants and credential. */
  readonly query: Query;
  /** As the agent gave it: a JSON value or JSON text. */
  readonly body?: JsonValue;
}

/** What to send to get the next page: a complete input for the tool. */
export interface NextPage {
  readonly method: HttpMethod;
  /** Below the base URL, with its query string. */
  readonly path: string;
  /** Only when the cursor goes there. */
  readonly body?: JsonValue;
}

export interface Parameter {
  /** As the request spells it; `pagination.starting_after` for a member inside of a member of the body. */
  readonly name: string;
  readonly value: string;
}

/** What parameters of paging are put into: `page[size]`, `searchCriteria[pageSize]`, `{"pagination":{"per_page":5}}`. */
const holders: ReadonlySet<string> = new Set(["page", "paging", "pagination", "searchcriteria"]);

/** `page[size]`, or `page.size` for a member of the body. */
const held = /^([^[\].]{1,60})[[.]([^[\]]{1,60})\]?$/;

interface Known extends Parameter {
  /** Its normalised name, whole and as what stands inside of a holder. */
  readonly names: readonly string[];
}

/** The request's parameters, wherever they stand. */
export class Parameters {
  /** The body of a POST as an object, a JSON text read; undefined when there is none. */
  readonly body: JsonObject | undefined;
  readonly #known: readonly Known[];

  constructor(private readonly request: PagedRequest) {
    const body = request.method === "POST" ? readBody(request.body) : undefined;
    this.body = isJsonObject(body) ? body : undefined;
    this.#known = [...request.query, ...listMembers(this.body ?? {})].map(toKnown);
  }

  /** The first sent parameter with one of these names (as `normalizeKey` writes them), best name first. */
  find(names: readonly string[]): Parameter | undefined {
    return names
      .map((name) => this.#known.find((parameter) => parameter.names.includes(name)))
      .find((found) => found !== undefined);
  }

  /** Whether any parameter's normalised name fits. */
  has(pattern: RegExp): boolean {
    return this.#known.some(({ names }) => names.some((name) => pattern.test(name)));
  }

  /** The first sent parameter with one of these names that holds a whole number, 0 or more. */
  findCount(names: readonly string[]): { readonly name: string; readonly count: number } | undefined {
    for (const each of names) {
      const { name = "", value } = this.find([each]) ?? {};
      const count = parseCount(value);
      if (count !== undefined) return { name, count };
    }
    return undefined;
  }

  /** The same request with parameters set: in place, else into the body of a POST that has one, else at the end of the query. */
  change(changes: Readonly<Record<string, JsonValue>>): NextPage {
    const { method, path, query } = this.request;
    const pairs = [...query];
    let { body } = this;
    for (const [name, value] of Object.entries(changes)) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const index = pairs.findIndex(([other]) => other === name);
      if (index >= 0) pairs[index] = [name, text];
      else if (body !== undefined) body = setMember(body, name, value);
      else pairs.push([nameBesideLike(name, pairs), text]);
    }
    return { method, path: writePath(path, pairs), ...(body === undefined ? {} : { body }) };
  }
}

function toKnown([name, value]: readonly [string, string]): Known {
  const [, holder = "", inner = ""] = held.exec(name) ?? [];
  const names = holders.has(normalizeKey(holder)) ? [name, inner] : [name];
  return { name, value, names: names.map(normalizeKey) };
}

/** The members of a body and of the holders in it, as a query would have them. */
function listMembers(body: JsonObject, path = ""): [string, string][] {
  return Object.entries(body).flatMap(([name, value]): [string, string][] => {
    if (path === "" && isJsonObject(value) && holders.has(normalizeKey(name)))
      return listMembers(value, `${name}.`);
    return [[path + name, typeof value === "string" || isJsonNumber(value) ? String(value) : ""]];
  });
}

/** A new member goes into the holder that the body has already; `a.b` makes one. */
function setMember(body: JsonObject, name: string, value: JsonValue): JsonObject {
  const [first = "", second] = name.split(".");
  const own = Object.keys(body).find((key) => holders.has(normalizeKey(key)) && isJsonObject(body[key]));
  const holder = second === undefined ? (Object.hasOwn(body, name) ? undefined : own) : first;
  if (holder === undefined) return { ...body, [name]: value };
  const members = body[holder];
  return { ...body, [holder]: { ...(isJsonObject(members) ? members : {}), [second ?? name]: value } };
}

/** Beside `searchCriteria[pageSize]` stands `searchCriteria[currentPage]`, beside `page[size]` stands `page[number]` (JSON:API). */
function nameBesideLike(name: string, query: Query): string {
  const plain = name.slice(name.indexOf(".") + 1);
  const pairs = query.map(([sent]) => (sent.endsWith("]") ? held.exec(sent) : null));
  const [, holder, like = ""] = pairs.find((pair) => holders.has(normalizeKey(pair?.[1] ?? ""))) ?? [];
  if (holder === undefined || plain.includes("[")) return plain;
  if (plain === holder) return `${holder}[number]`;
  const isCamel = /[a-z][A-Z]/.test(like);
  return `${holder}[${isCamel ? plain.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) : plain}]`;
}

/** Path and query in one; what a query may hold unencoded stays readable. */
function writePath(path: string, query: Query): string {
  const text = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  return text === "" ? path : `${path}?${text}`;
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(?:24|2C|3A|5B|5D|40|2F)/g, decodeURIComponent);
}

/** Whether a next page would only repeat the request: same method, path, parameters in any order and spelling, and body. */
export function isSameRequest(next: NextPage, request: PagedRequest): boolean {
  if (next.method !== request.method) return false;
  if (normalizePath(next.path) !== normalizePath(writePath(request.path, request.query))) return false;
  return next.body === undefined || writeJson(readBody(next.body)) === writeJson(readBody(request.body));
}

function normalizePath(pathAndQuery: string): string {
  const [path = "", ...query] = pathAndQuery.split("?");
  const parameters = new URLSearchParams(query.join("?"));
  parameters.sort();
  return `${dropEnd(path, "/")}?${parameters}`;
}

/** A body as the value that it is, or that its JSON text holds. */
function readBody(body: JsonValue = null): JsonValue {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** What APIs call a POST that only reads: `/databases/x/query`, `files/list_folder`, `reports:batchGet`, `_search`. */
const readingWords =
  /(?:^|[^a-z])(?:m?search|quer(?:y|ies)|graphql|list|find|filter|lookup|report|get|read|fetch|sync|scan|scroll|aggregate)(?:[^a-z]|$)/;
const searchName =
  /^(?:q|query|jql|search|filters?|where|criteria|page|cursor|offset|limit|start|skip|after|marker|bookmark|first|size|maxresults|rows)|cursor$|token$|page(?:size|number)?$/;

/** Whether a POST is a search by its name or its parameters, so that it may be sent again for another page. A mutation never is. */
export function isSearch(request: PagedRequest): boolean {
  const query = isJsonObject(request.body) ? request.body["query"] : undefined;
  if (typeof query === "string" && query.includes("{")) return !/\bmutation\b/.test(query);
  const name = dropEnd(request.path, "/").split("/").at(-1) ?? "";
  const words = name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  return readingWords.test(words) || new Parameters(request).has(searchName);
}
