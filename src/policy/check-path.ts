/** Refuses a path that could mean something else to a server than what it says; it never repairs one. */

import { hasOverlongEscape, hasPlainDotSegment, listReadings, toDecoded } from "../source/path-readings.js";
import { quoteText } from "../text.js";
import { invalidInput, refusedByPolicy } from "./refusal.js";

const maxPathLength = 4000;

const dangers = {
  dot_segment: [
    'has a "." or ".." segment, plain or in disguise',
    'Write the whole path below the base URL without "." and ".." segments; nothing above the base URL can be reached.',
  ],
  backslash: [
    "has a backslash, plain or encoded",
    'Separate segments with "/"; a backslash can\'t be part of a path.',
  ],
  control_character: [
    "has a control character, plain or encoded",
    "Remove line breaks, tabs and other control characters.",
  ],
  overlong_encoding: [
    "has percent escapes that are overlong UTF-8",
    "Encode each character as its shortest UTF-8 form, or write it plainly.",
  ],
  endless_encoding: [
    "is percent-encoded too many times over",
    "Encode each segment at most once; plain characters are encoded for you.",
  ],
  leading_double_slash: [
    'starts with "//", plain or encoded, which would name another host',
    'Start the path with a single "/".',
  ],
} as const;

export type PathDanger = keyof typeof dangers;

/**
 * Lets a path below the base URL pass, or says what is wrong with it.
 *
 * @param path with its leading `/`, without query
 * @throws ApiSourceError `refused_by_policy` for what some server could read as a way out of the base path;
 *   `invalid_input` for malformed escapes, an unfilled `{placeholder}`, and more than 4,000 characters
 */
export function checkPath(path: string): void {
  if (path.length > maxPathLength) {
    throw invalidInput(
      `The path has ${path.length} characters; at most ${maxPathLength} are allowed.`,
      "Shorten it, or move long values into the query or body.",
    );
  }
  const danger = findPathDanger(path);
  if (danger !== undefined) {
    const [rule, hint] = dangers[danger];
    throw refusedByPolicy(`The path ${quoteText(path)} ${rule}.`, hint);
  }
  try {
    decodeURIComponent(path);
  } catch {
    throw invalidInput(
      `The path ${quoteText(path)} has a malformed percent escape.`,
      'Write a literal "%" as %25, and other characters as percent-encoded UTF-8.',
    );
  }
  const placeholder = findPlaceholder(path);
  if (placeholder !== undefined) {
    throw invalidInput(
      `The path ${quoteText(path)} has an unfilled placeholder ${quoteText(placeholder)}.`,
      `Put the actual value in place of ${quoteText(placeholder)}.`,
    );
  }
}

/** The first danger in any reading of a path that starts with `/`; `undefined` when all are harmless. */
export function findPathDanger(path: string): PathDanger | undefined {
  const readings = listReadings(path);
  if (readings === undefined) return "endless_encoding";
  for (const reading of readings) {
    if (hasOverlongEscape(reading)) return "overlong_encoding";
    if (hasPlainDotSegment(reading)) return "dot_segment";
    if (reading.includes("\\")) return "backslash";
    if (/[\p{Cc}\u2028\u2029]/u.test(reading)) return "control_character";
    if (/^[/\ue02f]{2}/.test(reading)) return "leading_double_slash";
  }
  return undefined;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * The first `{placeholder}` that nobody filled in, braces included. Not one: a UUID in braces (Bitbucket and SharePoint take
 * ids so), JSON, which has quotes in it, and the date math of Elasticsearch and OpenSearch (`<logs-{now/d}>`).
 */
function findPlaceholder(path: string): string | undefined {
  const withoutDates = path
    .split("/")
    .map((segment) => toDecoded(segment).replace(/<[^<>]*>/g, (name) => (name.includes("{now") ? "" : name)))
    .join("/");
  for (const reading of listReadings(withoutDates) ?? []) {
    for (const [braces, content = ""] of reading.matchAll(/\{([^{}]{0,80})\}/g)) {
      if (!uuid.test(content) && !/["']/.test(content)) return braces;
    }
  }
  return undefined;
}
