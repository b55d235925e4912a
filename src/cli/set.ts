/** `set`: changes what its flags name in the record of a source, and nothing else. */

import type { ImportedRecord } from "../import/imported.js";
import { isPlainObject } from "../input.js";
import { findPlace } from "./choose-slug.js";
import { readSecretInput } from "./credential-store.js";
import { createDraft } from "./draft.js";
import { keepSlug, parseFlagged } from "./lay-record.js";
import { Prompts } from "./prompts.js";
import { compareRecords, confirmChange, isEmpty, losesNothing } from "./record-difference.js";
import { applyFlags, type RecordFlags, unsetMember } from "./record-flags.js";
import { confirmOverwrite, type SaveFlags, saveDraft } from "./save-draft.js";
import { createRecordError, type Terminal } from "./terminal.js";
import { findEntry, loadEnvironment, openDirectory } from "./workspace.js";

export interface SetFlags extends SaveFlags, RecordFlags {
  readonly secretStdin?: boolean;
  /** Members that are removed. */
  readonly unset: readonly string[];
}

/** @returns 0. @throws CommandError 2 for a record that would be wrong, and where nothing answers the question. */
export async function setSource(slug: string, flags: SetFlags, terminal: Terminal): Promise<number> {
  loadEnvironment(flags, true);
  const directory = await openDirectory(flags);
  const entry = await findEntry(directory, slug, "set");
  const place = findPlace(await directory.list(), entry);
  if (!isPlainObject(entry.record?.["api"])) throw createRecordError(slug, entry.problems);
  const old = entry.record as unknown as ImportedRecord;
  const record = applyFlags(old, flags, place);
  for (const member of flags.unset) unsetMember(record, member, slug);
  keepSlug(record, slug);
  const source = parseFlagged(record, place.file);
  const draft = createDraft(record);
  const difference = compareRecords(old, record, entry.source !== undefined);
  if (isEmpty(difference) && flags.secretStdin !== true) {
    terminal.note(`Nothing to change in "${slug}". What can be set: api-sources set --help`);
    return 0;
  }
  const asking = {
    terminal,
    prompts: terminal.canAsk && flags.yes !== true ? await Prompts.load(terminal) : undefined,
  };
  const isAgreed = flags.yes === true || losesNothing(difference);
  if (!isEmpty(difference))
    await confirmChange(
      difference,
      { slug, command: `api-sources set ${slug} ...`, isAgreed },
      isAgreed ? { terminal } : asking,
    );
  if (flags.secretStdin === true) draft.credential = await readSecretInput(source, terminal);
  await confirmOverwrite(draft, flags, new Set(), asking);
  await saveDraft(draft, { place, directory, flags, terminal });
  if (flags.json !== true) terminal.note(`To test it: api-sources test ${slug}`);
  return 0;
}
