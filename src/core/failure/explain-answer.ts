/** Explains a failed response: the caller, its credential and its limits (such as 401, 403 or 429); `explain-request` explains the request itself. */

import { writeDuration } from "../base/text.js";
import { findByCode } from "./category.js";
import { type Cause, explain, proxySignIn, warnOfWrite } from "./cause.js";
import { findParams, readHeader } from "./challenge.js";
import { describeLogin, describeOrigin, explainRefusal } from "./explain-credential.js";
import { explainRequest } from "./explain-request.js";
import type { FailedAnswer, Subject } from "./facts.js";
import { type PageKind, readPage } from "./page.js";
import { cleanText } from "./shown-text.js";

const declinedCode = /^(?:card[_-]?declined|do_not_honor|insufficient_funds|payment_declined)$/i;

/** By the status first, then by headers, codes and named fields. */
export function explainAnswer(answer: FailedAnswer): Cause {
  const { status, category, codes, body } = answer;
  if (category === "rate_limited") return explainLimit(answer);
  if (status === 407) {
    const what = "A proxy before the API requires a username and a password, so the API was not called.";
    return explain("proxy_sign_in", what, proxySignIn);
  }
  if (status === 406 || status === 415) return explainRequest(answer);
  const isDeclined = codes.some((code) => declinedCode.test(code));
  if (isDeclined || status === 402) return explainPayment(isDeclined, answer);
  if (status === 511) return explainNetworkLogin();
  if (status === 403 && readPage(body)?.kind === "login") return explainRefusal(answer);
  if (status === 451) return explainRequest(answer);
  const header = findHeaderField(answer);
  return header === undefined ? explainCaller(answer) : explainHeader(header);
}

function explainLimit(answer: FailedAnswer): Cause {
  const { retryable, retryAfterSeconds, rateLimit } = answer;
  if (!retryable) {
    return explain(
      "rate_limited",
      "The account's quota or credit is used up; waiting does not help.",
      "Check the account's plan and billing.",
    );
  }
  const waitSeconds = retryAfterSeconds ?? (rateLimit?.resetInSeconds || undefined);
  const wait = waitSeconds === undefined ? undefined : writeDuration(waitSeconds);
  return explain(
    "rate_limited",
    "The API works, but allows no more requests for now. This does not show whether the credential is accepted.",
    `Test again in ${wait ?? "some minutes"}. To keep to the quota, set \`api.limits.requestsPerMinute\`.`,
    wait === undefined ? "Wait a minute or longer, then try again." : `Wait ${wait}, then try again.`,
  );
}

/** A declined payment concerns the payer's card, not the account of the credential. */
function explainPayment(isDeclined: boolean, subject: Subject): Cause {
  return isDeclined
    ? explain(
        "payment_due",
        "The payment was declined: this concerns the payer's card or account, not the credential of this source.",
        "Another means of payment may help, the same call does not.",
      )
    : explain(
        "payment_due",
        "The API requires a payment, another plan or more credit for the account of the credential.",
        `Settle it with the API's provider, or put the credential of another account into ${describeOrigin(subject)}.`,
      );
}

/** A header that an error names as its field: FastAPI's `"loc":["header","x-tenant"]`. */
function findHeaderField({ fields }: FailedAnswer): string | undefined {
  const named = fields.map((field) => /^headers?\.([A-Za-z][\w-]{0,80})$/i.exec(field)?.[1]);
  return named.find((name) => name !== undefined && !/^(?:authorization|content-length)$/i.test(name));
}

function explainHeader(name: string): Cause {
  const message = `The API requires the header ${name}.`;
  return explain(
    "header_wanted",
    message,
    `Set "headers": { "${name}": "…" } under \`api\`: the API's documentation has the value; write a secret one as "\${NAME}".`,
    `${message} Send it in headers; if that is refused here, the user should add it to api.headers.`,
  );
}

const scopeCode = /^(?:insufficient|missing)_?scope$/i;

/** The credential, or what it may do; any other failure is the request's. */
function explainCaller(answer: FailedAnswer): Cause {
  const { category, codes, credential, headers, source, status } = answer;
  const lacksScope =
    codes.some((code) => scopeCode.test(code)) ||
    findParams(headers, "error")?.get("error") === "insufficient_scope";
  if (category === "unauthorized")
    return lacksScope && source.api.authType !== undefined
      ? explainPermission(answer)
      : explainRefusal(answer);
  if (category !== "forbidden") return explainRequest(answer);
  // A credential of a wrong form is likelier than a permission, unless the API names a permission.
  const isDoubtful = credential.problem !== undefined || credential.expiry !== undefined;
  const namesPermission = lacksScope || findByCode(codes) === "forbidden" || status < 300;
  return isDoubtful && !namesPermission ? explainRefusal(answer) : explainPermission(answer);
}

function explainPermission(answer: FailedAnswer): Cause {
  const { body, headers, source, status } = answer;
  const firewall =
    body.kind === "html"
      ? "The refusal is a web page, perhaps of a firewall before the API. Tell the user; a User-Agent header in the record sometimes helps."
      : undefined;
  if (source.api.authType === undefined) {
    return explain(
      "permission_missing",
      "The API refused a request without a credential (the record has no `authType`).",
      "If the API needs a credential, set `api.authType` and put the credential into the environment. If it is public, it refuses this machine's address, or the path.",
      firewall ?? "The API refused this; the record sends no credential. Tell the user.",
    );
  }
  const from = describeOrigin(answer);
  // RFC 6750, section 3; GitHub, Gitea and others name them in headers of their own.
  const announced = findParams(headers, "scope")?.get("scope");
  const required = readHeader(headers, "x-accepted-oauth-scopes") ?? announced ?? "";
  const needed = cleanText(required, 200);
  const granted = cleanText(readHeader(headers, "x-oauth-scopes") ?? "", 200);
  const scopes = `${needed && ` Needed: ${needed}.`}${granted && ` It has: ${granted}.`}`;
  const give = needed === "" ? "the permission to read this" : `the scope ${needed}`;
  return explain(
    "permission_missing",
    `The credential, from ${from}, probably lacks a permission for this.${scopes}`,
    `Give it ${give} at the API's provider, or choose an \`api.testEndpoint\` it may read (often /user or /me). Some APIs answer ${status} for a wrong credential, too: check that ${from} is complete.`,
    firewall ?? `The credential (${from}) probably lacks a permission for this.${scopes} Tell the user.`,
  );
}

const ownAddress = "the API's own address (often https://api.<domain> or a path such as /api)";
const pages: Readonly<Record<PageKind, readonly [meaning: string, fix: string]>> = {
  login: [
    "The page has a password field: it may be a login page, because the credential is missing or was not accepted, or because the base URL is the website's.",
    `Set \`api.baseUrl\` to ${ownAddress}. If the address is right, `,
  ],
  page: [
    "The base URL or the path probably belongs to a website and not to the API, or a proxy, a firewall or a network's login answered.",
    `Set \`api.baseUrl\`, or \`api.testEndpoint\`, to that of the API: ${ownAddress}. If the API answers in HTML by default, add "headers": { "Accept": "application/json" } under \`api\`.`,
  ],
};

/** What a web page in place of an API's response may be, and which address to correct. */
export function explainPage(kind: PageKind, subject: Subject): Cause {
  const [meaning, fix] = pages[kind];
  const base = subject.baseUrl ?? subject.source.api.baseUrl;
  const advice = `${warnOfWrite(subject)}Check the path; if it is right, the user should check the base URL ${base} and the credential.`;
  return explain("page", meaning, `${fix}${kind === "login" ? describeLogin(subject) : ""}`, advice);
}

/** RFC 6585, section 6. */
function explainNetworkLogin(): Cause {
  return explain(
    "page",
    "A network before the API requires a login (status 511); the API was not reached.",
    "Sign in to the network with a browser, or set `api.network.proxy`.",
    "The network requires a login (a captive portal), so the API was not reached. Tell the user.",
  );
}

export function explainBroken(answer: FailedAnswer): Cause {
  const again = answer.retryable
    ? "Repeat the call once; if it fails again, request less at once."
    : "Tell the user: a proxy or a wrong encoding may have damaged it.";
  return explain(
    "broken_body",
    "The response can't be read.",
    "Test again; if it fails again, check `api.testEndpoint`, or ask the API's provider (a proxy between may damage the response).",
    `data has what could be read and may lack its end. ${warnOfWrite(answer)}${again}`,
  );
}
