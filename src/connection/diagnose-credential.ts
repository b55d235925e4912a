/** Why a credential was not accepted: malformed, expired, sent in another way than the API asks for, or simply wrong. */

import type { Challenge } from "../response/error/parse-challenges.js";
import { clipText } from "./clip-text.js";
import { describeCarrier, describeOrigin, tellAuthType } from "./describe-credential.js";
import { findOtherCredentialHeader, tellOtherHeader } from "./diagnose-header.js";
import { tellFlawFix } from "./diagnose-preparation.js";
import { findCredentialFlaws } from "./find-credential-flaws.js";
import type { Finding } from "./finding.js";
import { readTokenExpiry } from "./read-token-expiry.js";
import { type Reading, tellAnswer, toFinding } from "./reading.js";

/** Schemes that sign each request or talk back and forth; no fixed credential serves them. */
const signedSchemes =
  /^(?:digest|negotiate|ntlm|kerberos|hawk|mac|aws4-hmac-sha256|scram-.*|signature|dpop|hoba|mutual|vapid|gnap)$/i;

export function diagnoseCredential(reading: Reading, nowMs: number): Finding {
  if (reading.source.api.authType === undefined) return tellCredentialWanted(reading);
  return (
    diagnoseFlaw(reading) ??
    diagnoseExpiry(reading, nowMs) ??
    diagnosePlacement(reading) ??
    tellNotAccepted(reading)
  );
}

/** The record sends no credential, and the API wants one. */
function tellCredentialWanted(reading: Reading): Finding {
  const { source, challenges } = reading;
  const header = findOtherCredentialHeader(reading);
  const parameter = findAskedParameter(reading);
  const wanted = challenges.find(({ scheme }) => !signedSchemes.test(scheme));
  const change =
    header !== undefined && header.toLowerCase() !== "authorization"
      ? tellAuthType(source, "header", { name: header })
      : parameter !== undefined
        ? tellAuthType(source, "query", { name: parameter })
        : wanted === undefined
          ? '"authType" under `api` to "bearer", "header" (with "headerName"), "query" (with "queryParam") or "basic", as the API\'s documentation says'
          : tellScheme(reading, wanted);
  const prefix = source.slug.toUpperCase().replaceAll("-", "_");
  const where = change.includes("_USERNAME")
    ? ""
    : `, and the credential in the environment as ${prefix}_TOKEN`;
  return toFinding(
    "missing_credentials",
    `${tellAnswer(reading)} The API wants a credential, and the record has no \`authType\`, so none was sent.`,
    `Set ${change}${where}.`,
  );
}

/** Whether the credential by its look explains a refusal. */
export function diagnoseFlaw(reading: Reading): Finding | undefined {
  const { source, credential, origin } = reading;
  const [flaw] = findCredentialFlaws(source, credential);
  if (flaw === undefined) return undefined;
  return toFinding(
    "malformed_credentials",
    `${tellAnswer(reading)} The credential, from ${describeOrigin(source, origin)}, ${flaw.what}.`,
    tellFlawFix(reading, flaw),
  );
}

export function diagnoseExpiry(reading: Reading, nowMs: number): Finding | undefined {
  const { source, credential, origin } = reading;
  const expiry = credential?.kind === "token" ? readTokenExpiry(credential.token, nowMs) : undefined;
  if (expiry === undefined) return undefined;
  return toFinding(
    "invalid_credentials",
    `${tellAnswer(reading)} The token, from ${describeOrigin(source, origin)}, ${expiry}.`,
    `Get a new token and put it into ${describeOrigin(source, origin)}.`,
  );
}

/** The API asks for the credential in another place or with another scheme: the commonest mistake of a record. */
function diagnosePlacement(reading: Reading): Finding | undefined {
  const carrier = describeCarrier(reading.source) ?? "";
  const sent = `The credential was sent ${carrier}`;
  const header = findOtherCredentialHeader(reading);
  if (header !== undefined) {
    return wrongPlace(
      reading,
      `${sent}, but the API asks for it in the header ${header}.`,
      `${tellOtherHeader(reading, header)}`,
    );
  }
  const parameter = findAskedParameter(reading);
  if (parameter !== undefined) {
    return wrongPlace(
      reading,
      `${sent}, but the API asks for it in the query parameter ${parameter}.`,
      `Set ${tellAuthType(reading.source, "query", { name: parameter })}.`,
    );
  }
  const other = findOtherScheme(reading);
  if (other === undefined) return undefined;
  if (signedSchemes.test(other.scheme)) {
    return wrongPlace(
      reading,
      `${sent}, but the API asks for the scheme ${other.scheme} (\`WWW-Authenticate\`), which signs each request.`,
      "No authType of this package can do that. Look in the API's documentation for a token or a key, or put a gateway in front that signs.",
    );
  }
  return wrongPlace(
    reading,
    `${sent}, but the API asks for the scheme ${other.scheme} (\`WWW-Authenticate\`).`,
    `Set ${tellScheme(reading, other)}.`,
  );
}

function wrongPlace(reading: Reading, message: string, fix: string): Finding {
  return toFinding("invalid_credentials", `${tellAnswer(reading)} ${message}`, fix);
}

function tellScheme({ source }: Reading, { scheme }: Challenge): string {
  const name = clipText(scheme, 40);
  if (/^basic$/i.test(name)) return tellAuthType(source, "basic");
  return tellAuthType(source, "bearer", { scheme: name });
}

/** The scheme that is asked for when the one that was sent is not among them. */
function findOtherScheme({ source, credential, challenges }: Reading): Challenge | undefined {
  const { authType, authScheme, headerName = "" } = source.api;
  const isOwnHeader = authType === "header" && headerName.toLowerCase() !== "authorization";
  const [firstWord] = credential?.kind === "token" ? credential.token.split(" ", 1) : [];
  const sent = authType === "basic" ? "basic" : authType === "bearer" ? authScheme : (firstWord ?? "");
  const asked = challenges.filter(({ scheme }) => /^[A-Za-z][A-Za-z0-9-]*$/.test(scheme));
  if (asked.some(({ scheme }) => scheme.toLowerCase() === sent.toLowerCase())) return undefined;
  // For a key in a header or the query, APIs make up scheme names such as `ApiKey`: these ask for what was sent.
  const isTelling = (challenge: Challenge): boolean =>
    !(isOwnHeader || authType === "query") ||
    /^(?:basic|bearer)$/i.test(challenge.scheme) ||
    signedSchemes.test(challenge.scheme);
  return asked.find((each) => isTelling(each) && !signedSchemes.test(each.scheme)) ?? asked.find(isTelling);
}

const keyNames = "(api[-_]?key|app_?id|access_?key|access_?token|key|token)";

/** Texts that name the parameter of a key; each takes its name as the first group. */
const askedParameters: readonly RegExp[] = [
  new RegExp(`(?:parameter|param|query string)s?:? ["'\`(]?${keyNames}\\b`, "i"),
  new RegExp(`\\b${keyNames}["'\`)]? (?:query |url |request |get )?param`, "i"),
  new RegExp(`[?&]${keyNames}=`, "i"),
];

/** The query parameter that the answer names as the place of the key, when the record sends it elsewhere. */
function findAskedParameter({ source, words }: Reading): string | undefined {
  if (/header/i.test(words)) return undefined;
  const found = askedParameters.map((pattern) => pattern.exec(words)?.[1]).find((name) => name !== undefined);
  const isOwn = source.api.authType === "query" && found === source.api.queryParam;
  return isOwn ? undefined : found;
}

function tellNotAccepted(reading: Reading): Finding {
  const { source, origin, url } = reading;
  const from = describeOrigin(source, origin);
  const { host } = new URL(url);
  const gateway = /missing authentication token/i.test(reading.words)
    ? " (An AWS gateway says this for a path it does not have, too: check `api.testEndpoint`.)"
    : "";
  const raw =
    source.api.authType === "header" && source.api.headerName?.toLowerCase() === "authorization"
      ? ' The token stands there alone: if the API wants a word before it, use "authType": "bearer".'
      : "";
  return toFinding(
    "invalid_credentials",
    `${tellAnswer(reading)} The credential was not accepted; it comes from ${from} and was sent ${describeCarrier(source)}.`,
    `Check ${from}: the credential must be whole, neither expired nor revoked, and meant for ${host} (test and live keys differ). If it is right, check \`api.authType\` against the API's documentation.${raw}${gateway}`,
  );
}
