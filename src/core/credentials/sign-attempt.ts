/** Signs one attempt of a request: the last interceptor, in place of the one of the authType. */

import { createHash } from "node:crypto";
import type { InternalAxiosRequestConfig } from "axios";
import { type ApiSourceError, notConfigured } from "../base/errors.js";
import { isPlainObject } from "../base/input.js";
import { quoteText } from "../base/text.js";
import type { ApiSource } from "../record/api-source.js";
import { headerNamePattern, headerValuePattern, isFramingHeader } from "../record/field-syntax.js";
import { Secret } from "../secrets/secret.js";
import type { RequestSignature, RequestToSign } from "./signer.js";

/**
 * Makes the interceptor of one call, which puts the signature on one attempt.
 *
 * @param sign - The application's function. What it throws is an `ApiSourceError`.
 * @param learn - Receives what has to be redacted from then on, before anything is sent.
 */
export function createSigning(
  source: ApiSource,
  sign: (request: RequestToSign) => Promise<unknown>,
  learn: (secrets: readonly Secret[]) => void,
): (config: InternalAxiosRequestConfig) => Promise<InternalAxiosRequestConfig> {
  // A redirect may repeat the parameters of the attempt before.
  const added = new Set<string>();
  return async (config) => {
    const url = dropParameters(config.url ?? "", added);
    const request = describeAttempt(config, url);
    const { headers, query } = readSignature(await sign(request), request, source);
    learn(listSignatureSecrets([...headers, ...query], request));
    for (const [name, value] of headers) config.headers.set(name, value, true);
    const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    for (const pair of pairs) added.add(pair);
    config.url = pairs.length === 0 ? url : `${url}${url.includes("?") ? "&" : "?"}${pairs.join("&")}`;
    return config;
  };
}

function describeAttempt(config: InternalAxiosRequestConfig, url: string): RequestToSign {
  const body: unknown = config.data;
  const bytes = body instanceof Uint8Array ? body : undefined;
  const given = Object.entries(config.headers.toJSON()).filter(([, value]) => typeof value === "string");
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

/** Done on the string: `searchParams` would rewrite the bytes of the other parameters. */
function dropParameters(url: string, pairs: ReadonlySet<string>): string {
  const [path = "", ...rest] = url.split("?");
  if (pairs.size === 0 || rest.length === 0) return url;
  const kept = rest
    .join("?")
    .split("&")
    .filter((pair) => !pairs.has(pair));
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}

type Pairs = readonly (readonly [name: string, value: string])[];

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
  if (given !== undefined && !isPlainObject(given)) throw refuse("it is not an object");
  const { headers, query, ...others }: Record<string, unknown> = { ...given };
  const [other] = Object.keys(others);
  if (other !== undefined) throw refuse(`it has ${quoteText(other, 40)} beside \`headers\` and \`query\``);
  const read = (members: unknown, field: keyof RequestSignature): [string, string][] => {
    if (members === undefined) return [];
    if (!isPlainObject(members)) throw refuse(`\`${field}\` is not an object`);
    return Object.entries(members).map(([key, value]) => {
      if (typeof value === "string") return [key, value];
      throw refuse(`the value of ${quoteText(key, 60)} in \`${field}\` is not a string`);
    });
  };
  const pairs = read(query, "query");
  for (const [key, value] of pairs) {
    const shown = quoteText(key, 60);
    if (key === "" || !key.isWellFormed() || !value.isWellFormed())
      throw refuse(`no URL can carry the parameter ${shown}`);
    if (new URL(request.url).searchParams.has(key))
      throw refuse(`the request has the parameter ${shown} already`);
  }
  const own = read(headers, "headers").filter(([key, value]) => !isImplied(key, value, request));
  for (const [key, value] of own) {
    const shown = quoteText(key, 60);
    if (!headerNamePattern.test(key)) throw refuse(`${shown} is not the name of a header`);
    if (isFramingHeader(key)) throw refuse(`the header ${shown} belongs to the connection`);
    if (!headerValuePattern.test(value))
      throw refuse(`the header ${shown} contains a character that no header can carry`);
  }
  return { headers: own, query: pairs };
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
 * What of a signature is redacted: values that are not open, and each long part of one, such as `Signature=…` in `Authorization`. The
 * body's hash, the names of headers and what the request contained before are open.
 */
function listSignatureSecrets(pairs: Pairs, { headers, url, bodySha256 }: RequestToSign): Secret[] {
  const open = new Set([bodySha256, ...Object.keys(headers), ...pairs.map(([name]) => name.toLowerCase())]);
  const isOpen = (text: string): boolean => openValue.test(text) || open.has(text) || url.includes(text);
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
