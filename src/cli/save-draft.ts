/** Writes a source: its credential, then its record; and the question before a variable is overwritten. */

import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ConnectionReport } from "../connection/connection-report.js";
import { writeFileAtomically } from "../disk/write-file-atomically.js";
import type { SourceDirectory } from "../registry/source-directory.js";
import { parseSource } from "../source/parse-source.js";
import type { Place } from "./choose-slug.js";
import { listOverwritten, storeVariables, toVariables } from "./credential-store.js";
import type { Draft } from "./draft.js";
import type { Asking } from "./record-difference.js";
import { CommandError, createUsageError, type Terminal } from "./terminal.js";
import { type CommonFlags, defaultEnvFile, isSet, listVariables } from "./workspace.js";

export interface SaveFlags extends CommonFlags {
  /** Where the credential is kept. */
  readonly store: "env" | "keyring";
}

/**
 * A variable that has another value is overwritten only after a question that names it, or with `--yes`.
 *
 * @param agreed - A name that was agreed to is added, so that each is asked about once.
 * @throws CommandError 2 where nothing answers, 1 where the person refuses.
 */
export async function confirmOverwrite(
  draft: Draft,
  flags: SaveFlags,
  agreed: Set<string>,
  { terminal, prompts }: Asking,
): Promise<void> {
  const place = flags.store === "keyring" ? "the system's keyring" : (flags.envFile ?? defaultEnvFile);
  for (const name of await listOverwritten(listValues(draft), flags)) {
    const key = `overwrite ${name}`;
    if (agreed.has(key)) continue;
    const message = `${name} has another value in ${place}.`;
    if (prompts !== undefined) {
      if (!(await prompts.askYesNo(`${message} Overwrite ${name}?`)))
        throw new CommandError(1, "Nothing was saved. --slug gives the source other variables.");
    } else if (flags.yes !== true)
      throw createUsageError(
        `${message} Nothing was saved.`,
        `the same with --yes, which overwrites ${name}, or with --slug another_name`,
      );
    else terminal.note(`Overwrites ${name} in ${place}.`);
    agreed.add(key);
  }
}

function listValues({ record, credential, secrets }: Draft): Record<string, string> {
  return { ...(credential && toVariables(parseSource(record), credential)), ...secrets };
}

/** What an imported description is called; a record names it as its `openapi`. */
export function nameDocument(slug: string): string {
  return `${slug}.openapi.json`;
}

/** The description that is kept for a source already. */
export async function readDocument(slug: string, recordFile: string): Promise<string | undefined> {
  return readFile(join(dirname(recordFile), nameDocument(slug)), "utf8").catch(() => undefined);
}

export async function saveDraft(
  draft: Draft,
  {
    place: { slug: name, entry, file: target },
    directory,
    flags,
    terminal,
    report,
    document,
  }: {
    readonly place: Place;
    readonly directory: SourceDirectory;
    readonly flags: SaveFlags;
    readonly terminal: Terminal;
    readonly report?: ConnectionReport | undefined;
    /** An imported description, kept where the record names it. */
    readonly document?: string | undefined;
  },
): Promise<void> {
  const values = listValues(draft);
  const stored = Object.keys(values);
  // First the credential: a record without it would fail, a line in the environment without a record does nothing.
  const place = stored.length === 0 ? undefined : await storeVariables(values, flags.store, flags);
  if (document !== undefined && draft.record.api.openapi === nameDocument(name)) {
    await mkdir(dirname(target), { recursive: true });
    await writeFileAtomically(join(dirname(target), nameDocument(name)), document);
  }
  const { slug, file } = await directory.put(draft.record, { replace: entry !== undefined });
  terminal.printResult(flags, { slug, file, stored, store: place, report }, `Saved ${name} in ${file}.`);
  if (flags.json === true) return;
  if (place !== undefined) terminal.note(`Kept ${stored.join(", ")} in ${place}.`);
  const missing = listVariables(parseSource(draft.record)).filter(
    (each) => !stored.includes(each) && !isSet(each),
  );
  if (missing.length > 0) terminal.note(`Still to be set in the environment: ${missing.join(", ")}.`);
}
