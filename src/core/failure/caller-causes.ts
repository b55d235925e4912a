/** The second part of the table of causes: limits, payments, types, headers, credentials and permissions. The first row that fits counts. */

import { spentCode, spentStatus } from "./categories.js";
import type { CauseTable } from "./cause.js";

const check =
  "Check {origin}: the credential must be complete, neither expired nor revoked, and valid for {host} (test and live keys differ).[pair? The username and the password may be exchanged.]";
const refused = {
  verdict: "invalid_credentials",
  message: "The credential was not accepted; it comes from {origin} and was sent {carrier}.",
  hint: "The API did not accept the credential ({origin}). Tell the user.[ The API announces {announced}: perhaps set {settings}.][ {otherScheme}]",
} as const;
const spent = {
  verdict: "rate_limited",
  category: "rate_limited",
  message: "The account's quota or credit is used up; waiting does not help.",
  fix: "Check the account's plan and billing.",
} as const;
const announced = [
  { field: "api.authType", value: "{announcedType}" },
  { field: "api.authScheme", value: "{announcedScheme}" },
];
export const proxySignIn =
  'Put the proxy\'s username and password into `api.network.proxy`, such as "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".';

export const callerCauses: CauseTable = {
  // Cloudflare names the page so that only a browser gets past.
  challenged: {
    verdict: "unreachable",
    when: { known: ["challenge"] },
    message:
      "Cloudflare, before the API, answered with a challenge for browsers (cf-mitigated: {challenge}), so the request did not reach the API.",
    hint: "{message} No call gets past it: tell the user.",
    fix: "Ask the API's provider to let programs pass (by this machine's address, or the credential), or whether the API has another host.",
  },
  credit_spent: { ...spent, when: { code: spentCode } },
  quota_spent: { ...spent, when: { status: [spentStatus] } },
  rate_limited: {
    verdict: "rate_limited",
    category: "rate_limited",
    message:
      "The API works, but allows no more requests for now. This does not show whether the credential is accepted.",
    hint: "Wait {waitOrMinute}, then try again.",
    fix: "Test again in {waitOrMinute}. To keep to the quota, set `api.limits.requestsPerMinute`.",
  },
  proxy_sign_in: {
    verdict: "unreachable",
    when: { status: [407] },
    message:
      "A proxy before the API requires a username and a password, so the API was not called.",
    fix: proxySignIn,
  },
  // By the words of the message, so that it decides nothing for a model.
  key_elsewhere: {
    reader: "person",
    verdict: "invalid_credentials",
    when: { status: [400, 401, 403], known: ["keyHeader"] },
    message:
      "That names the header {keyHeader}[; the credential, from {origin}, was sent {carrier}].",
    fix: 'Set "authType": "header" and "headerName": "{keyHeader}" under `api`, if that is the header of the credential.',
    changes: [
      { field: "api.authType", value: "header" },
      { field: "api.headerName", value: "{keyHeader}" },
    ],
  },
  header_reported: {
    reader: "person",
    verdict: "missing_header",
    when: { status: [400, 401, 403, 406, 415, 422], known: ["header"] },
    message: "That names the header {header}: the API may require it.",
    fix: 'Set "headers": { "{header}": "…" } under `api`: the API\'s documentation has the value; write a secret one as "${NAME}".',
    changes: [{ field: "api.headers", value: { "{header}": "…" } }],
  },
  type_not_offered: {
    verdict: "missing_header",
    when: { status: [406] },
    message: "The API has no response of the type in Accept; sent was {accept}.",
    hint: "{message} Give an Accept header in headers with a type that the API offers.",
    fix: 'Set "headers": { "Accept": "application/json" } under `api`, with the media type that the API\'s documentation names.',
  },
  type_refused: {
    verdict: "missing_header",
    when: { status: [415] },
    message: "The API does not accept what was sent {sent}.[ It accepts: {takes}.]",
    hint: "{message} Give a type that it accepts as Content-Type in headers.[ Bodies of this source are {bodyFormat}: for another format the user should change api.bodyFormat in the record.]",
    fix: 'Set "headers": { "Content-Type": "application/json" } under `api`, with the media type that the API\'s documentation names.',
  },
  payment_due: {
    verdict: "missing_permissions",
    when: { status: [402] },
    message:
      "The API requires a payment, another plan or more credit for the account of the credential, or a payment was declined.",
    hint: "{message} Don't repeat the call; tell the user.",
    fix: "Settle it with the API's provider[, or put the credential of another account into {origin}].",
  },
  made_credential_refused: {
    verdict: "invalid_credentials",
    when: { known: ["refused", "maker"] },
    message: "The API did not accept what {origin} made.",
    hint: "{message} Tell the user.",
    fix: "Check what {origin} obtains or signs (scopes, audience, keys, the clock of this machine), and how it is sent (`api.authType`, `api.authScheme`).",
  },
  credential_wanted: {
    verdict: "missing_credentials",
    when: { known: ["refused", "anonymous"] },
    message:
      "The API requires a credential, and this source sends no credential: the record has no `authType`.",
    hint: "The API requires a credential, and the record has no `authType`. Tell the user.[ The fix: set {settings}.][ {otherScheme}]",
    fix: 'Set "authType" under `api` to "bearer", "header" (with "headerName"), "query" (with "queryParam") or "basic"; the API\'s documentation has the right one.[ It announces {announced}: {settings}.][ {otherScheme}]',
    changes: announced,
  },
  credential_malformed: {
    verdict: "malformed_credentials",
    when: { known: ["refused", "problem"] },
    message: "The credential, from {origin}, {problem}.",
    fix: "Correct {origin}: {problemFix}",
  },
  token_expired: {
    verdict: "invalid_credentials",
    when: { known: ["refused", "expiry"] },
    message: "The token, from {origin}, {expiry}.",
    fix: "Get a new token and put it into {origin}.",
  },
  credential_refused: {
    ...refused,
    when: { known: ["refused"] },
    fix: `${check} If it is right, check how it is sent (\`api.authType\`) against the API's documentation.[ The server announces {announced}: set {settings}.][ {otherScheme}]`,
    changes: announced,
  },
  caller_refused: {
    verdict: "missing_permissions",
    when: { known: ["forbidden", "anonymous"] },
    message: "The API refused a request without a credential (the record has no `authType`).",
    hint: "The API refused this; the record sends no credential. Tell the user.",
    fix: "If the API needs a credential, set `api.authType` and put the credential into the environment. If it is public, it refuses this machine's address, or the path.",
  },
  scope_missing: {
    verdict: "missing_permissions",
    when: { known: ["forbidden", "lacksScope"] },
    message:
      "The credential, from {origin}, lacks a permission for this.[ Needed: {needed}.][ It has: {granted}.]",
    hint: "The credential ({origin}) lacks a permission for this.[ Needed: {needed}.][ It has: {granted}.] Tell the user.",
    fix: "Give it the permission to read this[ (the scope {needed})] at the API's provider, or choose an `api.testEndpoint` it may read (often /user or /me).",
  },
  permission_missing: {
    verdict: "missing_permissions",
    when: { known: ["forbidden"] },
    message: "The credential, from {origin}, probably lacks a permission for this.",
    hint: "The API refused this: probably the account of the credential lacks a permission for it. Tell the user.",
    fix: "Give it the permission to read this at the API's provider, or choose an `api.testEndpoint` it may read (often /user or /me). Some APIs answer {status} for a wrong credential, too: check that {origin} is complete.",
  },
};
