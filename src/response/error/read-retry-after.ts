/** Reads how long an error body asks to wait: `retry_after: 2.5`, `retryDelay: "3s"`, `retry_after_ms`. */

import { type Shape, toText } from "./shape.js";

const secondsKeys = [
  "retryafter",
  "retryafterseconds",
  "retryaftersecs",
  "retryafters",
  "retryin",
  "retryinseconds",
];

/** Seconds, rounded up; undefined when the object says nothing of it. Digits only: a date is the headers' business. */
export function readRetryAfter(shape: Shape, numberMark: string): number | undefined {
  for (const key of secondsKeys) {
    const seconds = toNumber(toText(shape.get(key)?.value, numberMark), 1);
    if (seconds !== undefined) return seconds;
  }
  const milliseconds =
    toNumber(toText(shape.get("retryafterms")?.value, numberMark), 1000) ??
    toNumber(toText(shape.get("retryaftermilliseconds")?.value, numberMark), 1000);
  // google.rpc.RetryInfo prints a duration as decimal seconds and "s".
  return milliseconds ?? toNumber(toText(shape.get("retrydelay")?.value, numberMark)?.replace(/s$/, ""), 1);
}

function toNumber(text: string | undefined, divisor: number): number | undefined {
  if (text === undefined || !/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return undefined;
  return Math.ceil(Number(text) / divisor);
}
