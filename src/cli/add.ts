/** `add`: makes a record of flags, an imported description and questions, tests it, then saves it and its credential. */

import { dropRefusedExamples, keepSlug } from "./change.js";
import { askMissing, askSecrets, choosePlace, type Draft } from "./draft.js";
import { isCurl } from "./import/read-curl.js";
import type { Description } from "./import-description.js";
import { confirmVariables, importDescription, importText } from "./import-description.js";
import { askBeginning, readRecipe, toUrl } from "./recipes.js";
import { type AddFlags, applyFlags, parseFlagged } from "./record-flags.js";
import { nameDocument, readDocument, readSecretInput, saveDraft } from "./save-draft.js";
import { createUsageError, type Terminal } from "./terminal.js";
import { testDraft } from "./test.js";
import { loadEnvironment, openDirectory } from "./workspace.js";

/** @returns 0 when the source was saved. @throws CommandError 1 when its test isn't ok: nothing is saved then. */
export async function addSource(
  given: AddFlags,
  terminal: Terminal,
  word: string | undefined,
): Promise<number> {
  const { flags: started, description } = await readStart(given, terminal, word);
  loadEnvironment(started, true);
  const directory = await openDirectory(started);
  const known = description?.imported.record;
  const { place, flags } = await choosePlace(directory, known, started, terminal);
  const imported = await description?.readAs(place.slug);
  const { document, credential } = imported ?? {};
  if (imported !== undefined && document !== undefined)
    imported.record.api.openapi = nameDocument(place.slug);
  // With --auth the user has a token, and needs no grant.
  if (flags.auth !== undefined && flags["oauth2"] === undefined) delete imported?.record.api.oauth2;
  const record = applyFlags(imported?.record ?? { type: "api", api: { baseUrl: "" } }, flags, place);
  const { api } = record;
  dropRefusedExamples(record);
  keepSlug(record, place.slug);
  const draft: Draft = { record, secrets: { ...imported?.secrets }, document };
  // A credential of another kind than the authType sends has no use.
  if (credential !== undefined && api.authType !== undefined)
    if ("username" in credential === (api.authType === "basic")) draft.credential = credential;
  const auth = flags.auth ?? api.oauth2 ?? api.login;
  if (terminal.asks(flags))
    await askMissing(api, auth !== undefined || imported?.knowsAuth === true, terminal);
  const source = parseFlagged(record, place.file);
  const kept = await readDocument(place);
  if (document !== undefined && kept !== undefined && kept !== document)
    throw createUsageError(`${nameDocument(place.slug)} exists already, and is another document.`);
  if (flags.secretStdin === true) draft.credential = await readSecretInput(source, terminal);
  // The variables of a recipe are those of the API that the user named.
  if (flags.from !== undefined) await confirmVariables(source, flags, terminal);
  if (terminal.asks(flags)) await askSecrets(draft, source, terminal);
  if (flags.test) await testDraft(draft, flags, terminal);
  terminal.signal.throwIfAborted();
  await saveDraft(draft, place, directory, flags, terminal);
  return 0;
}

/** What the source is made of: an address, the name of a recipe, or a description; without any, it is asked for. */
async function readStart(
  given: AddFlags,
  terminal: Terminal,
  word: string | undefined,
): Promise<{ readonly flags: AddFlags; readonly description?: Description | undefined }> {
  const { from, baseUrl, secretStdin } = given;
  if (from === "-" && secretStdin === true)
    throw createUsageError("Standard input can't hold both.", "api-sources add --from FILE --secret-stdin");
  if (from !== undefined && word === undefined)
    return { flags: given, description: await importDescription(from, given, terminal) };
  const isOpen = word === undefined && baseUrl === undefined && terminal.asks(given);
  const start = isOpen ? await askBeginning(terminal) : word;
  if (start === undefined) return { flags: given };
  if (isCurl(start))
    return { flags: { ...given, from: "-" }, description: await importText(start, given, terminal) };
  const recipe = from === undefined ? readRecipe(start, terminal) : undefined;
  // A recipe has its name: only one that is derived from an address is asked for.
  if (recipe !== undefined)
    return { flags: { ...given, name: given.name ?? recipe.imported.record.name }, description: recipe };
  return { flags: { ...given, baseUrl: readUrl(start, given) } };
}

/** @throws CommandError 2 for two base URLs. */
function readUrl(url: string, { baseUrl, from }: AddFlags): string {
  if (baseUrl !== undefined || from !== undefined)
    throw createUsageError(
      `${url} is given beside ${from === undefined ? "--base-url" : "--from"}.`,
      `api-sources add ${from === undefined ? url : `--from ${from} --base-url ${url}`}`,
    );
  return toUrl(url);
}
