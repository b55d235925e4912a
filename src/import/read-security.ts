/** From the security schemes of an OpenAPI or Swagger document to an authType, and what a record can't say of them. */

import { invalidInput } from "../errors.js";
import type { ApiDocument } from "../openapi/api-document.js";
import type { Operation } from "../openapi/operation.js";
import { asString, type Plain } from "../openapi/parse-document.js";
import { listRequirements, listSchemes, readCarrier } from "../openapi/security.js";
import { clipText } from "../text.js";
import { countEach, type ImportChoice, type ImportedRecord, nameVariable } from "./imported.js";
import { applyGrant, listScopes } from "./read-grant.js";

/** Sets how the credential is sent. @returns the names of all schemes, and of those that a record can express. */
export function applySecurity(
  document: ApiDocument,
  operations: readonly Operation[],
  { scheme: wanted }: ImportChoice,
  record: ImportedRecord,
  notes: string[],
): { readonly all: readonly string[]; readonly usable: readonly string[] } {
  const schemes = listSchemes(document);
  const all = [...schemes.keys()];
  const isUsable = (name: string): boolean => readCarrier(schemes.get(name) ?? {}) !== undefined;
  const usable = all.filter(isUsable);
  if (wanted !== undefined && !usable.includes(wanted)) {
    throw invalidInput(
      `There is no security scheme "${clipText(wanted, 60)}" that a record can express.`,
      `There are: ${usable.join(", ") || "none"}.`,
    );
  }
  const secured = operations.filter(({ security }) => security !== undefined);
  const named = [undefined, ...secured].flatMap((operation) => listRequirements(document, operation));
  const fits = (names: readonly string[]): boolean =>
    wanted === undefined ? names.length > 0 && names.every(isUsable) : names.includes(wanted);
  const [most] = countEach(named.filter(fits).map((names) => JSON.stringify(names)));
  const preset = wanted === undefined ? usable.slice(0, 1) : [wanted];
  const chosen: readonly string[] = most === undefined ? preset : JSON.parse(most[0]);
  for (const name of chosen) applyScheme(record, name, schemes.get(name) ?? {}, notes);
  const isIssued = (name: string): boolean =>
    /^(?:oauth2|openIdConnect)$/.test(String(schemes.get(name)?.["type"]));
  const issued = chosen.find(isIssued);
  if (issued !== undefined && record.api.authType === "bearer") {
    // Some documents have a scheme for each grant.
    const others = wanted === undefined ? all.filter((name) => name !== issued && isIssued(name)) : [];
    const isGranted = [issued, ...others].some((name) =>
      applyGrant(record, schemes.get(name) ?? {}, listScopes(document, operations, name)),
    );
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
  return { all, usable };
}

function describeScheme(name: string, { type, in: place, scheme }: Plain = {}): string {
  const kind = [type, place, scheme].map(asString).filter(Boolean).join(" ").slice(0, 60);
  return `"${clipText(name, 60)}" (${kind || "unknown"})`;
}

function applyScheme(record: ImportedRecord, name: string, scheme: Plain, notes: string[]): void {
  const { api } = record;
  const { authType, name: key } = readCarrier(scheme) ?? { authType: "bearer", name: "Bearer" };
  if (api.authType !== undefined) {
    if (authType === "bearer" && api.authType === "bearer") return;
    const variable = { [key]: `\${${nameVariable(record.name ?? "api", key)}}` };
    if (authType === "header") api.headers = { ...api.headers, ...variable };
    else if (authType === "query") api.query = { ...api.query, ...variable };
    else notes.push(`It also requires ${describeScheme(name, scheme)}, which a record can't add.`);
    return;
  }
  api.authType = authType;
  if (authType === "query") api.queryParam = key;
  else if (authType === "header" && /^authorization$/i.test(key))
    applyBareKey(api, name, asString(scheme["description"]) ?? "", notes);
  else if (authType === "header") api.headerName = key;
  else if (authType === "bearer" && key !== "Bearer") api.authScheme = key;
}

/** The word before the key, as descriptions put it: `"Basic" followed by`, `prefix "Token"`, `Bot <token>`. */
const prefixInProse =
  /prefix:? ["'`]([A-Za-z-]{2,20})["'`]|["'`](?:Authorization: ?)?([A-Za-z-]{2,20})(?:["'`] followed| [<{[])/i;

/** A key in `Authorization`, after a word that only the description knows. */
function applyBareKey(api: ImportedRecord["api"], name: string, about: string, notes: string[]): void {
  const [, quoted, first] = prefixInProse.exec(about) ?? [];
  const word = quoted ?? first ?? (/\bbearer\b/i.test(`${about} ${name}`) ? "Bearer" : "");
  api.authType = "bearer";
  if (!/^bearer$/i.test(word)) api.authScheme = word;
  const source = about === "" ? "" : ` (the document: ${clipText(about, 120)})`;
  if (word === "")
    notes.push(
      `The key is in \`Authorization\` as it is${source}; if the API requires a word before it, set --auth-scheme.`,
    );
}
