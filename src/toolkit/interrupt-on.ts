/** Which calls a person should approve, and how they read: the setting that LangChain's `humanInTheLoopMiddleware` takes. */

import { showText } from "../approval/describe-request.js";
import { ApiSourceError } from "../errors.js";
import { checkPathRules } from "../policy/check-path-rules.js";
import { parseQuery, writeQuery } from "../policy/parse-query.js";
import type { ApiSource } from "../source/api-source.js";
import { quoteText } from "../text.js";

export interface InterruptOptions {
  /** Calls that read although they are no GET, such as `"POST /search"`; `*` is one segment, `**` any number of them. @default none */
  readonly reads?: readonly string[];
}

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
 * @throws ApiSourceError `invalid_input` for a read that is no method and path.
 */
export function interruptOnWrites(
  sources: readonly ApiSource[],
  { reads = [] }: InterruptOptions = {},
): Record<string, InterruptOnWrites> {
  const named = reads.map(parseRead);
  const when: InterruptOnWrites["when"] = (request) => {
    try {
      // The middleware hands over the model's raw arguments, unvalidated: whatever is not surely a read counts as a write.
      const { args } = request.toolCall;
      return args["method"] !== "GET" && !isRead(args, named);
    } catch {
      // There is no such member, reading it threw, or it is another path.
      return true;
    }
  };
  return Object.fromEntries(
    sources.map((source) => [
      source.slug,
      {
        allowedDecisions: ["approve", "edit", "reject"],
        when,
        description: (toolCall) => describeCall(source, toolCall),
      } satisfies InterruptOnWrites,
    ]),
  );
}

interface Read {
  readonly method: string;
  readonly path: string;
}

function parseRead(read: string): Read {
  const [method = "", path = "", ...more] = String(read).split(" ");
  if (/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method) && path.startsWith("/") && more.length === 0)
    return { method, path };
  throw new ApiSourceError({
    message: `${quoteText(String(read))} names no call that reads.`,
    category: "invalid_input",
    hint: 'Write method and path below the base URL, such as "POST /search" or "POST /*/_search".',
  });
}

/** Plain characters only: a path that some server could read as another one is no read. */
const plainPath = /^(?:\/(?!\.\.?(?:\/|$))[\w.~!$'()*+,:@-]+)+\/?$/;
/** Anything by which some framework might make another method of a POST. */
const otherMethod = /method|verb/i;

/** @throws what is no call, and for a path that was not named. */
function isRead(
  { method, path, query, body, headers }: Record<string, unknown>,
  reads: readonly Read[],
): boolean {
  const [plain = "", ...search] = String(path).split("?");
  if (typeof path !== "string" || !plainPath.test(plain)) return false;
  if (otherMethod.test(JSON.stringify([search, query, body, headers]))) return false;
  const allow = reads.filter((read) => read.method === method).map((read) => read.path);
  checkPathRules(plain, { allow });
  return true;
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

/** Models send a body as JSON text. One that reading changes (a long number, a name that stands twice) stays as it is. */
function indentJson(text: string): string {
  try {
    const indented = JSON.stringify(JSON.parse(text), null, 2);
    return indented.replace(/\s/g, "") === text.replace(/\s/g, "") ? indented : text;
  } catch {
    return text;
  }
}
