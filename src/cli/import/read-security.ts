/** From what a document requires of the caller to an authType, and what a record can't say of it. */

import { clipText } from "../../core/base/text.js";
import { type ApiDocument, asString, type Plain } from "../../features/openapi/api-document.js";
import type { Operation } from "../../features/openapi/operation.js";
import { countEach, type ImportedRecord, nameVariable } from "./imported.js";
import { applyGrant, listScopes } from "./read-grant.js";
import { type RequiredCredentials, readRequiredCredentials } from "./required-credentials.js";
import { readStatedScheme } from "./stated-scheme.js";

/** The document's statement about the credential. */
export interface AppliedSecurity {
  /** Whether it describes how the credential is sent. */
  readonly isKnown: boolean;
  /** Whether an operation answers only to the credential that the record sends. */
  isHeldBy(operation: Operation): boolean;
}

/** Sets how the credential is sent: as most operations require it. */
export function applySecurity(
  document: ApiDocument,
  operations: readonly Operation[],
  record: ImportedRecord,
  notes: string[],
): AppliedSecurity {
  const required = readRequiredCredentials(document, operations);
  const { schemes } = required;
  const chosen = chooseSchemes(required, operations);
  const words = listAuthorizationWords(operations);
  // A record sends one `Authorization`, and each other key as a header or a parameter beside it.
  const isKey = (name: string): boolean => readKeyName(schemes.get(name)) !== undefined;
  for (const name of [...chosen.filter((each) => !isKey(each)), ...chosen.filter(isKey)])
    applyScheme(record, schemes.get(name) ?? {}, name, words, notes);
  applyFirstGrant(document, operations, record, chosen, schemes, notes);
  noteOthers(schemes, chosen, notes);
  return {
    isKnown: schemes.size > 0,
    isHeldBy(operation) {
      const ways = required.listWays(operation);
      const isSent = (name: string): boolean => isSameCredential(schemes, chosen, name);
      return (
        ways.some((names) => names.length > 0 && names.every(isSent)) &&
        ways.every((names) => names.length > 0)
      );
    },
  };
}

/** The schemes that most operations require together, of those that a record can send. */
function chooseSchemes(
  { schemes, listWays }: RequiredCredentials,
  operations: readonly Operation[],
): readonly string[] {
  const isUsable = (name: string): boolean => isExpressible(schemes.get(name));
  const ofOperations = operations.flatMap((operation) => listWays(operation));
  // A document without an operation still says what holds for all.
  const ways = ofOperations.length > 0 ? ofOperations : listWays();
  const fitting = ways.filter((names) => names.length > 0 && names.every(isUsable));
  const [most] = countEach(fitting.map((names) => JSON.stringify(names)));
  if (most !== undefined) return JSON.parse(most[0]);
  // A scheme that no operation requires takes the place of none that holds.
  if (ways.some((names) => names.length > 0)) return [];
  return [...schemes.keys()].filter(isUsable).slice(0, 1);
}

/** The token of an OAuth scheme is the token of a bearer scheme beside it (RFC 6750); two bearer schemes are two tokens. */
function isSameCredential(
  schemes: RequiredCredentials["schemes"],
  chosen: readonly string[],
  name: string,
): boolean {
  if (chosen.includes(name)) return true;
  const isBearer = (each: string): boolean => {
    const { type, scheme } = schemes.get(each) ?? {};
    return type === "http" && /^bearer$/i.test(String(scheme));
  };
  const isOAuth = (each: string): boolean => isIssued(schemes.get(each));
  return (isBearer(name) && chosen.some(isOAuth)) || (isOAuth(name) && chosen.some(isBearer));
}

function isIssued(scheme: Plain = {}): boolean {
  return /^(?:oauth2|openIdConnect)$/.test(String(scheme["type"]));
}

/** Takes the grant of the first scheme that has one a record can express. */
function applyFirstGrant(
  document: ApiDocument,
  operations: readonly Operation[],
  record: ImportedRecord,
  chosen: readonly string[],
  schemes: RequiredCredentials["schemes"],
  notes: string[],
): void {
  const issued = chosen.filter((name) => isIssued(schemes.get(name)));
  const [first] = issued;
  if (first === undefined || record.api.authType !== "bearer") return;
  const isGranted = issued.some((name) =>
    applyGrant(record, schemes.get(name) ?? {}, listScopes(document, operations, name)),
  );
  notes.push(
    isGranted
      ? `Tokens come by OAuth 2, ${record.api.oauth2?.grant}. A client without a secret: --client-auth none.`
      : `${describeScheme(first, schemes.get(first))} has no grant that a record can express: it takes a token that you have; --oauth2 sets a grant.`,
  );
}

function noteOthers(
  schemes: RequiredCredentials["schemes"],
  chosen: readonly string[],
  notes: string[],
): void {
  const usable: string[] = [];
  for (const [name, scheme] of schemes) {
    if (isExpressible(scheme)) usable.push(name);
    else
      notes.push(
        `The security scheme ${describeScheme(name, scheme)} can't be expressed by a record.`,
      );
  }
  if (schemes.size === 0)
    notes.push("The document doesn't describe how the credential is sent (--auth).");
  if (usable.length > chosen.length)
    notes.push(
      `It has the security schemes ${usable.join(", ")}; used: ${chosen.join(", ") || "none"}. Another: --auth.`,
    );
}

function describeScheme(name: string, { type, in: place, scheme }: Plain = {}): string {
  const kind = [type, place, scheme].map(asString).filter(Boolean).join(" ").slice(0, 60);
  return `"${clipText(name, 60)}" (${kind || "unknown"})`;
}

/** The document's statement about a parameter Authorization, which OpenAPI ignores: often the word before the key. */
function listAuthorizationWords(operations: readonly Operation[]): string[] {
  const given = operations.flatMap(({ parameters }) =>
    parameters.filter(({ name, place }) => place === "header" && /^authorization$/i.test(name)),
  );
  const texts = given.flatMap(({ schema, examples, description }) => [
    ...Object.values(Object(schema)),
    ...examples,
    description,
  ]);
  return [...new Set(texts.flatMap((text) => asString(text) ?? []))];
}

/** @param words - What else describes the value of Authorization. */
function applyScheme(
  record: ImportedRecord,
  scheme: Plain,
  name: string,
  words: readonly string[],
  notes: string[],
): void {
  const { api } = record;
  const cookie = readCookieName(scheme);
  if (cookie !== undefined) addCookie(record, cookie, notes);
  const carrier = readCarrier(scheme);
  if (carrier === undefined) return;
  const { authType, headerName, queryParam, authScheme } = carrier;
  if (api.authType === undefined) {
    Object.assign(api, carrier);
    if (authScheme === "") applyWord(api, scheme, [...words, name], notes);
    return;
  }
  const key = headerName ?? queryParam;
  if (key === undefined) {
    if (authType !== "bearer" || api.authType !== "bearer")
      notes.push(`It also requires ${describeScheme(name, scheme)}, which a record can't add.`);
    return;
  }
  const ending = /version$/i.test(key) ? "VALUE" : "SECRET";
  const variable = nameVariable(record.name ?? "api", key, ending);
  const added = { [key]: `\${${variable}}` };
  if (headerName === undefined) api.query = { ...api.query, ...added };
  else api.headers = { ...api.headers, ...added };
  notes.push(`Operations also require ${key}: the record sends it, from the variable ${variable}.`);
}

/** Sets the word before a key in Authorization. It is read from sentences and examples, so a note says what was read. */
function applyWord(
  api: ImportedRecord["api"],
  scheme: Plain,
  words: readonly string[],
  notes: string[],
): void {
  const about = asString(scheme["description"]);
  const word = readStatedScheme([about, ...words]);
  const source = about === undefined ? "" : ` (the document: ${clipText(about, 120)})`;
  if (word === undefined) {
    notes.push(
      `The document names no word before the key in \`Authorization\`${source}; if the API requires one, set --auth-scheme.`,
    );
    return;
  }
  const read = `The word before the key in \`Authorization\` is ${word}, as the document's words were read${source}`;
  if (word === "Basic") {
    api.authType = "basic";
    delete api.authScheme;
    notes.push(`${read}: the credential is a username and a password. Otherwise: --auth.`);
    return;
  }
  if (word === "Bearer") delete api.authScheme;
  else api.authScheme = word;
  notes.push(`${read}; what else precedes the key is part of it. Another: --auth-scheme.`);
}

/** The cookie of a key: a record sends it as a header with a variable. */
function readCookieName({ type, in: place, name }: Plain = {}): string | undefined {
  return type === "apiKey" && place === "cookie" ? asString(name) : undefined;
}

function isExpressible(scheme: Plain = {}): boolean {
  return readCarrier(scheme) !== undefined || readCookieName(scheme) !== undefined;
}

function addCookie(record: ImportedRecord, name: string, notes: string[]): void {
  const { api } = record;
  const variable = nameVariable(record.name ?? "api", name);
  const before = api.headers?.["Cookie"];
  const cookie = `${name}=\${${variable}}`;
  api.headers = { ...api.headers, Cookie: before === undefined ? cookie : `${before}; ${cookie}` };
  notes.push(
    `Operations require the cookie ${clipText(name, 60)}: the record sends it, from the variable ${variable}.`,
  );
}

/** How a record can send what a security scheme asks for. */
type Carrier = Pick<ImportedRecord["api"], "authType" | "headerName" | "queryParam" | "authScheme">;

/** The header or parameter of a key; undefined for what is sent in `Authorization`. */
function readKeyName(scheme: Plain = {}): string | undefined {
  const { headerName, queryParam } = readCarrier(scheme) ?? {};
  return headerName ?? queryParam;
}

/** HTTP schemes that sign each request, or need several messages. */
const signing = /^(?:digest|hoba|mutual|negotiate|oauth|scram-.*|vapid|hawk|privatetoken|dpop)$/i;

/** `undefined` for what `authType` can't say: certificates, cookies, signatures. */
function readCarrier({ type, in: place, name, scheme }: Plain): Carrier | undefined {
  const [key, word = "digest"] = [asString(name), asString(scheme)?.trim()];
  if (type === "apiKey" && key !== undefined) {
    if (place === "query") return { authType: "query", queryParam: key };
    if (place !== "header") return undefined;
    const isBare = /^authorization$/i.test(key);
    return isBare
      ? { authType: "bearer", authScheme: "" }
      : { authType: "header", headerName: key };
  }
  if (type === "http" && /^basic$/i.test(word)) return { authType: "basic" };
  if (type === "oauth2" || type === "openIdConnect") return { authType: "bearer" };
  if (type !== "http" || signing.test(word)) return undefined;
  return { authType: "bearer", authScheme: /^bearer$/i.test(word) ? undefined : word };
}
