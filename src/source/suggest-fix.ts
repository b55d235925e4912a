/** What would fix a field whose value has the wrong type or is out of bounds. */

import { isPlainObject, type PlainData } from "./copy-plain-data.js";

const authTypeFix =
  'Write "bearer", "header", "query" or "basic"; leave `authType` out when the API needs no credential.';

/** What people write for `authType` (folded: letters and digits in lower case), and what to write for it. */
const authTypeFixes: Readonly<Record<string, string>> = {
  bearer: 'Write "bearer", in lower case.',
  header: 'Write "header", in lower case.',
  query: 'Write "query", in lower case.',
  basic: 'Write "basic", in lower case.',
  ...fill(
    ["bearertoken", "token", "jwt", "pat", "oauth", "oauth2", "authorization", "http"],
    'Write "bearer": an access token goes into `Authorization: Bearer …`. Another word than Bearer is set by `authScheme`.',
  ),
  ...fill(
    ["apikey", "key", "xapikey", "apitoken", "custom"],
    'Write "header" and add `headerName` (such as "X-Api-Key"), or "query" and add `queryParam` (such as "api_key").',
  ),
  ...fill(["headers", "customheader", "headerkey"], 'Write "header" and add `headerName`.'),
  ...fill(
    ["queryparam", "queryparams", "querystring", "url", "param"],
    'Write "query" and add `queryParam`.',
  ),
  ...fill(["basicauth", "httpbasic", "userpass", "password", "login"], 'Write "basic".'),
  ...fill(
    ["none", "no", "noauth", "anonymous", "public", "null", "false", ""],
    "Leave `authType` out: that means no authentication.",
  ),
};

/** By path; `[]` is any element of a list, `*` any key of a map. */
const fixes: Readonly<Record<string, string>> = {
  "": 'Give an object with `api` in it, such as { "name": "GitHub", "api": { "baseUrl": "https://api.github.com" } }.',
  $schema: "Give the schema's address as a text, or leave it out.",
  type: 'Write "api", or leave it out.',
  name: 'Write what people call the API, such as "GitHub", in at most 1,000 characters; or leave it out.',
  slug: 'Write a name such as "github", or leave it out.',
  tagline: "Write one line of text, or leave it out.",
  icon: "Write the URL of a picture, or leave it out.",
  api: 'Give an object such as "api": { "baseUrl": "https://api.example.com", "authType": "bearer" }.',
  "api.baseUrl": 'Write the API\'s address, such as "baseUrl": "https://api.example.com/v1".',
  "api.testEndpoint": 'Write a path such as "/user", or leave it out.',
  "api.headerName": 'Write the name of the header that carries the key, such as "X-Api-Key".',
  "api.queryParam": 'Write the name of the parameter that carries the key, such as "api_key".',
  "api.authScheme": 'Write one word, such as "Bearer" or "Token", or "" for the bare token.',
  "api.headers": 'Give an object of texts, such as { "Accept": "application/json" }.',
  "api.headers.*": 'Write one line of text in quotes; "${NAME}" stands for a secret.',
  "api.query": 'Give an object, such as { "version": "2" }.',
  "api.query.*": 'Write a text, a whole number, true or false; "${NAME}" stands for a secret.',
  "api.variables": 'Give an object, such as { "tenant": "acme" }.',
  "api.variables.*": 'Write a text or a whole number; "${NAME}" stands for a secret.',
  "api.credentialEnv":
    'Name the variable, such as "SHOP_TOKEN"; several as a list; for basic { "username": "SHOP_USER", "password": "SHOP_PASSWORD" }.',
  "api.bodyFormat": 'Write "json" or "form", or leave it out.',
  "api.methods":
    'List at least one of "GET", "POST", "PUT", "DELETE", "PATCH"; left out, all five are allowed.',
  "api.methods[]": 'Write "GET", "POST", "PUT", "DELETE" or "PATCH", in capitals.',
  "api.paths": 'Give an object, such as { "allow": ["/issues/**"], "deny": ["/issues/*/lock"] }.',
  "api.paths.allow": 'List at least one pattern, such as ["/issues/**"]; left out, every path is allowed.',
  "api.paths.deny": 'List patterns, such as ["/admin/**"].',
  "api.methodParameter": 'Write "allow", or leave it out.',
  "api.allowedHeaders": 'List header names, such as ["If-Match"].',
  "api.endpoints": 'List calls such as { "method": "GET", "path": "/issues", "about": "open issues" }.',
  "api.endpoints[]": 'Write { "method": "GET", "path": "/issues", "about": "open issues" }.',
  "api.endpoints[].method": 'Write "GET", "POST", "PUT", "DELETE" or "PATCH", in capitals.',
  "api.endpoints[].path": 'Write a path below the base URL, such as "/issues".',
  "api.endpoints[].about": "Write in a few words what the call is for.",
  "api.errorWhen": 'Write a JMESPath such as "ok == `false`", or leave it out.',
  "api.idempotencyHeader": 'Write a header name such as "Idempotency-Key".',
  "api.network": 'Give an object, such as { "proxy": "http://proxy.example.com:3128" }.',
  "api.network.allowLocalAddresses": "Write true or false, without quotes.",
  "api.network.proxy": 'Write the proxy\'s address, such as "http://proxy.example.com:3128".',
  "api.limits.timeoutMs": "Write milliseconds from 1 to 2147483647 (the longest timer), such as 30000.",
  "api.limits.maxBytes": "Write bytes from 1 to 500000000, such as 10000000.",
  "api.limits.maxTokens": "Write a whole number from 1 to 10000000, such as 5000.",
  "api.limits.retries": "Write a whole number from 0 (no retries) to 10, such as 2.",
  "api.limits.maxWaitMs": "Write milliseconds from 0 (never wait) to 2147483647, such as 10000.",
  "api.limits.requestsPerMinute": "Write a whole number from 1 to 1000000, such as 60.",
  "api.limits.quotaScope": 'Write "credential" or "source".',
  "api.limits.concurrency": "Write a whole number from 1 to 10000, such as 4.",
  "api.limits": 'Give an object, such as { "timeoutMs": 30000 }.',
};

/** Finds the fix for what stands at `path`; `value` is what was given there. */
export function suggestFix(path: readonly PropertyKey[], value: PlainData | undefined): string {
  if (path.join(".") === "api.authType") return suggestAuthType(value);
  if (Array.isArray(value) && path.length === 0)
    return "Give one record; `loadSources` reads a list of them from a file.";
  const exact = toPattern(path);
  const inMap = exact.slice(0, exact.lastIndexOf(".")).concat(".*");
  return fixes[exact] ?? fixes[inMap] ?? "Give a value of that kind, or leave the field out for its default.";
}

function suggestAuthType(value: PlainData | undefined): string {
  if (isPlainObject(value)) return 'Write the type as a text: "bearer", "header", "query" or "basic".';
  const folded = String(value)
    .toLowerCase()
    .slice(0, 40)
    .replace(/[^a-z0-9]/g, "");
  return (Object.hasOwn(authTypeFixes, folded) ? authTypeFixes[folded] : undefined) ?? authTypeFix;
}

function toPattern(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

function fill(words: readonly string[], fix: string): Record<string, string> {
  return Object.fromEntries(words.map((word) => [word, fix]));
}
