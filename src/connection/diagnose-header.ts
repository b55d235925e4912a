/** A header the API asks for: which one, and what the record has to say for it. */

import { tellAuthType } from "./describe-credential.js";
import { findAskedHeader, isCredentialHeader } from "./find-asked-header.js";
import type { Finding } from "./finding.js";
import { type Reading, tellAnswer, toFinding } from "./reading.js";

/** Undefined when the answer asks for no header, or for the credential's, which is another cause. */
export function diagnoseHeader(reading: Reading): Finding | undefined {
  const header = findAskedHeader(reading.words);
  if (header === undefined || isOfCredential(reading, header)) return undefined;
  const wasSent = reading.sentHeaders.has(header.toLowerCase());
  const what = wasSent
    ? `The API wants another value in the header ${header} than the one that was sent.`
    : `The API wants the header ${header}, which the record does not send.`;
  return toFinding("missing_header", `${tellAnswer(reading)} ${what}`, tellHeader(header, reading, wasSent));
}

/** The header that carries, or should carry, the credential; undefined when the answer names none, or the record's own. */
export function findOtherCredentialHeader(reading: Reading): string | undefined {
  const header = findAskedHeader(reading.words);
  if (header === undefined || !isCredentialHeader(header)) return undefined;
  const { authType, headerName = "" } = reading.source.api;
  const own = authType === "bearer" || authType === "basic" ? "authorization" : headerName.toLowerCase();
  return header.toLowerCase() === own ? undefined : header;
}

/** Whether the answer asks for a header that carries, or should carry, the credential. */
export function asksForCredential(reading: Reading): boolean {
  const header = findAskedHeader(reading.words);
  return header !== undefined && isOfCredential(reading, header);
}

function isOfCredential({ source }: Reading, header: string): boolean {
  return header.toLowerCase() === source.api.headerName?.toLowerCase() || isCredentialHeader(header);
}

function tellHeader(header: string, reading: Reading, wasSent: boolean): string {
  const value = guessValue(header, reading);
  const example = `"headers": { "${header}": "${value}" }`;
  const why = /^user-agent$/i.test(header)
    ? "it should name your application"
    : value === "…"
      ? 'the API\'s documentation says which value; a secret one is written "${NAME}" and read from the variable NAME'
      : "check the value against the API's documentation";
  const verb = wasSent && reading.source.api.headers[header] !== undefined ? "Change" : "Add";
  return `${verb} ${example} under \`api\`: ${why}.`;
}

/** A value that the answer itself names. */
function guessValue(header: string, { words }: Reading): string {
  if (/^user-agent$/i.test(header)) return "my-app/1.0 (me@my-domain)";
  const mediaType = /\b(?:application|text)\/[a-z0-9.+-]{1,80}/i.exec(words)?.[0];
  if (/^(?:accept|content-type)$/i.test(header)) return mediaType ?? "application/json";
  if (/version/i.test(header)) return /\b20\d\d-[01]\d-[0-3]\d\b/.exec(words)?.[0] ?? "…";
  return "…";
}

/** 406 and 415: the type of the answer, or of a body that was not sent. */
export function diagnoseMediaType(reading: Reading): Finding {
  const header = reading.status === 406 ? "Accept" : "Content-Type";
  const isOwn = Object.keys(reading.source.api.headers).some(
    (name) => name.toLowerCase() === header.toLowerCase(),
  );
  const what =
    reading.status === 406
      ? `The API does not answer in a type that the ${isOwn ? "record's" : "tool's"} Accept header names.`
      : "The API wants a Content-Type even where there is no body.";
  const value = guessValue(header, reading);
  const fix = `${isOwn ? "Change" : "Add"} "headers": { "${header}": "${value}" } under \`api\`, with the media type the API's documentation names.`;
  return toFinding("missing_header", `${tellAnswer(reading)} ${what}`, fix);
}

/** How to send the credential in the header that the API asks for. */
export function tellOtherHeader(reading: Reading, header: string): string {
  const { source } = reading;
  const isHeaderType = source.api.authType === "header";
  const change =
    header.toLowerCase() === "authorization"
      ? tellAuthType(source, "bearer")
      : tellAuthType(source, "header", { name: header });
  const second =
    isHeaderType && header.toLowerCase() !== "authorization"
      ? ` If it is a second secret beside the one in ${source.api.headerName}, add "headers": { "${header}": "\${NAME}" } instead.`
      : "";
  return `Set ${change}.${second}`;
}
