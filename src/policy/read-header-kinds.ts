/** Knows by the words in a header's name what kind of header it is: no list of names could be complete. */

import { isFramingHeader } from "../source/field-syntax.js";

/**
 * A header name as the most lenient servers fold it: CGI and its heirs make every character but letters and digits one
 * and the same, so `X_Forwarded_For` is `X-Forwarded-For` there.
 */
export function toFoldedHeaderName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "-");
}

/** Besides those that frame a message: what only a client's own machinery may write, and axios's names for groups of defaults. */
const neverNames = words(
  "accept-encoding accept-transfer-encoding content-encoding content-transfer-encoding trailers alt-used alt-svc max-forwards",
  "early-data upgrade-insecure-requests authorization cookie cookie2 set-cookie set-cookie2 common delete get head patch post put",
  "query constructor prototype",
);
const neverPrefixes = ["proxy-", "sec-", "access-control-", "-proto-"];

/** Whether no record can let the agent set the header: hop by hop, framing, a browser's, or the HTTP client's own. */
export function isNeverSent(name: string): boolean {
  const folded = toFoldedHeaderName(name).replace(/^-/, "");
  return (
    isFramingHeader(folded) ||
    neverNames.has(folded) ||
    neverPrefixes.some((prefix) => folded.startsWith(prefix))
  );
}

/** Standard or customary names that hold a word of below and mean nothing of the kind: none moves or widens a request. */
const harmlessNames = words(
  "idempotency-key x-idempotency-key user-agent lock-token x-csrf-token x-xsrf-token client-request-id x-ms-client-request-id",
);

/** Found anywhere in a name, however it is written together: no case and no hyphen is safe to split at. */
const roots = {
  identity:
    "user account role tenant member behalf admin impersonat sudo caller identit principal customer consumer organi[sz]ation owner delegat workspace login operator privileg permission assume orgid projectid scope company realm namespace trusted msisdn masquerad runas merchant employee email",
  credential:
    "auth token secret session cookie passw pwd credential apikey jwt bearer signature hmac assertion saml oidc cert pswd ticket",
  routing:
    "host forward proxy origin rewrit overrid method client remote upstream backend server gateway referer referrer sendfile redirect ipaddr destination middleware envoy appengine cloudfront connection domain target internal bypass querystring pathinfo wapprofile",
  "range or trace": "range upgrade trace baggage datadog sentry newrelic",
} as const;

/** Too short to be looked for inside of others: whole words, or the end of one written together (`clientip`, `accesskey`). */
const shortWords = {
  identity: "as act acting actor on org group groups team project sub subject uid su",
  credential: "key keys sid otp pin sign signed psk",
  routing:
    "url uri ip via real path port scheme proto verb addr ssl tls cf fly iap arr accel route from x-http http https script true cluster source peer",
  "range or trace": "b3 span te expect sampled ot",
} as const;
const shortEnds = /(?:key|verb|url|uri|(?:true|source|peer|my|real|src)ip)$/;

export type HeaderKind = keyof typeof roots;

const rootPatterns = Object.entries(roots).map(
  ([kind, list]) => [kind as HeaderKind, new RegExp(list.replaceAll(" ", "|"))] as const,
);
const shortSets = Object.entries(shortWords).map(
  ([kind, list]) => [kind as HeaderKind, words(list)] as const,
);

/**
 * The kind of a header that only the record can permit; `undefined` for every other, which passes.
 *
 * @example findHeaderKind("Dropbox-API-Select-User") // "identity"
 */
export function findHeaderKind(name: string): HeaderKind | undefined {
  const folded = toFoldedHeaderName(name);
  if (harmlessNames.has(folded)) return undefined;
  const parts = splitWords(name);
  const compact = folded.replaceAll("-", "");
  const [byRoot] = rootPatterns.find(([, pattern]) => pattern.test(compact)) ?? [];
  if (byRoot !== undefined) return byRoot;
  const [byWord] = shortSets.find(([, set]) => parts.some((part) => set.has(part))) ?? [];
  if (byWord !== undefined) return byWord;
  return parts.some((part) => shortEnds.test(part)) ? "credential" : undefined;
}

/** Lower-case words of a name, split at other characters than letters and digits, and where the case changes. */
export function splitWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(" ").split(" "));
}
