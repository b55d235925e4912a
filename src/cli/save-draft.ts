/** Writes a source: its credential, to lines of the environment file or entries of the system's keyring, then its record. */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { withLock, writeFileAtomically } from "../core/base/disk.js";
import { quoteWord } from "../core/base/shell-word.js";
import { listVariables } from "../core/credentials/credential-variables.js";
import type { ApiSource } from "../core/record/api-source.js";
import type { ApiFields } from "../core/record/record-types.js";
import type { SourceDirectory } from "../toolkit/directory/source-directory.js";
import { type Draft, type Place, toVariables } from "./draft.js";
import { editEnvFile, readVariables } from "./env-file.js";
import { askYesNo, CommandError, createUsageError, terminal } from "./terminal.js";
import { type CommonFlags, defaultEnvFile, isSet, type SaveFlags } from "./workspace.js";

/**
 * Keeps variables. One that has another value is overwritten only after a question that names it, or with `--yes`.
 *
 * @returns where they are kept; undefined without any.
 * @throws CommandError 2 where nothing answers, 1 where the person refuses: nothing is kept then.
 */
async function keepVariables(
  values: Readonly<Record<string, string>>,
  { store, envFile = defaultEnvFile, yes }: SaveFlags,
): Promise<string | undefined> {
  if (Object.keys(values).length === 0) return undefined;
  const { readKeyring, writeKeyring } = await import("../extras/keyring/keyring-credentials.js");
  const inFile = store === "env" ? await readVariables(envFile) : undefined;
  const place = inFile === undefined ? "the system's keyring" : envFile;
  for (const [name, value] of Object.entries(values)) {
    const old = inFile === undefined ? await readKeyring(name) : inFile.get(name);
    if ([undefined, "", value].includes(old)) continue;
    const message = `${name} has another value in ${place}.`;
    if (yes === true) terminal.note(`Overwrites ${name} in ${place}.`);
    else if (!terminal.canAsk)
      throw createUsageError(
        `${message} Nothing was saved.`,
        `the same with --yes, which overwrites ${name}, or with --slug another_name`,
      );
    else if (!(await askYesNo(`${message} Overwrite ${name}?`)))
      throw new CommandError(1, "Nothing was saved. --slug gives the source other variables.");
  }
  if (inFile !== undefined) await editEnvFile(envFile, values);
  else for (const [name, value] of Object.entries(values)) await writeKeyring(name, value);
  return place;
}

/** Names the file of an imported description; a record has it as its `openapi`. */
export function nameDocument(slug: string): string {
  return `${slug}.openapi.json`;
}

export async function saveDraft(
  draft: Draft,
  { slug: name, entry, file: target }: Place,
  directory: SourceDirectory,
  flags: SaveFlags,
): Promise<void> {
  const { record, variables, document, report } = draft;
  const stored = Object.keys(variables);
  // First the credential: a record without it would fail, a line in the environment without a record does nothing.
  const store = await keepVariables(variables, flags);
  await mkdir(directory.path, { recursive: true });
  if (document !== undefined && record.api.openapi === nameDocument(name))
    await writeFileAtomically(join(directory.path, nameDocument(name)), document);
  const $schema = entry === undefined ? findSchema(target) : undefined;
  const saved = $schema === undefined ? record : { $schema, ...record };
  const { slug, file } = await withLock(join(directory.path, ".set.lock"), async () => {
    // Another process may have changed it, such as while a question was open.
    if (
      entry !== undefined &&
      JSON.stringify(await directory.get(name)) !== JSON.stringify(entry.record)
    )
      throw new CommandError(
        1,
        `The record of "${name}" was changed meanwhile, and not saved: try again.`,
      );
    return directory.put(saved, { replace: entry !== undefined });
  });
  terminal.printResult(flags, { slug, file, stored, store, report }, `Saved ${name} in ${file}.`);
  if (flags.json === true) return;
  if (store !== undefined) terminal.note(`Kept ${stored.join(", ")} in ${store}.`);
  const isFile = flags.store === "env" && store !== undefined;
  if (isFile && spawnSync("git", ["check-ignore", "-q", store]).status === 1)
    terminal.note(`Warning: ${store} would be committed: name it in .gitignore.`);
  const missing = listVariables(record).filter((each) => !stored.includes(each) && !isSet(each));
  if (missing.length > 0)
    terminal.note(`Still to be set in the environment: ${missing.join(", ")}.`);
  terminal.note(`Next: ${findNext(draft, name)}`);
}

/** The line that a person tries next. */
function findNext({ record: { api }, report, firstCall }: Draft, slug: string): string {
  if (needsLogin(api)) return `api-sources login ${slug}`;
  const { testEndpoint } = api;
  if (report?.ok !== true && testEndpoint !== undefined) return `api-sources test ${slug}`;
  // A write is shown, and not sent.
  if (testEndpoint === undefined && firstCall !== undefined && firstCall.method !== "GET")
    return `api-sources call ${slug} ${firstCall.method} ${quoteWord(firstCall.path)} --curl`;
  return `api-sources call ${slug} GET ${quoteWord(testEndpoint ?? firstCall?.path ?? "/")}`;
}

/** Whether a person authorizes a source before its first call. */
export function needsLogin({ oauth2 }: ApiFields): boolean {
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

/** Reads the credential from standard input, as its variables. @throws CommandError 2 where it would be seen there, or has no use. */
export async function readSecretInput(source: ApiSource): Promise<Record<string, string>> {
  const { authType } = source.api;
  if (authType === undefined)
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
  const isBasic = authType === "basic";
  const [username = "", ...password] = secret.split(":");
  if (secret === "" || /[\r\n]/.test(secret) || (isBasic && password.length === 0))
    throw createUsageError(
      `Standard input contains no credential: one line${isBasic ? ", as username:password" : ""}.`,
      `printf '%s' "${isBasic ? "$USERNAME:$PASSWORD" : "$TOKEN"}" | api-sources add ... --secret-stdin`,
    );
  return toVariables(
    source,
    isBasic ? { username, password: password.join(":") } : { token: secret },
  );
}

/** Forgets variables in the environment file and, where there is one, in the keyring. @returns the names that were there. */
export async function dropVariables(
  names: readonly string[],
  { envFile = defaultEnvFile }: CommonFlags,
): Promise<string[]> {
  const dropped = await editEnvFile(
    envFile,
    Object.fromEntries(names.map((name) => [name, undefined])),
  );
  const { removeFromKeyring } = await import("../extras/keyring/keyring-credentials.js");
  for (const name of names)
    if (await removeFromKeyring(name).catch(() => false)) dropped.push(name);
  return [...new Set(dropped)];
}
