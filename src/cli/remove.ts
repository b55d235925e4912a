/** `remove`: the record goes, and the credential with it when that is wanted; a variable of another source stays. */

import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dropVariables } from "./credential-store.js";
import { Prompts } from "./prompts.js";
import { nameDocument } from "./save-draft.js";
import { createUsageError, type Terminal } from "./terminal.js";
import { type CommonFlags, findEntry, listVariables, openDirectory } from "./workspace.js";

export interface RemoveFlags extends CommonFlags {
  readonly dropCredential?: boolean;
}

/** Asks before it removes; without a terminal only with `--yes`: the end of an input never confirms. */
export async function removeSource(slug: string, flags: RemoveFlags, terminal: Terminal): Promise<number> {
  const directory = await openDirectory(flags);
  const { source, file, record } = await findEntry(directory, slug, "remove");
  const others = (await directory.list()).filter((entry) => entry.slug !== slug);
  const used = new Set(
    others.flatMap((entry) => (entry.source === undefined ? [] : listVariables(entry.source))),
  );
  const variables = (source === undefined ? [] : listVariables(source)).filter((name) => !used.has(name));
  // What `add --from` put beside the record goes with it.
  const document = join(dirname(file), nameDocument(slug));
  const isOwn = Object(record?.["api"]).openapi === nameDocument(slug);
  const isAlone = isOwn && !others.some((entry) => entry.source?.api.openapi === document);
  const files = isAlone ? [file, document] : [file];
  let drops = flags.dropCredential === true;
  if (flags.yes !== true) {
    if (!terminal.canAsk)
      throw createUsageError(`Removing "${slug}" has to be confirmed.`, `api-sources remove ${slug} --yes`);
    const prompts = await Prompts.load(terminal);
    if (!(await prompts.askYesNo(`Remove ${slug} (${files.join(", ")})?`))) {
      terminal.note("Nothing was removed.");
      return 1;
    }
    if (!drops && variables.length > 0)
      drops = await prompts.askYesNo(`Drop its credential, too (${variables.join(", ")})?`);
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
