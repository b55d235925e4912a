/** How a credential is put on a request: one axios request interceptor, by the source's authType or of a credential that signs. */

import { createHash } from "node:crypto";
import type { InternalAxiosRequestConfig } from "axios";
import { z } from "zod";
import { type ApiSourceError, notConfigured, refusedByPolicy } from "../base/errors.js";
import { quoteText } from "../base/text.js";
import type { ApiSource } from "../record/api-source.js";
import { headerNamePattern, headerValuePattern, isFramingHeader } from "../record/field-syntax.js";
import { Secret } from "../secrets/secret.js";
import type { RequestToSign, UsableCredential } from "./credential.js";

/** Takes the final config of one attempt and returns it with the credential on it. */
export type RequestInterceptor = (
  config: InternalAxiosRequestConfig,
) => InternalAxiosRequestConfig | Promise<InternalAxiosRequestConfig>;

/**
 * Makes the interceptor of a source's authType, or of a credential that signs; undefined for a source without authentication.
 *
 * @param origin - The origin the credential belongs to, such as `https://api.example.com`. The interceptor throws
 * `refused_by_policy` for a request to any other.
 * @param learn - Receives what a signature adds and has to be redacted.
 * @throws ApiSourceError `not_configured` when the credential is not of the kind the authType takes.
 */
export function createAuthInterceptor(
  source: ApiSource,
  origin: string,
  credential: UsableCredential | undefined,
  learn: (secrets: readonly Secret[]) => void = () => {},
): RequestInterceptor | undefined {
  const { authType, queryParam = "" } = source.api;
  if (credential?.kind === "signer") {
    const sign = createSigning(source, credential.sign, learn);
    return (config) => {
      checkOrigin(config, origin);
      return sign(config);
    };
  }
  if (authType === undefined || credential === undefined) return undefined;
  const header = findCredentialHeader(source);
  const value = writeValue(source, credential);
  return (config) => {
    checkOrigin(config, origin);
    if (header === undefined) {
      const pair = writePair(queryParam, value);
      // axios runs interceptors again on every retry, on the config of the attempt before: an own parameter that is there already goes first.
      const own = new Set([respellPair(pair)]);
      config.url = addPairs(dropPairs(config.url ?? "", own), [pair]);
    } else config.headers.set(header, value, true);
    return config;
  };
}

/** The header the credential travels in: the agent may not send it. Absent for `query` and no authentication. */
export function findCredentialHeader({ api }: ApiSource): string | undefined {
  if (api.authType === "header") return api.headerName;
  return api.authType === "bearer" || api.authType === "basic" ? "Authorization" : undefined;
}

/**
 * The form in which it is sent: the bare token as a header of its own or a parameter, `<scheme> <token>` for bearer (RFC 6750 section 2.1),
 * `Basic base64(username:password)` in UTF-8 (RFC 7617). axios' own `auth` option would put the pair in plain text on the config, and
 * so into anything that prints one.
 */
function writeValue(
  { name, api }: ApiSource,
  credential: Exclude<UsableCredential, { kind: "signer" }>,
): string {
  if ((credential.kind === "basic") !== (api.authType === "basic")) {
    throw notConfigured(
      "malformed_credentials",
      `The credential of ${name} is not of the kind that authType "${api.authType}" takes.`,
      'Give { token } for bearer, header and query, and { username, password } for "basic".',
    );
  }
  if (credential.kind === "basic") {
    return `Basic ${Buffer.from(`${credential.username}:${credential.password}`, "utf8").toString("base64")}`;
  }
  const scheme = api.authType === "bearer" && api.authScheme;
  return scheme ? `${scheme} ${credential.token}` : credential.token;
}

/**
 * The last check before a credential is attached. The request policy has judged the URL before; this is here so that no way
 * around it (a redirect, a later interceptor, a changed default) can take the credential elsewhere.
 */
function checkOrigin({ url = "", baseURL }: InternalAxiosRequestConfig, origin: string): void {
  const isSame = URL.canParse(url) && new URL(url).origin === origin;
  if (isSame && baseURL === undefined) return;
  throw refusedByPolicy(
    `A request to another origin than ${origin} was stopped before the credential was attached.`,
    "Call only paths below the source's base URL.",
  );
}

const writePair = (name: string, value: string): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

/** Done on the string: `searchParams` would rewrite the bytes of the other parameters. */
function addPairs(url: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return url;
  const added = pairs.join("&");
  if (url.endsWith("?")) return `${url}${added}`;
  return url.includes("?") ? `${url}&${added}` : `${url}?${added}`;
}

/** One spelling of a pair: a server may write it in another way (`%2b`, `+` for a space) where it redirects. */
const respellPair = (pair: string): string => new URLSearchParams(pair).toString();

/** @param pairs - As `respellPair` writes them. */
function dropPairs(url: string, pairs: ReadonlySet<string>): string {
  const [path = "", ...rest] = url.split("?");
  if (pairs.size === 0 || rest.length === 0) return url;
  const kept = rest
    .join("?")
    .split("&")
    .filter((pair) => !pairs.has(respellPair(pair)));
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}

/**
 * Makes the interceptor of one call, which puts the signature on one attempt.
 *
 * @param sign - The application's function. What it throws is an `ApiSourceError`.
 * @param learn - Receives what has to be redacted from then on, before anything is sent.
 */
function createSigning(
  source: ApiSource,
  sign: (request: RequestToSign) => Promise<unknown>,
  learn: (secrets: readonly Secret[]) => void,
): (config: InternalAxiosRequestConfig) => Promise<InternalAxiosRequestConfig> {
  // A redirect may repeat the parameters of the attempt before.
  const added = new Set<string>();
  return async (config) => {
    const url = dropPairs(config.url ?? "", added);
    const request = describeAttempt(config, url);
    const { headers, query } = readSignature(await sign(request), request, source);
    learn(listSignatureSecrets([...headers, ...query], request));
    for (const [name, value] of headers) config.headers.set(name, value, true);
    const pairs = query.map(([name, value]) => writePair(name, value));
    for (const pair of pairs) added.add(respellPair(pair));
    config.url = addPairs(url, pairs);
    return config;
  };
}

function describeAttempt(config: InternalAxiosRequestConfig, url: string): RequestToSign {
  const body: unknown = config.data;
  const bytes = body instanceof Uint8Array ? body : undefined;
  const given = Object.entries(config.headers.toJSON()).filter(
    ([, value]) => typeof value === "string",
  );
  return {
    method: (config.method ?? "get").toUpperCase(),
    url,
    headers: Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)])),
    body: bytes,
    bodySha256: createHash("sha256")
      .update(bytes ?? "")
      .digest("hex"),
  };
}

type Pairs = readonly (readonly [name: string, value: string])[];

const membersSchema = z
  .record(z.string(), z.string({ error: "is not a string" }), { error: "is not an object" })
  .default({});
const signatureSchema = z
  .strictObject(
    { headers: membersSchema, query: membersSchema },
    { error: "is not { headers?, query? }" },
  )
  .default({ headers: {}, query: {} });

/** @throws ApiSourceError `not_configured`, code `malformed_signature`. No value is in its message. */
function readSignature(
  given: unknown,
  request: RequestToSign,
  { name }: ApiSource,
): { readonly headers: Pairs; readonly query: Pairs } {
  const refuse = (problem: string): ApiSourceError =>
    notConfigured(
      "malformed_signature",
      `What \`sign\` of the credential of ${name} returned can't be sent: ${problem}.`,
      "The agent can't change this. The application must correct `sign`: it returns { headers?, query? }, objects of strings.",
    );
  const { data, error } = signatureSchema.safeParse(given);
  const { path = [], message = "" } = error?.issues[0] ?? {};
  if (data === undefined)
    throw refuse(`${path.length === 0 ? "it" : quoteText(path.join("."), 60)} ${message}`);
  const query = Object.entries(data.query);
  for (const [key, value] of query) {
    const shown = quoteText(key, 60);
    if (key === "" || !key.isWellFormed() || !value.isWellFormed())
      throw refuse(`no URL can carry the parameter ${shown}`);
    if (new URL(request.url).searchParams.has(key))
      throw refuse(`the request has the parameter ${shown} already`);
  }
  const headers = Object.entries(data.headers).filter(
    ([key, value]) => !isImplied(key, value, request),
  );
  for (const [key, value] of headers) {
    const shown = quoteText(key, 60);
    if (!headerNamePattern.test(key)) throw refuse(`${shown} is not the name of a header`);
    if (isFramingHeader(key)) throw refuse(`the header ${shown} belongs to the connection`);
    if (!headerValuePattern.test(value))
      throw refuse(`the header ${shown} contains a character that no header can carry`);
  }
  return { headers, query };
}

/** Libraries return all headers that they signed, those too that Node sends by itself. */
function isImplied(name: string, value: string, { url, body }: RequestToSign): boolean {
  const implied: Readonly<Record<string, string>> = {
    host: new URL(url).host,
    "content-length": String(body?.length ?? 0),
  };
  return implied[name.toLowerCase()] === value;
}

/** A value that anyone may know: a number, a time (ISO 8601, RFC 9110 section 5.6.7), a few characters. */
const openValue =
  /^(?:[\d.-]{1,20}|\d{8}T\d{6}Z|\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?|[A-Z][a-z]{2}, [\w :]+ GMT|.{0,7})$/;
const shortestPart = 16;

/**
 * The parts of a signature that are redacted: values that are not open, and each long part of one, such as `Signature=…` in `Authorization`. The
 * body's hash, the names of headers and what the request contained before are open.
 */
function listSignatureSecrets(pairs: Pairs, { headers, url, bodySha256 }: RequestToSign): Secret[] {
  const open = new Set([
    bodySha256,
    ...Object.keys(headers),
    ...pairs.map(([name]) => name.toLowerCase()),
  ]);
  const isOpen = (text: string): boolean =>
    openValue.test(text) || open.has(text) || url.includes(text);
  const values = pairs
    .filter(([name, value]) => headers[name.toLowerCase()] !== value)
    .map(([, value]) => value);
  const parts = values
    .flatMap((value) => value.split(/[\s,;"]+|=(?=[^=])/))
    .filter((part) => part.length >= shortestPart);
  return [...new Set([...values, ...parts])]
    .filter((text) => !isOpen(text.trim()))
    .map((text) => new Secret(text));
}
