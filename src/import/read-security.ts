/** From the security schemes of an OpenAPI or Swagger document to an authType, and what a record can't say of them. */

import type { ApiDocument } from "../map/api-document.js";
import type { Operation } from "../map/operation.js";
import { asList, asObject, asString, type Plain } from "../map/parse-document.js";
import { clipText } from "../text.js";
import { countEach, type ImportChoice, type ImportedRecord, importError, nameVariable } from "./imported.js";

/** Sets how the credential is sent. @returns the names of all schemes, and of those that a record can express. */
export function applySecurity(
  document: ApiDocument,
  operations: readonly Operation[],
  { scheme: wanted }: ImportChoice,
  record: ImportedRecord,
  notes: string[],
): { readonly all: readonly string[]; readonly usable: readonly string[] } {
  const schemes = new Map(
    Object.entries(asObject(document.head["securitySchemes"])).map(([name, value]) => [
      name,
      document.follow(value),
    ]),
  );
  const all = [...schemes.keys()];
  const isKnown = (name: string): boolean => isUsable(schemes.get(name) ?? {});
  const usable = all.filter(isKnown);
  if (wanted !== undefined && !usable.includes(wanted)) {
    throw importError(
      `There is no security scheme "${clipText(wanted, 60)}" that a record can express.`,
      `There are: ${usable.join(", ") || "none"}.`,
    );
  }
  const requirements = [
    asList(document.head["security"]),
    ...operations.map(({ security }) => security ?? []),
  ];
  const named = requirements.flat().map((each) => Object.keys(asObject(each)));
  const fits = (names: readonly string[]): boolean =>
    wanted === undefined ? names.length > 0 && names.every(isKnown) : names.includes(wanted);
  const [most] = countEach(named.filter(fits).map((names) => JSON.stringify(names)));
  const preset = wanted === undefined ? usable.slice(0, 1) : [wanted];
  const chosen: readonly string[] = most === undefined ? preset : JSON.parse(most[0]);
  for (const name of chosen) applyScheme(record, name, schemes.get(name) ?? {}, notes);
  for (const name of all.filter((each) => !isKnown(each)))
    notes.push(
      `The security scheme ${describeScheme(name, schemes.get(name))} can't be expressed by a record.`,
    );
  return { all, usable };
}

function isUsable({ type, in: place, scheme, name }: Plain): boolean {
  if (type === "apiKey") return (place === "header" || place === "query") && asString(name) !== undefined;
  const signs = /^(?:digest|hoba|mutual|negotiate|oauth|scram-.*|vapid|hawk|privatetoken|dpop)$/i;
  if (type === "http") return !signs.test(asString(scheme) ?? "digest");
  return type === "basic" || type === "oauth2" || type === "openIdConnect";
}

function describeScheme(name: string, { type, in: place, scheme }: Plain = {}): string {
  const kind = [type, place, scheme].map(asString).filter(Boolean).join(" ").slice(0, 60);
  return `"${clipText(name, 60)}" (${kind || "unknown"})`;
}

/** The word before the key, as descriptions put it: `"Basic" followed by`, `prefix "Token"`, `Bot <token>`. */
function findPrefix(about: string): string | undefined {
  const [, first, second] =
    /prefix:? ["'`]([A-Za-z-]{2,20})["'`]|["'`](?:Authorization: ?)?([A-Za-z-]{2,20})(?:["'`] followed| [<{[])/i.exec(
      about,
    ) ?? [];
  return first ?? second;
}

function applyScheme(record: ImportedRecord, name: string, scheme: Plain, notes: string[]): void {
  const { api } = record;
  const { type } = scheme;
  const key = asString(scheme["name"]) ?? "";
  const isHeader = scheme["in"] === "header";
  if (api.authType !== undefined && type !== "apiKey")
    notes.push(`Besides, it asks for ${describeScheme(name, scheme)}, which a record can't add.`);
  else if (api.authType !== undefined) {
    const variable = `\${${nameVariable(record.name ?? "api", key)}}`;
    if (isHeader) api.headers = { ...api.headers, [key]: variable };
    else api.query = { ...api.query, [key]: variable };
  } else if (type === "apiKey" && isHeader && /^authorization$/i.test(key))
    applyBareKey(api, name, asString(scheme["description"]) ?? "", notes);
  else if (type === "apiKey" && isHeader) Object.assign(api, { authType: "header", headerName: key });
  else if (type === "apiKey") Object.assign(api, { authType: "query", queryParam: key });
  else if (type === "basic" || /^basic$/i.test(asString(scheme["scheme"]) ?? "")) api.authType = "basic";
  else {
    api.authType = "bearer";
    const word = asString(scheme["scheme"]) ?? "Bearer";
    if (!/^bearer$/i.test(word)) api.authScheme = word;
    if (type !== "http")
      notes.push(
        `"${clipText(name, 60)}" is OAuth 2: the record takes an access token that was issued elsewhere.`,
      );
  }
}

/** A key that stands in `Authorization`, after a word that only the description knows. */
function applyBareKey(api: ImportedRecord["api"], name: string, about: string, notes: string[]): void {
  const word = findPrefix(about) ?? (/\bbearer\b/i.test(`${about} ${name}`) ? "Bearer" : "");
  api.authType = "bearer";
  if (!/^bearer$/i.test(word)) api.authScheme = word;
  const said = about === "" ? "" : ` (the document says: ${clipText(about, 120)})`;
  if (word === "")
    notes.push(
      `The key stands in \`Authorization\` as it is${said}; if the API wants a word before it, set --auth-scheme.`,
    );
}
