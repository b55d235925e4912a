/** Reads the extra headers the agent gave, in each form models write them, into name and value pairs. */

import { quoteText } from "../text.js";
import { readText } from "./read-text.js";
import { invalidInput } from "./refuse-input.js";

const formsHint =
  'Send headers as a list such as [{"name":"Accept","value":"text/csv"}], or an object of strings.';

/** RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;

/**
 * Name and value pairs of `[{name, value}]`, `[["name", "value"]]`, an object, or JSON text of these.
 * `undefined`, `null`, `""`, `[]` and `{}` are no headers; a `null` value leaves its header out.
 *
 * @throws ApiSourceError `invalid_input` for a name outside RFC 9110's token grammar, and for a value that is no string
 *   or number, or holds a control character, an outer blank, or a character outside Latin-1
 */
export function readHeaderPairs(value: unknown): [name: string, value: string][] {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return readHeaderText(value.trim());
  if (typeof value !== "object") throw invalidInput(`The headers are a ${typeof value}.`, formsHint);
  const entries = Array.isArray(value) ? value.map(readItem) : Object.entries(value);
  return entries.flatMap(([name, item]) => {
    if (item === undefined || item === null) return [];
    return [[checkName(name), readValue(name, item)]];
  });
}

function readHeaderText(text: string): [string, string][] {
  if (text === "") return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalidInput(`The headers can't be read: ${quoteText(text)}.`, formsHint);
  }
  // A string within the string is no form at all, and would make this recursive.
  if (typeof parsed === "string") throw invalidInput("The headers are a string.", formsHint);
  return readHeaderPairs(parsed);
}

function readItem(item: unknown): [string, unknown] {
  if (Array.isArray(item) && item.length === 2 && typeof item[0] === "string") return [item[0], item[1]];
  if (typeof item === "object" && item !== null && "name" in item && typeof item.name === "string") {
    return [item.name, "value" in item ? item.value : undefined];
  }
  throw invalidInput("An item of the header list has no name and value.", formsHint);
}

function checkName(name: string): string {
  if (token.test(name)) return name;
  throw invalidInput(
    `${quoteText(name)} is no header name.`,
    "A header name is letters, digits and dashes, without blanks and colons.",
  );
}

function readValue(name: string, item: unknown): string {
  const where = `The value of header ${quoteText(name)}`;
  const text = typeof item === "boolean" ? undefined : readText(item, where);
  if (text === undefined) throw invalidInput(`${where} is no string.`, "Send one string as the value.");
  if (/\p{Cc}/u.test(text)) {
    throw invalidInput(
      `${where} holds a line break or another control character.`,
      "Send one line of plain text.",
    );
  }
  if (/[^\0-\u00ff]/.test(text)) {
    throw invalidInput(`${where} holds characters outside Latin-1.`, "Send plain ASCII text.");
  }
  if (text.trim() !== text) throw invalidInput(`${where} starts or ends with a blank.`, "Remove it.");
  return text;
}
