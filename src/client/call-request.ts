/** Step 1 of a call, and the inputs of the other tools: as a model or a program gives them, reduced to what is really there. */

import { invalidInput } from "../errors.js";
import { quoteText } from "../text.js";
import { dropUndefined } from "./drop-undefined.js";

/** What a call takes. Optional members may be absent, `null`, `""` or `[]`, which mean the same, except in `body`. */
export interface CallRequest {
  /** One of GET, POST, PUT, DELETE, PATCH, in any case. @default "GET", where there is no body */
  readonly method: string;
  /** The path below the base URL; may carry a query string. */
  readonly path: string;
  /** Pairs `[{name, value}]`, an object, or a query string. */
  readonly query?: unknown;
  /** Any JSON value, or JSON text. */
  readonly body?: unknown;
  /** Extra headers: an object or pairs `[{name, value}]`. */
  readonly headers?: unknown;
  /** A JMESPath over the answer's body. */
  readonly select?: string;
  /** How many pages to read at most; the answer's `data` then holds the rows of all of them. @default 1 */
  readonly pages?: number;
}

/** What a read of a kept response takes. */
export interface ReadRequest {
  readonly id: string;
  /** A JMESPath over the whole kept body. */
  readonly select?: string;
  /** A string to search for. */
  readonly find?: string;
  /** The first element, member or character (or match) to show, from 0. */
  readonly offset?: number;
  /** How many of them. */
  readonly limit?: number;
}

const callMembers = ["method", "path", "query", "body", "headers", "select", "pages"] as const;
const partMembers = ["id", "select", "find", "offset", "limit"] as const;

/**
 * Checks the outer shape of a call; the request policy judges what is inside.
 *
 * @throws ApiSourceError `invalid_input` that names the member and what would be right.
 */
export function parseCallRequest(input: unknown): CallRequest {
  const { method, path, query, body, headers, select, pages } = readMembers(input, callMembers, {
    example: '{"method":"GET","path":"/"}',
    advice: " Put parameters of the API into query or body.",
  });
  if (!isAbsent(path) && typeof path !== "string")
    throw invalidInput("path is not a string.", 'Give the path below the base URL, such as "/items".');
  const request: CallRequest = dropUndefined({
    method: parseMethod(method, path, body),
    path: typeof path === "string" ? path : "",
    query: isAbsent(query) ? undefined : query,
    body,
    headers: isAbsent(headers) ? undefined : headers,
    select: parseString("select", select),
    pages: parseCount("pages", pages, 1),
  });
  return withoutPrototype(request);
}

/** @throws ApiSourceError `invalid_input` that names the member and what would be right. */
export function parseReadRequest(input: unknown): ReadRequest {
  const given = readMembers(input, partMembers, { example: '{"id":"r_7f3ak2"}' });
  const id = typeof given.id === "string" ? given.id.trim() : "";
  if (id === "") throw invalidInput("id is missing.", "Give the id from shortened.id of an earlier answer.");
  const request: ReadRequest = dropUndefined({
    id,
    select: parseString("select", given.select),
    find: parseString("find", given.find),
    offset: parseCount("offset", given.offset, 0),
    limit: parseCount("limit", given.limit, 1),
  });
  return withoutPrototype(request);
}

/** @throws ApiSourceError `invalid_input` for what is no object, or has a member that nobody knows. */
export function readMembers<Name extends string>(
  input: unknown,
  known: readonly Name[],
  { example, advice = "" }: { readonly example: string; readonly advice?: string },
): Partial<Record<Name, unknown>> {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw invalidInput("The input is not an object.", `Send an object such as ${example}.`);
  const given = withoutPrototype<Partial<Record<Name, unknown>>>(input);
  const unknownMember = Object.keys(given).find((name) => !known.some((each) => each === name));
  if (unknownMember === undefined) return given;
  throw invalidInput(
    `The input has no member ${quoteText(unknownMember, 40)}.`,
    `Members are ${known.join(", ")}.${advice}`,
  );
}

/** As generous as the other members: any case, and GET where nothing is to be sent. */
function parseMethod(method: unknown, path: unknown, body: unknown): string {
  if (typeof method === "string" && method !== "") {
    return /^[A-Za-z]{1,20}$/.test(method) ? method.toUpperCase() : method;
  }
  if (isAbsent(method) && !isAbsent(path) && isAbsent(body)) return "GET";
  throw invalidInput("method is missing.", "Give the HTTP method, such as GET.");
}

/** @throws ApiSourceError `invalid_input` for anything but a string, or nothing. */
export function parseString(name: string, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === "string") return value;
  throw invalidInput(`${name} is not a string.`, `Give ${name} as a string, or leave it out.`);
}

/** Models send numbers as strings, too. */
function parseCount(name: string, value: unknown, least: number): number | undefined {
  if (isAbsent(value)) return undefined;
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= least) return count;
  throw invalidInput(
    `${name} is not a whole number from ${least} on.`,
    `Give ${name} as a number, or leave it out.`,
  );
}

/** Models that must fill every member send `null`, `""` or `[]` for "nothing". */
function isAbsent(value: unknown): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return value === undefined || value === null || value === "" || isEmptyList;
}

/** What someone put on `Object.prototype` is nothing the caller gave. */
function withoutPrototype<Members extends object>(members: Members): Members {
  return Object.assign(Object.create(null), members);
}
