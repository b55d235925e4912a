/** Serialises a request body, once: what comes out of here are the bytes on the wire. */

import { ApiSourceError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { parseJson } from "../json/parse-json.js";
import type { BodyFormat, HttpMethod } from "../source/api-source.js";
import { quoteText } from "../text.js";
import { checkWellFormed } from "./read-scalar.js";
import { invalidInput } from "./refusal.js";
import { writeForm } from "./write-form.js";
import { writeJson } from "./write-json.js";

/** The largest request body, in bytes. */
export const defaultMaxRequestBytes = 10_000_000;

export interface SerializeBodyOptions {
  readonly method: HttpMethod;
  readonly format: BodyFormat;
  /** @default 10000000 */
  readonly maxBytes?: number;
}

export interface SerializedBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/**
 * The bytes of a body: any JSON value, or JSON text, which passes as it is (numbers keep every digit).
 *
 * `undefined` is no body. `null` is the JSON body `null` for POST, PUT and PATCH; for GET and DELETE, where a model that
 * has to fill in every field writes `null` or `""`, these are no body.
 *
 * @throws ApiSourceError `invalid_input` for a body with GET, a string that isn't JSON, and data without a form in JSON
 *   or a form; `too_large` beyond `maxBytes`
 */
export function serializeBody(body: unknown, options: SerializeBodyOptions): SerializedBody | undefined {
  const { method, format, maxBytes = defaultMaxRequestBytes } = options;
  if (body === undefined || isPlaceholder(body, method)) return undefined;
  if (method === "GET") {
    throw invalidInput(
      "A GET request has no body.",
      "Leave the body out and put parameters into query, or use another method.",
    );
  }
  const text = format === "json" ? toJsonText(body, maxBytes) : toFormText(body, maxBytes);
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return {
    bytes,
    contentType: format === "json" ? "application/json" : "application/x-www-form-urlencoded",
  };
}

function isPlaceholder(body: unknown, method: HttpMethod): boolean {
  if (method !== "GET" && method !== "DELETE") return false;
  return body === null || (typeof body === "string" && ["", "null"].includes(body.trim()));
}

function toJsonText(body: unknown, maxBytes: number): string {
  if (typeof body !== "string") return writeJson(body, maxBytes);
  readText(body, maxBytes);
  return checkWellFormed(body.trim(), "The body");
}

function toFormText(body: unknown, maxBytes: number): string {
  if (typeof body === "string") return writeForm(readText(body, maxBytes));
  // Written once as JSON to find what is no plain data, so that a form refuses the same bodies.
  checkSize(writeJson(body, maxBytes), maxBytes);
  return writeForm(body);
}

function readText(text: string, maxBytes: number): JsonValue {
  checkSize(text, maxBytes);
  try {
    return parseJson(text);
  } catch {
    throw invalidInput(
      `The body is a string that isn't JSON: ${quoteText(text)}.`,
      'Send a JSON value or JSON text, such as {"name":"x"}; a bare string is written in quotes, "\\"x\\"". To send no body, leave it out.',
    );
  }
}

function checkSize(text: string, maxBytes: number): void {
  if (text.length > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): Error {
  return new ApiSourceError({
    message: `The request body is larger than ${maxBytes} bytes.`,
    category: "too_large",
    hint: "Send less in one request, for example in several smaller ones.",
  });
}
