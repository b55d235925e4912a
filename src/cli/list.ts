/** What there is: `list`, `show`, and `env` and `schema` for whoever writes records and sets credentials by hand. */

import type { SourceEntry } from "../registry/source-directory.js";
import type { ApiSource } from "../source/api-source.js";
import { cleanLine, createRecordError, type Terminal, writeTable } from "./terminal.js";
import { type CommonFlags, findEntry, listVariables, openDirectory } from "./workspace.js";

/** Prints every source; a broken one with what is wrong. */
export async function listSources(flags: CommonFlags, terminal: Terminal): Promise<number> {
  const directory = await openDirectory(flags);
  const entries = await directory.list();
  if (flags.json === true) terminal.printJson(entries.map(toPlain));
  else if (entries.length === 0)
    terminal.tell(`No sources in ${directory.path}. Add one with: api-sources add`);
  else {
    terminal.print(writeTable(["SLUG", "NAME", "BASE URL", "AUTH", "TEST ENDPOINT"], entries.map(toRow)));
    for (const { slug, problems } of entries)
      if (problems.length > 0) terminal.tell(createRecordError(slug, problems).message);
  }
  return 0;
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

/** Prints the record as it stands in its file. One that is broken is not printed: a secret may stand where none belongs. */
export async function showSource(slug: string, flags: CommonFlags, terminal: Terminal): Promise<number> {
  const entry = await findEntry(await openDirectory(flags), slug, (nearest) => `api-sources show ${nearest}`);
  const { file, source, record, problems } = entry;
  if (source === undefined) {
    if (flags.json === true) terminal.printJson({ slug, file, problems });
    throw createRecordError(slug, problems);
  }
  terminal.printJson(flags.json === true ? { slug, file, record } : record);
  return 0;
}

/** Prints the `.env.example` of the set. */
export async function printVariables(flags: CommonFlags, terminal: Terminal): Promise<number> {
  const entries = await (await openDirectory(flags)).list();
  const sources = entries.flatMap(({ source }) => (source === undefined ? [] : [source]));
  if (flags.json === true)
    terminal.printJson(sources.map((source) => ({ source: source.slug, variables: listVariables(source) })));
  else if (sources.length > 0) terminal.print(sources.map(writeVariables).join("\n"));
  for (const { slug, problems, source } of entries)
    if (source === undefined) terminal.tell(createRecordError(slug, problems).message);
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
  terminal.printJson(apiSourceJsonSchema);
  return 0;
}
