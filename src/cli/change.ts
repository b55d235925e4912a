/** `set` and `remove`: what is done to a source that is there. */

import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isPlainObject } from "../core/base/input.js";
import {
  isIssued,
  listCredentialVariables,
  listVariables,
} from "../core/credentials/credential-variables.js";
import { findNewPlace, findPlace } from "./choose-slug.js";
import type { Draft } from "./draft.js";
import type { ImportedRecord } from "./import/imported.js";
import { askYesNo } from "./prompts.js";
import { areAll, compareRecords, confirmChange, keepSlug } from "./record-change.js";
import { applyFlags, parseFlagged, type RecordFlags, unsetMember } from "./record-flags.js";
import { confirmOverwrite, dropVariables, nameDocument, readSecretInput, saveDraft } from "./save-draft.js";
import { createRecordError, createUsageError, type Terminal } from "./terminal.js";
import { type CommonFlags, findEntry, loadEnvironment, openDirectory, type SaveFlags } from "./workspace.js";

export interface SetFlags extends SaveFlags, RecordFlags {
  /** Members that are removed. */
  readonly unset: readonly string[];
}

/**
 * Changes what its flags name in the record of a source, and nothing else.
 *
 * @returns 0. @throws CommandError 2 for a record that would be wrong, and where nothing answers the question.
 */
export async function setSource(flags: SetFlags, terminal: Terminal, slug: string): Promise<number> {
  loadEnvironment(flags, true);
  const directory = await openDirectory(flags);
  const entry = await findEntry(directory, slug, "set");
  const entries = await directory.list();
  const here = findPlace(entries, entry);
  const name = flags.slug ?? slug;
  const place = name === slug ? here : findNewPlace(entries, name, directory.path);
  if (!isPlainObject(entry.record?.["api"])) throw createRecordError(slug, entry.problems);
  const old = entry.record as unknown as ImportedRecord;
  const record = applyFlags(old, flags, place);
  for (const member of flags.unset) unsetMember(record, member, slug);
  keepSlug(record, name);
  // The variables are named after the tool: those of the name before stay its variables.
  const { authType, credentialEnv } = record.api;
  if (name !== slug && entry.source !== undefined && authType !== undefined && !isIssued(entry.source))
    record.api.credentialEnv = credentialEnv ?? listCredentialVariables(entry.source);
  const source = parseFlagged(record, place.file);
  const draft: Draft = { record, secrets: {} };
  const changes = compareRecords(old, record, entry.source !== undefined);
  const isSame = areAll(changes, "kept");
  if (isSame && flags.secretStdin !== true) {
    terminal.note(`Nothing to change in "${slug}". What can be set: api-sources set --help`);
    return 0;
  }
  const isAgreed = flags.yes === true || areAll(changes, "kept", "new");
  if (!isSame) await confirmChange(slug, changes, `api-sources set ${slug} ... --yes`, isAgreed, terminal);
  if (flags.secretStdin === true) draft.credential = await readSecretInput(source, terminal);
  await confirmOverwrite(draft, flags, new Set(), terminal);
  await saveDraft(draft, place, directory, flags, terminal);
  if (name !== slug) await directory.remove(slug);
  return 0;
}

export interface RemoveFlags extends CommonFlags {
  readonly dropCredential?: boolean;
}

/**
 * The record goes, and the credential with it when that is wanted; a variable of another source stays. Asks before it removes; without a
 * terminal only with `--yes`: the end of an input never confirms.
 */
export async function removeSource(flags: RemoveFlags, terminal: Terminal, slug: string): Promise<number> {
  const directory = await openDirectory(flags);
  const { source, file, record } = await findEntry(directory, slug, "remove");
  const others = (await directory.list()).filter((entry) => entry.slug !== slug);
  const used = new Set(others.flatMap((entry) => (entry.source ? listVariables(entry.source) : [])));
  const variables = (source ? listVariables(source) : []).filter((name) => !used.has(name));
  // What `add --from` put beside the record goes with it.
  const document = join(dirname(file), nameDocument(slug));
  const isOwn = Object(record?.["api"]).openapi === nameDocument(slug);
  const isAlone = isOwn && !others.some((entry) => entry.source?.api.openapi === document);
  const files = isAlone ? [file, document] : [file];
  let drops = flags.dropCredential === true;
  if (flags.yes !== true) {
    if (!terminal.canAsk)
      throw createUsageError(`Removing "${slug}" has to be confirmed.`, `api-sources remove ${slug} --yes`);
    if (!(await askYesNo(terminal, `Remove ${slug} (${files.join(", ")})?`))) {
      terminal.note("Nothing was removed.");
      return 1;
    }
    if (!drops && variables.length > 0)
      drops = await askYesNo(terminal, `Drop its credential, too (${variables.join(", ")})?`);
  }
  await directory.remove(slug);
  if (isAlone) await rm(document, { force: true });
  const dropped = drops ? await dropVariables(variables, flags) : [];
  terminal.printResult(flags, { removed: slug, file, dropped }, `Removed ${slug}.`);
  if (flags.json === true) return 0;
  if (dropped.length > 0) terminal.note(`Dropped ${dropped.join(", ")}.`);
  else if (variables.length > 0) terminal.note(`Not removed: ${variables.join(", ")}.`);
  return 0;
}
