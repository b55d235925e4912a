/** The names that people write for a field of a record, and the fields that went: what takes the place of each. */

import { foldKey } from "./problem.js";

/** A field that is meant by a name. */
export interface MeantField {
  /** The level that has it, without indexes: `""` is the record, `api.paging` a rule of paging. */
  readonly level: string;
  readonly name: string;
}

export interface Replacement {
  /** Absent where no field of a record takes the place. */
  readonly field?: MeantField;
  /** The fix, where the same value under the name of the field would be wrong. */
  readonly fix?: string;
}

interface Row {
  /** Separated by spaces; case, `_` and `-` make no difference. */
  readonly names: string;
  /** The path of the field that is meant, such as `api.paging.next`. */
  readonly field?: string;
  readonly fix?: string;
}

const approvalFix =
  'Give the option `approve` when the toolkit is made, such as approve: "writes": the application decides what a person approves, and no record.';

/** The levels on which most people write fields of other levels. A name in a list, or in `oauth2`, means a field of that level. */
const openLevels: readonly string[] = ["", "api", "api.limits", "api.network", "api.paths"];

/** A name enters where people write it: settings of other tools, words of OpenAPI and OAuth, and fields of earlier versions. */
const rows: readonly Row[] = [
  { names: "url base host server servers root apiUrl", field: "api.baseUrl" },
  { names: "healthCheck health ping testPath testUrl", field: "api.testEndpoint" },
  { names: "auth authentication authorization security", field: "api.authType" },
  { names: "authHeader keyHeader tokenHeader apiKeyHeader", field: "api.headerName" },
  { names: "authParam keyParam tokenParam apiKeyParam", field: "api.queryParam" },
  { names: "tokenPrefix authPrefix prefix scheme", field: "api.authScheme" },
  { names: "env envVar tokenEnv apiKeyEnv passwordEnv secretEnv", field: "api.credentialEnv" },
  { names: "defaultHeaders extraHeaders customHeaders", field: "api.headers" },
  { names: "params parameters queryParameters defaultParams", field: "api.query" },
  { names: "contentType bodyType requestFormat", field: "api.bodyFormat" },
  {
    names: "readOnly getOnly safeOnly disableWrites noWrites",
    field: "api.methods",
    fix: 'Write "methods": ["GET"] in `api`: every other method is then refused.',
  },
  { names: "allowedMethods allowMethods httpMethods verbs", field: "api.methods" },
  {
    names: "denyMethods deniedMethods blockedMethods excludeMethods",
    field: "api.methods",
    fix: "Write the methods that are allowed into `methods` in `api`: every other one is refused.",
  },
  {
    names: "allowed allowPaths allowedPaths includePaths allowList whitelist",
    field: "api.paths.allow",
  },
  {
    names: "denied denyPaths deniedPaths blockedPaths excludePaths denyList blacklist",
    field: "api.paths.deny",
  },
  { names: "allowHeaders permittedHeaders", field: "api.allowedHeaders" },
  { names: "approve approval approvals approver requireApproval", fix: approvalFix },
  { names: "requiresApproval needsApproval confirm interruptOn", fix: approvalFix },
  { names: "pagination pages", field: "api.paging" },
  { names: "description summary about purpose", field: "tagline" },
  { names: "title label displayName", field: "name" },
  { names: "id toolName", field: "slug" },
  {
    names: "spec specification swagger openapiUrl openapiSpec openapiFile",
    field: "api.openapi",
  },
  { names: "docs documentation instructions notes", field: "api.guide" },
  { names: "examples operations routes", field: "api.endpoints" },
  { names: "sensitive private", field: "api.confidential" },
  {
    names: "idempotencyKey",
    field: "api.idempotencyHeader",
    fix: 'Write the name of the header as `idempotencyHeader` in `api`, such as "Idempotency-Key".',
  },
  {
    names: "rpm rateLimit maxRequestsPerMinute throttle",
    field: "api.limits.requestsPerMinute",
  },
  {
    names: "rps requestsPerSecond maxRequestsPerSecond",
    field: "api.limits.requestsPerMinute",
    fix: "Write sixty times the number as `requestsPerMinute` in `api.limits`.",
  },
  {
    names: "timeout timeoutSeconds requestTimeout timeLimit",
    field: "api.limits.timeoutMs",
    fix: "Write it in milliseconds as `timeoutMs` in `api.limits`, such as 30000.",
  },
  { names: "retry maxRetries retryCount", field: "api.limits.retries" },
  { names: "maxConcurrency maxConcurrent parallel", field: "api.limits.concurrency" },
  { names: "maxSize maxBodySize maxResponseSize", field: "api.limits.maxBytes" },
  { names: "maxOutputTokens tokenLimit tokenBudget", field: "api.limits.maxTokens" },
  {
    names: "insecure verifySsl verifyTls skipTlsVerify rejectUnauthorized strictSsl",
    field: "api.network.ca",
    fix: "Write the server's certificate, or that of its authority, as `ca` in `api.network`: the check of a certificate is never left out.",
  },
  { names: "grantType flow", field: "api.oauth2.grant" },
  { names: "authUrl authorizeUrl", field: "api.oauth2.authorizationUrl" },
  { names: "callbackUrl redirectUrl", field: "api.oauth2.redirectUri" },
  { names: "url endpoint", field: "api.login.path" },
  { names: "tokenPath", field: "api.login.tokenAt" },
  { names: "description summary", field: "api.endpoints.about" },
  { names: "url endpoint", field: "api.endpoints.path" },
  { names: "cursor cursorPath nextPath", field: "api.paging.next" },
  { names: "param parameter cursorParam", field: "api.paging.send" },
  { names: "pageParam pageNumber", field: "api.paging.page" },
  { names: "offsetParam skip", field: "api.paging.offset" },
  { names: "items results data itemsPath dataPath", field: "api.paging.rows" },
  { names: "state", field: "api.jobs.status" },
  { names: "success succeeded finished completed", field: "api.jobs.done" },
  { names: "error errors failure", field: "api.jobs.failed" },
  {
    names: "preflight",
    fix: "Remove it: a misspelt name is answered unsent once, and after a failure the hint names what the API's document knows.",
  },
];

/** The replacements of each name, folded. */
const replacementsByName = createReplacements();

function createReplacements(): ReadonlyMap<string, readonly Replacement[]> {
  const found = new Map<string, Replacement[]>();
  for (const { names, field, fix } of rows) {
    const replacement = { field: field === undefined ? undefined : readField(field), fix };
    for (const name of names.split(" ")) {
      const key = foldKey(name);
      found.set(key, [...(found.get(key) ?? []), replacement]);
    }
  }
  return found;
}

function readField(path: string): MeantField {
  const steps = path.split(".");
  return { level: steps.slice(0, -1).join("."), name: steps.at(-1) ?? "" };
}

/**
 * Finds what takes the place of an unknown key: a field of its own level before one of another level.
 *
 * @param level - Where the key is, without indexes, as in `MeantField`.
 * @returns undefined where nothing is known of the name.
 */
export function findReplacement(key: string, level: string): Replacement | undefined {
  const found = replacementsByName.get(foldKey(key)) ?? [];
  const own = found.find(({ field }) => field?.level === level);
  return own ?? (openLevels.includes(level) ? found[0] : undefined);
}

/** The path of every field that the table names: a test compares them with the fields of a record. */
export function listReplacingFields(): string[] {
  return rows.flatMap(({ field }) => field ?? []);
}
