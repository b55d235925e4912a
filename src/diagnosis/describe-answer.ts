/** What an answer that is no success means, and what to change: everything about who asks and how; what is asked for is in `describe-request`. */

import { clipText, writeDuration } from "../text.js";
import type { AnswerCause, Of } from "./cause.js";
import { describeCarrier, describeFlawFix, describeOrigin, describePlacement } from "./credential-words.js";
import { describePage } from "./describe-address.js";
import { describeRequest } from "./describe-request.js";
import {
  describeSent,
  dropQuery,
  type Explanation,
  explain,
  explainPlainHttp,
  hint,
  hostOf,
  warnOfWrite,
} from "./explanation.js";
import type { Subject } from "./facts.js";

/** For a model. */
export function hintForAnswer(cause: AnswerCause, subject: Subject): string {
  return hint(describeAnswer(cause, subject));
}

/** For a person: the message begins with what answered, such as `GET https://api.example.com/user answered 401: "Bad credentials".` */
export function verdictOnAnswer(cause: AnswerCause, subject: Subject): Explanation {
  const explained = describeAnswer(cause, subject);
  const answered = `${subject.request.method} ${dropQuery(subject.request.url)} answered ${cause.status}`;
  return { ...explained, message: `${answered}${quoteReply(cause)} ${explained.message}`.trim() };
}

function quoteReply(cause: AnswerCause): string {
  if (cause.kind === "page") {
    const title = cause.page.title === undefined ? "" : ` ("${clipText(cause.page.title, 120)}")`;
    return ` with ${cause.page.kind === "login" ? "a login page" : "a web page"}${title}.`;
  }
  if (cause.message === "") return " and no message.";
  const [, , inner] = /^(["'])([^"']*)\1\.?$/s.exec(cause.message) ?? [];
  return `: "${clipText((inner ?? cause.message).replace(/\.$/, ""), 200)}".`;
}

function describeAnswer(cause: AnswerCause, subject: Subject): Explanation {
  switch (cause.kind) {
    case "rate_limited":
      return describeLimit(cause, subject);
    case "credential_wanted":
      return describeWanted(cause, subject);
    case "credential_refused":
      return describeRefused(cause, subject);
    case "permission_missing":
      return describePermission(cause, subject);
    case "proxy_sign_in":
      return explain(
        "unreachable",
        `A proxy on the way wants a username and a password, so the API was not asked.
        Put them into \`api.network.proxy\`, such as "http://user:\${PROXY_PASSWORD}@proxy.example.com:3128".`,
      );
    case "payment_due":
      return cause.declined
        ? explain(
            "missing_permissions",
            `The payment was declined: that is about the payer's card or account, not about this source's credential.
            Another means of payment may help, the same call won't.`,
          )
        : explain(
            "missing_permissions",
            `The account of the credential has to pay or be upgraded first (payment, plan or credit).
            Settle it with the API's provider, or put the credential of another account into ${describeOrigin(subject)}.`,
          );
    case "legal_block":
      return explain(
        "missing_permissions",
        "The API withholds this for legal reasons.\nChoose another `api.testEndpoint`, such as /user or /me.",
        "The API withholds this for legal reasons; no change of the call helps.",
      );
    case "header_wanted":
      return describeHeader(cause, subject);
    case "https_wanted":
      return explainPlainHttp(subject.baseUrl ?? subject.source.api.baseUrl);
    case "page":
      return describePage(cause, subject);
    case "broken_body":
      return explain(
        "not_an_api",
        "The answer can't be read.\nTest again; if it stays so, check `api.testEndpoint`, or ask whoever runs the API (a proxy in between may spoil the answer).",
        `What could be read of it is in data and may lack its end. ${warnOfWrite(subject)}${cause.retryable ? "Repeat the call once; if it breaks again, ask for less at once." : "Tell the user: a proxy or a wrong encoding may have spoilt it."}`,
      );
    default:
      return describeRequest(cause, subject);
  }
}

function describeLimit(
  {
    counts,
    limit,
    retryable,
    retryAfterSeconds,
    waitSeconds: seconds = retryAfterSeconds,
  }: Of<"rate_limited">,
  { source }: Subject,
): Explanation {
  if (!retryable) {
    return explain(
      "rate_limited",
      `The account's quota or credit is used up; waiting a little does not bring it back.
      Check the account's plan and billing.`,
    );
  }
  const who = {
    address:
      " It counts this machine's address, so the credential was probably not seen: check it and `api.authType`.",
    account: " It counts the account, so the credential was recognised.",
    nobody: " Whether the credential is right can't be told from this answer.",
  };
  const quota = limit === undefined ? "" : ` (the limit is ${limit})`;
  const until =
    seconds === undefined
      ? "The API doesn't say when to come back: wait a minute or longer, then make fewer and larger calls."
      : `Do not retry before ${writeDuration(seconds)} ${Math.ceil(seconds) === 1 ? "has" : "have"} passed; until then every call to this API is likely to fail. Then make fewer and larger calls.`;
  return explain(
    "rate_limited",
    `The API is alive, but allows no more requests for now.${source.api.authType === undefined ? "" : who[counts ?? "nobody"]}
    Test again in ${seconds === undefined ? "some minutes" : writeDuration(seconds)}. To keep to the quota, set \`api.limits.requestsPerMinute\`.`,
    `Too many calls${quota}. ${until}`,
  );
}

function describeWanted(
  { placement }: Of<"credential_wanted" | "credential_refused">,
  { source }: Subject,
): Explanation {
  const change =
    (placement === undefined ? undefined : describePlacement(source, placement)) ??
    '"authType" under `api` to "bearer", "header" (with "headerName"), "query" (with "queryParam") or "basic", as the API\'s documentation says';
  const variable = `${source.slug.toUpperCase().replaceAll("-", "_")}_TOKEN`;
  return explain(
    "missing_credentials",
    `The API wants a credential, and this source sends no credential: the record has no \`authType\`.
    Set ${change}${change.includes("_USERNAME") ? "" : `, and the credential in the environment as ${variable}`}.`,
  );
}

/** By the credential's look first, then by its expiry, then by where the API asks for it. */
function describeRefused(
  { placement, message }: Of<"credential_wanted" | "credential_refused">,
  subject: Subject,
): Explanation {
  const { source, credential } = subject;
  const { flaw, expiry } = credential;
  const from = describeOrigin(subject);
  if (flaw !== undefined) {
    const fix = describeFlawFix(subject, flaw.fix);
    return explain("malformed_credentials", `The credential, from ${from}, ${flaw.what}.\n${fix}`);
  }
  if (expiry !== undefined) {
    const fix = `Get a new token and put it into ${from}.`;
    return explain("invalid_credentials", `The token, from ${from}, ${expiry}.\n${fix}`);
  }
  const either = credential.foundIn === undefined ? " or the `credentials` option" : "";
  const sent = `The credential was not accepted; it comes from ${from}${either} and was sent ${describeCarrier(source)}.`;
  const check = `check ${from}: the credential must be whole, neither expired nor revoked, and meant for ${hostOf(subject.request.url)} (test and live keys differ).`;
  const fix =
    placement === undefined
      ? fixUnplaced(source.api.authScheme, check, message)
      : fixPlaced(placement, check, source);
  const asks =
    placement?.isSure === false
      ? "announces the scheme"
      : `asks for it in the ${placement?.by === "header" ? "header" : "scheme"}`;
  const doubt = placement?.isSure === false ? " (`WWW-Authenticate`), which some do whatever is wrong" : "";
  const asked = placement === undefined ? "" : ` The API ${asks} ${clipText(placement.name, 60)}${doubt}.`;
  return explain("invalid_credentials", `${sent}${asked}\n${fix.charAt(0).toUpperCase()}${fix.slice(1)}`);
}

/** Amazon's gateway speaks of a missing token for a path that it doesn't know, too. */
function fixUnplaced(scheme: string, check: string, message: string): string {
  const isDoubted = !["", "Bearer"].includes(scheme) && /\bscheme\b|\bprefix\b/i.test(message);
  const own = isDoubted
    ? `correct "authScheme" under \`api\`, which is "${scheme}": most APIs take "Bearer", which is sent when the field is removed. Then `
    : "";
  const gateway = /missing authentication token/i.test(message)
    ? " (An AWS gateway says this for a path or method it doesn't have, too: check the path.)"
    : "";
  return `${own}${check} If it is right, check how it is sent (\`api.authType\`, \`api.authScheme\`) against the API's documentation.${gateway}`;
}

function fixPlaced(
  placement: NonNullable<Of<"credential_wanted" | "credential_refused">["placement"]>,
  check: string,
  source: Subject["source"],
): string {
  const { by, name, isSure } = placement;
  const change = describePlacement(source, placement);
  const signed =
    "no authType can serve it, since it signs or negotiates each request. Look in the API's documentation for a token or a key, or put a gateway in front that signs.";
  if (!isSure)
    return `first ${check} If it is right, the server announces ${name}: ${change === undefined ? signed : `set ${change}.`}`;
  if (change === undefined) return signed;
  const { authType, headerName } = source.api;
  if (by === "scheme") return `set ${change}. If the API's documentation says otherwise, ${check}`;
  const isSecond = authType === "header" && !/^authorization$/i.test(name);
  return `set ${change}.${isSecond ? ` If it is a second secret beside the one in ${headerName}, add "headers": { "${name}": "\${NAME}" } instead.` : ""}`;
}

function describePermission(
  { scopes, status, isPage }: Of<"permission_missing">,
  subject: Subject,
): Explanation {
  const cannot = "You can't change that from here: tell the user";
  const firewall = isPage
    ? `A web page refused the call: probably a firewall or bot protection in front of the API, not the API. ${cannot}; a constant User-Agent header in the record sometimes helps.`
    : undefined;
  if (subject.source.api.authType === undefined) {
    const words = `The API refused a request without a credential (the record has no \`authType\`).
      If the API needs a credential, set \`api.authType\` and put the credential into the environment. If it is public, it refuses this machine's address, or the path.`;
    return explain("missing_permissions", words, firewall);
  }
  const from = describeOrigin(subject);
  const needed = scopes.needed === undefined ? "" : ` Needed: ${scopes.needed}.`;
  const granted = scopes.granted === undefined ? "" : ` It has: ${scopes.granted}.`;
  const give = scopes.needed === undefined ? "the permission to read this" : `the scope ${scopes.needed}`;
  const message = `The credential, from ${from}, was probably understood, but may not do this.${needed}${granted}`;
  return explain(
    "missing_permissions",
    `${message}
    Give it ${give} where it was made, or choose an \`api.testEndpoint\` it may read (often /user or /me). Some APIs answer ${status} for a wrong credential, too: check that ${from} is complete.`,
    firewall ?? `${message} ${cannot} which permission is missing, or use an endpoint it may use.`,
  );
}

function describeHeader({ name, value, wasSent }: Of<"header_wanted">, subject: Subject): Explanation {
  const isAgent = /^user-agent$/i.test(name);
  const example = `"headers": { "${name}": "${isAgent ? "my-app/1.0 (me@my-domain)" : (value ?? "…")}" }`;
  const unknown =
    'the API\'s documentation says which value; a secret one is written "${NAME}" and read from the variable NAME';
  const known = value === undefined ? unknown : "check the value against the API's documentation";
  const verb = wasSent && subject.source.api.headers[name] !== undefined ? "Change" : "Add";
  const message = `The API wants the header ${name}${wasSent ? " with another value than the one that was sent" : ""}.`;
  return explain(
    "missing_header",
    `${message}\n${verb} ${example} under \`api\`: ${isAgent ? "it should name your application" : known}.`,
    `${message} Give it in headers${value === undefined ? "" : `, such as ${name}: ${value}`}; if every call needs it, or it is refused here, the user should add it to api.headers in the record. ${describeSent(subject)}`,
  );
}
