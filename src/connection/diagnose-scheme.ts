/** What an API says against the way a credential is sent: by `WWW-Authenticate`, or by words about the scheme. */

import type { Challenge } from "../diagnosis/parse-challenges.js";
import { clipText } from "../text.js";
import { describeCarrier, describeOrigin, tellAuthType } from "./describe-credential.js";
import { looksLikePair } from "./find-credential-flaws.js";
import type { Finding } from "./finding.js";
import { type Reading, tellAnswer, toFinding } from "./reading.js";
import { tellToCheck } from "./tell-to-check.js";

/** Schemes that sign each request or talk back and forth; no fixed credential serves them. */
const signedSchemes =
  /^(?:digest|negotiate|ntlm|kerberos|hawk|mac|aws4-hmac-sha256|scram-.*|signature|dpop|hoba|mutual|vapid|gnap)$/i;

/** PowerDNS and others announce the header of their key where a scheme belongs. */
const headerAsScheme = /^x-[a-z0-9-]{2,40}$/i;

/** Servers write `xBasic` so that no browser opens its own dialogue. */
const disguised = /^x-?(basic|bearer)$/i;

/** What an API announces that a record can serve, as the fields of the record; undefined when there is nothing of the kind. */
export function tellAnnounced(reading: Reading): string | undefined {
  const wanted = listAnnounced(reading).find(({ scheme }) => !signedSchemes.test(scheme));
  return wanted === undefined ? undefined : tellScheme(reading, wanted.scheme);
}

/** What was announced in place of what the record sends; undefined when that is among it, or nothing was announced. */
export function diagnoseAnnounced(reading: Reading): Finding | undefined {
  const asked = listAnnounced(reading);
  if (asked.some(({ scheme }) => isSent(reading, scheme))) return undefined;
  const telling = asked.filter(({ scheme }) => isTelling(reading, scheme));
  const other = telling.find(({ scheme }) => !signedSchemes.test(scheme)) ?? telling[0];
  if (other === undefined) return undefined;
  const { scheme } = other;
  const sent = `The credential was sent ${describeCarrier(reading.source) ?? ""}`;
  if (signedSchemes.test(scheme)) {
    return refuse(
      reading,
      `${sent}, but the API asks for the scheme ${scheme} (\`WWW-Authenticate\`), which signs each request.`,
      "No authType of this package can do that. Look in the API's documentation for a token or a key, or put a gateway in front that signs.",
    );
  }
  const change = `Set ${tellScheme(reading, scheme)}.`;
  if (headerAsScheme.test(scheme)) {
    return refuse(
      reading,
      `${sent}, but the API asks for it in the header ${scheme} (\`WWW-Authenticate\`).`,
      change,
    );
  }
  return isConvincing(reading, scheme)
    ? refuse(
        reading,
        `${sent}, but the API asks for the scheme ${scheme} (\`WWW-Authenticate\`).`,
        `${change} If the API's documentation says otherwise, check ${tellToCheck(reading)}`,
      )
    : refuse(
        reading,
        `The credential was not accepted; it comes from ${describeOrigin(reading.source, reading.origin)} and was sent ${describeCarrier(reading.source)}. The API announces the scheme ${scheme} (\`WWW-Authenticate\`), which some do whatever is wrong.`,
        `First check ${tellToCheck(reading)} If it is right, the server announces ${scheme}: set ${tellScheme(reading, scheme)}.`,
      );
}

function refuse(reading: Reading, message: string, fix: string): Finding {
  return toFinding("invalid_credentials", `${tellAnswer(reading)} ${message}`, fix);
}

function listAnnounced({ challenges }: Reading): Challenge[] {
  return challenges
    .filter(({ scheme }) => /^[A-Za-z][A-Za-z0-9-]*$/.test(scheme))
    .map((challenge) => ({
      ...challenge,
      scheme: clipText(disguised.exec(challenge.scheme)?.[1] ?? challenge.scheme, 40),
    }));
}

function isSent(reading: Reading, scheme: string): boolean {
  const asked = scheme.toLowerCase();
  const { authType, headerName = "" } = reading.source.api;
  const isOwnHeader = authType === "header" && headerName.toLowerCase() === asked;
  return isOwnHeader || reading.sentHeaders.has(asked) || readSentScheme(reading).toLowerCase() === asked;
}

/** The word before the credential in `Authorization`; empty when there is none. */
function readSentScheme({ source, credential }: Reading): string {
  const { authType, authScheme, headerName = "" } = source.api;
  if (authType === "basic") return "Basic";
  if (authType === "bearer" && authScheme !== "") return authScheme;
  const isRaw = authType === "bearer" || headerName.toLowerCase() === "authorization";
  return isRaw && credential?.kind === "token" ? (credential.token.split(" ", 1)[0] ?? "") : "";
}

/** For a key in a header or the query, APIs make up scheme names such as `ApiKey`: these ask for what was sent. */
function isTelling(reading: Reading, scheme: string): boolean {
  return (
    sendsAuthorization(reading) ||
    /^(?:basic|bearer)$/i.test(scheme) ||
    headerAsScheme.test(scheme) ||
    signedSchemes.test(scheme)
  );
}

function sendsAuthorization({ source: { api } }: Reading): boolean {
  return (
    api.authType === "bearer" ||
    api.authType === "basic" ||
    (api.authType === "header" && api.headerName?.toLowerCase() === "authorization")
  );
}

/**
 * Whether a scheme is likelier the cause than a wrong credential. InfluxDB announces `Basic` on every 401, whatever was sent, and no
 * challenge can name a query parameter or a header; so `Basic` convinces only where the credential looks like a username and a password.
 */
function isConvincing(reading: Reading, scheme: string): boolean {
  if (!sendsAuthorization(reading)) return false;
  const { credential } = reading;
  return !/^basic$/i.test(scheme) || (credential?.kind === "token" && looksLikePair(credential.token));
}

function tellScheme({ source }: Reading, scheme: string): string {
  if (headerAsScheme.test(scheme)) return tellAuthType(source, "header", { name: scheme });
  if (/^basic$/i.test(scheme)) return tellAuthType(source, "basic");
  return tellAuthType(source, "bearer", { scheme });
}

const schemeIsWrong =
  /\b(?:invalid|bad|wrong|unknown|incorrect|unsupported|unexpected|unrecogni[sz]ed|missing) auth(?:ori[sz]ation|entication)?[ _-](?:scheme|type|method|prefix)\b|\bauth(?:ori[sz]ation|entication)?[ _-](?:scheme|type|method|prefix) (?:is |was )?(?:not |in)(?:correct|valid|supported|allowed|recogni[sz]ed)\b/i;
const schemeIsNamed =
  /\b(?:starts?|begins?|prefix(?:ed)?|use|using|must be|should be|expect(?:ed|s|ing)?|format(?: is)?)(?: with| in| of)?(?: the)?[ :"'`(]{1,3}(?:authorization: ?)?["'`]?(bearer|basic|token|apikey|api-key|jwt|oauth|ssws)\b/i;

/** Words such as "Incorrect authorization scheme", or "Authorization header must start with Bearer". */
export function diagnoseSchemeWords(reading: Reading): Finding | undefined {
  const { source, words } = reading;
  const sent = readSentScheme(reading);
  const named = /auth|scheme|prefix/i.test(words) ? schemeIsNamed.exec(words)?.[1] : undefined;
  if (named !== undefined && named.toLowerCase() !== sent.toLowerCase() && sendsAuthorization(reading)) {
    const scheme = /^bearer$/i.test(named) ? "Bearer" : named;
    return refuse(
      reading,
      `The credential was sent ${describeCarrier(source)}, but the API asks for the scheme ${scheme}.`,
      `Set ${tellScheme(reading, scheme)}${source.api.authScheme !== "Bearer" && scheme === "Bearer" ? ', and remove "authScheme"' : ""}.`,
    );
  }
  if (!schemeIsWrong.test(words)) return undefined;
  return refuse(
    reading,
    `The API does not take the way the credential was sent, ${describeCarrier(source)}.`,
    tellOtherWord(reading),
  );
}

function tellOtherWord({ source: { api } }: Reading): string {
  const basic = 'If the API wants a username and a password, use "authType": "basic" instead.';
  if (api.authType !== "bearer") {
    return 'Set "authType": "bearer" under `api`, and "authScheme" to the word that the API\'s documentation shows before the token, when it is not "Bearer".';
  }
  return api.authScheme === "Bearer"
    ? `Set "authScheme" under \`api\` to the word that the API's documentation shows before the token, such as "Token". ${basic}`
    : `Correct "authScheme" under \`api\`, which is "${api.authScheme}": most APIs take "Bearer", which is sent when the field is removed. ${basic}`;
}
