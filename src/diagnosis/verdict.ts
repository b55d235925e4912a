/** What an answer's cause means for the person who configures a source: a verdict, what happened, and what to change. */

import { clipText, writeDuration } from "../text.js";
import type { Placement } from "./asked.js";
import type { AnswerCause } from "./cause.js";
import { describeCarrier, describePlacement, isAwsGateway } from "./credential-words.js";
import { describePage, explainNotFound, explainServer, fixPage } from "./verdict-address.js";
import {
  describeFlawFix,
  dropQuery,
  type SubjectFacts,
  tell,
  toBase,
  type Verdict,
  where,
} from "./verdict-words.js";

type Of<Kind extends AnswerCause["kind"]> = Extract<AnswerCause, { kind: Kind }>;

/** The verdict, with its words, on an answer that is no success. */
export function describeAnswer(cause: AnswerCause, facts: SubjectFacts): Verdict {
  const explained = explain(cause, facts);
  return { ...explained, message: `${describeReply(cause, facts)} ${explained.message}`.trim() };
}

/** Such as `GET https://api.example.com/user answered 401: "Bad credentials".` */
function describeReply(cause: AnswerCause, { url }: SubjectFacts): string {
  const answered = `GET ${dropQuery(url)} answered ${cause.status}`;
  if (cause.kind === "page") return `${answered} with ${describePage(cause.page)}.`;
  if (cause.message === "") return `${answered} and no message.`;
  const [, , inner] = /^(["'])([^"']*)\1\.?$/s.exec(cause.message) ?? [];
  return `${answered}: "${clipText((inner ?? cause.message).replace(/\.$/, ""), 200)}".`;
}

function explain(cause: AnswerCause, facts: SubjectFacts): Verdict {
  const { source } = facts;
  switch (cause.kind) {
    case "rate_limited":
      return explainLimit(cause, facts);
    case "credential_wanted":
      return explainWanted(cause, facts);
    case "credential_refused":
      return explainRefused(cause, facts);
    case "proxy_sign_in":
      return tell(
        "unreachable",
        `A proxy on the way wants a username and a password, so the API was not asked.
        Put them into \`api.network.proxy\`, such as "http://user:\${PROXY_PASSWORD}@proxy.example.com:3128".`,
      );
    case "permission_missing":
      return explainPermission(cause, facts);
    case "payment_due":
      return tell(
        "missing_permissions",
        `The account of the credential has to pay, or to be upgraded, first.
        Settle it with the API's provider, or put the credential of another account into ${where(facts)}.`,
      );
    case "legal_block":
      return tell(
        "missing_permissions",
        "The API withholds this for legal reasons.\nChoose another `api.testEndpoint`, such as /user or /me.",
      );
    case "header_wanted":
      return explainHeader(cause, facts);
    case "type_refused": {
      const { side, takes = "application/json" } = cause;
      const isOwn = Object.keys(source.api.headers).some((name) => name.toLowerCase() === side.toLowerCase());
      return tell(
        "missing_header",
        `${side === "Accept" ? `The API does not answer in a type that the ${isOwn ? "record's" : "tool's"} Accept header names.` : "The API wants a Content-Type even where there is no body."}
        ${isOwn ? "Change" : "Add"} "headers": { "${side}": "${takes}" } under \`api\`, with the media type the API's documentation names.`,
      );
    }
    case "https_wanted":
      return tell(
        "tls",
        `${new URL(facts.baseUrl).host} speaks HTTPS, and \`api.baseUrl\` says http: the plain HTTP request was refused.
        Set "baseUrl": "${toBase(facts.baseUrl, "https")}" under \`api\`.`,
      );
    case "page":
      return { verdict: "not_an_api", message: "", fix: fixPage(cause.page.kind, facts) };
    case "broken_body":
      return tell(
        "not_an_api",
        "The answer can't be read.\nTest again; if it stays so, check `api.testEndpoint`, or ask whoever runs the API (a proxy in between may spoil the answer).",
      );
    default:
      return cause.status < 300 ? explainHidden(facts) : explainRequest(cause, facts);
  }
}

/** What is wrong with the request, or with the API, and not with who asks. */
function explainRequest(cause: AnswerCause, facts: SubjectFacts): Verdict {
  switch (cause.kind) {
    case "not_found":
      return explainNotFound(facts);
    case "method_refused":
      return tell(
        "method_not_allowed",
        `The path exists, but does not take GET, which is what the test sends.${cause.allow === undefined ? "" : ` It takes ${cause.allow}.`}
        Set \`api.testEndpoint\` to a path that is read by GET, such as /user, /me or a list with a small limit.`,
      );
    case "server_failed":
      return explainServer(cause);
    case "conflict":
    case "request_too_large":
      return badRequest;
    case "request_invalid":
      if ([400, 411, 417, 422].includes(cause.status)) return badRequest;
      break;
    default:
      break;
  }
  return tell(
    "unexpected_status",
    "A test endpoint should answer 200.\nCheck `api.testEndpoint` against the API's documentation; choose one that answers GET with 200 and JSON, such as /user.",
  );
}

function explainLimit({ counts, retryAfterSeconds }: Of<"rate_limited">, { source }: SubjectFacts): Verdict {
  const who =
    counts === "address"
      ? " It counts this machine's address, so the credential was probably not seen: check it and `api.authType`."
      : counts === "account"
        ? " It counts the account, so the credential was recognised."
        : " Whether the credential is right can't be told from this answer.";
  const again = retryAfterSeconds === undefined ? "some minutes" : writeDuration(retryAfterSeconds);
  return tell(
    "rate_limited",
    `The API is alive, but allows no more requests for now.${source.api.authType === undefined ? "" : who}
    Test again in ${again}. To keep to the quota, set \`api.limits.requestsPerMinute\`.`,
  );
}

function explainWanted({ placement }: Of<"credential_wanted">, { source }: SubjectFacts): Verdict {
  const change =
    (placement === undefined ? undefined : describePlacement(source, placement)) ??
    '"authType" under `api` to "bearer", "header" (with "headerName"), "query" (with "queryParam") or "basic", as the API\'s documentation says';
  const variable = `${source.slug.toUpperCase().replaceAll("-", "_")}_TOKEN`;
  return tell(
    "missing_credentials",
    `The API wants a credential, and the record has no \`authType\`, so none was sent.
    Set ${change}${change.includes("_USERNAME") ? "" : `, and the credential in the environment as ${variable}`}.`,
  );
}

/** By the credential's look first, then by its expiry, then by where the API asks for it. */
function explainRefused({ placement, message }: Of<"credential_refused">, facts: SubjectFacts): Verdict {
  const { source, credential } = facts;
  const { flaw, expiry } = credential;
  const from = where(facts);
  if (flaw !== undefined) {
    const fix = describeFlawFix(facts, flaw.fix);
    return tell("malformed_credentials", `The credential, from ${from}, ${flaw.what}.\n${fix}`);
  }
  if (expiry !== undefined) {
    const fix = `Get a new token and put it into ${from}.`;
    return tell("invalid_credentials", `The token, from ${from}, ${expiry}.\n${fix}`);
  }
  const sent = `The credential was not accepted; it comes from ${from} and was sent ${describeCarrier(source)}.`;
  const check = `${from}: the credential must be whole, neither expired nor revoked, and meant for ${new URL(facts.url).host} (test and live keys differ).`;
  const gateway = isAwsGateway(message)
    ? " (An AWS gateway says this for a path it does not have, too: check `api.testEndpoint`.)"
    : "";
  if (placement === undefined) {
    return tell(
      "invalid_credentials",
      `${sent}
      Check ${check} If it is right, check how it is sent (\`api.authType\`, \`api.authScheme\`) against the API's documentation.${gateway}`,
    );
  }
  return tell("invalid_credentials", describePlaced(placement, sent, check, facts));
}

function describePlaced(placement: Placement, sent: string, check: string, { source }: SubjectFacts): string {
  const { by, name, isSure } = placement;
  const change = describePlacement(source, placement);
  if (change === undefined) {
    return `${sent} The API asks for the scheme ${name} (\`WWW-Authenticate\`), which signs each request.
      No authType of this package can do that. Look in the API's documentation for a token or a key, or put a gateway in front that signs.`;
  }
  if (!isSure) {
    return `${sent} The API announces the scheme ${name} (\`WWW-Authenticate\`), which some do whatever is wrong.
      First check ${check} If it is right, the server announces ${name}: set ${change}.`;
  }
  const { authType, headerName } = source.api;
  const second =
    by === "header" && authType === "header" && !/^authorization$/i.test(name)
      ? ` If it is a second secret beside the one in ${headerName}, add "headers": { "${name}": "\${NAME}" } instead.`
      : "";
  const otherwise = by === "scheme" ? ` If the API's documentation says otherwise, check ${check}` : second;
  return `${sent} The API asks for it in the ${by} ${name}.\nSet ${change}.${otherwise}`;
}

function explainPermission({ scopes, status }: Of<"permission_missing">, facts: SubjectFacts): Verdict {
  if (facts.source.api.authType === undefined) {
    return tell(
      "missing_permissions",
      `The API refused a request without a credential (the record has no \`authType\`).
      If the API needs a credential, set \`api.authType\` and put the credential into the environment. If it is public, it refuses this machine's address, or the path.`,
    );
  }
  const needed = scopes.needed === undefined ? "" : ` Needed: ${scopes.needed}.`;
  const granted = scopes.granted === undefined ? "" : ` It has: ${scopes.granted}.`;
  const give = scopes.needed === undefined ? "the permission to read this" : `the scope ${scopes.needed}`;
  return tell(
    "missing_permissions",
    `The credential, from ${where(facts)}, was probably understood, but may not do this.${needed}${granted}
    Give it ${give} where it was made, or choose an \`api.testEndpoint\` it may read (often /user or /me). Some APIs answer ${status} for a wrong credential, too: check that ${where(facts)} is complete.`,
  );
}

function explainHeader({ name, value, wasSent }: Of<"header_wanted">, { source }: SubjectFacts): Verdict {
  const isAgent = /^user-agent$/i.test(name);
  const example = `"headers": { "${name}": "${isAgent ? "my-app/1.0 (me@my-domain)" : (value ?? "…")}" }`;
  const unknown =
    'the API\'s documentation says which value; a secret one is written "${NAME}" and read from the variable NAME';
  const known = value === undefined ? unknown : "check the value against the API's documentation";
  return tell(
    "missing_header",
    `The API wants ${wasSent ? `another value in the header ${name} than the one that was sent` : `the header ${name}, which the record does not send`}.
    ${wasSent && source.api.headers[name] !== undefined ? "Change" : "Add"} ${example} under \`api\`: ${isAgent ? "it should name your application" : known}.`,
  );
}

const badRequest = tell(
  "bad_request",
  `The API was reached, but does not take this request as it is.
  Correct the path or the query of \`api.testEndpoint\` by what the API says, or choose a simpler one, such as /user. A constant header or parameter that is missing goes into \`api.headers\` or \`api.query\`.`,
);

function explainHidden({ source }: SubjectFacts): Verdict {
  const byRecord = " If this body is a success, correct `api.errorWhen`, which may be true of it.";
  return tell(
    "error_in_body",
    `The status says success, but the body says failure.
    Correct \`api.testEndpoint\` (its path or query) by what the API says, or choose another, such as /user.${source.api.errorWhen === undefined ? "" : byRecord}`,
  );
}
