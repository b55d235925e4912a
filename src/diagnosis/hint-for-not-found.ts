/** Tells a wrong path from a missing thing, as far as that can be told from a 404. */

import { cleanText } from "./clean-text.js";
import {
  findMissingSegment,
  type MissingSegment,
  type SaidThing,
  segmentsOf,
} from "./find-missing-segment.js";
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

/** "Package not found", "no such package": a noun of the API's own, and not one for its paths. */
const nounText =
  /\bno such ([a-z]{3,40})\b|\b(?!(?:was|were|are|has|been|could|does|did|can|requested|resource|page|file|url|error|status|what|http)\b)([a-z]{3,40}) (?:was |is |could |does |did )?(?:not (?:be )?(?:found|exist)|n't exist|missing|deleted)\b/i;

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
  const said = saidThing(input);
  // Under a success it is the query or the body that names what is missing, as in GraphQL.
  if (input.status < 300) {
    return "The path is right, but what the query or the body names does not exist or the credential may not see it. List or search first to find the right name or id.";
  }
  const missing = findMissingSegment(input.request.path, input.message, said);
  if (said !== undefined || missing !== undefined) return hintForThing(missing);
  const last = segmentsOf(input.request.path).at(-1);
  const thing = last === undefined ? "there is no such thing" : `${cleanText(last, 80)} does not exist`;
  return `Either the path is wrong or ${thing}: the URL was ${shownUrl(input)}. Check the path first, then list or search what is there. Some APIs also answer 404 for what the credential may not see.`;
}

/** Undefined unless the API says that a thing is missing, by a noun, an id or a code. */
function saidThing({ message, codes }: HintInput): SaidThing | undefined {
  const named = nounText.exec(message);
  const noun = named?.[1] ?? named?.[2];
  if (thingText.test(message)) return { noun, hasOwnName: true };
  if (noun === undefined && !codes.some((code) => thingCode.test(code))) return undefined;
  return { noun, hasOwnName: false };
}

function hintForThing(missing: MissingSegment | undefined): string {
  const named = missing === undefined ? "what was named" : cleanText(missing.name, 80);
  const parent = missing === undefined ? undefined : cleanText(missing.parent, 200);
  const list = parent === undefined || parent === "" ? "List or search first" : `GET ${parent}`;
  const below = missing?.below === undefined ? "" : ` (or it has no ${cleanText(missing.below, 80)})`;
  return `The path looks right, but ${named} does not exist there${below} or the credential may not see it. ${list} to find the right one.`;
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

function shownUrl({ request }: HintInput): string {
  return cleanText(request.url.split("?")[0] ?? request.url, 300);
}
