/** The request that a page answered: where it carries its paging parameters, and the same request with one of them changed. */

import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  writeJson,
} from "../base/exact-number.js";
import { normalizeKey } from "../base/shape.js";
import { clipText, dropEnd } from "../base/text.js";
import type { HttpMethod } from "../record/api-source.js";
import { findAt } from "./find-rows.js";
import {
  cursorParameter,
  holders,
  offsetParameters,
  pageParameters,
  sentSizeNames,
} from "./paging-names.js";
import { parseCount } from "./read-envelope.js";
import { setAt } from "./set-at.js";

export type Query = readonly (readonly [string, string])[];

export interface PagedRequest {
  readonly method: HttpMethod;
  /** Below the base URL as sent, without a query. */
  readonly path: string;
  /** The agent's own, without constants and credential. */
  readonly query: Query;
  /** As a value: of JSON text what it holds. */
  readonly body?: JsonValue;
}

/** The request of the next page: a complete input for the tool. */
export interface NextPage {
  readonly method: HttpMethod;
  /** Below the base URL, with its query string. */
  readonly path: string;
  /** Only when the cursor goes there. */
  readonly body?: JsonValue;
  /** Only where the record's rule sends the cursor as a header. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A parameter that was sent. */
interface Parameter {
  /** `query:NAME`, or `body:NAME` with dots for members of members. */
  readonly place: string;
  /** As the request spells it; `pagination.starting_after` for a member inside of a member of the body. */
  readonly name: string;
  /** Its normalised name, whole and without its holder. */
  readonly names: readonly string[];
  readonly value: string;
}

/** `page[size]`, or `page.size` for a member of the body. */
const held = /^([^[\].]{1,60})[[.]([^[\]]{1,60})\]?$/;
const isHolder = (name: string): boolean => Object.hasOwn(holders, normalizeKey(name));

/** Deeper no body has a parameter of paging. */
const maxDepth = 3;

/** Values that requests begin with, under a name that is not known: page 0 or 1, no cursor. */
const firstValue = /^(?:|-1|0|1|\*|null)$/;
/** Cursors that requests begin with: none, 0, Solr's `*`. */
const firstCursor = /^(?:|-1|0|\*)$/;
/** A date is a filter: `after=2026-01-01`. */
const startOfDate = /^\d{4}-\d\d/;

/** The request's parameters, of its URL and its body. */
export class Parameters {
  /** The body of a POST, where it is an object. */
  readonly body: JsonObject | undefined;
  readonly #known: readonly Parameter[];

  constructor(private readonly request: PagedRequest) {
    this.body = request.method !== "GET" && isJsonObject(request.body) ? request.body : undefined;
    this.#known = [
      ...request.query.map(([name, value]) => toParameter("query", name, value)),
      ...toBodyParameters(this.body ?? {}, []),
    ];
  }

  /** The first sent parameter with one of these names (as `normalizeKey` writes them), best name first. */
  find(names: readonly string[]): Parameter | undefined {
    return this.#list(names)[0];
  }

  /** The first sent parameter with a value, and no date, whose normalised name fits. */
  findLike(pattern: RegExp): Parameter | undefined {
    return this.#known.find(
      ({ names, value }) =>
        value !== "" && !startOfDate.test(value) && names.some((name) => pattern.test(name)),
    );
  }

  /** The first sent parameter with one of these names that holds a whole number, 0 or more. */
  findCount(
    names: readonly string[],
  ): { readonly name: string; readonly count: number } | undefined {
    for (const { name, value } of this.#list(names)) {
      const count = parseCount(value);
      if (count !== undefined) return { name, count };
    }
    return undefined;
  }

  /**
   * The parameter that puts this request after the beginning of the list, as `page=3`: by its name and value, by the place of the cursor that
   * the API told, or because the next page is the same request with another value of it alone. A page 1 may be the second one.
   */
  findStart(next: NextPage | undefined, told?: string): string | undefined {
    const moved = next && this.#findMoved(next);
    const found = this.#known.find((each) => this.#isLater(each, moved, told));
    return found && `${found.name}=${clipText(found.value, 40)}`;
  }

  /** @param moved - The parameter that alone differs in the next page. */
  #isLater(
    { place, names, value }: Parameter,
    moved: string | undefined,
    told: string | undefined,
  ): boolean {
    const isOf = (known: readonly string[]): boolean => names.some((each) => known.includes(each));
    const count = parseCount(value);
    if (count !== undefined && isOf(pageParameters)) return count > 1;
    if (count !== undefined && isOf(offsetParameters)) {
      // Beside the number of a page an `offset` is a size (Etherscan).
      const isSize = this.findCount(pageParameters) !== undefined;
      const first = isOf(["startindex"]) ? 1 : 0;
      return !isSize && count > first;
    }
    if (startOfDate.test(value)) return false;
    const isNamed = names.some((each) => cursorParameter.test(each) || each.endsWith("cursor"));
    if (isNamed || place === told) return !firstCursor.test(value);
    return place === `query:${moved}` && !firstValue.test(value);
  }

  /** The one parameter of the query, but for its size, whose value the next page has and this request has not. */
  #findMoved({ path: given }: NextPage): string | undefined {
    const [path = "", search] = given.split("?");
    const sent = new URLSearchParams(writePath("", this.request.query));
    const next = new URLSearchParams(search);
    const changed = [...new Set(next.keys())].filter(
      (name) => String(next.getAll(name)) !== String(sent.getAll(name)),
    );
    const names = changed.filter((name) => !sentSizeNames.includes(normalizeKey(name)));
    const isSamePath = dropEnd(path, "/") === dropEnd(this.request.path, "/");
    return isSamePath && names.length === 1 ? names[0] : undefined;
  }

  /** The value that was sent at a place. */
  read(place: string): string | undefined {
    const sent = this.#known.find((parameter) => parameter.place === place)?.value;
    if (sent !== undefined || !place.startsWith("body:")) return sent;
    const inList = findAt(this.request.body, splitPlace(place));
    return inList === undefined ? undefined : writeValue(inList);
  }

  /** Whether a place can be set without another shape of the body: not a name in a list or a text, nor an index that its list lacks. */
  hasRoomFor(place: string): boolean {
    if (!place.startsWith("body:")) return true;
    return setAt(this.request.body, splitPlace(place), null) !== undefined;
  }

  /**
   * The same request with parameters set: at a place (`query:NAME`, `body:NAME`, `header:NAME`); a name where it was sent, else in the
   * body of a POST that has a JSON body or none, else at the end of the query.
   *
   * @param isAlone - Whether the other parameters are left out.
   */
  change(changes: Readonly<Record<string, JsonValue>>, isAlone = false): NextPage {
    const { method, path } = this.request;
    let { query, body } = isAlone ? { query: [], body: undefined } : this.request;
    let headers: NextPage["headers"];
    for (const [given, value] of Object.entries(changes)) {
      const [kind = "", name = ""] = this.#findPlace(given).split(/:(.*)/s);
      if (kind === "body") body = setAt(body, name.split("."), value) ?? body;
      else if (kind === "query") query = setPair(query, name, value);
      else headers = { [name]: writeValue(value) };
    }
    return { method, path: writePath(path, query), body, headers };
  }

  #findPlace(name: string): string {
    const { method, query, body } = this.request;
    const sent = this.#known.find((parameter) => parameter.name === name)?.place;
    if (sent !== undefined || /^(?:query|body|header):/.test(name)) return sent ?? name;
    if (method === "GET" || (this.body === undefined && body !== undefined))
      return `query:${nameBesideLike(name, query)}`;
    const [holder] =
      Object.entries(this.body ?? {}).find(
        ([key, value]) => isHolder(key) && isJsonObject(value),
      ) ?? [];
    return holder === undefined || name.includes(".") ? `body:${name}` : `body:${holder}.${name}`;
  }

  #list(names: readonly string[]): readonly Parameter[] {
    // No list of names is walked where there is none.
    if (this.#known.length === 0) return [];
    return names.flatMap(
      (name) => this.#known.find((parameter) => parameter.names.includes(name)) ?? [],
    );
  }
}

function writeValue(value: JsonValue): string {
  return typeof value === "string" ? value : writeJson(value);
}

/** In the place of the first pair of that name, else at the end. */
function setPair(query: Query, name: string, value: JsonValue): Query {
  const index = query.findIndex(([other]) => other === name);
  const pair = [name, writeValue(value)] as const;
  if (index < 0) return [...query, pair];
  const others = ([other]: Query[number]): boolean => other !== name;
  return [...query.slice(0, index), pair, ...query.slice(index).filter(others)];
}

function toParameter(kind: "query" | "body", name: string, value: string): Parameter {
  return { place: `${kind}:${name}`, name, value, names: foldNames(name) };
}

/** The normalised name, whole and without its holder. */
export function foldNames(name: string): string[] {
  const [, holder = "", inner = ""] = held.exec(name) ?? [];
  return (isHolder(holder) ? [name, inner] : [name]).map(normalizeKey);
}

/** The members of a body, those of members too, as a query would have them. */
function toBodyParameters(body: JsonObject, path: readonly string[]): Parameter[] {
  return Object.entries(body).flatMap(([key, value]): Parameter[] => {
    const at = [...path, key];
    if (isJsonObject(value)) return at.length < maxDepth ? toBodyParameters(value, at) : [];
    const text = isJsonNumber(value) ? String(parseCount(value) ?? value) : value;
    return [toParameter("body", at.join("."), typeof text === "string" ? text : "")];
  });
}

function splitPlace(place: string): string[] {
  return place.slice("body:".length).split(".");
}

/** `page[size]` goes with `page[number]` and `page[cursor]` (JSON:API), `searchCriteria[pageSize]` with `searchCriteria[currentPage]`. */
function nameBesideLike(name: string, query: Query): string {
  const heldNames = query.flatMap(([sent]) => (sent.endsWith("]") ? [held.exec(sent)] : []));
  const [, holder, inner = ""] = heldNames.find((found) => isHolder(found?.[1] ?? "")) ?? [];
  if (holder === undefined || name.includes("[")) return name;
  if (name !== "page") return `${holder}[${name}]`;
  return `${holder}[${writeLike(holders[normalizeKey(holder)] ?? name, inner)}]`;
}

/** A name of words (`page_token`) as the other name is written: `pageToken` beside `nextPageToken`. */
export function writeLike(name: string, other: string): string {
  if (!name.includes("_") || other.includes("_") || !/[a-z][A-Z]|[a-z]-[a-z]/.test(other))
    return name;
  const camel = name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  return /^[A-Z]/.test(other) ? camel.charAt(0).toUpperCase() + camel.slice(1) : camel;
}

/** Path and query in one; what a query may hold unencoded stays readable. */
function writePath(path: string, query: Query): string {
  const text = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  return text === "" ? path : `${path}?${text}`;
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /%(?:24|2C|3A|5B|5D|40|2F)/g,
    decodeURIComponent,
  );
}

/** Whether a next page would only repeat the request: same method, path, parameters in any order and spelling, and body. */
export function isSameRequest(next: NextPage, request: PagedRequest): boolean {
  if (next.method !== request.method || next.headers !== undefined) return false;
  const path = writePath(request.path, request.query);
  if (normalizePath(next.path) !== normalizePath(path)) return false;
  return next.body === undefined || writeJson(next.body) === writeJson(request.body ?? null);
}

function normalizePath(pathAndQuery: string): string {
  const [path = "", ...query] = pathAndQuery.split("?");
  const parameters = new URLSearchParams(query.join("?"));
  parameters.sort();
  return `${dropEnd(path, "/")}?${parameters}`;
}
