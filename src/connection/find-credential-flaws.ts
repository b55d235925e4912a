/** What is wrong with a credential by the look of it: quotes, blanks, a scheme pasted along, base64 twice. */

import type { UsableCredential } from "../credentials/parse-credential.js";
import type { ApiSource } from "../source/api-source.js";
import { findPlaceholderText } from "./find-placeholder-text.js";

export interface CredentialFlaw {
  /** Follows the credential's name, as in "SHOP_TOKEN is wrapped in quotation marks". */
  readonly what: string;
  readonly fix: string;
  /** Whether no server can accept it, so that nothing needs to be sent. */
  readonly isCertain: boolean;
  /** Whether a right credential may look so just as well: said only of one that was refused, and only as a possibility. */
  readonly isGuess?: boolean;
  /** What the credential was probably meant to be: redacted too, since a server may echo it. */
  readonly meant?: string;
}

/** Flaws in the order a person would fix them. The value is never part of a text. */
export function findCredentialFlaws(
  source: ApiSource,
  credential: UsableCredential | undefined,
): CredentialFlaw[] {
  if (credential === undefined) return [];
  if (credential.kind === "token") {
    return [...findTextFlaws(credential.token), ...findTokenFlaws(source, credential.token)];
  }
  const { username, password } = credential;
  return [
    ...findTextFlaws(username).map((flaw) => ofPart("the username", flaw)),
    ...findTextFlaws(password).map((flaw) => ofPart("the password", flaw)),
    ...findBasicFlaws(username, password),
  ];
}

function ofPart(part: string, { what, ...flaw }: CredentialFlaw): CredentialFlaw {
  return { ...flaw, what: `${what} (${part})` };
}

const quotePairs = [`""`, `''`, "``", "“”", "‘’", "«»"] as const;

/** What no credential of any kind should have. */
function findTextFlaws(text: string): CredentialFlaw[] {
  if (text === "") return [];
  const flaws: CredentialFlaw[] = [];
  const trimmed = text.trim();
  const add = (what: string, fix: string, meant?: string, isCertain = false): void => {
    flaws.push({ what, fix, isCertain, ...(meant === undefined ? {} : { meant }) });
  };
  if (/[\r\n]/.test(text)) add("holds a line break", "Remove the line break.", trimmed, true);
  else if (trimmed !== text) add("begins or ends with a blank", "Remove the blank.", trimmed);
  if (/[\u200B-\u200D\u2060\uFEFF]/.test(text)) {
    add("holds an invisible character", "Type it anew, or copy it from another place.");
  }
  const pair = quotePairs.find((marks) => trimmed.length > 1 && wraps(trimmed, marks));
  if (pair !== undefined) {
    add("is wrapped in quotation marks", "Remove the quotation marks.", trimmed.slice(1, -1));
  } else if (/^["'`]|["'`]$/.test(trimmed)) {
    add(
      "begins or ends with a quotation mark",
      "Remove the quotation mark.",
      trimmed.replace(/^["'`]|["'`]$/g, ""),
    );
  }
  const filler = findPlaceholderText(pair === undefined ? trimmed : trimmed.slice(1, -1));
  if (filler !== undefined) add(filler, "Put the real credential in its place.");
  return flaws;
}

function wraps(text: string, marks: string): boolean {
  return text.startsWith(marks.charAt(0)) && text.endsWith(marks.charAt(1));
}

const pastedScheme = /^(Bearer|Basic|Token|ApiKey|Api-Key|JWT|OAuth|SSWS|Digest)[ :=]+(\S.*)$/is;
const pastedHeader = /^([A-Za-z][A-Za-z-]{2,40}): ?(\S.*)$/s;

/** What depends on how the token is carried. */
function findTokenFlaws(source: ApiSource, token: string): CredentialFlaw[] {
  const { authType, authScheme, headerName = "", queryParam = "" } = source.api;
  const text = token.trim().replace(/^["'`]|["'`]$/g, "");
  // A whole header value is what a record with a raw Authorization header takes.
  const carriesScheme =
    (authType === "bearer" && authScheme === "") || headerName.toLowerCase() === "authorization";
  const [, header, ofHeader] = pastedHeader.exec(text) ?? [];
  if (header !== undefined && /^(?:authorization|.*key|.*token)$/i.test(header)) {
    return [pasted(`begins with \`${header}:\`, the name of a header`, ofHeader)];
  }
  const [, scheme, ofScheme] = pastedScheme.exec(text) ?? [];
  if (scheme !== undefined && !carriesScheme) {
    const twice = authType === "bearer" ? `, which the record adds too (\`authScheme\`)` : "";
    return [pasted(`begins with \`${scheme} \`${twice}`, ofScheme)];
  }
  if (authType === "query" && queryParam !== "" && text.startsWith(`${queryParam}=`)) {
    return [
      pasted(`begins with \`${queryParam}=\`, which is added to it`, text.slice(queryParam.length + 1)),
    ];
  }
  const [, , ofAssignment] = /^(?:export )?([A-Z][A-Z0-9_]{2,60})=(\S.*)$/s.exec(text) ?? [];
  if (ofAssignment !== undefined) return [pasted("begins with the name of a variable and `=`", ofAssignment)];
  if (authType === "query" && /%[0-9A-F]{2}/i.test(text)) {
    return [
      {
        what: "is percent-encoded already, and is encoded once more",
        fix: "Give it as it is shown by the API, not encoded.",
        isCertain: false,
      },
    ];
  }
  return authType === "bearer" && !carriesScheme ? findPairInToken(text) : [];
}

function pasted(what: string, rest: string | undefined): CredentialFlaw {
  const meant = rest?.trim();
  return {
    what,
    fix: "Give the token alone.",
    isCertain: false,
    ...(meant ? { meant } : {}),
  };
}

function findPairInToken(token: string): CredentialFlaw[] {
  if (/\s/.test(token)) {
    return [{ what: "holds a blank inside", fix: "Copy it anew, without a blank.", isCertain: false }];
  }
  const decoded = decodeBase64(token);
  if (!isPair(decoded)) return [];
  if (madeByMachine.test(decoded ?? "")) {
    return [
      {
        what: "may be a username and a password in base64",
        fix: 'set "authType": "basic" under `api` and give both as they are.',
        isCertain: false,
        isGuess: true,
      },
    ];
  }
  return [
    {
      what: "looks like a username and a password in base64",
      fix: 'Set "authType": "basic" and give both as they are; they are encoded for you.',
      isCertain: false,
    },
  ];
}

/** No one's name: verdaccio makes its tokens of two hexadecimal numbers with a colon between. */
const madeByMachine = /^(?:[0-9a-f]{8,}|[0-9a-f-]{36}):/i;

/** Whether a token is written like a username and a password. */
export function looksLikePair(token: string): boolean {
  return isPair(token.trim()) && !/^https?:/i.test(token.trim());
}

function findBasicFlaws(username: string, password: string): CredentialFlaw[] {
  const fix = "Give the username and the password as they are; they are encoded for you.";
  for (const [part, text] of [
    ["the username", username],
    ["the password", password],
  ] as const) {
    const [, , encoded] = /^(Basic)\s+(\S+)$/i.exec(text.trim()) ?? [];
    const decoded = decodeBase64(encoded ?? text.trim());
    if (encoded !== undefined || isPair(decoded) || isEncodedWord(text.trim(), decoded)) {
      return [
        {
          what: `is in base64 already (${part})`,
          fix,
          isCertain: false,
          ...(decoded ? { meant: decoded } : {}),
        },
      ];
    }
  }
  return [];
}

/** The text behind base64; undefined when it is not base64 of printable text. */
function decodeBase64(text: string): string | undefined {
  if (text.length < 6 || text.length > 4_000 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const decoded = Buffer.from(text, "base64").toString("utf8");
  return /^[^\p{Cc}\uFFFD]+$/u.test(decoded) ? decoded : undefined;
}

/** A random text decodes to bytes that no one can read; one of plain characters was encoded by somebody. */
function isEncodedWord(text: string, decoded: string | undefined): boolean {
  return (
    decoded !== undefined &&
    text.length >= 8 &&
    /^[\x21-\x7e]+$/.test(decoded) &&
    Buffer.from(decoded, "utf8").toString("base64") === text
  );
}

function isPair(decoded: string | undefined): boolean {
  return decoded !== undefined && /^[^:\s]{2,}:[^\s]*$/.test(decoded);
}
