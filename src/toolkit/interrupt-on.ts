/** Which calls a person should approve, and how they read: the setting that LangChain's `humanInTheLoopMiddleware` takes. */

import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { clipAtGrapheme, quoteText } from "../text.js";
import { listPairs } from "./describe-source.js";

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
  const patterns = reads.map(parseRead);
  const when: InterruptOnWrites["when"] = (request) => {
    try {
      // The middleware hands over the model's raw arguments, unvalidated: whatever is not surely a read counts as a write.
      const { args } = request.toolCall;
      return args["method"] !== "GET" && !patterns.some((isRead) => isRead(args));
    } catch {
      // There is no such member, or reading it threw.
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

type IsRead = (args: Record<string, unknown>) => boolean;

/** Plain characters only: a path that some server could read as another one is no read. */
const plainPath = /^(?:\/[\w.~!$'()*+,:@-]+)+\/?$/;
/** Anything by which some framework might make another method of a POST. */
const otherMethod = /method|verb/i;

function parseRead(read: string): IsRead {
  const [method, path = "", ...more] = String(read).split(" ");
  const isMethod = ["GET", "POST", "PUT", "PATCH", "DELETE"].some((each) => each === method);
  if (!isMethod || !path.startsWith("/") || more.length > 0) {
    throw new ApiSourceError({
      message: `${quoteText(String(read))} names no call that reads.`,
      category: "invalid_input",
      hint: 'Write method and path below the base URL, such as "POST /search" or "POST /*/_search".',
    });
  }
  const pattern = path.split("/").slice(1);
  return ({ method: asked, path: place, query, body, headers }) => {
    if (asked !== method || typeof place !== "string") return false;
    const [plain = "", ...search] = place.split("?");
    const isDotted = plain.split("/").some((segment) => segment === "." || segment === "..");
    if (!plainPath.test(plain) || isDotted) return false;
    if (otherMethod.test(JSON.stringify([search, query, body, headers]))) return false;
    return matches(pattern, plain.replace(/\/$/, "").split("/").slice(1));
  };
}

/** Steps through the path and goes back to the last `**` only: the product of both lengths at most. */
function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < segments.length; ) {
    if (pattern[at] === "**") {
      star = at;
      resume = index;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === "*" || pattern[at] === segments[index])) {
      at += 1;
      index += 1;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      resume += 1;
      index = resume;
    }
  }
  return pattern.slice(at).every((part) => part === "**");
}

/** The most of a body that a person is shown, in characters. */
const maxShownCharacters = 10_000;

function describeCall(source: ApiSource, toolCall: { readonly args: Record<string, unknown> }): string {
  try {
    const { method, path, query, body, headers } = toolCall.args;
    const base = source.api.baseUrl.replace(/\/$/, "");
    const place = typeof path === "string" ? path : JSON.stringify(path ?? "");
    const isWhole = /^https?:/i.test(place);
    const url = `${isWhole ? "" : `${base}${place.startsWith("/") ? "" : "/"}`}${place}${writeQuery(query, place)}`;
    const first = `${source.name}: ${showLine(`${String(method ?? "GET")} ${url}`)}`;
    return [first, ...describePart("Headers", headers), ...describePart("Body", body)].join("\n\n");
  } catch {
    return `${source.name}: a call whose input can't be read.`;
  }
}

function writeQuery(query: unknown, place: string): string {
  const pairs = listPairs(query).map(({ name, value }) => [name, value].map(encodeURIComponent).join("="));
  return pairs.length === 0 ? "" : `${place.includes("?") ? "&" : "?"}${pairs.join("&")}`;
}

function describePart(name: string, value: unknown): string[] {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0))
    return [];
  const text = showLine(typeof value === "string" ? indentJson(value) : JSON.stringify(value, null, 2));
  const shown =
    text.length <= maxShownCharacters
      ? text
      : `${clipAtGrapheme(text, maxShownCharacters)}… (the first ${maxShownCharacters} of ${text.length} characters)`;
  return [`${name}:\n${shown}`];
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

/** Characters that nobody sees, or that turn what follows around, as `\u{…}`: a person must see what they approve. */
function showLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n" ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
