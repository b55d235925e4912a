/** A 404 or 410: which part of the path may be wrong, as far as the response names it. */

import { type Cause, dropQuery, explain } from "./cause.js";
import { describeOrigin } from "./explain-credential.js";
import type { FailedAnswer } from "./facts.js";
import { readPage } from "./page.js";
import { cleanText } from "./shown-text.js";

/** Parameters that continue a list; Kubernetes', Elasticsearch's and others' expire. */
const continuation = /^(?:continue|cursor|scroll_?id|.*(?:page|next|sync|continuation)_?token)$/i;

/** The joined URL, and which part of it may be wrong. */
export function explainMissing(answer: FailedAnswer): Cause {
  const { source, request, body } = answer;
  const { baseUrl = source.api.baseUrl, testEndpoint = request.path } = answer;
  const website =
    readPage(body) === undefined
      ? ""
      : " The response is a web page, so the base URL may be that of a website and not of the API.";
  const hidden =
    source.api.authType === undefined
      ? ""
      : ` Some APIs answer 404 to a credential that is wrong or lacks a permission: check ${describeOrigin(answer)} too.`;
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

function adviseOnMissing({ status, body, request, source }: FailedAnswer): string {
  const url = cleanText(dropQuery(request.url), 300);
  const doubled = findDoubledSegments(source.api.baseUrl, request.path)?.segments;
  if (doubled !== undefined)
    return `The URL was ${url}: the base URL already ends with ${doubled}, so leave ${doubled} out of path.`;
  if (status === 410) return adviseOnGone(request.url);
  if (body.kind === "html")
    return `The response is a web page: the API probably has no path ${cleanText(request.path, 200)}. Check it against the documentation.`;
  if (status < 300)
    return "Check the names in query and body: one of them does not exist, or is hidden from the credential.";
  return `The API has no path ${cleanText(request.path, 200)}, or the resource does not exist or is hidden from the credential.`;
}

/** RFC 9110, section 15.5.11; Kubernetes answers an expired `continue` so. */
function adviseOnGone(url: string): string {
  const names = [...new URLSearchParams(url.split("?")[1] ?? "").keys()];
  const name = names.find((each) => continuation.test(each));
  return name === undefined
    ? "It was removed for good: do not request it again."
    : `${name} has expired: start the list again without it.`;
}

/**
 * The longest beginning of a path that is the end of the base URL, too, such as `/v1`, and the path without it; undefined when there is
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
function listSegments(path: string): string[] {
  return (path.split("?")[0] ?? "").split("/").filter((segment) => segment !== "");
}
