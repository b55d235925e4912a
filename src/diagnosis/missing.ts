/** What a 404 and a conflict are about, as far as that can be told: the path, a thing of it, or the state that is in the way. */

import type { ErrorWords } from "./category.js";
import type { ConflictKind, Missing, MissingThing, SaidByApi } from "./cause.js";
import type { AnswerFacts } from "./facts.js";

/** What frameworks and gateways say when no route matches. */
const routeText =
  /cannot (?:get|post|put|patch|delete) \/|no routes?\b|page not found|requested url .{0,200}not found|(?:unknown|unrecognized|no such|invalid) (?:request )?(?:endpoint|path|route|url)|(?:endpoint|path|route|url|handler) (?:\S{1,200} )?(?:was |does )?(?:not|n't) (?:found|exist)|no static resource|for the segment/i;
const routeCode = /route|endpoint|unknown_?path|path_?not|url_?not|invalid_?url/i;
/** What an API says about a thing: a quoted name or an id, or a noun of its own and not one for its paths. */
const thingText =
  /\bno such [a-z]{3,40}\b|(?:id|uuid|key|name|number)\b.{0,80}not found|\b(?!(?:was|were|has|been|could|does|requested|resource|page|file|url|error|status|http)\b)[a-z]{3,40} (?:was |is |does )?(?:not (?:found|exist)|n't exist|missing|deleted)\b/i;
const thingCode = /no_?such_?|[a-z]+_?not_?found|missing|notfoundexception/i;

/** Numbers, UUIDs, hex, `cus_123`, `SHOP-12`, names with two digits, file names, mail addresses; a version is none of them. */
const idSegment =
  /^(?!v\d)(?:\d+|[a-z]{1,8}_[0-9A-Za-z]{3,}|[A-Z]{2,10}-\d+|[\w.~-]*\d[\w.~-]*\d[\w.~-]*|[^/@]+@[^/@]+|[^/]+\.[a-z][a-z0-9]{0,5})$/;

/** Takes the facts of an answer of the category `not_found` and what it says. */
export function findMissing(
  { status, body, request, source }: AnswerFacts,
  { codes, message }: ErrorWords,
): Missing {
  const doubled = findDoubledSegments(source.api.baseUrl, request.path);
  if (doubled !== undefined) return { what: "doubled", ...doubled };
  if (status === 410) return { what: "gone" };
  const isPath =
    body.kind === "html" || routeText.test(message) || codes.some((code) => routeCode.test(code));
  if (isPath) return { what: "path" };
  if (status < 300) return { what: "named_in_body" };
  const isThing = thingText.test(message) || codes.some((code) => thingCode.test(code));
  // A sentence with an id or a name of its own may speak of another thing than the last segment.
  const hasOwnName = /['"`]|\b(?:id|key|name|number)\b/i.test(message);
  const thing = findThing(request.path, message, isThing && !hasOwnName);
  if (!isThing && thing === undefined) return { what: "either" };
  return { what: "thing", ...(thing === undefined ? {} : { thing }) };
}

/** The longest part of the path that stands at the end of the base URL, too. Placeholders are compared as they are written. */
export function findDoubledSegments(
  baseUrl: string,
  path: string,
): { segments: string; rest: string } | undefined {
  const [own = "", ...query] = path.split("?");
  const base = listSegments(baseUrl.replace(/^https?:\/\/[^/]*/i, ""));
  const segments = listSegments(own);
  for (let length = Math.min(base.length, segments.length); length > 0; length--) {
    const tail = base.slice(-length);
    if (tail.every((segment, index) => segment === segments[index])) {
      return {
        segments: `/${tail.join("/")}`,
        rest: [`/${segments.slice(length).join("/")}`, ...query].join("?"),
      };
    }
  }
  return undefined;
}

/** The segments of a path, without its query. */
export function listSegments(path: string): string[] {
  return (path.split("?")[0] ?? "").split("/").filter((segment) => segment !== "");
}

/** The last segment that the message names, else the very last where it looks like an id or the API says that a thing is missing. */
function findThing(path: string, message: string, isLast: boolean): MissingThing | undefined {
  const segments = listSegments(path);
  const said = new Set(message.slice(0, 1_000).split(/[\s'"`“”‘’()[\]{}<>,;:=]+|[.!?]+(?=\s|$)/));
  const isNamed = (segment: string): boolean => segment.length > 1 && said.has(segment);
  const named = segments.findLastIndex(isNamed);
  const isId = segments.length > 1 && idSegment.test(segments.at(-1) ?? "");
  const found = named < 0 && (isId || isLast) ? segments.length - 1 : named;
  const name = segments[found];
  const parent = segments.slice(0, Math.max(0, found)).join("/");
  return name === undefined ? undefined : { name, parent: parent === "" ? "" : `/${parent}` };
}

const existsText = /already|exists|taken\b|duplicate|unique/i;
/** Words that only an API with revisions has. */
const revisionText = /\b_?revs?\b|\brevision|\betag|if-match|(?:lock|resource)[ _]?version|seq_?no/i;
/** Words that fit both; a text that something exists decides before them. */
const outdatedText = /(?:update|version|edit|write)[ _-]?conflict|\bstale|out of date|outdated|modified/i;
const sentRevision = /["?&](?:_rev|rev|revision|lock_version|resourceVersion|etag)"?\s*[:=]/;
const conflictsByStatus: Readonly<Record<number, ConflictKind>> = {
  428: "condition_wanted",
  423: "lock",
  424: "step",
  425: "early",
};

/** Takes an answer of the category `conflict` and what it says. */
export function findConflict({ request }: AnswerFacts, { status, codes, message }: SaidByApi): ConflictKind {
  const byStatus = conflictsByStatus[status];
  if (byStatus !== undefined) return byStatus;
  // `If-None-Match: *` means: only if there is none (RFC 9110, section 13.1.2).
  if (request.condition !== undefined)
    return /^if-none-match$/i.test(request.condition) ? "exists" : "condition";
  const text = `${codes.join(" ")} ${message}`;
  if (revisionText.test(text)) return "revision";
  if (existsText.test(text)) return "exists";
  const isOld = outdatedText.test(text) || sentRevision.test(`${request.bodyText ?? ""} ${request.url}`);
  if (isOld) return "revision";
  return status === 412 ? "precondition" : "state";
}
