/** What there is: `list`, `show`, and `env` and `schema` for those who write records and set credentials by hand. */

import type { SourceEntry } from "../registry/source-directory.js";
import type { ApiSource } from "../source/api-source.js";
import { cleanLine, createRecordError, type Terminal, writeTable } from "./terminal.js";
import { type CommonFlags, findEntry, listVariables, openDirectory } from "./workspace.js";

/** Prints every source; a broken one with what is wrong. */
export async function listSources(flags: CommonFlags, terminal: Terminal): Promise<number> {
  const directory = await openDirectory(flags);
  const entries = await directory.list();
  if (entries.length === 0) terminal.tell(`No sources in ${directory.path}. Add one with: api-sources add`);
  const head = ["SLUG", "NAME", "BASE URL", "AUTH", "TEST ENDPOINT"];
  if (entries.length > 0 || flags.json === true)
    terminal.printResult(flags, entries.map(toPlain), writeTable(head, entries.map(toRow)));
  if (flags.json !== true) tellBroken(entries, terminal);
  return 0;
}

/** Reports what is wrong with each broken record. @returns the sources of the others. */
export function tellBroken(entries: readonly SourceEntry[], terminal: Terminal): ApiSource[] {
  return entries.flatMap(({ slug, source, problems }) => {
    if (source === undefined) terminal.tell(createRecordError(slug, problems).message);
    return source ?? [];
  });
}

function toRow({ slug, source, problems }: SourceEntry): string[] {
  if (source === undefined) return [slug, "broken", problems[0]?.message ?? "", "", ""];
  const { baseUrl, authType, testEndpoint } = source.api;
  return [slug, source.name, baseUrl, authType ?? "none", testEndpoint ?? "-"];
}

function toPlain({ slug, file, source, problems }: SourceEntry): unknown {
  if (source === undefined) return { slug, file, problems };
  const { baseUrl, authType = "none", testEndpoint } = source.api;
  return { slug, name: source.name, file, baseUrl, authType, testEndpoint, problems };
}

/** Prints the record as it is in its file. One that is broken is not printed: it may contain a secret in a wrong place. */
export async function showSource(slug: string, flags: CommonFlags, terminal: Terminal): Promise<number> {
  const { file, source, record, problems } = await findEntry(await openDirectory(flags), slug, "show");
  const isShown = source !== undefined;
  const text = JSON.stringify(record, null, 2);
  if (isShown || flags.json === true)
    terminal.printResult(flags, { slug, file, ...(isShown ? { record } : { problems }) }, text);
  if (!isShown) throw createRecordError(slug, problems);
  return 0;
}

/** Prints the `.env.example` of the set. */
export async function printVariables(flags: CommonFlags, terminal: Terminal): Promise<number> {
  const entries = await (await openDirectory(flags)).list();
  const sources = tellBroken(entries, terminal);
  const values = sources.map((source) => ({ source: source.slug, variables: listVariables(source) }));
  if (sources.length > 0 || flags.json === true)
    terminal.printResult(flags, values, sources.map(writeVariables).join("\n"));
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
