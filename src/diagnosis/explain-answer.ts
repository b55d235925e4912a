/** From an answer that is no success to its cause: everything about who asks and how; the request itself is in `explain-request`. */

import type { ErrorCategory } from "../errors.js";
import { writeDuration } from "../text.js";
import { findAskedHeader, isCredentialHeader, parseChallenges, readHeader } from "./asked.js";
import { type Cause, describeSent, explain, explainPlainHttp, proxySignIn, warnOfWrite } from "./cause.js";
import { describeLogin, describeOrigin, explainRefusal } from "./explain-credential.js";
import { explainRequest } from "./explain-request.js";
import type { FailedAnswer, Subject } from "./facts.js";
import { type PageKind, readPage } from "./page.js";
import { cleanText } from "./shown-text.js";

/** Categories under which an API may really mean the credential, or a header that every call needs. */
const openCategories: readonly ErrorCategory[] = ["bad_request", "validation", "unauthorized", "forbidden"];

/** What a plan, a balance or a bill forbids, no permission allows. */
const paymentText =
  /\b(?:enough|insufficient|out of) (?:credits?|funds|balance)\b|payment required|\bunpaid\b|upgrade (?:your|to)|\b(?:current|your) (?:plan|subscription) (?:does|doesn't|has|is)|subscription (?:has )?(?:expired|ended|required)|past due/i;
const declinedText =
  /card[ _]?(?:was |is |has been )?declined|declined[ _]card|do_not_honor|card_error|card has insufficient funds/i;
/** What servers say to plain HTTP at a port for HTTPS, and what APIs say that take nothing else. */
const httpsText =
  /plain http request|http request (?:was sent )?to (?:an? )?(?:https|ssl|tls)|https (?:is )?(?:required|only)|(?:requires?|must use|only|over) (?:https|ssl|tls)\b|(?:ssl|tls) (?:is )?required/i;

/** By the status first, then by what the answer says where the status is not the whole truth. */
export function explainAnswer(answer: FailedAnswer): Cause {
  const { status, category, message, codes, request, body, words } = answer;
  const mayWantHttps = request.url.startsWith("http:") && status >= 400 && status < 500;
  if (mayWantHttps && httpsText.test(`${words}\n${body.text.slice(0, 2_000)}`))
    return explainPlainHttp(answer.baseUrl ?? answer.source.api.baseUrl);
  if (category === "rate_limited") return explainLimit(answer);
  if (status === 407) {
    const what = "A proxy on the way wants a username and a password, so the API was not asked.";
    return explain("proxy_sign_in", what, proxySignIn);
  }
  const header = findHeader(answer);
  if (status === 406 || status === 415) {
    const isOther = header !== undefined && !/^(?:accept|content-type)$/i.test(header);
    return isOther ? explainHeader(header, answer) : explainRequest(answer);
  }
  const isDeclined = declinedText.test(`${codes.join(" ")} ${message}`);
  if (isDeclined || status === 402 || paymentText.test(message)) return explainPayment(isDeclined, answer);
  const page = status === 403 || status === 511 ? readPage(body)?.kind : undefined;
  if (status === 511 || page === "between") return explainPage("between", answer);
  if (page === "login") return explainRefusal(answer);
  if (status === 451 || !openCategories.includes(category)) return explainRequest(answer);
  return header === undefined ? explainCaller(answer) : explainHeader(header, answer);
}

const countsAddress =
  /for (?:your |this )?(?:ip\b|address|\d{1,3}\.\d{1,3}\.)|unauthenticated|anonymous|authenticated requests get/i;
const countsAccount =
  /for (?:this |your )?(?:user|account|api key|key|token|app|client|organi[sz]ation|project)\b|your (?:plan|account|subscription|api key|organi[sz]ation)/i;

/** Whom the API counts by its own words tells whether it saw the credential. */
function describeCounting({ source, words }: FailedAnswer): string {
  if (source.api.authType === undefined) return "";
  if (countsAddress.test(words))
    return " It counts this machine's address, so the credential was probably not seen: check it and `api.authType`.";
  return countsAccount.test(words)
    ? " It counts the account, so the credential was recognised."
    : " Whether the credential is right can't be told from this answer.";
}

function explainLimit(answer: FailedAnswer): Cause {
  const { retryable, retryAfterSeconds, rateLimit } = answer;
  if (!retryable) {
    return explain(
      "rate_limited",
      "The account's quota or credit is used up; waiting a little does not bring it back.",
      "Check the account's plan and billing.",
    );
  }
  const waitSeconds = retryAfterSeconds ?? (rateLimit?.resetInSeconds || undefined);
  const wait = waitSeconds === undefined ? undefined : writeDuration(waitSeconds);
  const quota = rateLimit?.limit === undefined ? "" : ` (the limit is ${rateLimit.limit})`;
  const until =
    wait === undefined
      ? "The API doesn't say when to come back: wait a minute or longer, then make fewer and larger calls."
      : `Do not retry before ${wait} ${wait === "1 second" ? "has" : "have"} passed; until then every call to this API is likely to fail. Then make fewer and larger calls.`;
  return explain(
    "rate_limited",
    `The API is alive, but allows no more requests for now.${describeCounting(answer)}`,
    `Test again in ${wait ?? "some minutes"}. To keep to the quota, set \`api.limits.requestsPerMinute\`.`,
    `Too many calls${quota}. ${until}`,
  );
}

/** A declined payment is about the payer's card, not about the account of the credential. */
function explainPayment(isDeclined: boolean, subject: Subject): Cause {
  return isDeclined
    ? explain(
        "payment_due",
        "The payment was declined: that is about the payer's card or account, not about this source's credential.",
        "Another means of payment may help, the same call won't.",
      )
    : explain(
        "payment_due",
        "The account of the credential has to pay or be upgraded first (payment, plan or credit).",
        `Settle it with the API's provider, or put the credential of another account into ${describeOrigin(subject)}.`,
      );
}

/** The header that an answer asks for, unless it is the credential's. */
function findHeader({ source, words }: FailedAnswer): string | undefined {
  const name = findAskedHeader(words);
  const isOwn = name?.toLowerCase() === source.api.headerName?.toLowerCase();
  return name === undefined || isOwn || isCredentialHeader(name) ? undefined : name;
}

function explainHeader(name: string, answer: FailedAnswer): Cause {
  const value = /^user-agent$/i.test(name)
    ? `"my-app/1.0 (me@my-domain)" } under \`api\`: it should name your application.`
    : `"…" } under \`api\`: the API's documentation says which value; a secret one is written "\${NAME}" and read from the variable NAME.`;
  const message = `The API wants the header ${name}.`;
  return explain(
    "header_wanted",
    message,
    `Set "headers": { "${name}": ${value}`,
    `${message} Give it in headers, with another value if it was sent; if every call needs it, or it is refused here, the user should add it to api.headers in the record. ${describeSent(answer)}`,
  );
}

/** About what a credential may do, and not about the credential itself. */
const permissionWords =
  /permission|privilege|\bscopes?\b|missing_scope|insufficient[ _-](?:right|access|scope)|(?:not|n't) (?:authori[sz]ed|allowed|permitted|entitled) to\b|unauthori[sz]ed to\b/i;

/** The credential, or what it may do; any other failure is the request's. */
function explainCaller(answer: FailedAnswer): Cause {
  const { category, credential, headers, source, status, words } = answer;
  const challenges = parseChallenges(headers["www-authenticate"]);
  const isPermission =
    permissionWords.test(words) ||
    challenges.some(({ params }) => params.get("error") === "insufficient_scope");
  if (category === "unauthorized") {
    const mayLack = isPermission && status !== 403 && source.api.authType !== undefined;
    return mayLack ? explainPermission(answer) : explainRefusal(answer);
  }
  if (category !== "forbidden") return explainRequest(answer);
  // Where the words name nothing, a credential that can't be right by its look is likelier than a permission.
  const isFlawed = credential.flaw !== undefined || credential.expiry !== undefined;
  return isFlawed && !isPermission ? explainRefusal(answer) : explainPermission(answer);
}

function explainPermission(answer: FailedAnswer): Cause {
  const { body, headers, source, status } = answer;
  const cannot = "You can't change that from here: tell the user";
  const firewall =
    body.kind === "html"
      ? `A web page refused the call: probably a firewall or bot protection in front of the API, not the API. ${cannot}; a constant User-Agent header in the record sometimes helps.`
      : undefined;
  if (source.api.authType === undefined) {
    return explain(
      "permission_missing",
      "The API refused a request without a credential (the record has no `authType`).",
      "If the API needs a credential, set `api.authType` and put the credential into the environment. If it is public, it refuses this machine's address, or the path.",
      firewall,
    );
  }
  const from = describeOrigin(answer);
  // RFC 6750, section 3; GitHub, Gitea and others name them in headers of their own.
  const challenge = parseChallenges(headers["www-authenticate"]).find(({ params }) => params.has("scope"));
  const asked = readHeader(headers, "x-accepted-oauth-scopes") ?? challenge?.params.get("scope") ?? "";
  const needed = cleanText(asked, 200);
  const granted = cleanText(readHeader(headers, "x-oauth-scopes") ?? "", 200);
  const scopes = `${needed && ` Needed: ${needed}.`}${granted && ` It has: ${granted}.`}`;
  const message = `The credential, from ${from}, was probably understood, but may not do this.${scopes}`;
  const give = needed === "" ? "the permission to read this" : `the scope ${needed}`;
  return explain(
    "permission_missing",
    message,
    `Give it ${give} where it was made, or choose an \`api.testEndpoint\` it may read (often /user or /me). Some APIs answer ${status} for a wrong credential, too: check that ${from} is complete.`,
    firewall ?? `${message} ${cannot} which permission is missing, or use an endpoint it may use.`,
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
export function explainPage(kind: PageKind, subject: Subject): Cause {
  const [meaning, fix] = pages[kind];
  const base = subject.baseUrl ?? subject.source.api.baseUrl;
  const check =
    kind === "between"
      ? "Don't repeat the call; tell the user."
      : `Check the path first; if it is right, the user should check the base URL ${base} and the credential.`;
  const advice = `${meaning} ${warnOfWrite(subject)}${check}`;
  return explain("page", meaning, `${fix}${kind === "login" ? describeLogin(subject) : ""}`, advice);
}

export function explainBroken(answer: FailedAnswer): Cause {
  const again = answer.retryable
    ? "Repeat the call once; if it breaks again, ask for less at once."
    : "Tell the user: a proxy or a wrong encoding may have spoilt it.";
  return explain(
    "broken_body",
    "The answer can't be read.",
    "Test again; if it stays so, check `api.testEndpoint`, or ask whoever runs the API (a proxy in between may spoil the answer).",
    `What could be read of it is in data and may lack its end. ${warnOfWrite(answer)}${again}`,
  );
}
