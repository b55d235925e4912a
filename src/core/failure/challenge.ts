/** Reads the headers of a refusal: `WWW-Authenticate`, and the error codes that some APIs put into headers. */

import type { ResponseHeaders } from "../http/limits/rate-limit.js";
import type { ApiSource } from "../record/api-source.js";
import type { FailedAnswer } from "./facts.js";

export interface Challenge {
  /** As written, such as `Bearer`. */
  readonly scheme: string;
  /** Parameter names in lower case. */
  readonly params: ReadonlyMap<string, string>;
}

/** One word with the value after its `=`; nothing that backtracks. */
const piece = /([^\s,="]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?|,/g;

/**
 * Reads `WWW-Authenticate` (RFC 9110, section 11.6.1). What can't be read is skipped. Never throws.
 *
 * @returns The schemes in the order given, each with its parameters.
 */
function parseChallenges(header: string | readonly string[] | undefined): Challenge[] {
  const challenges: { scheme: string; params: Map<string, string> }[] = [];
  let isAfterScheme = false;
  for (const [whole, word = "", quoted, plain] of [header ?? ""]
    .flat()
    .join(", ")
    .slice(0, 4_000)
    .matchAll(piece)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (whole === ",") isAfterScheme = false;
    else if (value !== undefined) challenges.at(-1)?.params.set(word.toLowerCase(), value);
    // What follows a scheme without a comma is the token68 of a handshake: `Negotiate oYG2`.
    else if (!isAfterScheme) challenges.push({ scheme: word, params: new Map() });
    isAfterScheme = whole !== "," && value === undefined && !isAfterScheme;
  }
  return challenges;
}

/** The header's first value; undefined when absent or blank. */
export function readHeader(headers: ResponseHeaders, name: string): string | undefined {
  return [headers[name] ?? ""].flat()[0]?.trim() || undefined;
}

/** Error codes and texts in headers: OAuth2 in `WWW-Authenticate` (RFC 6750), AWS and Azure. */
export function readErrorHeaders(headers: ResponseHeaders): { message?: string; code?: string } {
  const params = findParams(headers, "error");
  const aws = readHeader(headers, "x-amzn-errortype")?.split(":")[0]?.split("#").at(-1);
  const code = aws ?? readHeader(headers, "x-ms-error-code") ?? params?.get("error");
  const message = params?.get("error_description");
  return { ...(message ? { message } : {}), ...(code ? { code } : {}) };
}

/** The parameters of the first challenge of `WWW-Authenticate` that has this one. */
export function findParams(headers: ResponseHeaders, name: string): Challenge["params"] | undefined {
  return parseChallenges(headers["www-authenticate"]).find(({ params }) => params.has(name))?.params;
}

/**
 * Where the API wants the credential, other than where the record puts it: a header, or a scheme of `Authorization`. `signing`: a scheme
 * that signs each request or talks back and forth; no fixed credential serves it.
 */
export interface Placement {
  readonly by: "header" | "scheme" | "signing";
  readonly name: string;
}

const signing =
  /^(?:digest|negotiate|ntlm|kerberos|hawk|mac|aws4-hmac-sha256|scram-.*|signature|dpop|hoba|mutual)$/i;
/** PowerDNS and others announce the header of their key where a scheme belongs. */
const headerScheme = /^x-[a-z0-9-]{2,40}$/i;

/** The schemes of `WWW-Authenticate`, as written. */
function listAnnounced(headers: ResponseHeaders): string[] {
  return parseChallenges(headers["www-authenticate"])
    .map(({ scheme }) => scheme)
    .filter((scheme) => /^[A-Za-z][A-Za-z0-9_-]{1,39}$/.test(scheme));
}

/** Whether `WWW-Authenticate` lists the scheme, or the header, that the credential was sent with. */
export function isAnnounced({ source, headers }: FailedAnswer): boolean {
  const { api } = source;
  const sent = readSentScheme(source);
  // For a key in a header or the query, APIs announce schemes such as `ApiKey`.
  const made = api.authType === undefined ? [] : ["apikey", "api-key", "api_key"];
  const keys = [...made, api.headerName ?? "", ...Object.keys(api.headers)].map((name) => name.toLowerCase());
  const own = sent === undefined ? keys : [sent];
  return listAnnounced(headers).some((scheme) => own.includes(scheme.toLowerCase()));
}

/** What `WWW-Authenticate` requests instead of what was sent; undefined without that header, and where it lists what was sent. */
export function findPlacement(answer: FailedAnswer): Placement | undefined {
  if (readSentScheme(answer.source) === "" || isAnnounced(answer)) return undefined;
  const announced = listAnnounced(answer.headers);
  const header = announced.find((scheme) => headerScheme.test(scheme));
  if (header !== undefined) return { by: "header", name: header };
  const name = announced.find((scheme) => !signing.test(scheme)) ?? announced[0];
  return name === undefined ? undefined : { by: signing.test(name) ? "signing" : "scheme", name };
}

/** The scheme in `Authorization`, in lower case; `""` when the credential is the whole of it, undefined when it goes elsewhere. */
function readSentScheme({ api }: ApiSource): string | undefined {
  if (api.authType === "bearer") return (api.authScheme ?? "").trim().toLowerCase();
  if (api.authType === "basic") return "basic";
  return api.authType === "header" && /^authorization$/i.test(api.headerName ?? "") ? "" : undefined;
}
