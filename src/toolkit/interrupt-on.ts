/** Which calls a person should approve, and how they read: the setting that LangChain's `humanInTheLoopMiddleware` takes. */

import { showText } from "../approval/describe-request.js";
import type { SourceClient } from "../client/create-source-client.js";
import { ApiSourceError } from "../errors.js";
import { checkOwnOptions, type OptionRule } from "../option-rules.js";
import { isRead } from "../policy/is-read.js";
import { parseQuery, writeQuery } from "../policy/parse-query.js";
import type { ApiSource } from "../source/api-source.js";
import { quoteText } from "../text.js";

export interface InterruptOptions {
  /**
   * Calls that change nothing although they are not GET, such as `"POST /search"`, besides those that the records name as `reads`; `*` is
   * one segment, `**` any number of them. @default none
   */
  readonly reads?: readonly string[] | undefined;
}

const rules: Record<keyof InterruptOptions, OptionRule> = {
  reads: {
    allows: (value) => Array.isArray(value) && value.every((read) => typeof read === "string"),
    expected: 'a list of calls, such as ["POST /search"]',
  },
};

/** Fits `humanInTheLoopMiddleware({ interruptOn })` of `langchain`, which is not imported for it. */
export interface InterruptOnWrites {
  readonly allowedDecisions: ("approve" | "edit" | "reject")[];
  /** Whether this call must wait: every call but a read. Never throws, whatever it is given. */
  when(request: { readonly toolCall: { readonly args: Record<string, unknown> } }): boolean;
  /** Method, URL and body as a person reads them. Never throws. */
  description(toolCall: { readonly args: Record<string, unknown> }): string;
}

/**
 * By tool name: interrupt for everything that is not surely a read, malformed input included. The method that was approved is
 * the one that is carried out: the request policy refuses a GET with a parameter that would make another of it.
 *
 * @throws ApiSourceError `invalid_input` for a read that is not a method and a path.
 */
export function interruptOnWrites(
  clients: readonly SourceClient[],
  options: InterruptOptions,
): Record<string, InterruptOnWrites> {
  checkOwnOptions("interruptOn", options, rules);
  const { reads = [] } = options;
  const named = reads.map(checkRead);
  return Object.fromEntries(
    clients.map(({ source, tool }) => [
      tool.name,
      {
        allowedDecisions: ["approve", "edit", "reject"],
        when: (request) => isWrite(source, request, [...named, ...(source.api.reads ?? [])]),
        description: (toolCall) => describeCall(source, toolCall),
      } satisfies InterruptOnWrites,
    ]),
  );
}

function checkRead(given: string): string {
  if (/^(?:GET|POST|PUT|PATCH|DELETE) \/\S*$/.test(given)) return given;
  throw new ApiSourceError({
    message: `${quoteText(given)} does not name a call that reads.`,
    category: "invalid_input",
    hint: 'Write method and path below the base URL, such as "POST /search" or "POST /*/_search".',
  });
}

/** The middleware hands over the model's raw arguments, unvalidated: whatever is not surely a read counts as a write. */
function isWrite(
  { api }: ApiSource,
  request: { readonly toolCall: { readonly args: Record<string, unknown> } },
  reads: readonly string[],
): boolean {
  try {
    const { method, path, query, body, headers } = request.toolCall.args;
    if (typeof method !== "string" || (typeof path !== "string" && method !== "GET")) return true;
    const [plain = "", ...search] = String(path).split("?");
    const call = { method, path: plain, parameters: [search.join("?"), query, headers] };
    // Like the approval of the tool itself: what a form or a file does is not shown by the input.
    return !(isJsonBody(api.bodyFormat, headers, body) ? isRead({ ...call, body }, reads) : isRead(call, []));
  } catch {
    // Such a member is missing, or reading it threw.
    return true;
  }
}

function isJsonBody(bodyFormat: string | undefined, headers: unknown, body: unknown): boolean {
  const [given, text] = [headers, body].map((value) => JSON.stringify(value ?? null));
  const isOtherType =
    /content-type/i.test(given ?? "") && !/application\/(?:[\w.+-]{1,60}\+)?json/i.test(given ?? "");
  return (bodyFormat ?? "json") === "json" && !isOtherType && !/\$(?:file|text|base64)\b/.test(text ?? "");
}

function describeCall(source: ApiSource, toolCall: { readonly args: Record<string, unknown> }): string {
  try {
    const { method, path, query, body, headers } = toolCall.args;
    const place = typeof path === "string" ? path : JSON.stringify(path ?? "");
    const base = /^https?:/i.test(place)
      ? ""
      : source.api.baseUrl.replace(/\/?$/, place.startsWith("/") ? "" : "/");
    const search = writeQuery(parseQuery(query));
    const url = `${base}${place}${search && `${place.includes("?") ? "&" : "?"}${search}`}`;
    const first = `${source.name}: ${showText(`${String(method ?? "GET")} ${url}`)}`;
    return [first, ...describePart("Headers", headers), ...describePart("Body", body)].join("\n\n");
  } catch {
    return `${source.name}: a call whose input can't be read.`;
  }
}

function describePart(name: string, value: unknown): string[] {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0))
    return [];
  return [
    `${name}:\n${showText(typeof value === "string" ? indentJson(value) : JSON.stringify(value, null, 2))}`,
  ];
}

/** Models send a body as JSON text. One that reading changes (a long number, a name that occurs twice) stays as it is. */
function indentJson(text: string): string {
  try {
    const indented = JSON.stringify(JSON.parse(text), null, 2);
    return indented.replace(/\s/g, "") === text.replace(/\s/g, "") ? indented : text;
  } catch {
    return text;
  }
}
