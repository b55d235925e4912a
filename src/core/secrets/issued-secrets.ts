/** The sessions that an answer issues besides its data: by cookies, and by ids in URLs. */

import { readPlainJson } from "../base/input.js";
import { hasSecretName } from "../base/secret-name.js";
import { hasLength } from "./secret.js";

export type IssuedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A cookie that an answer sets. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** When it ends; undefined where the answer reports no end. */
  readonly endMs: number | undefined;
}

/** Each `Set-Cookie` (RFC 6265, section 5.2). */
export function listSetCookies(headers: IssuedHeaders, nowMs: number): SetCookie[] {
  const lines = headers["set-cookie"];
  if (lines === undefined) return [];
  return [lines].flat().flatMap((line) => {
    // Not by a pattern: runs of spaces side by side are tried in every way, which takes minutes for a header of 8 kB.
    const [pair = ""] = line.split(";", 1);
    const [before = ""] = pair.split("=", 1);
    const [name, value] =
      before === pair ? ["", ""] : [before.trim(), pair.slice(before.length + 1).trim()];
    const attributes = line.slice(pair.length);
    const [, seconds] = /;\s*max-age\s*=\s*"?(-?\d{1,12})/i.exec(attributes) ?? [];
    const [, date = ""] = /;\s*expires\s*=\s*([^;]*)/i.exec(attributes) ?? [];
    // Max-Age has precedence (section 5.3).
    const endMs = seconds === undefined ? Date.parse(date) : nowMs + Number(seconds) * 1_000;
    if (name === "") return [];
    // A cookie has no end where the answer reports none.
    return [{ name, value, endMs: Number.isNaN(endMs) ? undefined : endMs }];
  });
}

/** Whether a cookie is set, and not ended: without a value, or with an end in the past. */
export function isLiving(
  { value, endMs = Number.POSITIVE_INFINITY }: SetCookie,
  nowMs: number,
): boolean {
  return value !== "" && endMs > nowMs;
}

/** The living cookies that a login keeps as its session. Jenkins adds a dot and an id of its own to the name. */
export function listSessionCookies(
  headers: IssuedHeaders,
  session: string,
  nowMs: number,
): SetCookie[] {
  return listSetCookies(headers, nowMs).filter(
    (cookie) =>
      (cookie.name === session || cookie.name.startsWith(`${session}.`)) && isLiving(cookie, nowMs),
  );
}

const pathParameter = /;([\w.-]{2,60})=([^/?#;&"'<>\s]*)/g;

/** Nearly no header has one: these are looked at one by one only where any has. */
function haveSessionIds(headers: IssuedHeaders): boolean {
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const text = typeof value === "object" ? value.join(" ") : value;
    if (text?.includes(";") === true && text.search(pathParameter) >= 0) return true;
  }
  return false;
}

/** A text without the session ids in its paths (`;jsessionid=…`). */
export function withoutSessionIds(text: string): string {
  return text.replace(pathParameter, (whole, name: string) =>
    hasSecretName(name, "query") ? "" : whole,
  );
}

/** Headers without the session ids in their URLs. */
export function dropSessionIds<Given extends IssuedHeaders>(headers: Given): Given {
  if (!haveSessionIds(headers)) return headers;
  const kept = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === "string" ? withoutSessionIds(value) : value?.map(withoutSessionIds),
  ]);
  return Object.fromEntries(kept) as Given;
}

/** The sessions that any answer issues: of cookies that are named so, and in URLs of its headers. */
export function listSessionSecrets(headers: IssuedHeaders): string[] {
  const cookies = listSetCookies(headers, 0).filter(({ name }) => hasSecretName(name, "header"));
  const urls = haveSessionIds(headers)
    ? Object.values(headers).flat().flatMap(listPathSecrets)
    : [];
  return [...cookies.map(({ value }) => value), ...urls].filter(isCredentialLike);
}

function listPathSecrets(text = ""): string[] {
  return [...text.matchAll(pathParameter)].flatMap(([, name = "", value = ""]) =>
    hasSecretName(name, "query") ? [value] : [],
  );
}

/** A token in a header, alone (`X-Auth-Token`) or behind a word (`Bearer …`), and in a parameter of a URL there. */
export function listHeaderTokens(headers: IssuedHeaders): string[] {
  const tokens: string[] = [];
  for (const [name, values = []] of Object.entries(headers))
    for (const value of [values].flat()) {
      if (hasSecretName(name, "header")) tokens.push(value.replace(/^[A-Za-z-]{1,20} +/, ""));
      for (const [, member = "", given = ""] of value.matchAll(urlParameter))
        if (hasSecretName(member, "query")) tokens.push(given);
    }
  return tokens.filter(isCredentialLike);
}

const urlParameter = /[?&;]([\w.-]{2,60})=([^/?#;&"'<>\s]*)/g;

/** Members of RFC 6749 (tokens, errors), RFC 8628 (devices) and RFC 8414 (metadata) that are not credentials, and others like them. */
const publicMember =
  /^(?:token_type|issued_token_type|scope|error|error_description|issuer|interval|verification_uri)$|(?:_endpoint|_supported|_uri)$|expire|lifetime|_in$|authenticate$/i;

/** Whether anyone may know the value of a member of a token or login answer. */
export function isPublicMember(name: string): boolean {
  return publicMember.test(name);
}

/** Members that are named for a secret, and others that a token is issued by (RFC 8628, CAS, SAML). */
function isIssuedName(name: string): boolean {
  const isNamed = hasSecretName(name, "header") || /(?:device_?code|ticket|assertion)$/i.test(name);
  return isNamed && !isPublicMember(name);
}

/** An honest answer issues a few: with thousands an API could have the secrets of other sources forgotten. */
const maxIssued = 50;

/** Lists the values that a token or login answer issues, read as JSON or as a form: each leaf of a member that is named so, the outer ones first. */
export function listIssuedLeaves(text: string): string[] {
  const issued = new Set<string>();
  // Not by recursion: an answer may be nested to any depth. A list grows while it is walked.
  const open: { readonly name: string; readonly value: unknown }[] = [
    { name: "", value: readAnswer(text) },
  ];
  for (const { name, value } of open) {
    if (issued.size >= maxIssued) break;
    if (Array.isArray(value)) for (const each of value) open.push({ name, value: each });
    else if (typeof value === "object" && value !== null)
      for (const [member, inner] of Object.entries(value))
        open.push({ name: member, value: inner });
    else if (isIssuedName(name) && isCredentialLike(String(value))) issued.add(String(value));
  }
  return [...issued];
}

function readAnswer(text: string): unknown {
  const parsed = readPlainJson(text);
  if (parsed !== undefined) return parsed;
  return /^[\w.-]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined;
}

/** Whether a value may be a credential: not a word, a sentence, a time or an address, which other answers contain too. */
export function isCredentialLike(value: string): boolean {
  return hasLength(value) && !/^[A-Za-z_]{1,19}$|[\s@]|^https?:|^\d{4}-\d\d-\d\d/.test(value);
}
