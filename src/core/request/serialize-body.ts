/** Serialises a request body, once: the result is the bytes on the wire. */

import { invalidInput } from "../base/errors.js";
import type { JsonValue } from "../base/exact-number.js";
import { readPlainJson } from "../base/input.js";
import { parseJson } from "../base/parse-json.js";
import { quoteText } from "../base/text.js";
import type { HttpMethod } from "../record/api-source.js";
import { checkWellFormed } from "./parse-query.js";
import type { QueryStyles } from "./query-style.js";
import { isFormText, writeForm } from "./write-form.js";
import { maxBytes, tooLarge, writeJson } from "./write-json.js";

export interface SerializedBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** How a body is written. */
export interface BodyWriting {
  /** `text` sends a string as it is; `form` also takes form text (`a=1&b=x%20y`), which is sent as it is. */
  readonly format: WrittenFormat;
  /** The media type. @default the format's own */
  readonly contentType?: string | undefined;
  /** Whether the operation's JSON is one string: then a text that is no JSON string is written as one, whatever it looks like. */
  readonly isString?: boolean | undefined;
  /** How the operation's form takes lists and objects. @default in brackets */
  readonly styles?: QueryStyles | undefined;
  /** Whether a text is JSON lines: a list is written one line each, and the last line has its line break. */
  readonly isLines?: boolean | undefined;
  /** Whether the operation has a body although its method is GET. */
  readonly isDescribed?: boolean | undefined;
}

/**
 * The bytes of a body: any JSON value, or JSON text, which passes as it is (numbers keep every digit).
 *
 * `undefined`, `null` and `""` mean that the body is absent: a schema for strict function calling requires every member, and
 * models then send these. The JSON document `null` is sent by the text `"null"`, except with GET and DELETE.
 *
 * @throws ApiSourceError `invalid_input` for a body with a GET that has none, a string that is neither JSON nor, under `form`, form text, and
 *   data that JSON or a form cannot express; `too_large` beyond ten million bytes
 */
export function serializeBody(
  body: unknown,
  method: HttpMethod,
  writing: BodyWriting,
): SerializedBody | undefined {
  const { format, contentType = contentTypes[format], isDescribed = false } = writing;
  if (body === undefined || isAbsent(body, method, format)) return undefined;
  if (method === "GET" && !isDescribed) {
    if (isEmpty(body)) return undefined;
    throw invalidInput(
      "A GET request has no body.",
      "Leave the body out and put parameters into query, or use another method.",
    );
  }
  const bytes = new TextEncoder().encode(writeText(body, writing));
  if (bytes.byteLength > maxBytes) throw tooLarge();
  return { bytes, contentType };
}

/** Models that must fill every member send an empty object or list as the body of a GET, too. */
function isEmpty(body: unknown): boolean {
  if (typeof body === "string") return /^\s*(?:\{\s*\}|\[\s*\])\s*$/.test(body);
  return typeof body === "object" && body !== null && Object.keys(body).length === 0;
}

/** The media type of a body under each format. */
const contentTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
} as const;

/** How a value becomes the text of a body. */
export type WrittenFormat = keyof typeof contentTypes;

function writeText(body: unknown, writing: BodyWriting): string {
  const { format, isString = false, styles, isLines = false } = writing;
  if (isLines && typeof body !== "string") return [body].flat().map(writeLine).join("");
  if (typeof body === "string") {
    if (body.length > maxBytes) throw tooLarge();
    checkWellFormed(body, "The body");
    if (format === "json" && isString)
      return isJsonString(body) ? body.trim() : JSON.stringify(body);
    // A server reads a line when its end arrives.
    if (isLines) return body.endsWith("\n") ? body : `${body}\n`;
    if (format === "text" || (format === "form" && isFormText(body))) return body;
    const value = readText(body, format);
    return format === "json" ? body.trim() : writeForm(value, styles);
  }
  if (format === "text") {
    throw invalidInput(
      "The body is not a string.",
      "Under this Content-Type, give the body as one string; it is sent as it is.",
    );
  }
  // For a form, too: it finds what is not plain data, so that a form refuses the same bodies.
  const text = writeJson(body);
  return format === "json" ? text : writeForm(body, styles);
}

function writeLine(value: unknown): string {
  return `${writeJson(value)}\n`;
}

/** Whether a text is a JSON string, in quotes. */
function isJsonString(text: string): boolean {
  return text.trimStart().startsWith('"') && typeof readPlainJson(text) === "string";
}

function readText(text: string, format: WrittenFormat): JsonValue {
  try {
    return parseJson(text);
  } catch {
    if (format === "form")
      throw invalidInput(
        `The body is a string that is neither JSON nor form text: ${quoteText(text)}.`,
        'Send an object of fields, such as {"name":"x y"}, or form text with every other character percent-encoded, such as "name=x%20y".',
      );
    throw invalidInput(
      `The body is a string that isn't JSON: ${quoteText(text)}.`,
      'Send a JSON value or JSON text, such as {"name":"x"}; a bare string is written in quotes, "\\"x\\"". Other text, such as XML, needs its Content-Type among the headers. To send no body, leave it out.',
    );
  }
}

function isAbsent(body: unknown, method: HttpMethod, format: WrittenFormat): boolean {
  if (typeof body !== "string") return body === null;
  if (body === "") return true;
  // White space is a text, but it is not a JSON text.
  const text = body.trim();
  if (text === "") return format !== "text";
  return text === "null" && (method === "GET" || method === "DELETE");
}
