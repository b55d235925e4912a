/** From an OpenAPI 3.0 or 3.1 document, or Swagger 2, to a record. */

import { hasSecretName } from "../../core/base/secret-name.js";
import { clipText } from "../../core/base/text.js";
import {
  type ApiDocument,
  asObject,
  asString,
  type Plain,
} from "../../features/openapi/api-document.js";
import { type Operation, type Parameter, readOperation } from "../../features/openapi/operation.js";
import {
  listRequiredHeaders,
  type RequiredHeader,
} from "../../features/openapi/required-headers.js";
import { listServers } from "../../features/openapi/servers.js";
import { readSentFormat } from "./body-format.js";
import { hasSecretLooks } from "./find-auth.js";
import {
  type ImportChoice,
  type Imported,
  type ImportedRecord,
  nameUrl,
  nameVariable,
  noteServers,
  rankTestPath,
} from "./imported.js";
import { applySecurity } from "./read-security.js";

/** @param document - With the files that it refers to, as far as they were read. */
export function readOpenApi(document: ApiDocument, choice: ImportChoice): Imported {
  const servers = listServers(document);
  const urls = servers.map(({ url }) => url.replace(/\/+$/, ""));
  const [first = ""] = urls;
  const baseUrl = choice.baseUrl ?? (/^https?:\/\//i.test(first) ? first : "");
  const { variables = {} } = servers[urls.indexOf(baseUrl)] ?? {};
  const info = asObject(document.head["info"]);
  const name = choice.name ?? readTitle(info) ?? (baseUrl === "" ? undefined : nameUrl(baseUrl));
  const tagline = asString(info["summary"]) ?? asString(info["description"]);
  const record: ImportedRecord = {
    type: "api",
    name,
    tagline: tagline && clipText(tagline.split(/\n|(?<=\.)\s/)[0] ?? tagline, 160),
    api: { baseUrl, ...(Object.keys(variables).length === 0 ? {} : { variables }) },
  };
  const notes = noteServers(urls, choice);
  if (document.unfollowed.size > 0)
    notes.push(
      `It refers to what is not followed, and not kept: ${clipText([...document.unfollowed].slice(0, 5).join(", "), 300)}. Operations that need it say so.`,
    );
  if (baseUrl === "") notes.push(noteRelative(first));
  const presets = Object.entries(variables).map(([name, value]) => `{${name}} is ${value}`);
  if (presets.length > 0)
    notes.push(
      `The base URL has the document's own values: ${presets.join(", ")}. Others: \`variables\` of the record, or --base-url.`,
    );
  // A fragment separates operations that are one for a server; no call can have it.
  const operations = document.operations
    .filter(({ path }) => !path.includes("#"))
    .map((route) => readOperation(document, route));
  const { isKnown, isHeldBy } = applySecurity(document, operations, record, notes);
  const required = listRequiredHeaders(document, operations);
  addRequiredHeaders(record, required, operations.length, notes);
  record.api.bodyFormat = findBodyFormat(operations);
  addTestEndpoint(record, operations, isHeldBy, notes);
  return { record, knowsAuth: isKnown, secrets: {}, notes };
}

/** Names the flag that makes a relative server whole. */
function noteRelative(server: string): string {
  const isPath = server.startsWith("/");
  const path = isPath ? server : "";
  const what = isPath ? `only the relative server ${clipText(server, 100)}` : "no server URL";
  return `The document has ${what}: give the base URL, such as --base-url https://HOST${clipText(path, 100)}`;
}

/** `The Shop REST API v2` is called `Shop`. */
function readTitle(info: Plain): string | undefined {
  const title = (asString(info["title"]) ?? "")
    .replace(/^the\s+|\s*\b(?:rest )?api\b\s*(?:v?\d[\d.]*)?$/gi, "")
    .replace(/[\s:–-]+$/, "");
  return title === "" ? undefined : clipText(title, 60);
}

/** Writes the headers that most operations require into the record: a constant, or a variable for one that names an account. What is left and no call may set by itself is permitted. */
function addRequiredHeaders(
  record: ImportedRecord,
  headers: readonly RequiredHeader[],
  count: number,
  notes: string[],
): void {
  const { api } = record;
  const written: Record<string, string> = {};
  const variables: string[] = [];
  const known = [...Object.keys(api.headers ?? {}), api.headerName ?? ""];
  const open = headers.filter(
    ({ name }) => !known.some((each) => each.toLowerCase() === name.toLowerCase()),
  );
  for (const header of open) {
    if (header.count * 2 < count) continue;
    const isConstant = header.value !== undefined && !hasSecretLooks(header.value);
    if (isConstant) written[header.name] = header.value ?? "";
    else if (header.kind === "identity" || header.kind === "access") {
      written[header.name] = `\${${nameVariable(record.name ?? "api", header.name, "VALUE")}}`;
      variables.push(header.name);
    }
  }
  if (Object.keys(written).length > 0) api.headers = { ...api.headers, ...written };
  if (variables.length > 0)
    notes.push(
      `Operations require ${variables.join(", ")}: the record sends it, and its value is a variable.`,
    );
  const left = open.filter(({ name }) => written[name] === undefined);
  const held = left.filter(({ kind }) => kind !== undefined).map(({ name }) => name);
  if (held.length === 0) return;
  api.allowedHeaders = left.map(({ name }) => name);
  notes.push(
    `Some operations require ${held.slice(0, 10).join(", ")}: \`allowedHeaders\` lets the agent send every header that an operation requires, and no other.`,
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

/** The required parameters of a call that neither the path nor the record gives. */
function listOpen({ parameters }: Operation, api: ImportedRecord["api"]): Parameter[] {
  const sent = Object.keys(api.headers ?? {}).map((name) => name.toLowerCase());
  const isSent = ({ name, place }: Parameter): boolean =>
    place === "header" &&
    (sent.includes(name.toLowerCase()) ||
      /^(?:accept|content-type)$/i.test(name) ||
      hasSecretName(name, "header"));
  return parameters.filter((each) => each.isRequired && each.place !== "path" && !isSent(each));
}

/** Adds a light GET without required parameters that only a valid credential may read: where the credential of the record holds for none, none. */
function addTestEndpoint(
  { api }: ImportedRecord,
  operations: readonly Operation[],
  isHeldBy: (operation: Operation) => boolean,
  notes: string[],
): void {
  const usable = operations
    .filter(
      ({ method, path, isDeprecated }) => method === "GET" && !isDeprecated && !path.includes("{"),
    )
    .filter((each) => listOpen(each, api).length === 0)
    .sort((one, other) => rankTestPath(one.path) - rankTestPath(other.path));
  const best = api.authType === undefined ? usable[0] : usable.find(isHeldBy);
  if (best === undefined) {
    notes.push(
      usable.length === 0
        ? "No GET can be called without parameters, so `testEndpoint` is not set."
        : "No GET without parameters requires the credential, so `testEndpoint` is not set.",
    );
    return;
  }
  const limit = best.parameters.find(
    ({ place, name }) =>
      place === "query" &&
      /^(?:limit|per_?page|page_?size|max_?results|count|first|top|size)$/i.test(name),
  );
  api.testEndpoint =
    limit === undefined ? best.path : `${best.path}?${encodeURIComponent(limit.name)}=1`;
}
