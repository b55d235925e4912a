/** The request that a page answered: where it carries its paging parameters, and the same request with one of them changed. */

import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { normalizeKey } from "../json/shape.js";
import { writeJson } from "../json/write-json.js";
import type { HttpMethod } from "../source/api-source.js";
import { clipText, dropEnd } from "../text.js";
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
  /** Only where the record's rule sends the cursor as a header. */
  readonly headers?: Readonly<Record<string, string>>;
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

/** What requests begin with: page 0 or 1, no offset, Solr's `*`. */
const firstValue = /^(?:|-1|0|1|\*|null)$/;
const sizeName = /limit|size|count|perpage|results|^(?:top|take|rpp|rows)$/;

interface Known extends Parameter {
  /** Its normalised name, whole and without its holder. */
  readonly names: readonly string[];
}

/** The request's parameters, of its URL and its body. */
export class Parameters {
  /** The body of a POST as an object, a JSON text read; undefined without one. */
  readonly body: JsonObject | undefined;
  readonly #known: readonly Known[];

  constructor(private readonly request: PagedRequest) {
    const body = request.method === "GET" ? undefined : readBody(request.body);
    this.body = isJsonObject(body) ? body : undefined;
    this.#known = [...request.query, ...listMembers(this.body ?? {})].map(toKnown);
  }

  /** The first sent parameter with one of these names (as `normalizeKey` writes them), best name first. */
  find(names: readonly string[]): Parameter | undefined {
    return names
      .map((name) => this.#known.find((parameter) => parameter.names.includes(name)))
      .find((found) => found !== undefined);
  }

  /** The first sent parameter with a value whose normalised name fits. */
  findLike(pattern: RegExp): Parameter | undefined {
    return this.#known.find(({ names, value }) => value !== "" && names.some((name) => pattern.test(name)));
  }

  /** The name of a parameter whose value is written like a cursor: as long, of 8 characters at least, of the same kinds of characters. */
  findSimilar(cursor: string): string | undefined {
    const kindsOf = (text: string): string =>
      ["[0-9]", "[a-z]", "[A-Z]", "[^0-9A-Za-z]"].map((kind) => new RegExp(kind).test(text)).join();
    const isSimilar = ({ value }: Parameter): boolean =>
      value.length >= 8 && Math.abs(value.length - cursor.length) <= 1 && kindsOf(value) === kindsOf(cursor);
    const similar = this.#known.filter(isSimilar);
    return similar.length === 1 ? similar[0]?.name : undefined;
  }

  /** The parameter by which this request begins after the beginning of the list, as `page=3`; a page 1 may be the second one. */
  findStart(): string | undefined {
    const numbered = (pattern: RegExp, from: number): Parameter | undefined => {
      const found = this.findLike(pattern);
      return (parseCount(found?.value) ?? 0) >= from ? found : undefined;
    };
    const found =
      numbered(/^(?:page|currentpage|pagenumber|pageno|pageindex|pagenum|p|pg)$/, 2) ??
      numbered(/^(?:offset|startat|start|skip|from|pageoffset)$/, 1) ??
      numbered(/^startindex$/, 2) ??
      this.findLike(
        /cursor$|^(?:page|next|continuation|skip)token$|^(?:startingafter|bookmark|marker|continuation)$/,
      );
    return found === undefined ? undefined : `${found.name}=${clipText(found.value, 40)}`;
  }

  /** The same request with a value at a place: `query:NAME`, `body:NAME` (with dots for members of members) or `header:NAME`. */
  send(place: string, value: JsonValue): NextPage {
    const { method, path, query } = this.request;
    const [kind = "", name = ""] = [place.slice(0, place.indexOf(":")), place.slice(place.indexOf(":") + 1)];
    const text = typeof value === "string" ? value : writeJson(value);
    const given = this.request.body === undefined ? {} : { body: this.request.body };
    if (kind === "header")
      return { method, path: writePath(path, query), ...given, headers: { [name]: text } };
    if (kind === "body")
      return { method, path: writePath(path, query), body: setAt(this.body ?? {}, name.split("."), value) };
    const index = query.findIndex(([other]) => other === name);
    const pairs = query.filter(([other], at) => other !== name || at === index);
    const changed = pairs.map((pair) => (pair[0] === name ? ([name, text] as const) : pair));
    return { method, path: writePath(path, index < 0 ? [...pairs, [name, text]] : changed), ...given };
  }

  /** What was sent at such a place. */
  read(place: string): JsonValue | undefined {
    if (place === "" || place.startsWith("header:")) return undefined;
    const name = place.slice(place.indexOf(":") + 1);
    if (place.startsWith("query:")) return this.request.query.find(([other]) => other === name)?.[1];
    return name
      .split(".")
      .reduce<JsonValue | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), this.body);
  }

  /** A parameter of the query that the next page changes: the request begins in the middle unless it has a usual first value. */
  findMoved(next: NextPage | undefined): string | undefined {
    const moved = new URLSearchParams(next?.path.split("?")[1]);
    const found = this.request.query.find(
      ([name, value]) =>
        moved.has(name) &&
        !moved.getAll(name).includes(value) &&
        !firstValue.test(value) &&
        !sizeName.test(normalizeKey(name)),
    );
    return found && `${found[0]}=${clipText(found[1], 40)}`;
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

function setAt(body: JsonObject, [name = "", ...rest]: readonly string[], value: JsonValue): JsonObject {
  const inner = body[name];
  const set = rest.length === 0 ? value : setAt(isJsonObject(inner) ? inner : {}, rest, value);
  return { ...body, [name]: set };
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

/** `searchCriteria[pageSize]` goes with `searchCriteria[currentPage]`, `page[size]` with `page[number]` (JSON:API). */
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
  if (next.method !== request.method || next.headers !== undefined) return false;
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
