/** What an answer that is no success means, and what to change: everything about who asks and how; what is asked for is in `describe-request`. */

import { clipText, writeDuration } from "../text.js";
import type { AnswerCause, Of } from "./cause.js";
import { describeCarrier, describeLogin, describeOrigin, describePlacement } from "./credential-words.js";
import { describeRequest } from "./describe-request.js";
import {
  describeSent,
  dropQuery,
  type Explanation,
  explain,
  explainPlainHttp,
  hint,
  hostOf,
  proxySignIn,
  warnOfWrite,
} from "./explanation.js";
import type { Subject } from "./facts.js";
import type { PageKind } from "./page.js";

type CredentialCause = Of<"credential_wanted" | "credential_refused">;

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
        `A proxy on the way wants a username and a password, so the API was not asked.\n${proxySignIn}`,
      );
    case "payment_due":
      return explain(
        "missing_permissions",
        cause.declined
          ? `The payment was declined: that is about the payer's card or account, not about this source's credential.
            Another means of payment may help, the same call won't.`
          : `The account of the credential has to pay or be upgraded first (payment, plan or credit).
            Settle it with the API's provider, or put the credential of another account into ${describeOrigin(subject)}.`,
      );
    case "legal_block":
      return explain(
        "missing_permissions",
        "The API withholds this for legal reasons.\nChoose another `api.testEndpoint`, such as /user or /me.",
        "The API withholds this for legal reasons; no change of the call helps: tell the user.",
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

/** Whether the credential was seen, which a limit may tell by whom it counts. */
const recognised = {
  address:
    " It counts this machine's address, so the credential was probably not seen: check it and `api.authType`.",
  account: " It counts the account, so the credential was recognised.",
  nobody: " Whether the credential is right can't be told from this answer.",
};

function describeLimit(cause: Of<"rate_limited">, subject: Subject): Explanation {
  const { counts = "nobody", limit, retryable, waitSeconds } = cause;
  if (!retryable) {
    return explain(
      "rate_limited",
      `The account's quota or credit is used up; waiting a little does not bring it back.
      Check the account's plan and billing.`,
    );
  }
  const { authType } = subject.source.api;
  const judged = authType === undefined ? "" : recognised[counts];
  const quota = limit === undefined ? "" : ` (the limit is ${limit})`;
  const wait = waitSeconds === undefined ? undefined : writeDuration(waitSeconds);
  const until =
    wait === undefined
      ? "The API doesn't say when to come back: wait a minute or longer, then make fewer and larger calls."
      : `Do not retry before ${wait} ${Math.ceil(waitSeconds ?? 0) === 1 ? "has" : "have"} passed; until then every call to this API is likely to fail. Then make fewer and larger calls.`;
  return explain(
    "rate_limited",
    `The API is alive, but allows no more requests for now.${judged}
    Test again in ${wait ?? "some minutes"}. To keep to the quota, set \`api.limits.requestsPerMinute\`.`,
    `Too many calls${quota}. ${until}`,
  );
}

function describeWanted({ placement }: CredentialCause, { source }: Subject): Explanation {
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
function describeRefused(cause: CredentialCause, subject: Subject): Explanation {
  const { flaw, expiry, foundIn } = subject.credential;
  const from = describeOrigin(subject);
  if (flaw !== undefined) {
    const fix = `Correct ${from}: ${flaw.fix.charAt(0).toLowerCase()}${flaw.fix.slice(1)}`;
    return explain("malformed_credentials", `The credential, from ${from}, ${flaw.what}.\n${fix}`);
  }
  if (expiry !== undefined) {
    const fix = `Get a new token and put it into ${from}.`;
    return explain("invalid_credentials", `The token, from ${from}, ${expiry}.\n${fix}`);
  }
  const either = foundIn === undefined ? " or the `credentials` option" : "";
  const { by, name = "" } = cause.placement ?? {};
  const asked = by === "header" ? ` The API asks for it in the header ${clipText(name, 60)}.` : "";
  const sent = `The credential was not accepted; it comes from ${from}${either} and was sent ${describeCarrier(subject.source)}.${asked}`;
  return explain("invalid_credentials", `${sent}\n${fixRefused(cause, subject, from)}`);
}

/** A header is asked for by name. A scheme some announce whatever is wrong, so the credential is to be checked first. */
function fixRefused(
  { placement, message }: CredentialCause,
  { source, request }: Subject,
  from: string,
): string {
  const check = `heck ${from}: the credential must be whole, neither expired nor revoked, and meant for ${hostOf(request.url)} (test and live keys differ).`;
  const { authScheme, authType, headerName } = source.api;
  if (placement === undefined) {
    const how =
      authType === "bearer" && !["", "Bearer"].includes(authScheme)
        ? `check "authScheme" under \`api\`, which is "${authScheme}": most APIs take "Bearer", and its documentation says.`
        : "check how it is sent (`api.authType`, `api.authScheme`) against the API's documentation.";
    // A path that Amazon's gateway doesn't know is answered so, too.
    const isGateway = /missing authentication token/i.test(message);
    return `C${check} If it is right, ${how}${isGateway ? " (An AWS gateway says this for a path or method it doesn't have, too: check the path.)" : ""}`;
  }
  const name = clipText(placement.name, 60);
  const change = describePlacement(source, placement);
  if (placement.by !== "header")
    return `First c${check} If it is right, the server announces ${name}: ${change === undefined ? "no authType can serve it, since it signs or negotiates each request. Look in the API's documentation for a token or a key, or put a gateway in front that signs." : `set ${change}.`}`;
  const second = ` If it is a second secret beside the one in ${headerName}, add "headers": { "${name}": "\${NAME}" } instead.`;
  return `Set ${change}.${authType === "header" ? second : ""}`;
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

function describeHeader({ name }: Of<"header_wanted">, subject: Subject): Explanation {
  const isAgent = /^user-agent$/i.test(name);
  const value = isAgent
    ? `"my-app/1.0 (me@my-domain)" } under \`api\`: it should name your application.`
    : `"…" } under \`api\`: the API's documentation says which value; a secret one is written "\${NAME}" and read from the variable NAME.`;
  const message = `The API wants the header ${name}.`;
  return explain(
    "missing_header",
    `${message}\nSet "headers": { "${name}": ${value}`,
    `${message} Give it in headers, with another value if it was sent; if every call needs it, or it is refused here, the user should add it to api.headers in the record. ${describeSent(subject)}`,
  );
}

const ownAddress = "the API's own address (often https://api.<domain> or a path such as /api)";
const pages: Readonly<Record<PageKind, readonly [meaning: string, fix: string]>> = {
  login: [
    "It looks like a login page: the credential is missing or was not seen, or the base URL is the website's and not the API's.",
    `Set \`api.baseUrl\` to ${ownAddress}. If the address is right, `,
  ],
  between: [
    "It looks like a page of something between here and the API: a network's login (captive portal), a firewall or a bot protection.",
    'Sign in to the network with a browser, or set `api.network.proxy`. For a bot protection add "headers": { "User-Agent": "my-app/1.0 (me@my-domain)" } under `api`, or ask the provider to let this machine\'s address pass.',
  ],
  page: [
    "Probably the base URL or the path is the website's and not the API's, or a proxy answered.",
    `Set \`api.baseUrl\`, or \`api.testEndpoint\`, to that of the API: ${ownAddress}. If the API answers in HTML by default, add "headers": { "Accept": "application/json" } under \`api\`.`,
  ],
};

/** What a web page in place of an answer is, and whose address to correct. */
function describePage({ page }: Of<"page">, subject: Subject): Explanation {
  const [meaning, fix] = pages[page.kind];
  const base = subject.baseUrl ?? subject.source.api.baseUrl;
  const check =
    page.kind === "between"
      ? "Don't repeat the call; tell the user."
      : `Check the path first; if it is right, the user should check the base URL ${base} and the credential.`;
  return explain(
    "not_an_api",
    `${meaning}\n${fix}${page.kind === "login" ? describeLogin(subject) : ""}`,
    `${meaning} ${warnOfWrite(subject)}${check}`,
  );
}
