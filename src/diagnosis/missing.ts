/** A 404: tells a wrong path from a missing thing, as far as that can be told, and what to look for instead. */

import { type Cause, dropQuery, explain } from "./cause.js";
import { describeOrigin } from "./explain-credential.js";
import type { FailedAnswer } from "./facts.js";
import { readPage } from "./page.js";
import { cleanText } from "./shown-text.js";

/** What frameworks and gateways say when no route matches. */
const routeText =
  /cannot (?:get|post|put|patch|delete) \/|no routes?\b|route .{0,200}not found|route[ _]not[ _]found|(?:404 )?page not found|requested url .{0,200}not found|(?:unknown|unrecognized|no such|invalid|unsupported) (?:request )?(?:endpoint|path|route|url|uri|api|method)|(?:endpoint|path|url|uri|api|handler|method) (?:\S{1,200} )?(?:was |could |does )?(?:not|n't)(?: be)? (?:found|exist)|no http resource was found|no static resource|not found for the segment|no (?:handler|endpoint|api)\b/i;
const routeCode = /route|endpoint|unknown_?path|path_?not|url_?not|invalid_?url|nosuchmethod|pagenotfound/i;
/** What an API says of a thing: "Package not found", "no such index", a noun of its own and not one for its paths. */
const thingText =
  /\bno such [a-z]{3,40}\b|\bwith (?:the )?(?:id|name|key)\b|\b(?!(?:was|were|are|has|been|could|does|did|can|requested|resource|page|file|url|error|status|what|http|it|you)\b)[a-z]{3,40} (?:was |is |could |does |did )?(?:not (?:be )?(?:found|exist)|n't exist)\b/i;
const thingCode = /nosuch|[a-z]_?not_?found|unknown_?(?:user|channel|message|member)/i;

/** What the joined URL was, and which part of it is probably wrong. */
export function explainMissing(answer: FailedAnswer): Cause {
  const { source, request, body } = answer;
  const { baseUrl = source.api.baseUrl, testEndpoint = request.path } = answer;
  const website =
    readPage(body) === undefined
      ? ""
      : " The answer is a web page, so the base URL may be that of a website and not of the API.";
  const hidden =
    source.api.authType === undefined
      ? ""
      : ` Some APIs answer 404 for what a credential may not see, or for a wrong credential: check ${describeOrigin(answer)} too.`;
  return explain(
    "not_found",
    `\`api.baseUrl\` (${dropQuery(baseUrl)}) and \`api.testEndpoint\` (${dropQuery(testEndpoint)}) make ${dropQuery(request.url)}.${website}`,
    `${suggestPath(baseUrl, testEndpoint)}${hidden}`,
    adviseOnMissing(answer),
  );
}

function suggestPath(baseUrl: string, testEndpoint: string): string {
  const doubled = findDoubledSegments(baseUrl, testEndpoint);
  if (doubled !== undefined)
    return `\`api.baseUrl\` ends with ${doubled.segments} already: set "testEndpoint": "${doubled.rest}".`;
  const [, origin = "", path = ""] = /^(https?:\/\/[^/?#]*)([^?#]*)/i.exec(baseUrl) ?? [];
  const version = listSegments(path).find((part) => /^v\d[\w.]*$/i.test(part));
  const where = version === undefined ? "" : `the version segment ${version} in \`api.baseUrl\` and `;
  const lead = /^\/api\b/.test(path)
    ? ""
    : ` A leading part such as /api may be missing, as in "baseUrl": "${`${origin}/api${path}`.replace(/\/$/, "")}".`;
  return `Check ${where}the spelling of ${dropQuery(testEndpoint) || "/"} in \`api.testEndpoint\` against the API's documentation.${lead}`;
}

function adviseOnMissing({ status, message, codes, body, request, source }: FailedAnswer): string {
  const url = cleanText(dropQuery(request.url), 300);
  const doubled = findDoubledSegments(source.api.baseUrl, request.path)?.segments;
  if (doubled !== undefined)
    return `The URL was ${url}: the base URL already ends with ${doubled}, so leave ${doubled} out of path.`;
  if (status === 410) return "It existed and is gone for good: don't ask for it again.";
  if (body.kind === "html" || routeText.test(message) || codes.some((code) => routeCode.test(code)))
    return `No such endpoint: the API has no route for ${request.method} ${url}. Check the path's spelling, version segment and plural form against the API's documentation; the base URL ${source.api.baseUrl} is already in front of it.`;
  if (status < 300)
    return "The path is right, but what the query or the body names does not exist or the credential may not see it. List or search first to find the right name or id.";
  const segments = listSegments(request.path);
  const last = cleanText(segments.at(-1) ?? "what was asked for", 80);
  const above = cleanText(`/${segments.slice(0, -1).join("/")}`, 200);
  const list = segments.length > 1 ? `GET ${above}` : "List or search first";
  const said = message.split(/[\s'"`“”‘’()[\]{}<>,;:=]+|[.!?]+(?=\s|$)/);
  const isNamed = said.includes(segments.at(-1) ?? "/") || thingText.test(message);
  if (!isNamed && !codes.some((code) => thingCode.test(code)))
    return `${last} does not exist there, the credential may not see it, or the path is wrong: the URL was ${url}. ${list} to find the right one, and check the path's spelling.`;
  const what = /\d/.test(last) || message.includes(last) ? last : "what the API names";
  return `The path looks right, but ${what} does not exist there or the credential may not see it. ${list} to find the right one.`;
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
    const tail = `/${base.slice(-length).join("/")}`;
    if (tail !== `/${segments.slice(0, length).join("/")}`) continue;
    return { segments: tail, rest: [`/${segments.slice(length).join("/")}`, ...query].join("?") };
  }
  return undefined;
}

/** The segments of a path, without its query. */
export function listSegments(path: string): string[] {
  return (path.split("?")[0] ?? "").split("/").filter((segment) => segment !== "");
}
