/** An API that understood who asks and does not like what is asked: method, parameters, or a failure under 200. */

import { clipText } from "../text.js";
import type { Finding } from "./finding.js";
import { type Reading, tellAnswer, toFinding } from "./reading.js";

export function diagnoseMethod(reading: Reading): Finding {
  const allow = clipText([reading.headers["allow"] ?? ""].flat().join(", "), 80);
  const allowed = allow === "" ? "" : ` It takes ${allow}.`;
  return toFinding(
    "method_not_allowed",
    `${tellAnswer(reading)} The path exists, but does not take GET, which is what the test sends.${allowed}`,
    "Set `api.testEndpoint` to a path that is read by GET, such as /user, /me or a list with a small limit.",
  );
}

export function diagnoseBadRequest(reading: Reading): Finding {
  const parameter = findMissingParameter(reading.words);
  if (parameter !== undefined) {
    return toFinding(
      "bad_request",
      `${tellAnswer(reading)} The API wants the parameter ${parameter}.`,
      `Put it into the test endpoint, such as "testEndpoint": "${addParameter(reading.testEndpoint, parameter)}"; when every call needs it, add "query": { "${parameter}": "…" } under \`api\`.`,
    );
  }
  const doc = "Correct the path or the query of `api.testEndpoint` by what the API says";
  return toFinding(
    "bad_request",
    `${tellAnswer(reading)} The API was reached, but does not take this request as it is.`,
    `${doc}, or choose a simpler one, such as /user. A constant header or parameter that is missing goes into \`api.headers\` or \`api.query\`.`,
  );
}

/** The parameter that an API says is missing. */
function findMissingParameter(words: string): string | undefined {
  const quoted = "[\"'`\u2018\u201c[(]?([A-Za-z_][A-Za-z0-9_.-]{0,40})";
  const [, after, before, pydantic] =
    new RegExp(
      `(?:missing|required|mandatory)(?: [a-z]{1,12}){0,3} (?:param(?:eter)?|query param(?:eter)?|argument|query)s?(?: named| called| is| are)?:? ${quoted}` +
        `|${quoted}["'\`\u2019\u201d\\])]? (?:query )?(?:param(?:eter)?|argument)(?: \\([^()]{0,40}\\))? (?:is |was )?(?:required|missing|mandatory)` +
        `|"query" ?, ?"([A-Za-z_][A-Za-z0-9_.-]{0,40})"`,
      "i",
    ).exec(words) ?? [];
  const found = after ?? before ?? pydantic;
  return found === undefined || /^(?:is|are|was|not|the|a|for|in|of|missing|required|query)$/i.test(found)
    ? undefined
    : found;
}

function addParameter(testEndpoint: string, parameter: string): string {
  return `${testEndpoint}${testEndpoint.includes("?") ? "&" : "?"}${parameter}=…`;
}

export function diagnoseErrorInBody(reading: Reading): Finding {
  const byRecord =
    reading.source.api.errorWhen === undefined
      ? ""
      : " If this body is a success, correct `api.errorWhen`, which may be true of it.";
  return toFinding(
    "error_in_body",
    `${tellAnswer(reading)} The status says success, but the body says failure.`,
    `Correct \`api.testEndpoint\` (its path or query) by what the API says, or choose another, such as /user.${byRecord}`,
  );
}

export function diagnoseOtherStatus(reading: Reading): Finding {
  return toFinding(
    "unexpected_status",
    `${tellAnswer(reading)} A test endpoint should answer 200.`,
    "Check `api.testEndpoint` against the API's documentation; choose one that answers GET with 200 and JSON, such as /user.",
  );
}

/** A proxy on the way asks for its own credential. */
export function diagnoseProxySignIn(reading: Reading): Finding {
  return toFinding(
    "unreachable",
    `${tellAnswer(reading)} A proxy on the way wants a username and a password, so the API was not asked.`,
    'Put them into `api.network.proxy`, such as "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".',
  );
}
