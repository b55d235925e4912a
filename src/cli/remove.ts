/** `remove`: the record goes, and the credential with it when that is wanted. */

import { dropVariables } from "./credential-store.js";
import { Prompts } from "./prompts.js";
import { createUsageError, type Terminal } from "./terminal.js";
import { type CommonFlags, findEntry, listVariables, openDirectory } from "./workspace.js";

export interface RemoveFlags extends CommonFlags {
  readonly dropCredential?: boolean;
}

/** Asks before it removes; without a terminal only with `--yes`: the end of an input never confirms. */
export async function removeSource(slug: string, flags: RemoveFlags, terminal: Terminal): Promise<number> {
  const directory = await openDirectory(flags);
  const { source, file } = await findEntry(directory, slug, "remove");
  const variables = source === undefined ? [] : listVariables(source);
  let drops = flags.dropCredential === true;
  if (flags.yes !== true) {
    if (!terminal.canAsk)
      throw createUsageError(`Removing "${slug}" has to be confirmed.`, `api-sources remove ${slug} --yes`);
    const prompts = await Prompts.load(terminal);
    if (!(await prompts.askYesNo(`Remove ${slug} (${file})?`))) {
      terminal.tell("Nothing was removed.");
      return 1;
    }
    if (!drops && variables.length > 0)
      drops = await prompts.askYesNo(`Drop its credential, too (${variables.join(", ")})?`);
  }
  await directory.remove(slug);
  const dropped = drops ? await dropVariables(variables, flags) : [];
  terminal.printResult(flags, { removed: slug, file, dropped }, `Removed ${slug}.`);
  if (flags.json === true) return 0;
  if (dropped.length > 0) terminal.tell(`Dropped ${dropped.join(", ")}.`);
  else if (variables.length > 0) terminal.tell(`Left where they are: ${variables.join(", ")}.`);
  return 0;
}
