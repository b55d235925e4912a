/** What is known of an answer that is a failure, by the names that the table of causes uses. */

import { clipText, writeDuration } from "../base/text.js";
import type { ApiSource, BodyFormat } from "../record/api-source.js";
import { forbiddenCode } from "./categories.js";
import { squeeze } from "./category.js";
import type { Facts } from "./cause.js";
import { findParams, findPlacement, isAnnounced, readHeader } from "./challenge.js";
import { listCredentialFacts } from "./credential-facts.js";
import type { FailedAnswer } from "./facts.js";
import { readPage } from "./page.js";
import { dropQuery, findRepeatedSegments, hostOf, listSegments } from "./request-address.js";
import { cleanText } from "./shown-text.js";

const scopeCode = /^(?:insufficient|missing)_?scope$/i;
const existsCode = /already(?:exists|inuse|taken|registered)|^duplicate/;
/** Parameters that continue a list; Kubernetes', Elasticsearch's and others' expire. */
const continuation = /^(?:continue|cursor|scroll_?id|.*(?:page|next|sync|continuation)_?token)$/i;

/** Each is found out when a row asks for it. */
export function listAnswerFacts(answer: FailedAnswer): Facts {
  return {
    ...listCredentialFacts(answer),
    ...listRefusalFacts(answer),
    ...listAddressFacts(answer),
    ...listRequestFacts(answer),
    ...listWaitFacts(answer),
    ...listTypeFacts(answer),
  };
}

const yes = (isTrue: boolean | undefined): string | undefined => (isTrue === true ? "yes" : undefined);

/** Whether the credential was not accepted, or what it may do is not enough; and what the API reports about it in headers. */
function listRefusalFacts(answer: FailedAnswer): Facts {
  const { category, codes, credential, headers, source, status } = answer;
  const { authType } = source.api;
  const header = (name: string): string => cleanText(readHeader(headers, name) ?? "", 200);
  const lacksScope = (): boolean =>
    codes.some((code) => scopeCode.test(code)) ||
    findParams(headers, "error")?.get("error") === "insufficient_scope";
  // RFC 6750, section 3; GitHub, Gitea and others name them in headers of their own.
  const needed = (): string =>
    header("x-accepted-oauth-scopes") || cleanText(findParams(headers, "scope")?.get("scope") ?? "", 200);
  const isRefused = (): boolean => {
    if (category === "unauthorized") return !(lacksScope() && authType !== undefined);
    if (category !== "forbidden") return false;
    if (status === 403 && isLoginPage(answer)) return true;
    // A credential of a wrong form is likelier than a permission, unless the API names a permission.
    const isDoubtful = credential.problem !== undefined || credential.expiry !== undefined;
    const namesPermission = lacksScope() || codes.some((code) => forbiddenCode.test(squeeze(code)));
    return isDoubtful && !namesPermission && status >= 300;
  };
  const isOfCaller = category === "unauthorized" || category === "forbidden";
  return {
    refused: () => yes(isRefused()),
    forbidden: () => yes(isOfCaller && !isRefused()),
    lacksScope: () => yes(lacksScope() || needed() !== ""),
    needed,
    granted: () => header("x-oauth-scopes"),
    scopeToGive: () => (needed() === "" ? "the permission to read this" : `the scope ${needed()}`),
    page: () => yes(readPage(answer.body) !== undefined),
    loginPage: () => yes(isLoginPage(answer)),
    markup: () => yes(answer.body.kind === "html"),
    ...listPlacementFacts(answer),
  };
}

function isLoginPage({ body }: FailedAnswer): boolean {
  return readPage(body)?.kind === "login";
}

/** What `WWW-Authenticate` requests instead of what was sent. */
function listPlacementFacts(answer: FailedAnswer): Facts {
  const { source } = answer;
  const { api } = source;
  const placement = findPlacement(answer);
  const name = clipText(cleanText(placement?.name ?? "", 60), 60);
  const settings = (): string | undefined => {
    if (placement === undefined || placement.by === "signing") return undefined;
    if (placement.by === "header") return `"authType": "header", "headerName": "${name}" under \`api\``;
    if (/^basic$/i.test(name)) {
      const prefix = source.slug.toUpperCase().replaceAll("-", "_");
      return `"authType": "basic" under \`api\`, and ${prefix}_USERNAME and ${prefix}_PASSWORD in the environment`;
    }
    if (!/^bearer$/i.test(name)) return `"authType": "bearer", "authScheme": "${name}" under \`api\``;
    const own = api.authType === "bearer" && api.authScheme !== "Bearer" ? ', and remove "authScheme"' : "";
    return `"authType": "bearer" under \`api\`${own}`;
  };
  const isScheme = placement?.by === "scheme";
  const isBasic = /^basic$/i.test(name);
  return {
    announced: () => name,
    announcedHeader: () => (placement?.by === "header" ? name : undefined),
    announcedSigning: () => yes(placement?.by === "signing"),
    // A username and a password are another credential: a program cannot only change the record.
    announcedType: () =>
      placement?.by === "header" ? "header" : isScheme && !isBasic ? "bearer" : undefined,
    announcedScheme: () => (isScheme && !isBasic ? name : undefined),
    settings,
    settingsOrAll: () => {
      const variable = `${source.slug.toUpperCase().replaceAll("-", "_")}_TOKEN`;
      const where = `, and the credential in the environment as ${variable}`;
      const known = settings();
      if (known === undefined)
        return `"authType" under \`api\` to "bearer", "header" (with "headerName"), "query" (with "queryParam") or "basic"; the API's documentation has the right one${where}`;
      return isBasic ? known : `${known}${where}`;
    },
    ownHeader: () => (api.authType === "header" ? api.headerName : undefined),
    carrierFields: () => (isAnnounced(answer) ? undefined : listCarrierFields(source)),
  };
}

/** The fields that decide how a credential is sent. */
function listCarrierFields({ api: { authType } }: ApiSource): string {
  const own = { bearer: "authScheme", header: "headerName", query: "queryParam", basic: undefined };
  return ["authType", own[authType ?? "basic"]]
    .flatMap((field) => (field === undefined ? [] : [`\`api.${field}\``]))
    .join(", ");
}

/** The parts of the URL, and which of them may be wrong. */
function listAddressFacts(answer: FailedAnswer): Facts {
  const { source, request, status, codes } = answer;
  const { baseUrl = source.api.baseUrl, testEndpoint } = answer;
  const [, origin = "", path = ""] = /^(https?:\/\/[^/?#]*)([^?#]*)/i.exec(baseUrl) ?? [];
  const repeated = () => findRepeatedSegments(baseUrl, testEndpoint ?? request.path);
  return {
    host: () => hostOf(request.url),
    base: () => dropQuery(baseUrl),
    recordBase: () => source.api.baseUrl,
    endpoint: () => dropQuery(testEndpoint ?? request.path) || "/",
    url: () => cleanText(dropQuery(request.url), 300),
    path: () => cleanText(request.path, 200),
    above: () => request.above && cleanText(request.above, 200),
    version: () => listSegments(path).find((part) => /^v\d[\w.]*$/i.test(part)),
    baseWithApi: () => (/^\/api\b/.test(path) ? undefined : `${origin}/api${path}`.replace(/\/$/, "")),
    repeated: () => repeated()?.segments,
    withoutRepeated: () => repeated()?.rest,
    // RFC 9110, section 15.5.11; Kubernetes answers an expired `continue` so.
    continuation: () => {
      const names = [...new URLSearchParams(request.url.split("?")[1] ?? "").keys()];
      const isExpired = status === 410 && codes.some((code) => squeeze(code) === "expired");
      return names.find((each) => continuation.test(each)) ?? (isExpired ? "The continuation" : undefined);
    },
  };
}

/** Which parts of the request the API reports, and what it reports in headers about it. */
function listRequestFacts(answer: FailedAnswer): Facts {
  const { body, codes, fields, headers, message, request, source, status } = answer;
  const { method, condition } = request;
  const allowed = (readHeader(headers, "allow") ?? "")
    .toUpperCase()
    .split(",")
    .map((each) => each.trim())
    .filter((each) => /^[A-Z]{1,16}$/.test(each));
  const usable = source.api.methods.filter((each) => allowed.includes(each));
  const named = fields
    .map((field) => /^headers?\.([A-Za-z][\w-]{0,80})$/i.exec(field)?.[1])
    .find(isOwnHeader);
  const isConditional = condition !== undefined && (status === 409 || status === 412);
  return {
    status: () => String(status),
    message: () => message,
    method: () => method,
    allow: () => cleanText(allowed.join(", "), 100),
    usableMethods: () => (usable.length > 0 ? usable.join(" or ") : "another method, or another path"),
    fields: () => fields.slice(0, 8).map(nameField).join(", "),
    namedHeader: () => named,
    header: () => named ?? findReportedHeader(message),
    condition: () => condition,
    // `If-None-Match: *` means: only if it does not exist (RFC 9110, section 13.1.2).
    exists: () =>
      yes(
        isConditional
          ? /^if-none-match$/i.test(condition)
          : codes.some((code) => existsCode.test(squeeze(code))),
      ),
    largePart: () =>
      status === 414 ? "URL is too long" : status === 431 ? "headers are too large" : "request is too large",
    // A 5xx comes so far only where a code names the caller as the one at fault.
    rejects: () => yes([400, 411, 417, 422].includes(status) || status >= 500),
    // A port for HTTPS answers plain HTTP with a 400 that is not JSON; other servers send one, too.
    plainText: () => yes(status === 400 && request.url.startsWith("http:") && body.kind !== "json"),
    failureField: () =>
      answer.isExpired ? "expiredWhen" : answer.errorWhenMatched ? "errorWhen" : undefined,
    location: () => cleanText(dropQuery(readHeader(headers, "location") ?? ""), 200),
    // Repeating it could do it twice.
    ofWrite: () =>
      method === "GET"
        ? undefined
        : `The ${method} may have been executed: check with GET before repeating it.`,
  };
}

function isOwnHeader(name: string | undefined): boolean {
  return name !== undefined && !/^(?:authorization|content-length)$/i.test(name);
}

/** A header that a message with the word "header" names: with a hyphen, as the names of nearly all headers have. */
function findReportedHeader(message: string): string | undefined {
  if (!/\bheaders?\b/i.test(message)) return undefined;
  const names = message.match(/\b[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+){1,5}\b/g) ?? [];
  return names.find((name) => isOwnHeader(name) && /[A-Z]|^x-/.test(name));
}

/** In quotes where it is more than a name: the hint must not say the API's words as its own. */
function nameField(field: string): string {
  const name = cleanText(field, 60);
  return /^[\w$@/.[\]:*#-]+…?$/.test(name) ? name : JSON.stringify(name);
}

function listWaitFacts({ retryable, retryAfterSeconds, rateLimit, category }: FailedAnswer): Facts {
  const reset = category === "rate_limited" ? rateLimit?.resetInSeconds || undefined : undefined;
  const seconds = retryAfterSeconds ?? reset;
  const wait = seconds === undefined ? undefined : writeDuration(seconds);
  const again =
    wait === undefined ? "Try once more; if it fails again, tell the user." : `Try again after ${wait}.`;
  return {
    wait: () => wait,
    waitOrMinute: () => wait ?? "a minute or longer",
    again: () => (retryable ? again : "Check the call; if it is correct, tell the user."),
    againOnce: () =>
      retryable
        ? "Repeat the call once; if it fails again, request less at once."
        : "Tell the user: a proxy or a wrong encoding may have damaged it.",
  };
}

const formats = { multipart: /^multipart\//i, json: /json/i, form: /x-www-form-urlencoded/i } as const;
const formatNames = { json: "JSON", form: "urlencoded forms", multipart: "multipart forms" } as const;

/** 406 is about the Accept header, 415 about the body; only what the request policy lets through is suggested: no other format than the record fixes. */
function listTypeFacts({ headers, request, source }: FailedAnswer): Facts {
  // RFC 9110 (15.5.16) lets a 415 name what it takes in Accept; RFC 5789 has Accept-Patch, LDP Accept-Post.
  const named = ["accept-patch", "accept-post", "accept"].map((name) => readHeader(headers, name));
  const takes = cleanText(named.find(Boolean) ?? "", 200);
  const [fitting] = takes.match(/\b(?:multipart\/form-data|(?!multipart)[\w.+-]+\/[\w.+-]+)/gi) ?? [];
  const format = Object.entries(formats).find(([, type]) => type.test(fitting ?? ""))?.[0];
  const { bodyFormat } = source.api;
  const isFixed = bodyFormat !== undefined && bodyFormat !== format;
  const other: BodyFormat = bodyFormat === "json" ? "form" : "json";
  return {
    accept: () => cleanText(request.accept ?? "the default (JSON, else anything)", 120),
    sent: () =>
      cleanText(
        request.contentType === undefined ? "without a Content-Type" : `as ${request.contentType}`,
        100,
      ),
    takes: () => takes,
    fittingType: () => (isFixed ? undefined : fitting),
    unknownType: () => yes(!isFixed && fitting === undefined),
    fixedFormat: () => (isFixed ? formatNames[bodyFormat] : undefined),
    otherFormat: () => format ?? other,
  };
}
