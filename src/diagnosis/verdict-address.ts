/** What a page in place of an answer, or a path that is not there, says about the address in a record. */

import { clipText, writeDuration } from "../text.js";
import type { AnswerCause } from "./cause.js";
import { findDoubledSegments, listSegments } from "./missing.js";
import type { HtmlPage } from "./page.js";
import { describeLogin, dropQuery, type SubjectFacts, tell, type Verdict, where } from "./verdict-words.js";

/** Such as `a login page ("Sign in to Shop"), not with an API's answer`. */
export function describePage({ kind, title }: HtmlPage): string {
  const named = title === undefined ? "" : ` ("${clipText(title, 120)}")`;
  if (kind === "captive_portal") {
    return `the page of a network${named}: this machine is not signed in to it, or a proxy answers in place of the API`;
  }
  const names = {
    login: "a login page",
    block: "the page of a firewall or bot protection",
    page: "a web page",
  };
  return `${names[kind]}${named}, not with an API's answer`;
}

/** What to change when a page answered. */
export function fixPage(kind: HtmlPage["kind"], facts: SubjectFacts): string {
  const own = "the API's own address (often https://api.<domain> or a path such as /api)";
  const fixes: Readonly<Record<HtmlPage["kind"], string>> = {
    login: `Set \`api.baseUrl\` to ${own}. If the address is right, ${describeLogin(facts)}`,
    captive_portal: "Sign in to the network with a browser, or set `api.network.proxy`, and test again.",
    block:
      'Add "headers": { "User-Agent": "my-app/1.0 (me@my-domain)" } under `api`, which is sometimes enough; otherwise ask the provider to let this machine\'s address pass, or use the API\'s own host in `api.baseUrl`.',
    page: `\`api.baseUrl\` or \`api.testEndpoint\` is probably that of the website: set \`api.baseUrl\` to ${own}. If the API answers in HTML by default, add "headers": { "Accept": "application/json" } under \`api\`.`,
  };
  return fixes[kind];
}

const version = /^v\d[\w.]*$/i;

/** What the joined URL was, and which part of it is probably wrong. */
export function explainNotFound(facts: SubjectFacts): Verdict {
  const { source, baseUrl, testEndpoint, url } = facts;
  const website = " The answer is a web page, so the base URL may be that of a website and not of the API.";
  const hidden = ` Some APIs answer 404 for what a credential may not see, or for a wrong credential: check ${where(facts)} too.`;
  return tell(
    "not_found",
    `\`api.baseUrl\` (${dropQuery(baseUrl)}) and \`api.testEndpoint\` (${dropQuery(testEndpoint)}) make ${dropQuery(url)}.${facts.isPage === true ? website : ""}
    ${suggestPath(baseUrl, testEndpoint)}${source.api.authType === undefined || findDoubledSegments(baseUrl, testEndpoint) !== undefined ? "" : hidden}`,
  );
}

function suggestPath(baseUrl: string, testEndpoint: string): string {
  const doubled = findDoubledSegments(baseUrl, testEndpoint);
  if (doubled !== undefined) {
    return `\`api.baseUrl\` ends with ${doubled.segments} already: set "testEndpoint": "${doubled.rest}".`;
  }
  const { pathname, origin } = new URL(baseUrl);
  const named = listSegments(pathname).find((part) => version.test(part));
  const where = named === undefined ? "" : `the version segment ${named} in \`api.baseUrl\` and `;
  const lead = /^\/api\b/.test(pathname)
    ? ""
    : ` A leading part such as /api may be missing, as in "baseUrl": "${`${origin}/api${pathname}`.replace(/\/$/, "")}".`;
  return `Check ${where}the spelling of ${dropQuery(testEndpoint) || "/"} in \`api.testEndpoint\` against the API's documentation.${lead}`;
}

/** 52x and 530 are Cloudflare's for an origin it can't reach. */
export function explainServer({ status, retryAfterSeconds }: AnswerCause): Verdict {
  const isGateway = status === 502 || status === 504 || status >= 520;
  let what = "The API failed on this request, or is down for now.";
  if (isGateway)
    what = "A gateway or CDN is there, but the API behind it did not answer properly or in time.";
  if (status === 408) what = "The server gave up waiting for the request.";
  const fix =
    status === 500
      ? "Try the same request in another client. If it fails there too, tell the provider; if not, compare the headers and the query with the curl line."
      : "Nothing in the record helps; test again later, or look at the provider's status page.";
  const again = retryAfterSeconds === undefined ? "" : `Test again in ${writeDuration(retryAfterSeconds)}. `;
  return tell(status === 408 ? "timeout" : "server_error", `${what}\n${again}${fix}`);
}
