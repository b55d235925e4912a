/** The operation of a document by which a record is tested: a light GET that only a valid credential may read. */

import { hasSecretName } from "../../core/base/secret-name.js";
import type { Operation, Parameter } from "../../features/openapi/operation.js";
import { type ImportedRecord, rankTestPath } from "./imported.js";

/** The path that was found, or the reason why none was. */
export type FoundEndpoint = { readonly path: string } | { readonly note: string };

/** @param isHeldBy - Whether an operation answers only to the credential of the record: where it holds for none, none is a test. */
export function findTestEndpoint(
  { api }: ImportedRecord,
  operations: readonly Operation[],
  isHeldBy: (operation: Operation) => boolean,
): FoundEndpoint {
  const usable = operations
    .filter((each) => isPlainRead(each) && listOpen(each, api).length === 0)
    .sort((one, other) => rankTestPath(one.path) - rankTestPath(other.path));
  const best = api.authType === undefined ? usable[0] : usable.find(isHeldBy);
  if (best === undefined) {
    const missing =
      usable.length === 0
        ? "can be called without parameters"
        : "without parameters requires the credential";
    return { note: `No GET ${missing}, so \`testEndpoint\` is not set.` };
  }
  const limit = best.parameters.find(
    ({ place, name }) =>
      place === "query" &&
      /^(?:limit|per_?page|page_?size|max_?results|count|first|top|size)$/i.test(name),
  );
  return {
    path: limit === undefined ? best.path : `${best.path}?${encodeURIComponent(limit.name)}=1`,
  };
}

/** A GET by its path alone, which answers with content and ends nothing. */
function isPlainRead({ method, path, isDeprecated, body, answers }: Operation): boolean {
  if (method !== "GET" || isDeprecated || path.includes("{") || body !== undefined) return false;
  const isAnswered = answers.some(({ status }) => /^(?:2|default$)/i.test(status));
  if (answers.length > 0 && !isAnswered) return false;
  return !/(?:log|sign)[-_]?out|revoke|unsubscribe|disconnect|deactivate/i.test(path);
}

/** The required parameters of a call that neither the path nor the record gives. */
function listOpen({ parameters }: Operation, api: ImportedRecord["api"]): Parameter[] {
  const headers = [...Object.keys(api.headers ?? {}), api.headerName ?? ""];
  const sent = new Set(headers.map((name) => `header ${name.toLowerCase()}`));
  for (const name of [...Object.keys(api.query ?? {}), api.queryParam ?? ""])
    sent.add(`query ${name.toLowerCase()}`);
  const isSent = ({ name, place }: Parameter): boolean =>
    sent.has(`${place} ${name.toLowerCase()}`) ||
    (place === "header" &&
      (/^(?:accept|content-type)$/i.test(name) || hasSecretName(name, "header")));
  return parameters.filter((each) => each.isRequired && each.place !== "path" && !isSent(each));
}
