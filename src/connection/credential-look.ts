/** What is wrong with a credential by the look of it: quotes, spaces, a scheme pasted along, base64 twice, a token that has expired. */

import type { CredentialOrigin } from "../client/probe-source.js";
import type { UsableCredential } from "../credentials/credential.js";
import type { CredentialFacts, CredentialFlaw } from "../diagnosis/facts.js";
import type { ApiSource } from "../source/api-source.js";
import { writeDuration } from "../text.js";

interface LookedFlaw extends CredentialFlaw {
  /** What the credential was probably meant to be: redacted too, since a server may echo it. */
  readonly meant?: string | undefined;
}

/** Everything about a credential that a diagnosis may name; the value is in none of it. */
export function readCredentialFacts(
  source: ApiSource,
  credential: UsableCredential | undefined,
  origin: CredentialOrigin,
  nowMs: number,
): CredentialFacts {
  const [flaw] = listFlaws(source, credential);
  const token = credential?.kind === "token" ? credential.token : undefined;
  const expiry = token === undefined ? undefined : readTokenExpiry(token, nowMs);
  const foundIn = origin.isFromEnvironment
    ? origin.variables.join(" and ")
    : `the \`credentials\` option for "${source.slug}"`;
  return {
    variables: origin.candidates,
    ...(credential === undefined ? {} : { foundIn }),
    // Without what it was meant to be: that is the credential.
    ...(flaw === undefined ? {} : { flaw: { what: flaw.what, fix: flaw.fix } }),
    ...(expiry === undefined ? {} : { expiry }),
  };
}

/** What the credential was probably meant to be, to be redacted as it is. */
export function listMeantSecrets(source: ApiSource, credential: UsableCredential | undefined): string[] {
  return listFlaws(source, credential).flatMap(({ meant }) =>
    meant === undefined || meant === "" ? [] : [meant],
  );
}

/** In the order a person would fix them. */
function listFlaws(source: ApiSource, credential: UsableCredential | undefined): LookedFlaw[] {
  if (credential === undefined) return [];
  if (credential.kind === "token")
    return [...listTextFlaws(credential.token), ...listTokenFlaws(source, credential.token)];
  return (["username", "password"] as const).flatMap((part) =>
    [...listTextFlaws(credential[part]), ...listPairFlaws(credential[part])].map((flaw) => ({
      ...flaw,
      what: `${flaw.what} (the ${part})`,
    })),
  );
}

const edgeQuotes = /^["'`\u201c\u2018«]+|["'`\u201d\u2019»]+$/g;

/** What no credential of any kind should have. */
function listTextFlaws(text: string): LookedFlaw[] {
  const trimmed = text.trim();
  const bare = trimmed.replace(edgeQuotes, "");
  const filler = findFiller(bare);
  const broken = /[\r\n]/.test(text);
  const flaws: (LookedFlaw | false)[] = [
    broken && { what: "holds a line break", fix: "Remove the line break.", meant: trimmed },
    trimmed !== text &&
      !broken && { what: "begins or ends with a space", fix: "Remove the space.", meant: trimmed },
    /[\u200B-\u200D\u2060\uFEFF]/.test(text) && {
      what: "holds an invisible character",
      fix: "Type it anew, or copy it from another place.",
    },
    bare !== trimmed && {
      what: "begins or ends with a quotation mark",
      fix: "Remove the quotation marks.",
      meant: bare,
    },
    filler !== undefined && { what: filler, fix: "Put the real credential in its place." },
  ];
  return text === "" ? [] : flaws.filter((flaw) => flaw !== false);
}

/** What shells, templates and programs replace by a value. */
const unexpanded =
  /^(?:\$\{[^{}]{1,100}\}|\$[A-Z_][A-Z0-9_]{1,100}|%[A-Za-z_]\w{0,100}%|\{\{[^{}]{1,100}\}\}|(?:process|import\.meta)\.env\b.*|os\.environ\b.*)$/;
/** Whole values that nobody is given as a key: a word for one, something in brackets, one letter over and over. */
const fillers =
  /^(?:change[_-]?me|todo|tbd|fixme|none|null|undefined|n\/a|token|api[_-]?key|key|secret|password|placeholder|\[?redacted\]?|example|\.\.\.|…|<[^<>]*>|\{[^{}]*\}|\[[^[\]]*\]|([x*.#_-])\1{2,})$/i;
const yours =
  /(?:^|[^a-z])(?:your|my|insert|enter|replace|paste|put|add)[-_ ]*(?:[a-z]{2,10}[-_ ]*){0,3}(?:key|token|secret|password|username|credential)/i;

/** Why a text stands where a credential should be; undefined when it may be one. */
function findFiller(value: string): string | undefined {
  if (unexpanded.test(value)) return "is the name of a variable that was never replaced by its value";
  if (fillers.test(value) || (value.length < 60 && yours.test(value)))
    return "is a placeholder of an example and not a credential";
  const isMasked = value.length > 6 && /\*{3,}|\.{3}$|…$/.test(value);
  return isMasked
    ? "is a shortened display of a credential (it was masked or cut where it was copied)"
    : undefined;
}

/** Whether a whole header value is what the record takes: the token stands in `Authorization` as it is. */
function hasOwnScheme({ api }: ApiSource): boolean {
  return (
    (api.authType === "bearer" && api.authScheme === "") ||
    (api.authType === "header" && api.headerName?.toLowerCase() === "authorization")
  );
}

/** What depends on how the token is carried. */
function listTokenFlaws(source: ApiSource, token: string): LookedFlaw[] {
  const { authType, queryParam = "" } = source.api;
  const text = token.trim().replace(edgeQuotes, "");
  const alone = (what: string, meant = ""): LookedFlaw[] => [
    { what, fix: "Give the token alone.", meant: meant.trim() },
  ];
  const [, header, ofHeader] = /^([A-Za-z][A-Za-z-]{2,40}): ?(\S.*)$/s.exec(text) ?? [];
  if (header !== undefined && /^(?:authorization|.*key|.*token)$/i.test(header))
    return alone(`begins with \`${header}:\`, the name of a header`, ofHeader);
  const [, scheme, ofScheme] =
    /^(Bearer|Basic|Token|ApiKey|Api-Key|JWT|OAuth|SSWS|Digest)[ :=]+(\S.*)$/is.exec(text) ?? [];
  if (scheme !== undefined && !hasOwnScheme(source)) {
    return alone(
      `begins with \`${scheme} \`${authType === "bearer" ? ", which the record adds too (`authScheme`)" : ""}`,
      ofScheme,
    );
  }
  if (authType === "query" && text.startsWith(`${queryParam}=`))
    return alone(`begins with \`${queryParam}=\`, which is added to it`, text.slice(queryParam.length + 1));
  const [, ofVariable] = /^(?:export )?[A-Z][A-Z0-9_]{2,60}=(\S.*)$/s.exec(text) ?? [];
  if (ofVariable !== undefined) return alone("begins with the name of a variable and `=`", ofVariable);
  if (authType === "query" && /%[0-9A-F]{2}/i.test(text)) {
    return [
      {
        what: "is percent-encoded already, and is encoded once more",
        fix: "Give it as it is shown by the API, not encoded.",
      },
    ];
  }
  return authType === "bearer" && !hasOwnScheme(source) ? listBearerFlaws(text) : [];
}

function listBearerFlaws(token: string): LookedFlaw[] {
  if (/\s/.test(token)) return [{ what: "holds a space inside", fix: "Copy it anew, without a space." }];
  const decoded = decodeBase64(token) ?? "";
  // Nobody's name: some servers make their tokens of two hexadecimal numbers with a colon between.
  if (!isPair(decoded) || /^(?:[0-9a-f]{8,}|[0-9a-f-]{36}):/i.test(decoded)) return [];
  return [
    {
      what: "looks like a username and a password in base64",
      fix: 'Set "authType": "basic" and give both as they are; they are encoded for you.',
    },
  ];
}

function listPairFlaws(text: string): LookedFlaw[] {
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(text.trim()) ?? [];
  const decoded = decodeBase64(encoded ?? text.trim());
  if (encoded === undefined && !isPair(decoded ?? "")) return [];
  return [
    {
      what: "is in base64 already",
      fix: "Give the username and the password as they are; they are encoded for you.",
      meant: decoded,
    },
  ];
}

/** The text behind base64; undefined when it is not base64 of printable text. */
function decodeBase64(text: string): string | undefined {
  if (text.length < 6 || text.length > 4_000 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const decoded = Buffer.from(text, "base64").toString("utf8");
  return /^[^\p{Cc}\uFFFD]+$/u.test(decoded) ? decoded : undefined;
}

/** Whether it is written like a username and a password. */
function isPair(text: string): boolean {
  return /^[^:\s]{2,}:[^\s]*$/.test(text);
}

/** Why a JSON Web Token (RFC 7519, sections 4.1.4 and 4.1.5) is not valid now, by what it says of itself, such as "is a JWT that expired at 2024-05-01T12:00:00Z"; undefined when it is, or is no JWT. */
function readTokenExpiry(token: string, nowMs: number): string | undefined {
  const [head = "", body = "", ...rest] = token.trim().split(".");
  const claims =
    rest.length === 1 && token.length < 20_000 && parseObject(head) !== undefined
      ? parseObject(body)
      : undefined;
  const expiresMs = toMs(claims?.["exp"]);
  if (expiresMs !== undefined && expiresMs <= nowMs) {
    return `is a JWT that expired at ${writeInstant(expiresMs)}, ${writeDuration((nowMs - expiresMs) / 1_000)} ago`;
  }
  const startsMs = toMs(claims?.["nbf"]);
  return startsMs !== undefined && startsMs > nowMs
    ? `is a JWT that is not valid before ${writeInstant(startsMs)}`
    : undefined;
}

function parseObject(base64url: string): Record<string, unknown> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(base64url)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds since the epoch, as the standard has it; undefined for what JavaScript has no date for. */
function toMs(claim: unknown): number | undefined {
  const ms = typeof claim === "number" && claim > 0 ? claim * 1_000 : Number.NaN;
  return Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
}

function writeInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
}
