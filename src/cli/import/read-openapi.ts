/** From an OpenAPI 3.0 or 3.1 document, or Swagger 2, to a record. */

import { clipText } from "../../core/base/text.js";
import { isNeverSent } from "../../core/record/never-sent.js";
import { type ApiDocument, asObject } from "../../features/openapi/api-document.js";
import { type Operation, readOperation } from "../../features/openapi/operation.js";
import { listFreeHeaders, listRequiredHeaders } from "../../features/openapi/required-headers.js";
import { readSentFormat } from "./body-format.js";
import { chooseServer } from "./document-servers.js";
import { readTagline, readTitle } from "./document-words.js";
import { hasSecretLooks } from "./find-auth.js";
import { findTestEndpoint } from "./find-test-endpoint.js";
import {
  type ImportChoice,
  type Imported,
  type ImportedRecord,
  nameUrl,
  nameVariable,
} from "./imported.js";
import { applySecurity } from "./read-security.js";

/** @param document - With the files that it refers to, as far as they were read. */
export function readOpenApi(document: ApiDocument, choice: ImportChoice): Imported {
  const { baseUrl, variables, notes: serverNotes } = chooseServer(document, choice);
  const info = asObject(document.head["info"]);
  const record: ImportedRecord = {
    type: "api",
    name: choice.name ?? readTitle(info) ?? (baseUrl === "" ? undefined : nameUrl(baseUrl)),
    tagline: readTagline(info),
    api: { baseUrl },
  };
  if (Object.keys(variables).length > 0) record.api.variables = variables;
  const notes = [...serverNotes];
  if (document.unfollowed.size > 0)
    notes.push(
      `It refers to what is not followed, and not kept: ${clipText([...document.unfollowed].slice(0, 5).join(", "), 300)}. Operations that need it say so.`,
    );
  // A fragment separates operations that are one for a server; no call can have it.
  const operations = document.operations
    .filter(({ path }) => !path.includes("#"))
    .map((route) => readOperation(document, route));
  const { isKnown, isHeldBy } = applySecurity(document, operations, record, notes);
  addHeaders(document, operations, record, notes);
  record.api.bodyFormat = findBodyFormat(operations);
  const found = findTestEndpoint(record, operations, isHeldBy);
  if ("path" in found) record.api.testEndpoint = found.path;
  else notes.push(found.note);
  const missing = baseUrl === "" ? serverNotes[0] : undefined;
  return { record, knowsAuth: isKnown, secrets: {}, missing, notes };
}

/** Writes the headers that most operations require into the record: a constant, or a variable for one that names an account. What is left and no call may set by itself is permitted. */
function addHeaders(
  document: ApiDocument,
  operations: readonly Operation[],
  record: ImportedRecord,
  notes: string[],
): void {
  const { api } = record;
  const headers = listRequiredHeaders(document, operations);
  const known = [...Object.keys(api.headers ?? {}), api.headerName ?? ""];
  const open = headers.filter(
    ({ name }) => !known.some((each) => each.toLowerCase() === name.toLowerCase()),
  );
  const written: Record<string, string> = {};
  for (const header of open) {
    if (header.count * 2 < operations.length) continue;
    const isCredential = header.kind === "credential";
    const isConstant = header.value !== undefined && !hasSecretLooks(header.value) && !isCredential;
    if (isConstant) written[header.name] = header.value ?? "";
    else if (isCredential || header.kind === "identity" || header.kind === "access") {
      const variable = nameVariable(record.name ?? "api", header.name, "VALUE");
      written[header.name] = `\${${variable}}`;
      notes.push(
        `Operations require ${header.name}: the record sends it, from the variable ${variable}.`,
      );
    }
  }
  if (Object.keys(written).length > 0) api.headers = { ...api.headers, ...written };
  const left = open.filter(
    ({ name, isRequired }) => isRequired && written[name] === undefined && !isNeverSent(name),
  );
  const held = left.filter(({ kind }) => kind !== undefined).map(({ name }) => name);
  if (held.length === 0) return;
  api.allowedHeaders = left.map(({ name }) => name);
  notes.push(
    `Some operations require ${held.slice(0, 10).join(", ")}: \`allowedHeaders\` lets the agent send every header that an operation requires, and no other.`,
  );
  const decided = new Set(headers.map(({ name }) => name.toLowerCase()));
  const closed = listFreeHeaders(operations).filter((name) => !decided.has(name.toLowerCase()));
  if (closed.length > 0)
    notes.push(
      `\`allowedHeaders\` also closes headers that operations may have, such as ${closed.slice(0, 10).join(", ")}: add those that the agent needs.`,
    );
}

/** The format of all bodies, where no operation takes another one; JSON needs no setting. */
function findBodyFormat(operations: readonly Operation[]): "form" | "multipart" | undefined {
  const formats = new Set(
    operations.flatMap(({ body }) => {
      const types = (body?.media ?? []).map(({ type }) => readSentFormat(type));
      if (types.length === 0) return [];
      const best = (["json", "form", "multipart"] as const).find((each) => types.includes(each));
      return [best ?? "other"];
    }),
  );
  const [format] = formats;
  const isNamed = format === "form" || format === "multipart";
  return isNamed && formats.size === 1 ? format : undefined;
}
