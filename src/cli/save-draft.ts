/** Writes a source: its credential, to lines of the environment file or entries of the system's keyring, then its record. */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { withLock, writeFileAtomically } from "../core/base/disk.js";
import { quoteWord } from "../core/base/shell-word.js";
import type { Credential } from "../core/credentials/credential.js";
import { listCredentialVariables, listVariables } from "../core/credentials/credential-variables.js";
import type { ApiSettingsRecord, ApiSource } from "../core/record/api-source.js";
import { parseSource } from "../core/record/parse-source.js";
import type { SourceDirectory, SourceEntry } from "../toolkit/directory/source-directory.js";
import type { Draft, Place } from "./draft.js";
import { editEnvFile, readVariables } from "./env-file.js";
import type { ImportedRecord } from "./import/imported.js";
import { askYesNo, CommandError, createUsageError, type Terminal } from "./terminal.js";
import { type CommonFlags, defaultEnvFile, isSet, type SaveFlags } from "./workspace.js";

/**
 * A variable that has another value is overwritten only after a question that names it, or with `--yes`.
 *
 * @throws CommandError 2 where nothing answers, 1 where the person refuses.
 */
async function confirmOverwrite(
  values: Readonly<Record<string, string>>,
  flags: SaveFlags,
  terminal: Terminal,
): Promise<void> {
  const place = nameStore(flags);
  for (const name of await listOverwritten(values, flags)) {
    const message = `${name} has another value in ${place}.`;
    if (flags.yes === true) terminal.note(`Overwrites ${name} in ${place}.`);
    else if (!terminal.canAsk)
      throw createUsageError(
        `${message} Nothing was saved.`,
        `the same with --yes, which overwrites ${name}, or with --slug another_name`,
      );
    else if (!(await askYesNo(terminal, `${message} Overwrite ${name}?`)))
      throw new CommandError(1, "Nothing was saved. --slug gives the source other variables.");
  }
}

function nameStore({ store, envFile = defaultEnvFile }: SaveFlags): string {
  return store === "keyring" ? "the system's keyring" : envFile;
}

/** The variables that have another value where these are to be kept. */
async function listOverwritten(
  values: Readonly<Record<string, string>>,
  { store, envFile = defaultEnvFile }: SaveFlags,
): Promise<string[]> {
  const { readKeyring } = await import("../extras/keyring/keyring-credentials.js");
  const inFile = store === "env" ? await readVariables(envFile) : undefined;
  const found: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const old = inFile === undefined ? await readKeyring(name) : inFile.get(name);
    if (![undefined, "", value].includes(old)) found.push(name);
  }
  return found;
}

/** The variables that hold a credential of a source, with their values. */
export function toVariables(source: ApiSource, credential: Credential): Record<string, string> {
  const [first = "", second] = listCredentialVariables(source);
  if (!("username" in credential))
    return { [first]: "token" in credential ? credential.token : credential.apiKey };
  const { username, password } = credential;
  // A record may name one variable for both.
  if (second === undefined) return { [first]: `${username}:${password}` };
  return { [first]: username, [second]: password };
}

/** What an imported description is called; a record names it as its `openapi`. */
export function nameDocument(slug: string): string {
  return `${slug}.openapi.json`;
}

export async function saveDraft(
  draft: Draft,
  { slug: name, entry, file: target }: Place,
  directory: SourceDirectory,
  flags: SaveFlags,
  terminal: Terminal,
): Promise<void> {
  const { record, document, report } = draft;
  const values = {
    ...(draft.credential && toVariables(parseSource(record), draft.credential)),
    ...draft.secrets,
  };
  await confirmOverwrite(values, flags, terminal);
  const stored = Object.keys(values);
  const store = stored.length === 0 ? undefined : nameStore(flags);
  // First the credential: a record without it would fail, a line in the environment without a record does nothing.
  if (flags.store === "env" && store !== undefined) await editEnvFile(store, values);
  if (flags.store === "keyring" && store !== undefined) {
    const { writeKeyring } = await import("../extras/keyring/keyring-credentials.js");
    for (const [variable, value] of Object.entries(values)) await writeKeyring(variable, value);
  }
  if (document !== undefined && record.api.openapi === nameDocument(name)) {
    await mkdir(dirname(target), { recursive: true });
    await writeFileAtomically(join(dirname(target), nameDocument(name)), document);
  }
  const $schema = entry === undefined ? findSchema(target) : undefined;
  const saved = $schema === undefined ? record : { $schema, ...record };
  const { slug, file } =
    entry === undefined ? await directory.put(saved) : await replaceRecord(directory, entry, saved);
  terminal.printResult(flags, { slug, file, stored, store, report }, `Saved ${name} in ${file}.`);
  if (flags.json === true) return;
  if (store !== undefined) terminal.note(`Kept ${stored.join(", ")} in ${store}.`);
  if (
    flags.store === "env" &&
    store !== undefined &&
    spawnSync("git", ["check-ignore", "-q", store]).status === 1
  )
    terminal.note(`Warning: ${store} would be committed: name it in .gitignore.`);
  const missing = listVariables(parseSource(record)).filter((each) => !stored.includes(each) && !isSet(each));
  if (missing.length > 0) terminal.note(`Still to be set in the environment: ${missing.join(", ")}.`);
  terminal.note(`Next: ${findNext(draft, name)}`);
}

/** Writes a record in the place of the one that was read. @throws CommandError 1 where that was changed since then, such as while a question was open. */
async function replaceRecord(
  directory: SourceDirectory,
  { slug, record: before }: SourceEntry,
  after: ImportedRecord,
): Promise<SourceEntry> {
  return withLock(join(directory.path, ".set.lock"), async () => {
    if (JSON.stringify(await directory.get(slug)) !== JSON.stringify(before))
      throw new CommandError(1, `The record of "${slug}" was changed meanwhile, and not saved: try again.`);
    return directory.put(after, { replace: true });
  });
}

function findNext({ record: { api }, report }: Draft, slug: string): string {
  if (needsLogin(api)) return `api-sources login ${slug}`;
  const { testEndpoint } = api;
  if (report?.ok !== true && testEndpoint !== undefined) return `api-sources test ${slug}`;
  return `api-sources call ${slug} GET ${quoteWord(testEndpoint ?? "/")}`;
}

/** Whether a person authorizes a source before its first call. */
export function needsLogin({ oauth2 }: ApiSettingsRecord): boolean {
  return oauth2?.grant === "authorization_code" || oauth2?.grant === "device_code";
}

/** The path from a record to its JSON Schema, for an editor; undefined where the package is not installed beside it. */
function findSchema(file: string): string | undefined {
  const folders = createRequire(file).resolve.paths("langchain-api-sources") ?? [];
  const schema = folders
    .map((folder) => join(folder, "langchain-api-sources", "dist", "api-source.schema.json"))
    .find((path) => existsSync(path));
  return schema && relative(dirname(file), schema).replaceAll("\\", "/");
}

/** Reads the credential from standard input. @throws CommandError 2 where it would be seen there, or has no use. */
export async function readSecretInput({ api }: ApiSource, terminal: Terminal): Promise<Credential> {
  if (api.authType === undefined)
    throw createUsageError(
      "The source sends no credential, so --secret-stdin has no effect.",
      "api-sources add ... --auth bearer --secret-stdin",
    );
  if (terminal.isTyped)
    throw createUsageError(
      "Standard input is a terminal, which would show the secret.",
      "api-sources add ... (it asks for the secret, and shows nothing)",
    );
  const secret = (await terminal.readInput()).replace(/\r?\n$/, "");
  const isBasic = api.authType === "basic";
  const [username = "", ...password] = secret.split(":");
  if (secret === "" || /[\r\n]/.test(secret) || (isBasic && password.length === 0))
    throw createUsageError(
      `Standard input contains no credential: one line${isBasic ? ", as username:password" : ""}.`,
      `printf '%s' "${isBasic ? "$USERNAME:$PASSWORD" : "$TOKEN"}" | api-sources add ... --secret-stdin`,
    );
  return isBasic ? { username, password: password.join(":") } : { token: secret };
}

/** Forgets variables in the environment file and, where there is one, in the keyring. @returns the names that were there. */
export async function dropVariables(
  names: readonly string[],
  { envFile = defaultEnvFile }: CommonFlags,
): Promise<string[]> {
  const dropped = await editEnvFile(envFile, Object.fromEntries(names.map((name) => [name, undefined])));
  const { removeFromKeyring } = await import("../extras/keyring/keyring-credentials.js");
  for (const name of names) if (await removeFromKeyring(name).catch(() => false)) dropped.push(name);
  return [...new Set(dropped)];
}
