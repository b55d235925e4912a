/** Changes to a source that is there: `set` and `remove`; and how a change of its record is compared, shown and asked about. */

import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isPlainObject } from "../core/base/input.js";
import { clipText } from "../core/base/text.js";
import {
  isIssued,
  listCredentialVariables,
  listVariables,
} from "../core/credentials/credential-variables.js";
import { createToolName } from "../core/record/record-schema.js";
import { applyFlags, parseFlagged, unsetMember } from "./apply-flags.js";
import { type Draft, findTaken } from "./draft.js";
import type { ImportedRecord } from "./import/imported.js";
import type { RecordFlags } from "./record-flags.js";
import { dropVariables, nameDocument, readSecretInput, saveDraft } from "./save-draft.js";
import {
  askYesNo,
  CommandError,
  cleanLine,
  createRecordError,
  createUsageError,
  terminal,
} from "./terminal.js";
import {
  type CommonFlags,
  findEntry,
  loadEnvironment,
  openDirectory,
  type SaveFlags,
} from "./workspace.js";

/**
 * Changes what its flags name in the record of a source, and nothing else.
 *
 * @returns 0. @throws CommandError 2 for a record that would be wrong, and where nothing answers the question.
 */
export async function setSource(
  flags: SaveFlags & RecordFlags & { readonly unset: readonly string[] },
  slug: string,
): Promise<number> {
  loadEnvironment(flags, true);
  const directory = await openDirectory(flags);
  const entry = await findEntry(directory, slug);
  const name = flags.slug ?? slug;
  if (name !== slug && findTaken(await directory.list(), name) !== undefined)
    throw createUsageError(`There is a source "${name}" already.`, "api-sources list");
  const { file } = entry;
  const place =
    name === slug
      ? { slug, file, entry }
      : { slug: name, file: join(directory.path, `${name}.json`) };
  if (!isPlainObject(entry.record?.["api"])) throw createRecordError(slug, entry.problems);
  const old = entry.record as unknown as ImportedRecord;
  const record = applyFlags(old, flags, place);
  for (const member of flags.unset) unsetMember(record, member, slug);
  keepSlug(record, name);
  // The variables are named after the tool: those of the name before stay its variables.
  const { authType, credentialEnv } = record.api;
  if (
    name !== slug &&
    entry.source !== undefined &&
    authType !== undefined &&
    !isIssued(entry.source)
  )
    record.api.credentialEnv = credentialEnv ?? listCredentialVariables(entry.source);
  const source = parseFlagged(record, place.file);
  const draft: Draft = { record, variables: {} };
  const [before, after] = [listRecordValues(old), listRecordValues(record)];
  const changes = listChanges(before, after, entry.source !== undefined);
  if (changes.length === 0 && flags.secretStdin !== true) {
    terminal.note(`Nothing to change in "${slug}". What can be set: api-sources set --help`);
    return 0;
  }
  if (changes.length > 0) terminal.note(`Changes of the source "${slug}":\n${changes.join("\n")}`);
  const isLoss = [...before].some(([path, json]) => after.get(path) !== json);
  if (isLoss && flags.yes !== true) await confirmChange(slug);
  if (flags.secretStdin === true) Object.assign(draft.variables, await readSecretInput(source));
  await saveDraft(draft, place, directory, flags);
  if (name !== slug) await directory.remove(slug);
  return 0;
}

/**
 * The record goes, and the credential with it when that is wanted; a variable of another source stays. Asks before it removes; without a
 * terminal only with `--yes`: the end of an input never confirms.
 */
export async function removeSource(
  flags: CommonFlags & { readonly dropCredential?: boolean },
  slug: string,
): Promise<number> {
  const directory = await openDirectory(flags);
  const { source, file, record } = await findEntry(directory, slug);
  const others = (await directory.list()).filter((entry) => entry.slug !== slug);
  const used = new Set(
    others.flatMap((entry) => (entry.source ? listVariables(entry.source) : [])),
  );
  const variables = (source ? listVariables(source) : []).filter((name) => !used.has(name));
  // The document that `add --from` put beside the record goes with it.
  const document = join(dirname(file), nameDocument(slug));
  const isOwn = Object(record?.["api"]).openapi === nameDocument(slug);
  const isAlone = isOwn && !others.some((entry) => entry.source?.api.openapi === document);
  const files = isAlone ? [file, document] : [file];
  let drops = flags.dropCredential === true;
  if (flags.yes !== true) {
    if (!terminal.canAsk)
      throw createUsageError(
        `Removing "${slug}" has to be confirmed.`,
        `api-sources remove ${slug} --yes`,
      );
    if (!(await askYesNo(`Remove ${slug} (${files.join(", ")})?`))) {
      terminal.note("Nothing was removed.");
      return 1;
    }
    if (!drops && variables.length > 0)
      drops = await askYesNo(`Drop its credential, too (${variables.join(", ")})?`);
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

/** A record without a `slug` is called by its name, so one that is renamed gets the slug that it had. */
export function keepSlug(record: ImportedRecord, slug: string): void {
  if (record.name === undefined ? record.slug === undefined : createToolName(record.name) === slug)
    return;
  record.slug = slug;
}

/**
 * One line for each member that is new, or another one, or gone.
 *
 * @param showsOld - Whether the values of the old record may be shown: a broken one may hold a secret.
 */
function listChanges(before: Members, after: Members, showsOld: boolean): string[] {
  const show = (json: string): string => cleanLine(clipText(json, 100));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [old, next] = [before.get(path), after.get(path)];
    if (old === next) return [];
    if (old === undefined) return `  new      ${path}: ${show(next ?? "")}`;
    const shown = showsOld ? show(old) : "(not shown)";
    return next === undefined
      ? `  dropped  ${path}: ${shown}`
      : `  changed  ${path}: ${shown} -> ${show(next)}`;
  });
}

/** The values of a record as JSON, by their paths, such as `api.methods`. */
type Members = ReadonlyMap<string, string>;

/** A list is one value. */
function listRecordValues(value: unknown, path: string = ""): Members {
  if (!isPlainObject(value) || (path !== "" && Object.keys(value).length === 0))
    return new Map([[path, JSON.stringify(value)]]);
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  const found = given.flatMap(([name, member]) => [
    ...listRecordValues(member, path === "" ? cleanLine(name) : `${path}.${cleanLine(name)}`),
  ]);
  return new Map(found);
}

/** Asks where a value changes or goes. @throws CommandError 2 where nothing answers, 1 where the person refuses. */
async function confirmChange(slug: string): Promise<void> {
  if (!terminal.canAsk)
    throw createUsageError(
      `Changing "${slug}" has to be confirmed. Nothing was saved.`,
      `api-sources set ${slug} ... --yes`,
    );
  if (!(await askYesNo(`Change the source "${slug}"?`)))
    throw new CommandError(1, "Nothing was saved.");
}
