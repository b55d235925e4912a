/** Refuses a path that could mean something else to a server than what it says; it never repairs one. */

import { quoteText } from "../text.js";
import { decodeFully } from "./decode-stages.js";
import { findPathDanger, type PathDanger } from "./find-path-danger.js";
import { findPlaceholder } from "./find-placeholder.js";
import { isPlainPath } from "./is-plain-path.js";
import { invalidInput, refusedByPolicy } from "./refuse-input.js";

const maxPathLength = 4000;

const dangers: Readonly<Record<PathDanger, readonly [rule: string, hint: string]>> = {
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
};

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
  if (isPlainPath(path)) return;
  const danger = findPathDanger(path);
  if (danger !== undefined) {
    const [rule, hint] = dangers[danger];
    throw refusedByPolicy(`The path ${quoteText(path)} ${rule}.`, hint);
  }
  checkEscapes(path);
  const placeholder = findPlaceholder(decodeFully(path) ?? path);
  if (placeholder !== undefined) {
    throw invalidInput(
      `The path ${quoteText(path)} has an unfilled placeholder ${quoteText(placeholder)}.`,
      `Put the actual value in place of ${quoteText(placeholder)}.`,
    );
  }
}

/** Refuses a `%` that starts no escape, and escapes that aren't UTF-8. */
function checkEscapes(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw invalidInput(
      `The path ${quoteText(path)} has a malformed percent escape.`,
      'Write a literal "%" as %25, and other characters as percent-encoded UTF-8.',
    );
  }
}
