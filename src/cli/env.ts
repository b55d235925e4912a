/** `env` and `schema`: what a person needs to write records and set credentials by hand. */

import {
  isIssued,
  listCredentialVariables,
  listGrantVariables,
} from "../credentials/credential-variables.js";
import type { ApiSource } from "../source/api-source.js";
import { listSecretNames } from "../source/read-values.js";
import { cleanLine, type Terminal } from "./terminal.js";
import { type CommonFlags, createRecordError, openDirectory } from "./workspace.js";

/** The variables of a source: of each credential the first name that is looked for, then its secrets. */
export function listVariables(source: ApiSource): string[] {
  if (isIssued(source)) return [...new Set([...listGrantVariables(source), ...listSecretNames(source)])];
  const names = listCredentialVariables(source);
  const { authType } = source.api;
  const own = authType === undefined ? [] : authType === "basic" ? names : names.slice(0, 1);
  return [...own, ...listSecretNames(source)];
}

/** Prints the `.env.example` of the set. */
export async function printVariables(flags: CommonFlags, terminal: Terminal): Promise<number> {
  const entries = await (await openDirectory(flags)).list();
  const sources = entries.flatMap(({ source }) => (source === undefined ? [] : [source]));
  if (flags.json === true) {
    const listed = sources.map((source) => ({ source: source.slug, variables: listVariables(source) }));
    terminal.print(JSON.stringify(listed, null, 2));
  } else if (sources.length > 0) terminal.print(sources.map(writeVariables).join("\n"));
  for (const { slug, problems, source } of entries) {
    if (source === undefined) terminal.tell(createRecordError(slug, problems).message);
  }
  return 0;
}

function writeVariables(source: ApiSource): string {
  const { authType, baseUrl } = source.api;
  const head = cleanLine(`# ${source.name}: ${authType ?? "no authentication"}, ${baseUrl}`);
  return `${[head, ...listVariables(source).map((name) => `${name}=`)].join("\n")}\n`;
}

/** Prints the JSON Schema of a record. */
export async function printSchema(terminal: Terminal): Promise<number> {
  const { apiSourceJsonSchema } = await import("../source/json-schema.js");
  terminal.print(JSON.stringify(apiSourceJsonSchema, null, 2));
  return 0;
}
