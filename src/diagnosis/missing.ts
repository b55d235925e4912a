/** Tells a wrong path from a missing thing, as far as that can be told from a 404. */

import type { Missing, SaidByApi } from "./cause.js";
import type { AnswerFacts } from "./facts.js";

/** What frameworks and gateways say when no route matches. */
const routeText =
  /cannot (?:get|post|put|patch|delete) \/|no routes?\b|route .{0,200}not found|route[ _]not[ _]found|(?:404 )?page not found|requested url .{0,200}not found|(?:unknown|unrecognized|no such|invalid|unsupported) (?:request )?(?:endpoint|path|route|url|uri|api|method)|(?:endpoint|path|url|uri|api|handler|method) (?:\S{1,200} )?(?:was |could |does )?(?:not|n't)(?: be)? (?:found|exist)|no http resource was found|no static resource|not found for the segment|no (?:handler|endpoint|api)\b/i;
const routeCode = /route|endpoint|unknown_?path|path_?not|url_?not|invalid_?url|nosuchmethod|pagenotfound/i;
/** What an API says of a thing: "Package not found", "no such index", a noun of its own and not one for its paths. */
const thingText =
  /\bno such [a-z]{3,40}\b|\bwith (?:the )?(?:id|name|key)\b|\b(?!(?:was|were|are|has|been|could|does|did|can|requested|resource|page|file|url|error|status|what|http|it|you)\b)[a-z]{3,40} (?:was |is |could |does |did )?(?:not (?:be )?(?:found|exist)|n't exist)\b/i;
const thingCode = /nosuch|[a-z]_?not_?found|unknown_?(?:user|channel|message|member)/i;

/** Takes the facts of an answer of the category `not_found` and what it says. */
export function findMissing({ status, body, request }: AnswerFacts, { codes, message }: SaidByApi): Missing {
  if (status === 410) return "gone";
  if (body.kind === "html" || routeText.test(message) || codes.some((code) => routeCode.test(code)))
    return "path";
  if (status < 300) return "named_in_body";
  const said = message.split(/[\s'"`“”‘’()[\]{}<>,;:=]+|[.!?]+(?=\s|$)/);
  const isTold = said.includes(listSegments(request.path).at(-1) ?? "/") || thingText.test(message);
  return isTold || codes.some((code) => thingCode.test(code)) ? "thing" : "either";
}

/**
 * The longest part of a path that stands at the end of the base URL, too, such as `/v1`, and the path without it; undefined when there is
 * none. Placeholders are compared as they are written.
 */
export function findDoubledSegments(
  baseUrl: string,
  path: string,
): { segments: string; rest: string } | undefined {
  const [own = "", ...query] = path.split("?");
  const base = listSegments(baseUrl.replace(/^https?:\/\/[^/]*/i, ""));
  const segments = listSegments(own);
  for (let length = Math.min(base.length, segments.length); length > 0; length--) {
    const tail = base.slice(-length);
    if (tail.some((segment, index) => segment !== segments[index])) continue;
    const rest = [`/${segments.slice(length).join("/")}`, ...query].join("?");
    return { segments: `/${tail.join("/")}`, rest };
  }
  return undefined;
}

/** The segments of a path, without its query. */
export function listSegments(path: string): string[] {
  return (path.split("?")[0] ?? "").split("/").filter((segment) => segment !== "");
}
