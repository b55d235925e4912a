/** From the security schemes of an OpenAPI or Swagger document to an authType, and what a record can't say of them. */

import { clipText } from "../../core/base/text.js";
import type { OAuthGrant } from "../../core/record/api-source.js";
import { findEndpointUrlProblem } from "../../core/record/base-url.js";
import {
  type ApiDocument,
  asList,
  asObject,
  asString,
  type Plain,
} from "../../features/openapi/api-document.js";
import type { Operation } from "../../features/openapi/operation.js";
import { countEach, type ImportedRecord, nameVariable } from "./imported.js";

/** What the document says of the credential. */
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
  const schemes = listSchemes(document);
  const all = [...schemes.keys()];
  const isUsable = (name: string): boolean => readCarrier(schemes.get(name) ?? {}) !== undefined;
  const usable = all.filter(isUsable);
  const ofOperations = operations.flatMap((operation) => listRequirements(document, operation));
  // A document without an operation still says what holds for all.
  const named = ofOperations.length > 0 ? ofOperations : listRequirements(document);
  const fitting = named.filter((names) => names.length > 0 && names.every(isUsable));
  const [most] = countEach(fitting.map((names) => JSON.stringify(names)));
  const chosen: readonly string[] = most === undefined ? usable.slice(0, 1) : JSON.parse(most[0]);
  for (const name of chosen) applyScheme(record, name, schemes.get(name) ?? {}, notes);
  const issued = chosen.find((name) =>
    /^(?:oauth2|openIdConnect)$/.test(String(schemes.get(name)?.["type"])),
  );
  if (issued !== undefined && record.api.authType === "bearer") {
    const scopes = listScopes(document, operations, issued);
    const isGranted = applyGrant(record, schemes.get(issued) ?? {}, scopes);
    notes.push(
      isGranted
        ? `Tokens come by OAuth 2, ${record.api.oauth2?.grant}. A client without a secret: --client-auth none.`
        : `${describeScheme(issued, schemes.get(issued))} has no grant that a record can express: it takes a token that you have; --oauth2 sets a grant.`,
    );
  }
  for (const name of all.filter((each) => !isUsable(each)))
    notes.push(
      `The security scheme ${describeScheme(name, schemes.get(name))} can't be expressed by a record.`,
    );
  if (all.length === 0)
    notes.push("The document doesn't describe how the credential is sent (--auth).");
  if (usable.length > chosen.length)
    notes.push(
      `It has the security schemes ${usable.join(", ")}; used: ${chosen.join(", ")}. Another: --auth.`,
    );
  return {
    isKnown: all.length > 0,
    isHeldBy(operation) {
      const requirements = listRequirements(document, operation);
      return (
        requirements.some(
          (names) => names.length > 0 && names.every((name) => chosen.includes(name)),
        ) && requirements.every((names) => names.length > 0)
      );
    },
  };
}

function describeScheme(name: string, { type, in: place, scheme }: Plain = {}): string {
  const kind = [type, place, scheme].map(asString).filter(Boolean).join(" ").slice(0, 60);
  return `"${clipText(name, 60)}" (${kind || "unknown"})`;
}

function applyScheme(record: ImportedRecord, name: string, scheme: Plain, notes: string[]): void {
  const { api } = record;
  const carrier = readCarrier(scheme);
  if (carrier === undefined) return;
  const { authType, headerName, queryParam, authScheme } = carrier;
  const refer = (key: string) => ({ [key]: `\${${nameVariable(record.name ?? "api", key)}}` });
  if (api.authType === undefined) {
    Object.assign(api, carrier);
    const about = asString(scheme["description"]) ?? "";
    const source = about === "" ? "" : ` (the document: ${clipText(about, 120)})`;
    // Most have this word before the key; another one, such as `Token`, is for the user to set.
    if (authScheme === "" && /\bbearer\b/i.test(`${about} ${name}`)) delete api.authScheme;
    else if (authScheme === "")
      notes.push(
        `The key is in \`Authorization\` as it is${source}; if the API requires a word before it, set --auth-scheme.`,
      );
  } else if (headerName !== undefined) api.headers = { ...api.headers, ...refer(headerName) };
  else if (queryParam !== undefined) api.query = { ...api.query, ...refer(queryParam) };
  else if (authType !== "bearer" || api.authType !== "bearer")
    notes.push(`It also requires ${describeScheme(name, scheme)}, which a record can't add.`);
}

interface Flow {
  /** In OpenAPI 3, and in Swagger 2. */
  readonly names: readonly string[];
  readonly grant: OAuthGrant;
  /** The endpoint that the grant needs besides the token endpoint. */
  readonly also?: "authorizationUrl" | "deviceAuthorizationUrl";
}

/** The grant that needs no person comes first. */
const flows: readonly Flow[] = [
  { names: ["clientCredentials", "application"], grant: "client_credentials" },
  {
    names: ["authorizationCode", "accessCode"],
    grant: "authorization_code",
    also: "authorizationUrl",
  },
  { names: ["deviceAuthorization"], grant: "device_code", also: "deviceAuthorizationUrl" },
];

/** The scopes that reading needs: those that the document and its GET operations name for the scheme. */
function listScopes(
  { head }: ApiDocument,
  operations: readonly Operation[],
  scheme: string,
): string[] {
  const reads = operations.filter(({ method }) => method === "GET");
  const given = reads.flatMap(({ security }) => security ?? asList(head["security"]));
  const scopes = given.flatMap((each) => asList(asObject(each)[scheme])).map(asString);
  // RFC 6749, section 3.3: visible ASCII without a quotation mark and a backslash.
  return [...new Set(scopes)]
    .filter((scope): scope is string => /^[!#-[\]-~]{1,200}$/.test(scope ?? ""))
    .slice(0, 50);
}

/** Sets where a token comes from, the client as variables of the source. @returns whether the scheme has a grant that a record can express. */
function applyGrant(
  { name: source = "api", api }: ImportedRecord,
  scheme: Plain,
  requested: readonly string[],
): boolean {
  for (const { names, grant, also } of flows) {
    const named = asObject(asObject(scheme["flows"])[names[0] ?? ""]);
    const flow = names.includes(String(scheme["flow"])) ? scheme : named;
    const keys = ["tokenUrl", ...(also === undefined ? [] : [also])];
    const urls = Object.fromEntries(keys.map((key) => [key, readUrl(flow[key], api)]));
    if (Object.values(urls).includes(undefined)) continue;
    const [clientId = "", clientSecret = ""] = ["client_id", "client_secret"].map(
      (part) => `\${${nameVariable(source, part)}}`,
    );
    api.oauth2 = {
      grant,
      ...urls,
      clientId,
      clientSecret,
      scopes: requested.length > 0 ? requested : undefined,
    };
    return true;
  }
  return false;
}

/** Absolute, from the base URL on; undefined for an address that a record can't have. */
function readUrl(given: unknown, { baseUrl }: ImportedRecord["api"]): string | undefined {
  const text = asString(given) ?? "";
  const url = URL.canParse(text, baseUrl || undefined)
    ? new URL(text, baseUrl || undefined).href
    : text;
  return text === "" || /[{}]|%7B/i.test(url) || findEndpointUrlProblem(url) !== undefined
    ? undefined
    : url;
}

/** How a record can send what a security scheme asks for. */
type Carrier = Pick<ImportedRecord["api"], "authType" | "headerName" | "queryParam" | "authScheme">;

/** Each scheme by its name, its `$ref` followed. */
function listSchemes({ head, follow }: ApiDocument): ReadonlyMap<string, Plain> {
  const schemes = Object.entries(asObject(head["securitySchemes"]));
  return new Map(schemes.map(([name, scheme]) => [name, follow(scheme)]));
}

/** The names of the schemes that are asked for together, each way that an operation, or else the document, leaves open. */
function listRequirements({ head }: ApiDocument, operation?: Operation): string[][] {
  const given = operation?.security ?? asList(head["security"]);
  return given.map((each) => Object.keys(asObject(each)));
}

/** `undefined` for what a record can't say: certificates, cookies, signatures. */
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
  if (type === "basic" || (type === "http" && /^basic$/i.test(word))) return { authType: "basic" };
  if (type === "oauth2" || type === "openIdConnect") return { authType: "bearer" };
  const signs = /^(?:digest|hoba|mutual|negotiate|oauth|scram-.*|vapid|hawk|privatetoken|dpop)$/i;
  if (type !== "http" || signs.test(word)) return undefined;
  return { authType: "bearer", authScheme: /^bearer$/i.test(word) ? undefined : word };
}
