/** What code asks for: read from the text that the sandbox wrote, and checked, because code may have replaced what writes it. */

import { isPlainObject } from "../../core/base/input.js";
import { quoteText } from "../../core/base/text.js";
import type { DescribeInput } from "../../features/openapi/describe-api.js";
import { RunProblem } from "./running-code.js";

/** One question of the code. */
export type Question =
  | { readonly is: "sleep"; readonly ms: number }
  | { readonly is: "kept"; readonly id: string }
  | { readonly is: "file"; readonly id: string; readonly as: "text" | "base64" | undefined }
  | { readonly is: "describe"; readonly source: string; readonly input: DescribeInput }
  | { readonly is: "call"; readonly source: string; readonly input: Readonly<Record<string, unknown>> };

/** Whether it is a sleep, which is not counted as a call. */
export function isSleep(text: string): boolean {
  return text.startsWith('{"sleep":');
}

/** @throws RunProblem for what the prelude never writes. */
export function readQuestion(text: string): Question {
  const given: unknown = JSON.parse(text);
  const { sleep, kept, file, as, source, describe, input }: Record<string, unknown> = isPlainObject(given)
    ? given
    : {};
  if (isSleep(text)) {
    if (typeof sleep === "number" && sleep >= 0) return { is: "sleep", ms: sleep };
  } else if (typeof kept === "string") return { is: "kept", id: kept };
  else if (typeof file === "string")
    return { is: "file", id: file, as: as === "text" || as === "base64" ? as : undefined };
  else if (typeof source === "string") {
    if (isPlainObject(describe)) return { is: "describe", source, input: describe };
    if (isPlainObject(input)) return { is: "call", source, input };
  }
  throw new RunProblem(
    "the code requested something that does not exist: it replaced a built-in of JavaScript",
  );
}

/** A call as the code wrote it, such as `api.shop.post("/orders")`. */
export function writeQuestion(question: Question): string {
  if (question.is === "kept" || question.is === "file")
    return `${question.is}(${quoteText(question.id, 40)})`;
  if (question.is === "sleep") return "sleep";
  const { source, input } = question;
  const name = question.is === "call" ? String(question.input["method"]).toLowerCase() : "describe";
  return `${writeApi(source)}.${name}(${input.path === undefined ? "" : quoteText(String(input.path), 80)})`;
}

/** How code names a source. */
export function writeApi(slug: string): string {
  return /^\w+$/.test(slug) ? `api.${slug}` : `api["${slug}"]`;
}

/** Whether it changes nothing, and its reply is there at once: identical ones may share a reply. */
export function isRead(question: Question): boolean {
  if (question.is !== "call") return question.is !== "sleep";
  const { method, wait, until } = question.input;
  return method === "GET" && wait == null && until == null;
}
