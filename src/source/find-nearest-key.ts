/** Which known key a misspelt one was meant to be. */

/** Spellings that are no slip of the finger, each with the key it stands for. Compared without case, `_` and `-`. */
const otherSpellings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  api: {
    auth: "authType",
    authentication: "authType",
    authenticationtype: "authType",
    authorization: "authType",
    authorizationtype: "authType",
    authmethod: "authType",
    authmode: "authType",
    authkind: "authType",
    authprefix: "authScheme",
    tokenprefix: "authScheme",
    tokentype: "authScheme",
    authheader: "headerName",
    authheadername: "headerName",
    apikeyheader: "headerName",
    tokenheader: "headerName",
    authparam: "queryParam",
    authqueryparam: "queryParam",
    queryparameter: "queryParam",
    queryname: "queryParam",
    paramname: "queryParam",
    apikeyparam: "queryParam",
    url: "baseUrl",
    uri: "baseUrl",
    baseuri: "baseUrl",
    apiurl: "baseUrl",
    constantheaders: "headers",
    defaultheaders: "headers",
    extraheaders: "headers",
    envvar: "credentialEnv",
    tokenenv: "credentialEnv",
    allowedmethods: "methods",
    healthendpoint: "testEndpoint",
    testpath: "testEndpoint",
    testurl: "testEndpoint",
  },
  "api.limits": {
    retry: "retries",
    maxretries: "retries",
    timeoutseconds: "timeoutMs",
    timeoutmilliseconds: "timeoutMs",
    maxwait: "maxWaitMs",
    rpm: "requestsPerMinute",
    ratelimit: "requestsPerMinute",
    maxconcurrency: "concurrency",
  },
  "api.paths": {
    allowed: "allow",
    allowlist: "allow",
    include: "allow",
    denied: "deny",
    denylist: "deny",
    block: "deny",
    exclude: "deny",
  },
  "api.endpoints[]": { description: "about", summary: "about", url: "path" },
  "api.network": {
    proxyurl: "proxy",
    certificate: "cert",
    privatekey: "key",
    allowlocal: "allowLocalAddresses",
  },
};

/** Ordinary words that happen to be near a key. */
const ordinaryWords: ReadonlySet<string> = new Set(["author", "authors", "note", "notes", "tags", "title"]);

/** The known key that `key` is nearly, or undefined. `level` is the path of the object it stands in. */
export function findNearestKey(key: string, known: readonly string[], level: string): string | undefined {
  if (key.length > 40) return undefined;
  const folded = foldKey(key);
  const same = known.find((candidate) => foldKey(candidate) === folded);
  if (same !== undefined) return same;
  const spellings = otherSpellings[level] ?? {};
  if (Object.hasOwn(spellings, folded)) return spellings[folded];
  if (ordinaryWords.has(folded)) return undefined;
  return known
    .map((candidate) => ({ candidate, distance: measureDistance(folded, foldKey(candidate)) }))
    .filter(({ candidate, distance }) => distance <= toTolerance(candidate))
    .sort((left, right) => left.distance - right.distance)[0]?.candidate;
}

/** Without case, and without what some write between words: `base_url`, `Base-URL` and `baseUrl` are one. */
export function foldKey(key: string): string {
  return key.toLowerCase().replace(/[_\-\s.]/g, "");
}

/** How many slips still mean that key: in a short word, one slip makes another word. */
function toTolerance(known: string): number {
  if (known.length <= 3) return 0;
  return known.length <= 5 ? 1 : 2;
}

/** The fewest letters inserted, left out, changed or swapped with their neighbour (optimal string alignment). */
function measureDistance(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const changed = left[row - 1] === right[column - 1] ? 0 : 1;
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + changed,
        swapped && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
