/** The commands that print: `list`, `show`, and `env` and `schema` for those who write records and set credentials by hand. */

import { listVariables } from "../core/credentials/credential-variables.js";
import type { ApiSource } from "../core/record/api-source.js";
import type { SourceEntry } from "../toolkit/directory/source-directory.js";
import { readVariables } from "./env-file.js";
import { listOtherHosts, writeOtherHosts } from "./hosts.js";
import { cleanLine, createRecordError, terminal, writeTable } from "./terminal.js";
import {
  type CommonFlags,
  defaultEnvFile,
  findEntry,
  isSet,
  openDirectory,
  readVariable,
} from "./workspace.js";

/** Prints every source; a broken one with what is wrong. */
export async function listSources(flags: CommonFlags): Promise<number> {
  const directory = await openDirectory(flags);
  const entries = await directory.list();
  if (entries.length === 0)
    terminal.note(`No sources in ${directory.path}. Add one with: api-sources add`);
  const head = ["SLUG", "NAME", "BASE URL", "AUTH", "TEST ENDPOINT"];
  if (entries.length > 0 || flags.json === true)
    terminal.printResult(flags, entries.map(toPlain), writeTable(head, entries.map(toRow)));
  if (flags.json !== true) {
    noteOtherHosts(entries);
    noteBroken(entries);
  }
  return 0;
}

function noteOtherHosts(entries: readonly SourceEntry[]): void {
  for (const { slug, source } of entries) {
    const hosts = source === undefined ? "" : writeOtherHosts(source);
    if (hosts !== "") terminal.note(cleanLine(`Other hosts of ${slug}: ${hosts}.`));
  }
}

/** Reports what is wrong with each broken record. @returns the sources of the others. */
export function noteBroken(entries: readonly SourceEntry[]): ApiSource[] {
  return entries.flatMap(({ slug, source, problems }) => {
    if (source === undefined) terminal.note(createRecordError(slug, problems).message);
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
  const otherHosts = listOtherHosts(source).map(({ host, member }) => ({ host, member }));
  return { slug, name: source.name, file, baseUrl, authType, testEndpoint, otherHosts, problems };
}

/** Prints the record as it is in its file. One that is broken is not printed: it may contain a secret in a wrong place. */
export async function showSource(flags: CommonFlags, slug: string): Promise<number> {
  const { file, source, record, problems } = await findEntry(await openDirectory(flags), slug);
  if (source === undefined) {
    if (flags.json === true) terminal.printResult(flags, { slug, file, problems }, "");
    throw createRecordError(slug, problems);
  }
  terminal.printResult(flags, { slug, file, record }, JSON.stringify(record, null, 2));
  if (flags.json !== true && listVariables(source).length > 0)
    terminal.note(await writeOrigins(source, flags));
  return 0;
}

/** Where the value of each variable of a record comes from on this machine. No value is shown. */
async function writeOrigins(
  source: ApiSource,
  { envFile = defaultEnvFile }: CommonFlags,
): Promise<string> {
  const inFile = await readVariables(envFile);
  const findOrigin = async (name: string): Promise<string> => {
    if (isSet(name)) return "environment";
    if (inFile.has(name)) return envFile;
    return (await readVariable(name)) === undefined ? "not set" : "keyring";
  };
  const rows = await Promise.all(
    listVariables(source).map(async (name) => [name, await findOrigin(name)]),
  );
  return `Its variables:\n${writeTable(["VARIABLE", "FROM"], rows)}`;
}

/** Prints the `.env.example` of the set. */
export async function printVariables(flags: CommonFlags): Promise<number> {
  const entries = await (await openDirectory(flags)).list();
  const sources = noteBroken(entries);
  const values = sources.map((source) => ({
    source: source.slug,
    variables: listVariables(source),
  }));
  if (sources.length > 0 || flags.json === true)
    terminal.printResult(flags, values, sources.map(writeVariables).join("\n"));
  return 0;
}

function writeVariables(source: ApiSource): string {
  const { authType, baseUrl } = source.api;
  const head = cleanLine(`# ${source.name}: ${authType ?? "no authentication"}, ${baseUrl}`);
  const hosts = writeOtherHosts(source);
  const others = hosts === "" ? [] : [cleanLine(`# Other hosts: ${hosts}`)];
  return `${[head, ...others, ...listVariables(source).map((name) => `${name}=`)].join("\n")}\n`;
}

/** Prints the JSON Schema of a record. */
export async function printSchema(): Promise<number> {
  const { apiSourceJsonSchema } = await import("../core/record/json-schema.js");
  terminal.print(JSON.stringify(apiSourceJsonSchema, null, 2));
  return 0;
}
