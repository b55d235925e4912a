/** Says what a `WWW-Authenticate` means for the record, as far as it can be believed. */

import type { ApiSource } from "../source/api-source.js";
import { type Challenge, parseChallenges } from "./parse-challenges.js";

/** Schemes that sign each request or talk back and forth; no fixed credential serves them. */
const signedSchemes =
  /^(?:digest|negotiate|ntlm|kerberos|hawk|mac|aws4-hmac-sha256|scram-.*|signature|dpop|hoba|mutual|vapid|gnap)$/i;

/** PowerDNS and others announce the header of their key where a scheme belongs. */
const headerScheme = /^x-[a-z0-9-]+$/i;

/** Names such as `ApiKey`: some are the first word of Authorization, some only say that there is a key. */
const keyScheme = /^api[-_]?key$/i;

/** What can be repeated in a sentence; anything else is not a name. */
const schemeName = /^[A-Za-z][A-Za-z0-9_-]{1,39}$/;

export interface ChallengeAdvice {
  /** Which record fields carry the credential as announced, or that none can. */
  readonly text: string;
  /**
   * Whether it names the cause. A mere scheme doesn't: InfluxDB announces `Basic` on every 401, whatever the credential lacks, and no
   * challenge can name a query parameter. So does a header by its own name.
   */
  readonly isSure: boolean;
}

/** Undefined when nothing is announced, or what the record sends already. */
export function tellChallenge(
  source: ApiSource,
  header: string | readonly string[] | undefined,
): ChallengeAdvice | undefined {
  const asked = parseChallenges(header).filter(({ scheme }) => schemeName.test(scheme));
  if (asked.length === 0 || asked.some((challenge) => isSent(source, challenge))) return undefined;
  const named = asked.find(({ scheme }) => headerScheme.test(scheme));
  if (named !== undefined) {
    return {
      text: `The server asks for the key in the header ${named.scheme}: authType "header" with headerName: "${named.scheme}"`,
      isSure: true,
    };
  }
  const usable = asked.filter(({ scheme }) => !signedSchemes.test(scheme));
  const [first] = usable;
  const names = [...new Set((first === undefined ? asked : usable).map(({ scheme }) => scheme))].slice(0, 4);
  const text =
    first === undefined
      ? `the server announces the scheme ${names.join(", ")}, which a pasted credential can't serve (it signs or negotiates each request, and no authType does that): look in the API's documentation for a token or key`
      : `the server announces the scheme ${names.join(", ")}: ${tellScheme(first.scheme)}`;
  return { text, isSure: false };
}

function tellScheme(scheme: string): string {
  if (/^basic$/i.test(scheme)) return 'authType "basic"';
  if (/^bearer$/i.test(scheme)) return 'authType "bearer"';
  const bearer = `authType "bearer" with authScheme: "${scheme}"`;
  return keyScheme.test(scheme) ? `${bearer}, or authType "header" with the API's own headerName` : bearer;
}

function isSent({ api }: ApiSource, { scheme }: Challenge): boolean {
  const asked = scheme.toLowerCase();
  switch (api.authType) {
    case "basic":
      return asked === "basic";
    case "bearer":
      return asked === api.authScheme.trim().toLowerCase();
    case "header":
      return asked === api.headerName?.toLowerCase() || keyScheme.test(scheme);
    case "query":
      return keyScheme.test(scheme);
    default:
      return false;
  }
}
