/** Tells a wrong path from a missing thing, as far as that can be told from a 404, and which segment of the path names the thing. */

import type { ErrorWords } from "./category.js";
import type { AnswerFacts } from "./facts.js";

/** What frameworks and gateways say when no route matches. */
const routeText =
  /cannot (?:get|post|put|patch|delete) \/|no routes?\b|route .{0,200}not found|route[ _]not[ _]found|(?:404 )?page not found|requested url .{0,200}not found|(?:unknown|unrecognized|no such|invalid|unsupported) (?:request )?(?:endpoint|path|route|url|uri|api|method)|(?:endpoint|path|url|uri|api|handler|method) (?:\S{1,200} )?(?:was |could |does )?(?:not|n't)(?: be)? (?:found|exist)|no http resource was found|no static resource|not found for the segment|no (?:handler|endpoint|api)\b/i;
const routeCode = /route|endpoint|unknown_?path|path_?not|url_?not|invalid_?url|nosuchmethod|pagenotfound/i;
/** What an API says about a thing: an id or a quoted name in the sentence. */
const thingText =
  /(?:id|uuid|key|slug|name|number|ref)\b.{0,80}(?:not (?:be )?found|(?:not|n't) exist)|no such [a-z_]+: |with (?:the )?(?:id|name|key)|['"`][^'"`]{1,100}['"`].{0,40}(?:not (?:be )?found|(?:not|n't) exist)|(?:not (?:be )?found|(?:not|n't) exist).{0,20}['"`:]/i;
const thingCode =
  /no_?such_?|[a-z]+_?not_?found|missing|unknown_?(?:user|channel|message|member)|notfoundexception/i;
/** "Package not found", "no such package": a noun of the API's own, and not one for its paths. */
const nounText =
  /\bno such [a-z]{3,40}\b|\b(?!(?:was|were|are|has|been|could|does|did|can|requested|resource|page|file|url|error|status|what|http)\b)[a-z]{3,40} (?:was |is |could |does |did )?(?:not (?:be )?(?:found|exist)|n't exist|missing|deleted)\b/i;

/** Numbers, UUIDs, hex, `cus_123`, `SHOP-12`, names with two digits, file names, mail addresses; a version is none of them. */
const idSegment =
  /^(?!v\d)(?:\d+|[a-z]{1,8}_[0-9A-Za-z]{3,}|[A-Z]{2,10}-\d+|[\w.~-]*\d[\w.~-]*\d[\w.~-]*|[^/@]+@[^/@]+|[^/]+\.[a-z][a-z0-9]{0,5})$/;

export interface MissingThing {
  readonly name: string;
  /** The path in front of it; `""` when there is none. */
  readonly parent: string;
}

/** Which of the two it is: `either` when it can't be told. */
export type Missing =
  | { readonly what: "path" | "either" | "gone" | "named_in_body" }
  /** Segments that stand at the end of the base URL and again at the beginning of the path, such as `/v1`; `rest` is the path without them. */
  | { readonly what: "doubled"; readonly segments: string; readonly rest: string }
  | { readonly what: "thing"; readonly thing?: MissingThing };

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
  const hasOwnName = thingText.test(message);
  const isThing = hasOwnName || nounText.test(message) || codes.some((code) => thingCode.test(code));
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
