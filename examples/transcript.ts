/** Prints what happened in an agent's run: question, call, what the server received, what the model saw, answer. */

import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ShopRequest } from "./shop-server.js";

/** Of a line of text, without its indentation. */
const width = 106;
const maxShownLines = 26;
/** Of JSON that is laid out. */
const layoutWidth = 108;

/** ANSI codes. Not `styleText` of node:util: Node 20.0 does not have it. */
const styles = { bold: 1, dim: 2, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const;
const isColoured = process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined;

export function say(style: keyof typeof styles, text: string): void {
  console.log(isColoured ? `\u001b[${styles[style]}m${text}\u001b[0m` : text);
}

export function printQuestion(question: string, number: number): void {
  say("bold", `\n━━━ Question ${number}: ${question}`);
}

/** Prints one step of an agent; requests the server got in it come before what the model saw of them. */
export function printStep(
  messages: readonly BaseMessage[],
  requests: readonly ShopRequest[],
): void {
  for (const request of requests) printRequest(request);
  for (const message of messages) printMessage(message, requests.length);
}

function printRequest({ method, url, credential, body, status }: ShopRequest): void {
  const sent = body === "" ? "" : `\n${indent(body)}`;
  say(
    "magenta",
    `  server received  ${method} ${url}  [${credential}]  and answered ${status}${sent}`,
  );
}

function printMessage(message: BaseMessage, requestCount: number): void {
  if (AIMessage.isInstance(message)) {
    for (const { name, args } of message.tool_calls ?? []) {
      say("cyan", `\n  model calls      ${name}\n${indent(JSON.stringify(args))}`);
    }
    if (message.text !== "") say("green", `\n  model answers    ${message.text}`);
    return;
  }
  if (!ToolMessage.isInstance(message)) return;
  if (requestCount === 0) say("magenta", "  server received  nothing");
  const failed = message.status === "error" ? ", marked as an error" : "";
  say("yellow", `  model saw        ${message.text.length} characters${failed}`);
  console.log(showAnswer(message.text));
}

/** An answer as a person reads it: laid out, its beginning and its end. */
function showAnswer(text: string): string {
  const lines = layOut(JSON.parse(text)).split("\n");
  const left = lines.length - maxShownLines;
  const shown =
    left <= 1
      ? lines
      : [
          ...lines.slice(0, maxShownLines / 2),
          `[… ${left} more lines …]`,
          ...lines.slice(-maxShownLines / 2),
        ];
  return shown.map((line) => `    ${line}`).join("\n");
}

/** Lines of one width, broken after a comma or a space where one is near the end. */
function indent(text: string): string {
  const lines: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const length = rest.length <= width ? rest.length : findBreak(rest.slice(0, width));
    lines.push(`    ${rest.slice(0, length)}`);
    rest = rest.slice(length);
  }
  return lines.join("\n");
}

function findBreak(line: string): number {
  const at = Math.max(line.lastIndexOf(","), line.lastIndexOf(" ")) + 1;
  return at > line.length / 2 ? at : line.length;
}

/** A value as JSON over several lines, each part on one line where it fits. */
export function layOut(value: unknown): string {
  return write(value, "");
}

function write(value: unknown, indent: string): string {
  const flat = flatten(value);
  if (typeof value !== "object" || value === null || indent.length + flat.length <= layoutWidth)
    return flat;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? packed(
        value.map((item) => write(item, inner)),
        inner,
      )
    : Object.entries(value).map(
        ([key, item]) => `${inner}${JSON.stringify(key)}: ${write(item, inner)}`,
      );
  return `${isList ? "[" : "{"}\n${parts.join(",\n")}\n${indent}${isList ? "]" : "}"}`;
}

/** Items of a list side by side as long as they fit. */
function packed(items: readonly string[], indent: string): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const joined = `${last}, ${item}`;
    if (last !== undefined && !joined.includes("\n") && joined.length <= layoutWidth)
      lines[lines.length - 1] = joined;
    else lines.push(`${indent}${item}`);
  }
  return lines;
}

function flatten(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flatten).join(", ")}]`;
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${flatten(item)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
