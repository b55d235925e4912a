/** The input of one call, as a model or a program gives it, reduced to what is really there. */

import { ApiSourceError } from "../errors.js";

/** What a call takes. Optional members may be absent, `null`, `""` or `[]`, which mean the same, except in `body`. */
export interface CallRequest {
  /** One of GET, POST, PUT, DELETE, PATCH. */
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
  readonly select?: string | null;
}

const knownMembers = ["method", "path", "query", "body", "headers", "select"];

/**
 * Checks the outer shape of an input; the wall judges what is inside.
 *
 * @throws ApiSourceError `invalid_input` for an input that is not an object, a member it does not have, or a `path` or
 * `select` that is not text.
 */
export function parseCallRequest(input: unknown): CallRequest {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw invalidInput("The input is not an object.", 'Send an object such as {"method":"GET","path":"/"}.');
  }
  // Without a prototype, here and below: what someone put on `Object.prototype` is nothing the caller gave.
  const given: Record<string, unknown> = Object.assign(Object.create(null), input);
  const unknownMember = Object.keys(given).find((name) => !knownMembers.includes(name));
  if (unknownMember !== undefined) {
    throw invalidInput(
      `The input has no member "${unknownMember.slice(0, 40)}".`,
      `Members are ${knownMembers.join(", ")}. Put parameters of the API into query or body.`,
    );
  }
  const { method, path, query, body, headers, select } = given;
  if (typeof method !== "string" || method === "") {
    throw invalidInput("method is missing.", "Give the HTTP method, such as GET.");
  }
  if (path !== undefined && path !== null && typeof path !== "string") {
    throw invalidInput("path is not text.", 'Give the path below the base URL, such as "/items".');
  }
  return Object.assign(Object.create(null), {
    method,
    path: path ?? "",
    ...(isAbsent(query) ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    ...(isAbsent(headers) ? {} : { headers }),
    ...(isAbsent(select) ? {} : { select: parseSelect(select) }),
  });
}

function parseSelect(select: unknown): string {
  if (typeof select === "string") return select;
  throw invalidInput(
    "select is not text.",
    'Give a JMESPath expression, such as "items[].{id:id,name:name}".',
  );
}

/** Models that must fill every member send `null`, `""` or `[]` for "nothing". */
function isAbsent(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

function invalidInput(message: string, hint: string): ApiSourceError {
  return new ApiSourceError({ message, category: "invalid_input", hint });
}
