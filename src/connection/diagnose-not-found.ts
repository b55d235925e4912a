/** A path that the API does not have: what the joined URL was, and which part of it is probably wrong. */

import { describeOrigin } from "./describe-credential.js";
import { findDoubledSegments } from "./find-doubled-segments.js";
import type { Finding } from "./finding.js";
import { type Reading, tellAnswer, toFinding, withoutQuery } from "./reading.js";

const version = /^v\d+(?:\.\d+)*(?:(?:alpha|beta|rc)\d*)?$|^\d{4}-\d{2}(?:-\d{2})?$/i;

export function diagnoseNotFound(reading: Reading): Finding {
  const { baseUrl, testEndpoint, page } = reading;
  const joined = `\`api.baseUrl\` (${withoutQuery(baseUrl)}) and \`api.testEndpoint\` (${withoutQuery(testEndpoint)}) make ${withoutQuery(reading.url)}.`;
  const website =
    page === undefined
      ? ""
      : " The answer is a web page, so the base URL may be that of a website and not of the API.";
  return toFinding("not_found", `${tellAnswer(reading)} ${joined}${website}`, suggest(reading));
}

function suggest(reading: Reading): string {
  const { source, baseUrl, testEndpoint, origin } = reading;
  const doubled = findDoubledSegments(baseUrl, testEndpoint);
  if (doubled !== undefined) {
    return `\`api.baseUrl\` ends with ${doubled.segments} already: set "testEndpoint": "${doubled.rest}".`;
  }
  const basePath = new URL(baseUrl).pathname.split("/").filter((part) => part !== "");
  const ownPath = withoutQuery(testEndpoint)
    .split("/")
    .filter((part) => part !== "");
  const baseVersion = basePath.find((part) => version.test(part));
  const ownVersion = ownPath.find((part) => version.test(part));
  const hidden =
    source.api.authType === undefined
      ? ""
      : ` Some APIs answer 404 for what a credential may not see, or for a wrong credential: check ${describeOrigin(source, origin)} too.`;
  if (baseVersion !== undefined && ownVersion !== undefined) {
    return `Both \`api.baseUrl\` and \`api.testEndpoint\` name a version (${baseVersion} and ${ownVersion}): keep one of them.${hidden}`;
  }
  const named = baseVersion ?? ownVersion;
  if (named !== undefined) {
    const field = baseVersion === undefined ? "api.testEndpoint" : "api.baseUrl";
    return `Check the version segment ${named} in \`${field}\` and the spelling of ${withoutQuery(testEndpoint) || "/"} against the API's documentation.${tellLead(baseUrl, basePath, field)}${hidden}`;
  }
  const prefix =
    basePath.length === 0
      ? " A leading part such as /api or /v1 may be missing: it belongs at the end of `api.baseUrl`."
      : ` A part such as a version may be missing after ${new URL(baseUrl).pathname}.`;
  return `Check the spelling of ${withoutQuery(testEndpoint) || "/"} in \`api.testEndpoint\`.${prefix}${hidden}`;
}

/** PowerDNS and many others have the version below a part such as /api. */
function tellLead(baseUrl: string, basePath: readonly string[], field: string): string {
  if (field === "api.testEndpoint" ? basePath.length > 0 : !version.test(basePath[0] ?? "")) return "";
  const example = new URL(withoutQuery(baseUrl));
  example.pathname = `/api/${basePath.join("/")}`;
  return ` A leading part such as /api may be missing, too, as in "baseUrl": "${example.href.replace(/\/$/, "")}".`;
}
