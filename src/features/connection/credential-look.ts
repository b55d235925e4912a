/** What is wrong with a credential by the look of it: quotes, spaces, a scheme pasted along, base64 twice, a token that has expired. */

import { writeDuration } from "../../core/base/text.js";
import type { UsableCredential } from "../../core/credentials/credential.js";
import type { CredentialFacts } from "../../core/failure/facts.js";
import type { ApiSource } from "../../core/record/api-source.js";

interface Problem {
  /** Follows the credential's name, as in "SHOP_TOKEN is wrapped in quotation marks". */
  readonly what: string;
  readonly fix: string;
  /** What the credential was probably meant to be: redacted too, since a server may echo it. */
  readonly meant?: string | undefined;
}

/** What is wrong with a credential, and whether it has expired; the value is in neither. */
export function lookAtCredential(
  source: ApiSource,
  credential: UsableCredential | undefined,
  nowMs: number,
): Pick<CredentialFacts, "problem" | "expiry"> {
  const [problem] = listProblems(source, credential);
  return {
    // Without what it was meant to be: that is the credential.
    problem: problem && { what: problem.what, fix: problem.fix },
    expiry: credential?.kind === "token" ? readTokenExpiry(credential.token, nowMs) : undefined,
  };
}

/** What the credential was probably meant to be, to be redacted as it is. */
export function listMeantSecrets(source: ApiSource, credential: UsableCredential | undefined): string[] {
  return listProblems(source, credential).flatMap(({ meant = "" }) => (meant === "" ? [] : [meant]));
}

/** In the order a person would fix them. */
function listProblems(source: ApiSource, credential: UsableCredential | undefined): Problem[] {
  if (credential === undefined || credential.kind === "signer") return [];
  // What the API issues is not a mistake of a person.
  if (credential.kind === "token" && source.api.login?.cookie !== undefined) return [];
  if (credential.kind === "token")
    return [...listTextProblems(credential.token), ...listTokenProblems(source, credential.token)];
  const ofParts = (["username", "password"] as const).flatMap((part) =>
    [
      ...listTextProblems(credential[part]),
      ...listPairProblems(credential[part]),
      ...listKeyProblems(credential[part]),
    ].map((problem) => ({ ...problem, what: `${problem.what} (the ${part})` })),
  );
  return [...ofParts, ...listSwapProblems(credential.username, credential.password)];
}

/** A JSON Web Token (RFC 7519): three parts, the first of which is `{"` in base64. */
const jsonWebToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** A key in a pair: some APIs take a JSON Web Token as a password, many as the whole credential. */
function* listKeyProblems(text: string): Generator<Problem> {
  if (!jsonWebToken.test(text.trim())) return;
  const fix = 'If this one does, set `api.authType` to "bearer" and give it as the token.';
  yield { what: "is a JSON Web Token, which many APIs take alone", fix };
}

const mailAddress = /^[^\s@:]+@[^\s@:]+\.[a-z]{2,}$/i;

function* listSwapProblems(username: string, password: string): Generator<Problem> {
  // RFC 7617, section 2: what follows the first colon is the password.
  if (username.includes(":"))
    yield {
      what: "has a colon in the username, where the password begins",
      fix: "Give the username and the password apart.",
    };
  if (mailAddress.test(password.trim()) && !username.includes("@"))
    yield {
      what: "has an e-mail address as the password and none as the username: the two may be swapped",
      fix: "Swap the username and the password.",
    };
}

const edgeQuotes = /^["'`\u201c\u2018«]+|["'`\u201d\u2019»]+$/g;

/** What no credential of any kind should have. */
function* listTextProblems(text: string): Generator<Problem> {
  const meant = text.trim();
  const bare = meant.replace(edgeQuotes, "");
  if (/[\r\n]/.test(text)) yield { what: "holds a line break", fix: "Remove the line break.", meant };
  else if (meant !== text) yield { what: "begins or ends with a space", fix: "Remove the space.", meant };
  if (bare !== meant) {
    const fix = "Remove the quotation marks.";
    yield { what: "begins or ends with a quotation mark", fix, meant: bare };
  }
  if (isPlaceholder(bare)) {
    const fix = "Put the real credential in its place.";
    yield { what: "is a placeholder or a shortened display and not a credential", fix };
  }
}

/** What shells, templates and programs replace by a value. */
const unexpanded =
  /^(?:\$\{[^{}]{1,100}\}|\$[A-Z_][A-Z0-9_]{1,100}|%[A-Za-z_]\w{0,100}%|\{\{[^{}]{1,100}\}\}|(?:process|import\.meta)\.env\b.*|os\.environ\b.*)$/;
/** Whole values that are never a real key: a word for a key, something in brackets, one letter repeated. */
const fillers =
  /^(?:change[_-]?me|todo|tbd|fixme|none|null|undefined|n\/a|token|api[_-]?key|key|secret|password|placeholder|\[?redacted\]?|example|\.\.\.|…|<[^<>]*>|\{[^{}]*\}|\[[^[\]]*\]|([x*.#_-])\1{2,})$/i;
const yours =
  /(?:^|[^a-z])(?:your|my|insert|enter|replace|paste|put|add)[-_ ]*(?:[a-z]{2,10}[-_ ]*){0,3}(?:key|token|secret|password|username|credential)/i;

/** Whether a text is a placeholder for a credential: a variable's name, an example's word, or a key that was masked where it was copied. */
function isPlaceholder(value: string): boolean {
  if (unexpanded.test(value) || fillers.test(value)) return true;
  return (value.length < 60 && yours.test(value)) || (value.length > 6 && /\*{3,}|\.{3}$|…$/.test(value));
}

/** A variable's name in front of a token. Not in any case, and not before another `=`: base64 and base32 end with that. */
const assigned = /^(?:export )?[A-Z][A-Z0-9_]{2,60}=(?=[^=\s])/;
/** A header's name and a scheme, each of which may precede a token. */
const pasted =
  /^(?:(?:authorization|[a-z-]{0,40}(?:key|token)): ?)?(?:(?:Bearer|Basic|Token|ApiKey|Api-Key|JWT|OAuth|SSWS|Digest)(?: +|: *|=))?(?=[^=\s])/i;

/** What depends on how the token is carried. */
function listTokenProblems({ api }: ApiSource, token: string): Problem[] {
  const isWhole =
    api.authType === "bearer" ? api.authScheme === "" : /^authorization$/i.test(api.headerName ?? "");
  const text = token.trim().replace(edgeQuotes, "");
  const [variable = ""] = assigned.exec(text) ?? [];
  const [prefix = ""] = pasted.exec(text.slice(variable.length)) ?? [];
  // The whole of `Authorization` has a scheme of its own.
  if (variable + prefix !== "" && !isWhole) {
    // Text that is not a name would be a part of the token, so it is not shown.
    const what = `begins with \`${variable === "" ? "" : "NAME="}${prefix}\`${api.authType === "bearer" ? ", beside what the record adds (`authScheme`)" : ""}`;
    return [
      { what, fix: "Give the token alone.", meant: text.slice(variable.length + prefix.length).trim() },
    ];
  }
  return api.authType === "bearer" && !isWhole && /\s/.test(text)
    ? [{ what: "holds a space inside", fix: "Copy it again, without a space." }]
    : [];
}

/** A username or a password that is what `Authorization: Basic` is made of. */
function listPairProblems(text: string): Problem[] {
  const [, scheme, encoded = ""] = /^(Basic\s+)?([A-Za-z0-9+/_-]{6,4000}={0,2})$/i.exec(text.trim()) ?? [];
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const isPair = /^[^:\s\p{Cc}\uFFFD]{2,}:[^\s\p{Cc}\uFFFD]*$/u.test(decoded);
  if (scheme === undefined && !isPair) return [];
  const fix = "Give the username and the password as they are; they are encoded for you.";
  return [{ what: "is in base64 already", fix, meant: isPair ? decoded : "" }];
}

/** When a JSON Web Token (RFC 7519, section 4.1.4) has expired by its own `exp`, such as "is a JWT that expired at 2024-05-01T12:00:00Z"; undefined when it has not, or is not a JWT. */
function readTokenExpiry(token: string, nowMs: number): string | undefined {
  const parts = token.trim().split(".");
  if (parts.length !== 3 || token.length > 20_000) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString("utf8"));
    const { exp }: { readonly exp?: unknown } = Object(claims);
    const expiresMs = typeof exp === "number" && exp > 0 ? exp * 1_000 : Number.NaN;
    if (!(expiresMs <= nowMs)) return undefined;
    const instant = new Date(expiresMs).toISOString().replace(/\.\d{3}Z$/, "Z");
    return `is a JWT that expired at ${instant}, ${writeDuration((nowMs - expiresMs) / 1_000)} ago`;
  } catch {
    return undefined;
  }
}
