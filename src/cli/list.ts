/** `list` and `show`. */

import type { SourceEntry } from "../registry/source-directory.js";
import type { Terminal } from "./terminal.js";
import { writeTable } from "./terminal.js";
import { type CommonFlags, createRecordError, findEntry, openDirectory } from "./workspace.js";

/** Prints every source; a broken one with what is wrong. */
export async function listSources(flags: CommonFlags, terminal: Terminal): Promise<number> {
  const directory = await openDirectory(flags);
  const entries = await directory.list();
  if (flags.json === true) {
    terminal.print(JSON.stringify(entries.map(toPlain), null, 2));
    return 0;
  }
  if (entries.length === 0) {
    terminal.tell(`No sources in ${directory.path}. Add one with: api-sources add`);
    return 0;
  }
  terminal.print(writeTable(["SLUG", "NAME", "BASE URL", "AUTH", "TEST ENDPOINT"], entries.map(toRow)));
  for (const { slug, problems } of entries.filter((entry) => entry.problems.length > 0)) {
    terminal.tell(createRecordError(slug, problems).message);
  }
  return 0;
}

function toRow({ slug, source, problems }: SourceEntry): string[] {
  if (source === undefined) return [slug, "broken", problems[0]?.message ?? "", "", ""];
  const { baseUrl, authType, testEndpoint } = source.api;
  return [slug, source.name, baseUrl, authType ?? "none", testEndpoint ?? "-"];
}

function toPlain({ slug, file, source, problems }: SourceEntry): unknown {
  if (source === undefined) return { slug, file, problems };
  const { baseUrl, authType = "none", testEndpoint } = source.api;
  return { slug, name: source.name, file, baseUrl, authType, testEndpoint, problems };
}

/** Prints the record as it stands in its file. One that is broken is not printed: a secret may stand where none belongs. */
export async function showSource(slug: string, flags: CommonFlags, terminal: Terminal): Promise<number> {
  const directory = await openDirectory(flags);
  const { file, source, record, problems } = await findEntry(
    directory,
    slug,
    (nearest) => `api-sources show ${nearest}`,
  );
  if (source === undefined) {
    if (flags.json === true) terminal.print(JSON.stringify({ slug, file, problems }, null, 2));
    throw createRecordError(slug, problems);
  }
  const shown = flags.json === true ? { slug, file, record } : record;
  terminal.print(JSON.stringify(shown, null, 2));
  return 0;
}
