/** From the security schemes of an OpenAPI or Swagger document to an authType, and what a record can't say of them. */

import { asList, asObject, asString, type Plain } from "../map/parse-document.js";
import { clipText } from "../text.js";
import { type ImportChoice, type ImportedRecord, importError, nameVariable } from "./imported.js";

const maxReferences = 20;

/** The object that a `$ref` of this document leads to; references to other documents are not followed. */
export function follow(document: Plain, value: unknown, notes: string[]): Plain {
  let found = asObject(value);
  for (let steps = 0; steps < maxReferences; steps += 1) {
    const reference = asString(found["$ref"]);
    if (reference === undefined) return found;
    if (!reference.startsWith("#/")) {
      notes.push("It refers to other documents, which are not followed.");
      return {};
    }
    const names = reference
      .slice(2)
      .split("/")
      .map((name) => name.replace(/~1/g, "/").replace(/~0/g, "~"));
    found = asObject(names.reduce<unknown>((at, name) => asObject(at)[name], document));
  }
  return {};
}

/** Sets how the credential is sent. @returns the names of all schemes, and of those that a record can express. */
export function applySecurity(
  document: Plain,
  operations: readonly { readonly security: readonly unknown[] | undefined }[],
  { scheme: wanted }: ImportChoice,
  record: ImportedRecord,
  notes: string[],
): { readonly all: readonly string[]; readonly usable: readonly string[] } {
  const described = asObject(
    asObject(document["components"])["securitySchemes"] ?? document["securityDefinitions"],
  );
  const schemes = new Map(
    Object.entries(described).map(([name, value]) => [name, follow(document, value, notes)]),
  );
  const usable = [...schemes].filter(([, scheme]) => isUsable(scheme)).map(([name]) => name);
  if (wanted !== undefined && !usable.includes(wanted)) {
    throw importError(
      `There is no security scheme "${clipText(wanted, 60)}" that a record can express.`,
      `There are: ${usable.join(", ") || "none"}.`,
    );
  }
  const requirements = [
    asList(document["security"]),
    ...operations.map(({ security }) => security ?? []),
  ].flat();
  const named = requirements.map((each) => Object.keys(asObject(each))).filter((names) => names.length > 0);
  const fits = (names: readonly string[]): boolean =>
    wanted === undefined ? names.every((name) => usable.includes(name)) : names.includes(wanted);
  const chosen = mostFrequent(named.filter(fits)) ?? (wanted === undefined ? usable.slice(0, 1) : [wanted]);
  for (const name of chosen) applyScheme(record, name, schemes.get(name) ?? {}, notes);
  for (const [name, scheme] of schemes) {
    if (!isUsable(scheme))
      notes.push(
        `The security scheme "${clipText(name, 60)}" (${describeScheme(scheme)}) can't be expressed by a record.`,
      );
  }
  return { all: [...schemes.keys()], usable };
}

function mostFrequent(lists: readonly (readonly string[])[]): readonly string[] | undefined {
  const counts = new Map<string, { readonly names: readonly string[]; count: number }>();
  for (const names of lists) {
    const entry = counts.get(names.join("\n")) ?? { names, count: 0 };
    entry.count += 1;
    counts.set(names.join("\n"), entry);
  }
  return [...counts.values()].sort((one, other) => other.count - one.count)[0]?.names;
}

function isUsable({ type, in: place, scheme, name }: Plain): boolean {
  if (type === "apiKey") return (place === "header" || place === "query") && asString(name) !== undefined;
  if (type === "http")
    return !/^(?:digest|hoba|mutual|negotiate|oauth|scram-.*|vapid|hawk|privatetoken|dpop)$/i.test(
      asString(scheme) ?? "digest",
    );
  return type === "basic" || type === "oauth2" || type === "openIdConnect";
}

function describeScheme({ type, in: place, scheme }: Plain): string {
  return [type, place, scheme].map(asString).filter(Boolean).join(" ").slice(0, 60) || "unknown";
}

/** The word before the key, as descriptions put it: `"Basic" followed by`, `prefix "Token"`, `Bot <token>`. */
function findPrefix(about: string): string | undefined {
  const quoted = /["'`]([A-Za-z-]{2,20})["'`] followed|prefix:? ["'`]([A-Za-z-]{2,20})["'`]/i.exec(about);
  const shown = /["'`](?:Authorization: ?)?([A-Za-z-]{2,20}) [<{[]/.exec(about);
  return quoted?.[1] ?? quoted?.[2] ?? shown?.[1];
}

function applyScheme(record: ImportedRecord, schemeName: string, scheme: Plain, notes: string[]): void {
  const { api } = record;
  const name = asString(scheme["name"]) ?? "";
  const isHeader = scheme["in"] === "header";
  if (api.authType !== undefined) {
    if (scheme["type"] !== "apiKey") {
      notes.push(
        `Besides, it asks for "${clipText(schemeName, 60)}" (${describeScheme(scheme)}), which a record can't add.`,
      );
      return;
    }
    const variable = `\${${nameVariable(record.name ?? "api", name)}}`;
    if (isHeader) api.headers = { ...api.headers, [name]: variable };
    else api.query = { ...api.query, [name]: variable };
    return;
  }
  if (scheme["type"] === "apiKey" && isHeader && /^authorization$/i.test(name)) {
    const about = asString(scheme["description"]) ?? "";
    const word = findPrefix(about) ?? (/\bbearer\b/i.test(`${about} ${schemeName}`) ? "Bearer" : "");
    api.authType = "bearer";
    if (!/^bearer$/i.test(word)) api.authScheme = word;
    if (word === "") {
      const said = about === "" ? "" : ` (the document says: ${clipText(about, 120)})`;
      notes.push(
        `The key stands in \`Authorization\` as it is${said}; if the API wants a word before it, set --auth-scheme.`,
      );
    }
  } else if (scheme["type"] === "apiKey") {
    api.authType = isHeader ? "header" : "query";
    if (isHeader) api.headerName = name;
    else api.queryParam = name;
  } else if (scheme["type"] === "basic" || /^basic$/i.test(asString(scheme["scheme"]) ?? ""))
    api.authType = "basic";
  else {
    api.authType = "bearer";
    const word = asString(scheme["scheme"]);
    if (word !== undefined && !/^bearer$/i.test(word)) api.authScheme = word;
    if (scheme["type"] !== "http")
      notes.push(
        `"${clipText(schemeName, 60)}" is OAuth 2: the record takes an access token that was issued elsewhere.`,
      );
  }
}
