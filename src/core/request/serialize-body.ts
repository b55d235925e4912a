/** Serialises a request body, once: the result is the bytes on the wire. */

import { ApiSourceError, invalidInput } from "../base/errors.js";
import { ExactNumber, type JsonValue } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { quoteText } from "../base/text.js";
import type { HttpMethod } from "../record/api-source.js";
import { checkWellFormed, listBracketed, readScalar } from "./parse-query.js";

const maxBytes = 10_000_000;

export interface SerializedBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/**
 * The bytes of a body: any JSON value, or JSON text, which passes as it is (numbers keep every digit).
 *
 * `undefined`, `null` and `""` mean that the body is absent: a schema for strict function calling requires every member, and
 * models then send these. The JSON document `null` is sent by the text `"null"`, except with GET and DELETE.
 *
 * @param format `text` sends a string as it is; `form` also takes form text (`a=1&b=x%20y`), which is sent as it is
 * @throws ApiSourceError `invalid_input` for a body with GET, a string that is neither JSON nor, under `form`, form text, and
 *   data that JSON or a form cannot express; `too_large` beyond ten million bytes
 */
export function serializeBody(
  body: unknown,
  method: HttpMethod,
  format: WrittenFormat,
): SerializedBody | undefined {
  if (body === undefined || isAbsent(body, method, format)) return undefined;
  if (method === "GET") {
    throw invalidInput(
      "A GET request has no body.",
      "Leave the body out and put parameters into query, or use another method.",
    );
  }
  const bytes = new TextEncoder().encode(writeText(body, format));
  if (bytes.byteLength > maxBytes) throw tooLarge();
  return { bytes, contentType: contentTypes[format] };
}

/** What a body is sent as under each format. */
export const contentTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
} as const;

/** How a value becomes the text of a body. */
export type WrittenFormat = keyof typeof contentTypes;

function writeText(body: unknown, format: WrittenFormat): string {
  if (typeof body === "string") {
    if (body.length > maxBytes) throw tooLarge();
    checkWellFormed(body, "The body");
    if (format === "text" || (format === "form" && isFormText(body))) return body;
    const value = readText(body, format);
    return format === "json" ? body.trim() : writeForm(value);
  }
  if (format === "text") {
    throw invalidInput(
      "The body is not a string.",
      "Under this Content-Type, give the body as one string; it is sent as it is.",
    );
  }
  // For a form, too: it finds what is not plain data, so that a form refuses the same bodies.
  const text = writeJson(body);
  return format === "json" ? text : writeForm(body);
}

/** Names and values joined by `=` and `&`, in the characters that an urlencoded form has, each escape complete. */
function isFormText(text: string): boolean {
  const hasOnlyFormCharacters = /^(?:[A-Za-z0-9*\-._~+!'()$,;:@/?[\]=&]|%[0-9A-Fa-f]{2})*$/.test(
    text,
  );
  return hasOnlyFormCharacters && text.includes("=");
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
      'Send a JSON value or JSON text, such as {"name":"x"}; a bare string is written in quotes, "\\"x\\"". To send no body, leave it out.',
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

function tooLarge(): Error {
  return new ApiSourceError({
    message: `The request body is larger than ${maxBytes} bytes.`,
    category: "too_large",
    hint: "Send less in one request, for example in several smaller ones.",
  });
}

/** No API documents a body of more than a few levels, and what contains itself has no end. As text a body has no limit. */
const maxJsonDepth = 1_000;

/**
 * The JSON text of plain data, own keys such as `__proto__` included. Keys whose value is `undefined` are left out, as
 * everywhere in JavaScript. Writing stops as soon as the text is too long: shared objects could multiply without end.
 */
function writeJson(value: unknown): string {
  let text = "";
  const write = (item: unknown, depth: number): void => {
    if (text.length > maxBytes) throw tooLarge();
    if (typeof item !== "object" || item === null || item instanceof ExactNumber) {
      text += writeScalar(item);
      return;
    }
    if (depth === maxJsonDepth) {
      const message = `The body is nested deeper than ${maxJsonDepth} levels, or contains itself.`;
      throw invalidInput(message, "Send fewer levels, without cycles, or JSON text.");
    }
    const isList = Array.isArray(item);
    if (!isList) checkPlain(item);
    text += isList ? "[" : "{";
    let comma = "";
    for (const [key, child] of isList ? item.entries() : Object.entries(item)) {
      if (!isList && child === undefined) continue;
      text += isList ? comma : `${comma}${JSON.stringify(key)}:`;
      comma = ",";
      write(child, depth + 1);
    }
    text += isList ? "]" : "}";
  };
  try {
    write(value, 0);
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    // A getter or proxy threw; its message is not ours to show.
    throw invalidInput("The body can't be read.", "Send plain JSON data.");
  }
  return text;
}

/** A Date or a Map would be written as something its sender didn't see. */
function checkPlain(value: object): void {
  const isPlain = Object.prototype.toString.call(value) === "[object Object]";
  if (isPlain && !("toJSON" in value && typeof value.toJSON === "function")) return;
  throw invalidInput("The body holds an object that is not plain data.", "Send plain JSON data.");
}

function writeScalar(value: unknown): string {
  if (value === null || typeof value === "string") return JSON.stringify(value);
  const text = readScalar(value, "A value in the body");
  if (text === undefined)
    throw invalidInput(`The body holds a ${typeof value}.`, "Send plain JSON data.");
  return typeof value === "number" ? JSON.stringify(value) : text;
}

/**
 * The form text of an object, with `null`, `[]` and `{}` as an empty value, which is how each clears a field; `undefined` is left out.
 *
 * @throws ApiSourceError `invalid_input` when the value is not an object, is nested too deeply (cycles are), or holds what can't be
 *   written as a string
 */
function writeForm(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidInput(
      "This API takes form fields, and the body is not an object.",
      'Send an object of fields, such as {"name":"x"}.',
    );
  }
  return Object.entries(value)
    .flatMap(([key, item]) => listBracketed(key, item, "Form field", ""))
    .map(
      ([name, text]) =>
        `${encodeFormPart(name).replace(/%5[BD]/g, decodeURIComponent)}=${encodeFormPart(text)}`,
    )
    .join("&");
}

/** A space is `+`, as the form standard has it. */
function encodeFormPart(text: string): string {
  const sound = checkWellFormed(text, "The body");
  return new URLSearchParams([["", sound]]).toString().slice(1);
}
