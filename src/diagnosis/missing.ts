/** Tells a wrong path from a missing thing, as far as that can be told from a 404. */

import type { Missing, SaidByApi } from "./cause.js";
import type { AnswerFacts } from "./facts.js";

/** What frameworks and gateways say when no route matches. */
const routeText =
  /cannot (?:get|post|put|patch|delete) \/|no routes?\b|route .{0,200}not found|route[ _]not[ _]found|(?:404 )?page not found|requested url .{0,200}not found|(?:unknown|unrecognized|no such|invalid|unsupported) (?:request )?(?:endpoint|path|route|url|uri|api|method)|(?:endpoint|path|url|uri|api|handler|method) (?:was |could |does )?(?:not|n't)(?: be)? (?:found|exist)|no http resource was found|no static resource|not found for the segment|no (?:handler|endpoint|api)\b/i;
const routeCode = /route|endpoint|unknown_?path|path_?not|url_?not|invalid_?url|nosuchmethod|pagenotfound/i;

/** Takes the facts of an answer of the category `not_found` and what it says. */
export function findMissing({ status, body }: AnswerFacts, { codes, message }: SaidByApi): Missing {
  if (status === 410) return "gone";
  if (body.kind === "html" || routeText.test(message) || codes.some((code) => routeCode.test(code)))
    return "path";
  return status < 300 ? "named_in_body" : "thing";
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
