/** The facts about an answer that is a failure, by the names that the table of causes uses. */

import { writeDuration } from "../base/text.js";
import { readHeader } from "../http/limits/rate-limit.js";
import { forbiddenCode, isRepeatable, squeeze } from "./categories.js";
import type { Facts } from "./cause.js";
import {
  type FailedAnswer,
  listChallengeFacts,
  listCredentialFacts,
  readParameter,
} from "./facts.js";
import { readPage } from "./page.js";
import { cleanText } from "./shown-text.js";

const scopeCode = /^(?:insufficient|missing)_?scope$/i;
const existsCode = /already(?:exists|inuse|taken|registered)|^duplicate/;
/** Parameters that continue a list; Kubernetes', Elasticsearch's and others' expire. */
const continuation = /^(?:continue|cursor|scroll_?id|.*(?:page|next|sync|continuation)_?token)$/i;

const yes = (isTrue: boolean | undefined): string | undefined =>
  isTrue === true ? "yes" : undefined;

/** Lists every fact of a failed answer; each is found out when a row asks for it. */
export function listAnswerFacts(answer: FailedAnswer): Facts {
  return {
    ...listCredentialFacts(answer),
    ...listRefusalFacts(answer),
    ...listAddressFacts(answer),
    ...listMethodFacts(answer),
    ...listProblemFacts(answer),
    ...listStateFacts(answer),
    ...listRepeatFacts(answer),
    ...listFormatFacts(answer),
  };
}

/** Whether the API refused the credential, or what the credential may do. */
function listRefusalFacts(answer: FailedAnswer): Facts {
  const { body, category } = answer;
  const challenge = listChallengeFacts(answer);
  const isOfCaller = category === "unauthorized" || category === "forbidden";
  return {
    ...challenge,
    lacksScope: () => yes(lacksScope(answer) || Boolean(challenge["needed"]?.())),
    refused: () => yes(refusesCredential(answer)),
    forbidden: () => yes(isOfCaller && !refusesCredential(answer)),
    page: () => yes(readPage(body) !== undefined),
    loginPage: () => yes(isLoginPage(answer)),
  };
}

function lacksScope({ codes, headers }: FailedAnswer): boolean {
  const namesScope = codes.some((code) => scopeCode.test(code));
  return namesScope || readParameter(headers, "error") === "insufficient_scope";
}

function isLoginPage({ body }: FailedAnswer): boolean {
  return readPage(body)?.isLogin === true;
}

function refusesCredential(answer: FailedAnswer): boolean {
  const { category, codes, credential, source, status } = answer;
  const lacks = lacksScope(answer);
  if (category === "unauthorized") return !(lacks && source.api.authType !== undefined);
  if (category !== "forbidden") return false;
  if (status === 403 && isLoginPage(answer)) return true;
  // A credential of a wrong form is likelier than a permission, unless the API names a permission.
  const isDoubtful = credential.problem !== undefined || credential.expiry !== undefined;
  const namesPermission = lacks || codes.some((code) => forbiddenCode.test(squeeze(code)));
  return isDoubtful && !namesPermission && status >= 300;
}

/** The address of the request, and the part of it that may be the mistake. */
function listAddressFacts(answer: FailedAnswer): Facts {
  const { codes, request, source, testEndpoint } = answer;
  const { baseUrl = source.api.baseUrl } = answer;
  const repeated = () => findRepeatedSegments(baseUrl, testEndpoint ?? request.path);
  return {
    host: () => hostOf(request.url),
    base: () => dropQuery(baseUrl),
    endpoint: () => dropQuery(testEndpoint ?? request.path) || "/",
    url: () => cleanText(dropQuery(request.url), 300),
    path: () => cleanText(request.path, 200),
    above: () => request.above && cleanText(request.above, 200),
    repeated: () => repeated()?.segments,
    withoutRepeated: () => repeated()?.rest,
    // RFC 9110, section 15.5.11; Kubernetes answers an expired `continue` so.
    continuation: () => {
      const names = [...new URLSearchParams(request.url.split("?")[1] ?? "").keys()];
      const named = names.find((each) => continuation.test(each));
      if (named !== undefined) return named;
      const isExpired = codes.some((code) => squeeze(code) === "expired");
      return isExpired ? "The continuation" : undefined;
    },
  };
}

function listMethodFacts({ headers, request, source }: FailedAnswer): Facts {
  const allow = (readHeader(headers, "allow") ?? "").toUpperCase();
  const allowed: readonly string[] = allow.match(/(?<![\w-])[A-Z]{1,16}(?![\w-])/g) ?? [];
  const usable = source.api.methods.filter((each) => allowed.includes(each));
  return {
    method: () => request.method,
    allow: () => cleanText(allowed.join(", "), 100),
    usableMethods: () => usable.join(" or ") || "another method, or another path",
  };
}

/** The problem that the API names. */
function listProblemFacts({ fields, message, source, status }: FailedAnswer): Facts {
  const header = () => findNamedHeader(fields, message, source.api.headerName);
  return {
    status: () => String(status),
    message: () => message,
    fields: () => fields.slice(0, 8).map(nameField).join(", "),
    header,
    keyHeader: () => (/key|token|secret|auth/i.test(header() ?? "") ? header() : undefined),
  };
}

/** The state of the resource, and the rules of the record, that explain the failure. */
function listStateFacts(answer: FailedAnswer): Facts {
  const { body, codes, request, status } = answer;
  const { condition } = request;
  return {
    condition: () => (status === 412 ? condition : undefined),
    exists: () => {
      // `If-None-Match: *` means: only if it does not exist (RFC 9110, section 13.1.2).
      const mustBeNew = /^if-none-match$/i.test(condition ?? "");
      return yes(mustBeNew || codes.some((code) => existsCode.test(squeeze(code))));
    },
    // A 5xx comes so far only where a code names the caller as the one at fault.
    rejects: () => yes([400, 411, 417, 422].includes(status) || status >= 500),
    // A port for HTTPS answers plain HTTP with a 400 that is not JSON; other servers send one, too.
    plainText: () => yes(status === 400 && request.url.startsWith("http:") && body.kind !== "json"),
    failureField: () => {
      if (answer.isExpired) return "expiredWhen";
      return answer.errorRule ? "errorWhen" : undefined;
    },
  };
}

/** Says when, and whether, the same call may be made again. */
function listRepeatFacts(answer: FailedAnswer): Facts {
  const { category, rateLimit, request, retryable, retryAfterSeconds } = answer;
  const wait = (): string | undefined => {
    const resetInSeconds = category === "rate_limited" ? rateLimit?.resetInSeconds : undefined;
    const seconds = retryAfterSeconds ?? resetInSeconds;
    return seconds ? writeDuration(seconds) : undefined;
  };
  return {
    // Repeating it could do it twice.
    ofWrite: () => describeRepeat(request),
    mayBeDone: () => yes(request.mayBeDone),
    wait,
    waitOrMinute: () => wait() ?? "a minute or longer",
    again: () => {
      if (!retryable) return describeNoRepeat(answer, wait());
      return wait()
        ? `Try again after ${wait()}.`
        : "Try once more; if it fails again, tell the user.";
    },
  };
}

/** The form in which the request was sent, and the one that the API takes. */
function listFormatFacts({ headers, request, source }: FailedAnswer): Facts {
  const { accept, contentType } = request;
  return {
    accept: () => cleanText(accept ?? "the default (JSON, else anything)", 120),
    sent: () => cleanText(contentType ? `as ${contentType}` : "without a Content-Type", 100),
    // RFC 9110 (15.5.16) lets a 415 name what it takes in Accept; RFC 5789 has Accept-Patch, LDP Accept-Post.
    takes: () => {
      const named = ["accept-patch", "accept-post", "accept"].map((name) =>
        readHeader(headers, name),
      );
      return cleanText(named.find(Boolean) ?? "", 200);
    },
    bodyFormat: () => source.api.bodyFormat,
  };
}

/** A header that a field names, or a message with the word "header": with a hyphen, as the names of nearly all headers have. One that carries the credential already does not count. */
function findNamedHeader(
  fields: readonly string[],
  message: string,
  carrier = "authorization",
): string | undefined {
  const ofField = fields.map(
    (field) => /^headers?\.([A-Za-z][\w-]{0,80})$/i.exec(field)?.[1] ?? "",
  );
  const words = message.match(/\b[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+){1,5}\b/g) ?? [];
  const ofMessage = /\bheaders?\b/i.test(message)
    ? words.filter((name) => /[A-Z]|^x-/.test(name))
    : [];
  return [...ofField, ...ofMessage].find(
    (name) =>
      !["", "authorization", "content-length", carrier.toLowerCase()].includes(name.toLowerCase()),
  );
}

/** In quotes where it is more than a name: the hint must not say the API's words as its own. */
function nameField(field: string): string {
  const name = cleanText(field, 60);
  return /^[\w$@/.[\]:*#-]+…?$/.test(name) ? name : JSON.stringify(name);
}

/** A URL without its query, which may contain anything. */
export function dropQuery(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** Host and port as they are written; they may contain a placeholder or a redacted part. */
export function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "";
}

/** The longest beginning of a path that is the end of the base URL, too, such as `/v1`, and the path without it. */
function findRepeatedSegments(baseUrl: string, path: string) {
  const base = `/${baseUrl.replace(/^https?:\/\/[^/]*\/*/i, "").replace(/\/$/, "")}`;
  const starts = [...dropQuery(path).matchAll(/(?<=[^/])(?=\/|$)/g)].map(({ index }) =>
    path.slice(0, index),
  );
  const segments = starts.findLast((start) => start.startsWith("/") && base.endsWith(start));
  return segments === undefined
    ? undefined
    : { segments, rest: path.slice(segments.length) || "/" };
}

/** A warning for the caller before the same call is made again; undefined where nothing speaks against it. */
function describeRepeat(request: FailedAnswer["request"]): string | undefined {
  const { method, keyNote } = request;
  if (isRepeatable(request)) return keyNote;
  const warning = `The ${method} may have been executed: check with GET before repeating it.`;
  return keyNote === undefined ? warning : `${warning} ${keyNote}`;
}

function describeNoRepeat({ request }: FailedAnswer, wait: string | undefined): string {
  if (isRepeatable(request)) return "Check the call; if it is correct, tell the user.";
  return wait === undefined
    ? "If it was not, check the call and tell the user."
    : `Repeat it after ${wait} at the earliest.`;
}
