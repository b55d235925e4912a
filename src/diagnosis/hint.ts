/** What a cause means for a model: what to change in the call, what to do next, or what to tell the user. */

import { writeDuration } from "../text.js";
import type { AnswerCause, ConflictKind } from "./cause.js";
import { hintForCredential, hintForPermission } from "./credential-words.js";
import type { AnswerFacts } from "./facts.js";
import { listSegments, type MissingThing } from "./missing.js";
import type { PageKind } from "./page.js";
import { cleanText } from "./shown-text.js";

export const maxHintCharacters = 1_000;
const maxSentCharacters = 300;

/** A quoted text that ends with a full stop of its own, before the sentence's. */
const doubledStop = /([^\s./])\.\.(?=\s|$)/g;

/** One to four sentences, at most 1,000 characters. */
export function hint(cause: AnswerCause, facts: AnswerFacts): string {
  return cleanText(writeHint(cause, facts).replace(doubledStop, "$1."), maxHintCharacters);
}

function writeHint(cause: AnswerCause, facts: AnswerFacts): string {
  const base = facts.source.api.baseUrl;
  switch (cause.kind) {
    case "rate_limited":
      return hintForLimit(cause, facts);
    case "credential_wanted":
    case "credential_refused":
      return hintForCredential(cause, facts);
    case "proxy_sign_in":
      return "A proxy between here and the API asks for a credential: the user should check the record's network.proxy.";
    case "permission_missing":
      return hintForPermission(cause, facts);
    case "payment_due":
      return cause.declined
        ? "The payment was declined: that is about the payer's card or account, not about this source's credential. Tell the user; another means of payment may help, the same call won't."
        : "The account has to pay or be upgraded first (payment, plan or credit). Repeating the call doesn't help: tell the user.";
    case "legal_block":
      return "The API withholds this for legal reasons; no change of the call helps.";
    case "header_wanted":
      return `The API wants ${cause.wasSent ? "another value in " : ""}the header ${cause.name}${cause.value === undefined ? "" : `, such as ${cause.name}: ${cause.value}`}. Give it in headers; if every call needs it, or it is refused here, the user should add it to api.headers in the record. ${describeSent(facts)}`;
    case "https_wanted":
      return `The API takes HTTPS only: the user should write https:// in the base URL ${base}.`;
    case "page":
      return `${pageMeanings[cause.page.kind]} ${writeNote(facts)}${cause.status === 511 ? "Tell the user." : `Check the path first; if it is right, the user should check the base URL ${base} and the credential.`}`;
    case "broken_body":
      return `What could be read of it is in data and may lack its end. ${writeNote(facts)}${cause.retryable ? "Repeat the call once; if it breaks again, ask for less at once." : "Tell the user: a proxy or a wrong encoding may have spoilt it."}`;
    case "not_found":
      return hintForNotFound(cause, facts);
    case "method_refused":
      return hintForMethod(cause, facts);
    case "request_invalid":
      return hintForInvalid(cause, facts);
    case "type_refused":
      return cause.side === "Accept"
        ? hintForAccept(cause.takes, facts)
        : hintForContentType(cause.takes, facts);
    case "conflict":
      return hintForConflict(cause.over, facts);
    case "request_too_large":
      return hintForTooLarge(cause.status, facts);
    case "server_failed":
      return hintForServer(cause, facts);
    case "other_status":
      return hintForOtherStatus(facts);
  }
}

type Of<Kind extends AnswerCause["kind"]> = Extract<AnswerCause, { kind: Kind }>;

function hintForLimit({ retryable, retryAfterSeconds }: AnswerCause, { rateLimit }: AnswerFacts): string {
  if (!retryable) {
    return "The account's quota or credit is used up; waiting a little does not bring it back. Tell the user to check plan and billing.";
  }
  const seconds = retryAfterSeconds ?? rateLimit?.resetInSeconds;
  const quota = rateLimit?.limit === undefined ? "" : ` (the limit is ${rateLimit.limit})`;
  if (seconds === undefined) {
    return `Too many calls${quota}. The API doesn't say when to come back: wait a minute or longer, then make fewer and larger calls.`;
  }
  return `Too many calls${quota}. Do not retry before ${writeDuration(seconds)} ${Math.ceil(seconds) === 1 ? "has" : "have"} passed; until then every call to this API is likely to fail. Then make fewer and larger calls.`;
}

const pageMeanings: Readonly<Record<PageKind, string>> = {
  login:
    "It looks like a login page: the credential is missing or was not seen, or the base URL is the website's and not the API's.",
  captive_portal:
    "It looks like the page of a network (a captive portal or proxy) between here and the API, which wants a login of its own.",
  block: "It looks like a block page of a firewall or bot protection in front of the API.",
  page: "Probably the base URL or the path is the website's and not the API's, or a proxy answered.",
};

function hintForNotFound({ missing }: Of<"not_found">, { request, source }: AnswerFacts): string {
  const url = cleanText(request.url.split("?")[0] ?? request.url, 300);
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
      return hintForThing(missing.thing);
    case "either": {
      const last = listSegments(request.path).at(-1);
      const thing = last === undefined ? "there is no such thing" : `${cleanText(last, 80)} does not exist`;
      return `Either the path is wrong or ${thing}: the URL was ${url}. Check the path first, then list or search what is there. Some APIs also answer 404 for what the credential may not see.`;
    }
  }
}

function hintForThing(thing: MissingThing | undefined): string {
  const named = thing === undefined ? "what was named" : cleanText(thing.name, 80);
  const list =
    thing === undefined || thing.parent === ""
      ? "List or search first"
      : `GET ${cleanText(thing.parent, 200)}`;
  return `The path looks right, but ${named} does not exist there or the credential may not see it. ${list} to find the right one.`;
}

/** `Allow`, narrowed to the methods that this source may use. */
function hintForMethod({ status, allow }: Of<"method_refused">, { request, source }: AnswerFacts): string {
  if (status === 501) {
    return `The API doesn't implement this (${request.method} on this path, or an option the message names): leave the option out, or use another method or path.`;
  }
  if (allow === undefined) {
    return `${request.method} is not possible on this path. Use another method, or the path of a single thing instead of a list (or the reverse).`;
  }
  const named: readonly string[] = allow.toUpperCase().match(/[A-Z]+/g) ?? [];
  const usable = source.api.methods.filter((method) => named.includes(method));
  const may =
    usable.length > 0 ? ` Use ${usable.join(" or ")}.` : " None of these may be used by this source.";
  return `${request.method} is not possible on this path. Allow: ${allow}.${may}`;
}

function hintForInvalid({ status, message, fields }: AnswerCause, facts: AnswerFacts): string {
  if (status === 421 || status === 426) {
    return `The server wants another protocol or host for this: the user should check the base URL ${facts.source.api.baseUrl}.`;
  }
  if (message === "" && fields.length === 0) {
    return `The API doesn't say what is wrong: compare path, query and body with its documentation or with a call that worked; unchanged the call fails again. ${describeSent(facts)}`;
  }
  const named = fields.slice(0, 8).map((field) => cleanText(field, 60));
  const what = named.length > 0 ? `Correct ${named.join(", ")}` : "Correct what the message names";
  return `${what} and send the call again; unchanged it fails again. ${describeSent(facts)}`;
}

function describeSent({ request }: AnswerFacts): string {
  const query = request.url.split("?")[1]?.split("#")[0];
  const line = `${request.method} ${cleanText(request.path, 200)}${query ? `?${cleanText(query, maxSentCharacters)}` : ""}`;
  if (request.bodyText === undefined || request.bodyText === "") {
    return `Sent: ${line}${request.method === "GET" ? "." : " without a body."}`;
  }
  return `Sent: ${line} with ${request.contentType ?? "body"} ${cleanText(request.bodyText, maxSentCharacters)}`;
}

/** Without an Accept of its own a request carries the transport's default. */
function hintForAccept(takes: string | undefined, { request }: AnswerFacts): string {
  const sent =
    request.accept === undefined
      ? "the default Accept (JSON, else anything)"
      : `Accept: ${cleanText(request.accept, 120)}`;
  const other =
    takes ?? (request.accept === undefined ? "text/csv or application/xml" : "application/json or */*");
  return `The API has no answer in the asked form; sent was ${sent}. Give an Accept header in headers with a type the API offers here, such as ${other}.`;
}

/** Asks only for what the request policy lets through: a Content-Type of the record's own body format. */
function hintForContentType(takes: string | undefined, { request, source }: AnswerFacts): string {
  const sent =
    request.contentType === undefined
      ? "without a Content-Type"
      : `as ${cleanText(request.contentType, 100)}`;
  const named = takes === undefined ? "" : ` The API takes: ${takes}.`;
  const isJson = source.api.bodyFormat === "json";
  const fits = /\b[\w.+-]+\/(?:[\w.-]+\+)?json\b/i.exec(takes ?? "")?.[0];
  const start = `The body was sent ${sent}.${named}`;
  if (isJson && fits !== undefined && fits !== request.contentType)
    return `${start} Give Content-Type: ${fits} in headers.`;
  return `${start} Bodies of this source are ${isJson ? "JSON" : "urlencoded forms"}, which you can't change: if the API takes only ${isJson ? "forms" : "JSON"}, the user should set api.bodyFormat to "${isJson ? "form" : "json"}" in the record.`;
}

const look = "GET the current state first";
const conflictHints: Readonly<Record<Exclude<ConflictKind, "condition" | "state">, string>> = {
  exists:
    "It exists already: GET it and update that one if it is what you want, or choose another name or id. Unchanged the call fails again.",
  revision:
    "What was sent is not based on the current revision: GET the thing, put its current revision (_rev, version or ETag, as this API calls it) into the call, and send it again.",
  precondition: `A precondition of the API doesn't hold: ${look} and adapt the call to it; if its answer shows an ETag, send that in If-Match.`,
  condition_wanted: `The API takes this write only with a condition on the current state: ${look}; if its answer shows an ETag or a revision, send that (an ETag in the If-Match header), else look in the API's documentation for the condition.`,
  lock: "It is locked by someone else: wait until the lock is gone, or unlock it.",
  step: "A step this call depends on failed: look at that one first.",
  early: "The server wants the call again later, once the connection is established: repeat it.",
};

function hintForConflict(over: ConflictKind, { request }: AnswerFacts): string {
  if (over === "condition") {
    return `It changed since it was read, so the condition in ${request.condition} doesn't hold: ${look}, then send the call with its current ETag or date.`;
  }
  if (over !== "state") return conflictHints[over];
  // A POST without a body is an action (`/orders/7/cancel`): it creates nothing.
  const creates = request.method === "POST" && request.bodyText !== undefined;
  const mayExist = creates ? " It may exist already: update that one instead of creating another." : "";
  return `The call conflicts with the present state: ${look}, then adapt the call (identifier, version or revision).${mayExist}`;
}

function hintForTooLarge(status: number, { request }: AnswerFacts): string {
  if (status === 414)
    return "The URL is too long: send fewer or shorter query values, or the same in several calls.";
  if (status === 431) return "The headers are too large: send fewer extra headers.";
  return `The API refuses ${request.bodyText === undefined ? "a request" : "a body"} of this size: send less at once, in several calls.`;
}

/** Whose fault it is, when to try again, and for a write that it may have been done. */
function hintForServer({ status, retryable, retryAfterSeconds }: AnswerCause, facts: AnswerFacts): string {
  const fault =
    status < 500 && status !== 408
      ? "The API reports a failure of its own, under a status that says success."
      : [408, 504, 524, 598].includes(status)
        ? "The server, or a gateway in front of it, gave up waiting."
        : "The failure is on the API's side; the call itself may be right.";
  const again =
    retryAfterSeconds === undefined
      ? "Try once more in a moment; if it goes on, tell the user that the API has a problem."
      : `Try again after ${writeDuration(retryAfterSeconds)}.`;
  return `${fault} ${writeNote(facts)}${retryable ? again : "If a second look at the call finds nothing wrong, tell the user."}`;
}

function hintForOtherStatus(facts: AnswerFacts): string {
  const location = [facts.headers["location"] ?? ""].flat()[0] ?? "";
  const target = location === "" ? "" : ` to ${cleanText(location.split("?")[0] ?? "", 200)}`;
  return `The API redirects${target}, which was not followed. ${writeNote(facts)}Use the path it points to if that is under ${facts.source.api.baseUrl}; otherwise the user should check the base URL.`;
}

/** The sentence every unclear write needs: repeating it blindly could do it twice. `""` for GET. */
function writeNote({ request }: AnswerFacts): string {
  return request.method === "GET"
    ? ""
    : `This ${request.method} may or may not have been executed: check with GET before repeating it. `;
}
