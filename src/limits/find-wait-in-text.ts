/** Finds how long to wait in an error message: "Please try again in 6m0s.", "Retry after 2017-02-28T16:21:57.123Z". */

import { takeDuration } from "./parse-duration.js";
import { maxWaitSeconds, parseReset } from "./parse-reset.js";

/** Longer messages are read up to here. */
const maxTextLength = 8_192;

/** A word that speaks of waiting, then a few words without a digit or the end of a sentence, then a digit or a weekday. */
const anchor =
  /\b(?:again|retry|retrying|retried|wait|waiting|available|resets?|unblocked|throttled|back\s?off|come back)\b[a-z ,:~_('"-]{0,40}?(?=\d|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )/g;

/** What a date may be written with; it ends at a quote, a bracket or the end of the sentence. */
const dateText = /[a-z0-9 ,:+-]{1,40}(?:\.\d{1,9})?(?:z\b|gmt\b|utc\b|[+-]\d{2}:?\d{2}\b)?/y;

/**
 * Finds the first wait a message asks for.
 *
 * @returns whole seconds, rounded up; undefined when it asks for none. A number without a unit is none: it may count anything.
 */
export function findWaitInText(text: string, nowMs: number): number | undefined {
  const lower = text.slice(0, maxTextLength).toLowerCase();
  for (const match of lower.matchAll(anchor)) {
    const start = match.index + match[0].length;
    const seconds = readDuration(lower, start) ?? readDate(lower, start, nowMs);
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

function readDuration(text: string, start: number): number | undefined {
  const found = takeDuration(text, start);
  if (found === undefined) return undefined;
  const seconds = Math.ceil(found.durationMs / 1000);
  return seconds <= maxWaitSeconds ? seconds : undefined;
}

function readDate(text: string, start: number, nowMs: number): number | undefined {
  dateText.lastIndex = start;
  const words = dateText.exec(text)?.[0];
  if (words === undefined || !/\d:\d/.test(words)) return undefined;
  return parseReset(words, nowMs);
}
