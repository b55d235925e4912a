/** The second part of the table of causes: limits, payments, types, headers, credentials and permissions. The first row that fits counts. */

import { spentCode } from "./categories.js";
import type { CauseTable } from "./cause.js";

const check =
  "Check {origin}: the credential must be complete, neither expired nor revoked, and valid for {host} (test and live keys differ).";
const refused = {
  verdict: "invalid_credentials",
  message: "The credential was not accepted; it comes from {origin} and was sent {carrier}.",
  hint: "The API did not accept the credential ({origin}). Tell the user.[ The API announces {announced}: perhaps set {settings}.]",
} as const;
const page =
  "The refusal is a web page, perhaps of a firewall before the API. Tell the user; a User-Agent header in the record sometimes helps.";
const headerFix = {
  verdict: "missing_header",
  changes: [{ field: "api.headers", value: { "{header}": "…" } }],
  fix: 'Set "headers": { "{header}": "…" } under `api`: the API\'s documentation has the value; write a secret one as "${NAME}".',
} as const;

export const callerCauses: CauseTable = {
  credit_spent: {
    verdict: "rate_limited",
    category: "rate_limited",
    when: { code: spentCode },
    message: "The account's quota or credit is used up; waiting does not help.",
    fix: "Check the account's plan and billing.",
  },
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
    message: "A proxy before the API requires a username and a password, so the API was not called.",
    fix: 'Put the proxy\'s username and password into `api.network.proxy`, such as "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".',
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
    hint: "{message}[ Bodies of this source are {fixedFormat}, which you can't change: if the API accepts another type, the user should set api.bodyFormat to \"{otherFormat}\" in the record.][ Give Content-Type: {fittingType} in headers.][unknownType? Look in the API's documentation for the type, and give it as Content-Type in headers.]",
    fix: 'Set "headers": { "Content-Type": "application/json" } under `api`, with the media type that the API\'s documentation names.',
  },
  payment_declined: {
    verdict: "missing_permissions",
    when: { code: /^(?:card_?declined|do_?not_?honor|insufficient_?funds|payment_?declined)$/ },
    message:
      "The payment was declined: this concerns the payer's card or account, not the credential of this source.",
    fix: "Another means of payment may help, the same call does not.",
  },
  payment_due: {
    verdict: "missing_permissions",
    when: { status: [402] },
    message: "The API requires a payment, another plan or more credit for the account of the credential.",
    hint: "{message} Don't repeat the call; tell the user.",
    fix: "Settle it with the API's provider[, or put the credential of another account into {origin}].",
  },
  withheld: {
    verdict: "missing_permissions",
    when: { status: [451] },
    message: "The API withholds this for legal reasons.",
    hint: "The API withholds this for legal reasons. Tell the user.",
    fix: "Choose another `api.testEndpoint`, such as /user or /me.",
  },
  header_missing: {
    ...headerFix,
    when: { known: ["namedHeader"] },
    message: "The API requires the header {header}.",
    hint: "{message} Send it in headers; if that is refused here, the user should add it to api.headers.",
  },
  // By the words of the message, so that it decides nothing for a model.
  header_reported: {
    ...headerFix,
    reader: "person",
    when: { status: [400, 401, 403, 406, 415], known: ["header"] },
    message: "That message names the header {header}: the API may require it.",
  },
  made_credential_refused: {
    verdict: "invalid_credentials",
    when: { known: ["refused", "maker"] },
    message: "The API did not accept what {origin} made.",
    hint: "{message} Tell the user.",
    fix: "Check[signer? its keys, what it signs, and the clock of this machine][oauth2? whether the authorization server issues tokens for this API (`oauth2.scopes`, `oauth2.audience`, `oauth2.resource`), and how the token is sent (`api.authType`, `api.authScheme`)][login? what `api.login` takes from the answer of the login call, and how it is sent (`api.authType`)].",
  },
  credential_wanted: {
    verdict: "missing_credentials",
    when: { known: ["refused", "anonymous"] },
    message:
      "The API requires a credential, and this source sends no credential: the record has no `authType`.",
    hint: "The API requires a credential, and the record has no `authType`. Tell the user.[ The fix: set {settings}.]",
    fix: "Set {settingsOrAll}.",
    changes: [
      { field: "api.authType", value: "{announcedType}" },
      { field: "api.headerName", value: "{announcedHeader}" },
      { field: "api.authScheme", value: "{announcedScheme}" },
    ],
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
  // A header is a specific request; some servers announce a scheme whatever is wrong, so there the credential is checked first.
  other_header: {
    ...refused,
    when: { known: ["refused", "announcedHeader"] },
    message: `${refused.message} The API requests it in the header {announcedHeader}.`,
    fix: 'Set {settings}.[ If it is a second secret beside the one in {ownHeader}, add "headers": { "{announcedHeader}": "${NAME}" } instead.]',
    changes: [
      { field: "api.authType", value: "header" },
      { field: "api.headerName", value: "{announcedHeader}" },
    ],
  },
  signing_wanted: {
    ...refused,
    hint: "The API did not accept the credential ({origin}). Tell the user.",
    when: { known: ["refused", "announcedSigning"] },
    fix: `${check} If it is right, the server announces {announced}: no authType supports it, since it signs or negotiates each request. Look in the API's documentation for a token or a key, or give the credential as { sign }.`,
  },
  other_scheme: {
    ...refused,
    when: { known: ["refused", "announced"] },
    fix: `${check} If it is right, the server announces {announced}: set {settings}.`,
    changes: [
      { field: "api.authType", value: "{announcedType}" },
      { field: "api.authScheme", value: "{announcedScheme}" },
    ],
  },
  credential_refused: {
    ...refused,
    when: { known: ["refused"] },
    fix: `${check}[ If it is right, check how it is sent ({carrierFields}) against the API's documentation.]`,
  },
  page_forbidden: {
    reader: "model",
    verdict: "missing_permissions",
    when: { known: ["forbidden", "markup"] },
    message: page,
    hint: page,
    fix: "",
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
    fix: "Give it {scopeToGive} at the API's provider, or choose an `api.testEndpoint` it may read (often /user or /me).",
  },
  permission_missing: {
    verdict: "missing_permissions",
    when: { known: ["forbidden"] },
    message: "The credential, from {origin}, probably lacks a permission for this.",
    hint: "The API refused this: probably the account of the credential lacks a permission for it. Tell the user.",
    fix: "Give it the permission to read this at the API's provider, or choose an `api.testEndpoint` it may read (often /user or /me). Some APIs answer {status} for a wrong credential, too: check that {origin} is complete.",
  },
};
