/** The third part of the table of causes: what is wrong with a request, its path or its body, and a server that failed. It ends with a row for every other failure. */

import type { CauseTable } from "./cause.js";

const missing = {
  verdict: "not_found",
  category: "not_found",
  message:
    "`api.baseUrl` ({base}) and `api.testEndpoint` ({endpoint}) make {url}.[page? The response is a web page, so the base URL may be that of a website and not of the API.]",
  fix: "Check `api.baseUrl` (its version, and a leading part such as /api) and the spelling of {endpoint} in `api.testEndpoint` against the API's documentation.[ Some APIs answer 404 to a credential that is wrong or lacks a permission: check {origin} too.]",
} as const;
const rejected = {
  verdict: "bad_request",
  message: "The API was reached, but does not accept this request.",
  fix: "[Correct {fields}. ]Correct the path or the query of `api.testEndpoint` as the API reports, or choose a simpler one, such as /user. A constant header or parameter that is missing goes into `api.headers` or `api.query`.[plainText? If the port expects HTTPS, write https:// in `api.baseUrl`.]",
} as const;
const conflict = { ...rejected, category: "conflict" } as const;
const odd = {
  verdict: "unexpected_status",
  message: "A test endpoint should answer 200.",
  fix: "Check `api.testEndpoint` against the API's documentation; choose one that answers GET with 200 and JSON, such as /user.",
} as const;
const failed = {
  message:
    "The API, or a gateway before it, failed or is unavailable; the call itself may be correct.",
  hint: "The API failed.[ {ofWrite}] {again}",
  fix: "[Test again in {wait}. ]Try the same request in another client: if it fails there too, test again later or ask the provider; if not, compare the headers and the query with the curl line.",
} as const;

export const requestCauses: CauseTable = {
  failed_in_body: {
    reader: "person",
    verdict: "error_in_body",
    category: ["bad_request", "validation", "conflict", "not_found", "server_error", "timeout"],
    when: { status: ["2xx"] },
    message: "The status reports success, but the body reports a failure.",
    fix: "Correct `api.testEndpoint` (its path or query) as the API reports, or choose another, such as /user.[ If this body is a success, correct `api.{failureField}`, which is true of it.]",
  },
  done_by_earlier_attempt: {
    ...rejected,
    reader: "model",
    when: { status: [404, 409, 410, 412], known: ["mayBeDone"] },
    hint: "This {method} was sent more than once, and the effect of the earlier attempt is not known: it may have done this already. Check with a GET before sending it again.",
  },
  base_repeated: {
    ...missing,
    when: { known: ["repeated"] },
    hint: "The URL was {url}: the base URL already ends with {repeated}, so leave {repeated} out of path.",
    fix: '`api.baseUrl` ends with {repeated} already: set "testEndpoint": "{withoutRepeated}".',
    changes: [{ field: "api.testEndpoint", value: "{withoutRepeated}" }],
  },
  continuation_expired: {
    ...missing,
    when: { status: [410], known: ["continuation"] },
    hint: "{continuation} has expired: start the list again without it.",
  },
  gone: {
    ...missing,
    when: { status: [410] },
    hint: "It was removed for good: do not request it again.",
  },
  name_not_found: {
    ...missing,
    when: { status: ["2xx"] },
    hint: "Check the names in query and body: one of them does not exist, or is hidden from the credential.",
  },
  not_found: {
    ...missing,
    hint: "The API has no path {path}, or the resource does not exist or is hidden from the credential.[ GET {above} was answered before: it may list what exists.]",
  },
  method_refused: {
    verdict: "method_not_allowed",
    category: "method_not_allowed",
    message: "The path does not accept {method}, which the test sends.[ It accepts {allow}.]",
    hint: "{method} is not possible on this path.[ Allow: {allow}.] Use {usableMethods}.",
    fix: "Set `api.testEndpoint` to a path that is read by GET, such as /user, /me or a list with a small limit.",
  },
  exists_already: {
    ...conflict,
    when: { known: ["exists"] },
    hint: "It exists already: GET it and update that one, or choose another name or id.",
  },
  conflict: {
    ...conflict,
    hint: "The call conflicts with the present state[: the condition in {condition} doesn't hold]. GET that first, adapt the call (with its ETag in If-Match, or its revision), and send it again.",
  },
  too_large: {
    ...rejected,
    category: "too_large",
    hint: "The request (its URL, headers or body) is too large for this API: send less at once.",
  },
  too_early: {
    ...failed,
    verdict: "server_error",
    when: { status: [425] },
    message: "The server did not process the request, since it came too early.",
    hint: "{message} Send it again.",
  },
  gave_up: {
    ...failed,
    verdict: "timeout",
    when: { status: [499] },
    message: "A proxy before the API gave up before the API answered.",
    hint: "{message}[ {ofWrite}] {again}",
  },
  server_late: { ...failed, verdict: "timeout", category: "timeout" },
  server_failed: { ...failed, verdict: "server_error", category: "server_error" },
  redirect: {
    ...odd,
    category: "unexpected_content",
    when: { status: ["3xx"] },
    hint: "The redirect was not followed.[ {ofWrite}] Check the path; if it is right, the user should check the base URL {base}.",
  },
  page: {
    verdict: "not_an_api",
    category: "unexpected_content",
    when: { known: ["page"] },
    message:
      "The base URL or the path probably belongs to a website and not to the API, or a proxy, a firewall or a network's login answered.[loginPage? The page has a password field: it may be a login page.]",
    hint: "[{ofWrite} ]If a page is what this path answers with, send the header Accept: text/html to get it. Else check the path; if it is right, the user should check the base URL {base} and the credential.",
    fix: 'Set `api.baseUrl`, or `api.testEndpoint`, to that of the API (often https://api.<domain> or a path such as /api). If the API answers in HTML by default, add "headers": { "Accept": "application/json" } under `api`.[loginPage? If the address is right, {loginMeaning}]',
  },
  broken_body: {
    verdict: "not_an_api",
    category: "unexpected_content",
    message: "The response can't be read.",
    hint: "data has what could be read and may lack its end.[ {ofWrite}] If it can't be read again, request less at once, or tell the user: a proxy or a wrong encoding may have damaged it.",
    fix: "Test again; if it fails again, check `api.testEndpoint`, or ask the API's provider (a proxy between may damage the response).",
  },
  unexpected_status: {
    ...odd,
    reader: "person",
    when: { known: ["!rejects"] },
  },
  fields_wrong: {
    ...rejected,
    when: { known: ["fields"] },
    hint: "Correct {fields}, then send it again.",
  },
  nothing_reported: {
    ...rejected,
    when: { known: ["!message"] },
    hint: "The API doesn't report what is wrong: compare path, query and body with its documentation.",
  },
  request_wrong: { ...rejected, hint: "Correct the call by the message, then send it again." },
};
