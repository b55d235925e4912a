/** Why a credential was not accepted: malformed, expired, sent in another way than the API asks for, or simply wrong. */

import { describeCarrier, describeOrigin, tellAuthType } from "./describe-credential.js";
import { findOtherCredentialHeader, tellOtherHeader } from "./diagnose-header.js";
import { tellFlawFix } from "./diagnose-preparation.js";
import { diagnoseAnnounced, diagnoseSchemeWords, tellAnnounced } from "./diagnose-scheme.js";
import { findCredentialFlaws } from "./find-credential-flaws.js";
import type { Finding } from "./finding.js";
import { readTokenExpiry } from "./read-token-expiry.js";
import { type Reading, tellAnswer, toFinding } from "./reading.js";
import { tellToCheck } from "./tell-to-check.js";

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
  const { source } = reading;
  const header = findOtherCredentialHeader(reading);
  const parameter = findAskedParameter(reading);
  const change =
    header !== undefined && header.toLowerCase() !== "authorization"
      ? tellAuthType(source, "header", { name: header })
      : parameter !== undefined
        ? tellAuthType(source, "query", { name: parameter })
        : (tellAnnounced(reading) ??
          '"authType" under `api` to "bearer", "header" (with "headerName"), "query" (with "queryParam") or "basic", as the API\'s documentation says');
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
  const flaw = findCredentialFlaws(source, credential).find(({ isGuess }) => isGuess !== true);
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
  return diagnoseSchemeWords(reading) ?? diagnoseAnnounced(reading);
}

function wrongPlace(reading: Reading, message: string, fix: string): Finding {
  return toFinding("invalid_credentials", `${tellAnswer(reading)} ${message}`, fix);
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
  const { source, origin } = reading;
  const from = describeOrigin(source, origin);
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
    `Check ${tellToCheck(reading)} If it is right, check \`api.authType\` against the API's documentation.${raw}${gateway}`,
  );
}
