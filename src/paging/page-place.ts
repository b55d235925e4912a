/** Where a request carries its paging parameters, and the request with one of them changed. */

import type { JsonValue } from "../json/exact-number.js";
import { isObject, type JsonObject, normalizeKey } from "../json/shape.js";
import type { HttpMethod } from "../source/api-source.js";
import { toCount } from "./to-count.js";

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

export interface SentParameter {
  /** As the request spells it. */
  readonly name: string;
  readonly value: string;
}

export interface SentCount {
  readonly name: string;
  readonly count: number;
}

/** The request's parameters, wherever they stand. */
export interface PagePlace {
  /** The body of a POST as an object; undefined when there is none. */
  readonly body: JsonObject | undefined;
  /** The first sent parameter with one of these names (as `normalizeKey` writes them), best name first. */
  find(names: readonly string[]): SentParameter | undefined;
  /** The first sent parameter with one of these names that holds a whole number, 0 or more. */
  findCount(names: readonly string[]): SentCount | undefined;
  /** Names of everything that was sent, as `normalizeKey` writes them. */
  readonly names: readonly string[];
  /** The same request with these parameters: where they stood; new ones in the body of a POST that has one, else in the query. */
  change(changes: Readonly<Record<string, JsonValue>>): NextPage;
}

/** Only objects can take a parameter; a JSON text is read first. */
export function createPagePlace(request: PagedRequest): PagePlace {
  const body = request.method === "POST" ? readBody(request.body) : undefined;
  const inQuery = request.query.map(([name]) => normalizeKey(name));
  const members = Object.entries(body ?? {});
  const inBody = members.map(([name]) => normalizeKey(name));
  const names = [...inQuery, ...inBody];

  const find = (wantedNames: readonly string[]): SentParameter | undefined => {
    if (names.length === 0) return undefined;
    for (const wanted of wantedNames) {
      const pair = request.query[inQuery.indexOf(wanted)];
      if (pair !== undefined) return { name: pair[0], value: pair[1] };
      const member = members[inBody.indexOf(wanted)];
      const value = member?.[1];
      if (member === undefined || (typeof value !== "string" && typeof value !== "number")) continue;
      return { name: member[0], value: String(value) };
    }
    return undefined;
  };

  const findCount = (wantedNames: readonly string[]): SentCount | undefined => {
    for (const wanted of wantedNames) {
      const sent = find([wanted]);
      const count = toCount(sent?.value);
      if (sent !== undefined && count !== undefined) return { name: sent.name, count };
    }
    return undefined;
  };

  const change = (changes: Readonly<Record<string, JsonValue>>): NextPage => {
    const pairs = [...request.query];
    const changed: JsonObject = { ...body };
    for (const [name, value] of Object.entries(changes)) {
      const index = pairs.findIndex(([other]) => other === name);
      if (index >= 0) pairs[index] = [name, toQueryText(value)];
      else if (body !== undefined) changed[name] = value;
      else pairs.push([name, toQueryText(value)]);
    }
    const path = writePath(request.path, pairs);
    return { method: request.method, path, ...(body === undefined ? {} : { body: changed }) };
  };

  return { body, find, findCount, names, change };
}

function readBody(body: JsonValue | undefined): JsonObject | undefined {
  if (typeof body !== "string") return isObject(body) ? body : undefined;
  try {
    const parsed: JsonValue = JSON.parse(body);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function toQueryText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Path and query in one; what a query may hold unencoded stays readable. */
export function writePath(path: string, query: Query): string {
  const text = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  return text === "" ? path : `${path}?${text}`;
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(?:24|2C|3A|5B|5D|40|2F)/g, decodeURIComponent);
}
