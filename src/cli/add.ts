/** `add`: makes a record of flags, an imported description and questions, tests it, then saves it and its credential. */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { applyFlags, parseFlagged } from "./apply-flags.js";
import { keepSlug } from "./change.js";
import {
  askBeginning,
  confirmVariables,
  type Description,
  importText,
  readRecipe,
  toUrl,
} from "./description.js";
import { askMissing, askSecrets, choosePlace, type Draft, toVariables } from "./draft.js";
import { confirmHosts, writeOtherHosts } from "./hosts.js";
import type { Imported } from "./import/imported.js";
import { isCurl, isWholeCurl } from "./import/read-curl.js";
import type { AddFlags } from "./record-flags.js";
import { nameDocument, readSecretInput, saveDraft } from "./save-draft.js";
import { cleanLine, createUsageError, readTextFile, terminal } from "./terminal.js";
import { testDraft } from "./test.js";
import { loadEnvironment, openDirectory } from "./workspace.js";

/** @returns 0 when the source was saved. @throws CommandError 1 when its test isn't ok: nothing is saved then. */
export async function addSource(given: AddFlags, word: string | undefined): Promise<number> {
  const { flags: started, description } = await readStart(given, word);
  loadEnvironment(started, true);
  const directory = await openDirectory(started, true);
  const known = await readFirst(description, started);
  const { place, flags } = await choosePlace(directory, known?.record, started);
  const imported = await description?.(place.slug);
  const { document, credential, notes = [] } = imported ?? {};
  for (const note of notes) terminal.note(`Note: ${cleanLine(note)}`);
  if (imported !== undefined && document !== undefined)
    imported.record.api.openapi = nameDocument(place.slug);
  // A user who gives --auth has a token, and needs no grant.
  if (flags.auth !== undefined && flags["oauth2"] === undefined) delete imported?.record.api.oauth2;
  const record = applyFlags(
    imported?.record ?? { type: "api", api: { baseUrl: "" } },
    flags,
    place,
  );
  const { api } = record;
  // Examples of a description that the rules of the record may not allow.
  if ((api.methods ?? api.paths) !== undefined) delete api.endpoints;
  keepSlug(record, place.slug);
  const draft: Draft = {
    record,
    variables: { ...imported?.secrets },
    document,
    firstCall: imported?.firstCall,
  };
  const auth = flags.auth ?? api.oauth2 ?? api.login;
  if (terminal.asks(flags))
    await askMissing(record, auth !== undefined || imported?.knowsAuth === true);
  const source = parseFlagged(record, place.file);
  const path = join(directory.path, nameDocument(place.slug));
  if (document !== undefined && existsSync(path) && (await readFile(path, "utf8")) !== document)
    throw createUsageError(`${path} exists already, and is another document.`);
  // A credential of another kind than the authType sends has no use.
  if (credential !== undefined && api.authType !== undefined)
    if ("username" in credential === (api.authType === "basic"))
      Object.assign(draft.variables, toVariables(source, credential));
  if (flags.secretStdin === true) Object.assign(draft.variables, await readSecretInput(source));
  // The variables of a recipe are those of the API that the user named.
  if (flags.from !== undefined) {
    await confirmVariables(source, flags);
    await confirmHosts(source, flags, draft.variables);
  }
  const otherHosts = writeOtherHosts(source);
  if (otherHosts !== "") terminal.note(`Other hosts of the record: ${otherHosts}.`);
  if (terminal.asks(flags)) await askSecrets(draft, source);
  if (flags.test) await testDraft(draft, flags);
  terminal.signal.throwIfAborted();
  await saveDraft(draft, place, directory, flags);
  return 0;
}

/** Reads the description for the name and the base URL. @throws CommandError 2 that says what it has in place of a base URL. */
async function readFirst(
  description: Description | undefined,
  { from = "FILE" }: AddFlags,
): Promise<Imported | undefined> {
  const imported = await description?.();
  if (imported?.missing === undefined) return imported;
  throw createUsageError(
    imported.missing,
    `api-sources add --from ${from} --base-url https://HOST`,
  );
}

/** Finds what the source is made of: an address, the name of a recipe, or a description; it asks where none is given. */
async function readStart(
  given: AddFlags,
  word: string | undefined,
): Promise<{ readonly flags: AddFlags; readonly description?: Description | undefined }> {
  const { from, baseUrl, secretStdin } = given;
  if (from === "-" && secretStdin === true)
    throw createUsageError(
      "Standard input can't hold both.",
      "api-sources add --from FILE --secret-stdin",
    );
  // A file name can't begin like this, and a pasted line is what a person tries first.
  if (isCurl(from ?? word ?? ""))
    throw createUsageError(
      "Others can see a secret in a command line: paste the curl line to standard input.",
      "api-sources add --from -",
    );
  const isOpen = (from ?? word ?? baseUrl) === undefined && terminal.asks(given);
  const start = isOpen ? await askBeginning() : word;
  if (start !== undefined && isCurl(start))
    return { flags: { ...given, from: "-" }, description: importText(start, given) };
  const recipe = start === undefined || from !== undefined ? undefined : readRecipe(start);
  // A recipe has its name: only one that is derived from an address is asked for.
  if (recipe !== undefined)
    return {
      flags: { ...given, name: given.name ?? recipe.record.name },
      description: async () => recipe,
    };
  if (start !== undefined && baseUrl !== undefined)
    throw createUsageError(`${start} is given beside --base-url.`, `api-sources add ${start}`);
  const flags = start === undefined ? given : { ...given, baseUrl: toUrl(start) };
  if (from === undefined) return { flags };
  const text =
    from === "-"
      ? await terminal.readInput(isWholeCurl)
      : await readTextFile(from, "api-sources add --from openapi.yaml");
  return { flags, description: importText(text, flags) };
}
