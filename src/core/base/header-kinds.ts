/** The kind of a header by the words in its name, for no list of names could be complete: who asks, what proves it, where it goes. */

/**
 * A header name as the most lenient servers fold it: CGI and its heirs make every character but letters and digits one
 * and the same, so `X_Forwarded_For` is `X-Forwarded-For` there.
 */
export function foldHeaderName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "-");
}

/** Standard or customary names that hold a word of below and mean nothing of the kind: none moves or widens a request. */
const harmlessNames = words(
  "idempotency-key x-idempotency-key user-agent lock-token x-csrf-token x-xsrf-token",
);

/** Ends of a name that speak of one request, or of a program's version. A client's name may be that in its certificate, which a proxy writes. */
const ofProgram = /(?:^|-)client-(?:request-id|version)$/;

/**
 * For each kind the roots that are found anywhere in a name, however it is written together (no case and no hyphen is safe to
 * split at), and the words that are too short for that: they are whole words.
 */
const kinds = Object.entries({
  identity: [
    "user account role tenant member behalf admin impersonat sudo caller identit principal customer consumer organi[sz]ation owner delegat workspace login operator privileg permission assume orgid projectid scope company realm namespace trusted msisdn masquerad runas merchant employee email",
    "as act acting actor on org group groups team project sub subject uid su",
  ],
  credential: [
    "auth token secret session cookie passw pwd credential apikey jwt bearer signature hmac assertion saml oidc cert pswd ticket dpop wsse",
    "key keys sid otp pin sign signed psk",
  ],
  access: ["publicaccess", "acl grant grants policy"],
  routing: [
    "host forward proxy origin rewrit overrid method client remote upstream backend server gateway referer referrer sendfile redirect ipaddr destination middleware envoy appengine cloudfront connection domain target internal bypass querystring pathinfo wapprofile",
    "url uri ip via real path port scheme proto verb addr ssl tls cf fly iap arr accel route from x-http http https script true cluster source peer",
  ],
  "range or trace": [
    "range upgrade trace baggage datadog sentry newrelic",
    "b3 span te expect sampled ot",
  ],
}).map(([kind, [roots = "", short = ""]]) => ({
  kind,
  roots: new RegExp(roots.replaceAll(" ", "|")),
  short: words(short),
}));

/** Ends of one written together (`clientip`, `accesskey`). */
const shortEnds = /(?:key|verb|url|uri|(?:true|source|peer|my|real|src)ip)$/;

/**
 * The kind of a header that only the record can permit; `undefined` for every other, which passes.
 *
 * @example findHeaderKind("Dropbox-API-Select-User") // "identity"
 */
export function findHeaderKind(name: string): string | undefined {
  const folded = foldHeaderName(name);
  if (harmlessNames.has(folded)) return undefined;
  const compact = folded.replace(ofProgram, "").replaceAll("-", "");
  const parts = splitWords(name);
  const found =
    kinds.find(({ roots }) => roots.test(compact)) ??
    kinds.find(({ short }) => parts.some((part) => short.has(part)));
  return found?.kind ?? (parts.some((part) => shortEnds.test(part)) ? "credential" : undefined);
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
