/** What a path that is not there, or a page in place of an answer, says about the address in a record and in a call. */

import type { Of } from "./cause.js";
import { describeLogin, describeOrigin } from "./credential-words.js";
import { dropQuery, type Explanation, explain, warnOfWrite } from "./explanation.js";
import type { Subject } from "./facts.js";
import { findDoubledSegments, listSegments, type MissingThing } from "./missing.js";
import type { PageKind } from "./page.js";
import { cleanText } from "./shown-text.js";

/** What the joined URL was, and which part of it is probably wrong. */
export function describeMissing(cause: Of<"not_found">, subject: Subject): Explanation {
  const { source, request } = subject;
  const { baseUrl = source.api.baseUrl, testEndpoint = request.path } = subject;
  const website = " The answer is a web page, so the base URL may be that of a website and not of the API.";
  const hidden = ` Some APIs answer 404 for what a credential may not see, or for a wrong credential: check ${describeOrigin(subject)} too.`;
  const isDoubled = cause.missing.what === "doubled";
  return explain(
    "not_found",
    `\`api.baseUrl\` (${dropQuery(baseUrl)}) and \`api.testEndpoint\` (${dropQuery(testEndpoint)}) make ${dropQuery(request.url)}.${cause.isPage ? website : ""}
    ${suggestPath(baseUrl, testEndpoint)}${source.api.authType === undefined || isDoubled ? "" : hidden}`,
    adviseOnMissing(cause, subject),
  );
}

const version = /^v\d[\w.]*$/i;

function suggestPath(baseUrl: string, testEndpoint: string): string {
  const doubled = findDoubledSegments(baseUrl, testEndpoint);
  if (doubled !== undefined)
    return `\`api.baseUrl\` ends with ${doubled.segments} already: set "testEndpoint": "${doubled.rest}".`;
  const [, origin = "", path = ""] = /^(https?:\/\/[^/?#]*)([^?#]*)/i.exec(baseUrl) ?? [];
  const named = listSegments(path).find((part) => version.test(part));
  const where = named === undefined ? "" : `the version segment ${named} in \`api.baseUrl\` and `;
  const lead = /^\/api\b/.test(path)
    ? ""
    : ` A leading part such as /api may be missing, as in "baseUrl": "${`${origin}/api${path}`.replace(/\/$/, "")}".`;
  return `Check ${where}the spelling of ${dropQuery(testEndpoint) || "/"} in \`api.testEndpoint\` against the API's documentation.${lead}`;
}

function adviseOnMissing({ missing }: Of<"not_found">, { request, source }: Subject): string {
  const url = cleanText(dropQuery(request.url), 300);
  switch (missing.what) {
    case "doubled":
      return `The URL was ${url}: the base URL already ends with ${missing.segments}, so leave ${missing.segments} out of path.`;
    case "gone":
      return "It existed and is gone for good: don't ask for it again.";
    case "path":
      return `No such endpoint: the API has no route for ${request.method} ${url}. Check the path's spelling, version segment and plural form against the API's documentation; the base URL ${source.api.baseUrl} is already in front of it.`;
    case "named_in_body":
      return "The path is right, but what the query or the body names does not exist or the credential may not see it. List or search first to find the right name or id.";
    case "thing":
      return adviseOnThing(missing.thing);
    case "either": {
      const last = listSegments(request.path).at(-1);
      const thing = last === undefined ? "there is no such thing" : `${cleanText(last, 80)} does not exist`;
      return `Either the path is wrong or ${thing}: the URL was ${url}. Check the path first, then list or search what is there. Some APIs also answer 404 for what the credential may not see.`;
    }
  }
}

function adviseOnThing(thing: MissingThing | undefined): string {
  const named = thing === undefined ? "what was named" : cleanText(thing.name, 80);
  const hasList = thing !== undefined && thing.parent !== "";
  const list = hasList ? `GET ${cleanText(thing.parent, 200)}` : "List or search first";
  return `The path looks right, but ${named} does not exist there or the credential may not see it. ${list} to find the right one.`;
}

const ownAddress = "the API's own address (often https://api.<domain> or a path such as /api)";
const pages: Readonly<Record<PageKind, readonly [meaning: string, fix: string]>> = {
  login: [
    "It looks like a login page: the credential is missing or was not seen, or the base URL is the website's and not the API's.",
    `Set \`api.baseUrl\` to ${ownAddress}. If the address is right, `,
  ],
  captive_portal: [
    "It looks like the page of a network (a captive portal or proxy) between here and the API: this machine is not signed in to it.",
    "Sign in to the network with a browser, or set `api.network.proxy`, and test again.",
  ],
  block: [
    "It looks like a block page of a firewall or bot protection in front of the API.",
    'Add "headers": { "User-Agent": "my-app/1.0 (me@my-domain)" } under `api`, which is sometimes enough; otherwise ask the provider to let this machine\'s address pass, or use the API\'s own host in `api.baseUrl`.',
  ],
  page: [
    "Probably the base URL or the path is the website's and not the API's, or a proxy answered.",
    `Set \`api.baseUrl\`, or \`api.testEndpoint\`, to that of the API: ${ownAddress}. If the API answers in HTML by default, add "headers": { "Accept": "application/json" } under \`api\`.`,
  ],
};

/** What a web page in place of an answer is, and whose address to correct. */
export function describePage({ page, status }: Of<"page">, subject: Subject): Explanation {
  const [meaning, fix] = pages[page.kind];
  const base = subject.baseUrl ?? subject.source.api.baseUrl;
  const advice = `${meaning} ${warnOfWrite(subject)}${status === 511 ? "Tell the user." : `Check the path first; if it is right, the user should check the base URL ${base} and the credential.`}`;
  return explain(
    "not_an_api",
    `${meaning}\n${fix}${page.kind === "login" ? describeLogin(subject) : ""}`,
    advice,
  );
}
