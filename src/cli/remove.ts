/** `remove`: the record goes, and the credential with it when that is wanted. */

import { dropVariables } from "./credential-store.js";
import { listVariables } from "./env.js";
import { loadPrompts } from "./prompts.js";
import { createUsageError, type Terminal } from "./terminal.js";
import { type CommonFlags, findEntry, openDirectory } from "./workspace.js";

export interface RemoveFlags extends CommonFlags {
  readonly dropCredential?: boolean;
}

/** Asks before it removes; without a terminal only with `--yes`: the end of an input never confirms. */
export async function removeSource(slug: string, flags: RemoveFlags, terminal: Terminal): Promise<number> {
  const directory = await openDirectory(flags);
  const { source, file } = await findEntry(directory, slug, (nearest) => `api-sources remove ${nearest}`);
  if (flags.yes !== true) {
    if (!terminal.canAsk) {
      throw createUsageError(`Removing "${slug}" has to be confirmed.`, `api-sources remove ${slug} --yes`);
    }
    const { askYesNo } = await loadPrompts(terminal);
    if (!(await askYesNo(`Remove ${slug} (${file})?`, false))) {
      terminal.tell("Nothing was removed.");
      return 1;
    }
  }
  const variables = source === undefined ? [] : listVariables(source);
  const drops = variables.length > 0 && (await wantsToDrop(variables, flags, terminal));
  await directory.remove(slug);
  const dropped = drops ? await dropVariables(variables, flags) : [];
  if (flags.json === true) terminal.print(JSON.stringify({ removed: slug, file, dropped }));
  else {
    terminal.print(`Removed ${slug}.`);
    if (dropped.length > 0) terminal.tell(`Dropped ${dropped.join(", ")}.`);
    else if (variables.length > 0) terminal.tell(`Left where they are: ${variables.join(", ")}.`);
  }
  return 0;
}

async function wantsToDrop(
  variables: readonly string[],
  { dropCredential, yes }: RemoveFlags,
  terminal: Terminal,
): Promise<boolean> {
  if (dropCredential !== undefined || yes === true || !terminal.canAsk) return dropCredential === true;
  const { askYesNo } = await loadPrompts(terminal);
  return askYesNo(`Drop its credential, too (${variables.join(", ")})?`, false);
}
