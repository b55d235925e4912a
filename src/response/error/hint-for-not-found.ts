/** Tells a wrong path from a missing thing, as far as that can be told from a 404. */

import { cleanText } from "./clean-text.js";
import type { HintInput } from "./hint-input.js";

/** What frameworks and gateways say when no route matches. */
const routeText =
  /cannot (?:get|post|put|patch|delete) \/|no route(?:s)?(?: matched| matches| found| was found)?\b|route .{0,200}not found|route[ _]not[ _]found|404 page not found|page not found|requested url .{0,200}not found|unknown (?:endpoint|path|route|url|method|request url)|unrecognized request url|(?:no such|invalid|unsupported) (?:endpoint|path|route|url|uri|api|method)|(?:endpoint|path|url|uri|api|handler|method) (?:\S{1,200} )?(?:was |could )?(?:not|n't)(?: be)? (?:found|exist)|(?:endpoint|path|url|api) (?:does not|doesn't) exist|no http resource was found|no static resource|not found for the segment|no (?:handler|matching handler|endpoint|api)\b|resource_not_found_exception_path|is not a (?:valid|known) (?:endpoint|path|route)/i;
const routeCode =
  /route|endpoint|unknown_?path|path_?not|url_?not|invalid_?url|nosuchmethod|pagenotfound|rest_no_route/i;

/** What an API says about a thing: an id or a quoted name in the sentence. */
const thingText =
  /(?:id|uuid|key|slug|name|number|ref)\b.{0,80}(?:not (?:be )?found|not exist|n't exist)|no such [a-z_]+: |with (?:the )?(?:id|name|key)|['"`][^'"`]{1,100}['"`].{0,40}(?:not (?:be )?found|not exist|n't exist)|(?:not (?:be )?found|not exist|n't exist).{0,20}['"`:]/i;
const thingCode =
  /no_?such_?(?:key|bucket|entity|object|user)|[a-z]+_?not_?found|missing|unknown_?(?:user|channel|message|member)|notfoundexception/i;
const idSegment =
  /^(?:\d+|(?=[^\d]*\d)[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{27}|[a-z]{1,8}_[0-9A-Za-z]{3,}|[A-Z]{2,10}-\d+|(?=[^/\d]*\d[^/\d]*\d)[\w.~-]{3,}|[^/]*@[^/]*)$/;

/** Says what to change: the path, the id, or both where it can't be told. */
export function hintForNotFound(input: HintInput): string {
  const doubled = doubledSegment(input);
  if (doubled !== undefined) {
    return `The URL was ${shownUrl(input)}: the base URL already ends with ${doubled}, so leave ${doubled} out of path.`;
  }
  if (input.status === 410) return "It existed and is gone for good: don't ask for it again.";
  if (isWrongRoute(input)) {
    return `No such endpoint: the API has no route for ${input.request.method} ${shownUrl(input)}. Check the path's spelling, version segment and plural form against the API's documentation; the base URL ${input.source.api.baseUrl} is already in front of it.`;
  }
  const lastSegment = idIn(input.request.path);
  const namesThing = thingText.test(input.message) || input.codes.some((code) => thingCode.test(code));
  if (namesThing || lastSegment !== undefined) return hintForThing(input, lastSegment);
  return `Either the path is wrong or there is no such thing: the URL was ${shownUrl(input)}. Check the path first. Some APIs also answer 404 for what the credential may not see.`;
}

function hintForThing(input: HintInput, id: string | undefined): string {
  const named = id === undefined ? "what was named" : cleanText(id, 80);
  const parent = parentPath(input.request.path, id);
  const list = parent === undefined ? "List or search first" : `GET ${cleanText(parent, 200)}`;
  return `The path looks right, but ${named} does not exist there or the credential may not see it. ${list} to find the right one.`;
}

function isWrongRoute({ message, codes, kind }: HintInput): boolean {
  return kind === "html" || routeText.test(message) || codes.some((code) => routeCode.test(code));
}

function doubledSegment({ request, source }: HintInput): string | undefined {
  const base = pathOf(source.api.baseUrl).split("/").filter(Boolean);
  const own = request.path.split("?")[0]?.split("/").filter(Boolean) ?? [];
  for (let length = Math.min(base.length, own.length); length > 0; length--) {
    const tail = base.slice(-length);
    if (tail.every((segment, index) => segment === own[index])) return `/${tail.join("/")}`;
  }
  return undefined;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : "";
}

function idIn(path: string): string | undefined {
  const segments = (path.split("?")[0] ?? "").split("/").filter((segment) => segment !== "");
  const last = segments.at(-1);
  if (last !== undefined && segments.length > 1 && idSegment.test(last) && !/^v\d/.test(last)) return last;
  const before = segments.slice(0, -1).reverse();
  return before.find((segment) => idSegment.test(segment) && !/^v\d/.test(segment));
}

function parentPath(path: string, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const segments = (path.split("?")[0] ?? "").split("/");
  const index = segments.lastIndexOf(id);
  const parent = segments.slice(0, index).join("/");
  return index <= 0 || parent === "" ? undefined : parent;
}

function shownUrl({ request }: HintInput): string {
  return cleanText(request.url.split("?")[0] ?? request.url, 300);
}
