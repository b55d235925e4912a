/** `add`: makes a record of flags, an imported description and questions, tests it, then saves it and its credential. */

import { listCredentialVariables } from "../core/credentials/credential-variables.js";
import { areAll, compareRecords, confirmChange, dropRefusedExamples, keepSlug } from "./change.js";
import { choosePlace, type Place } from "./choose-slug.js";
import { askMissing, askSecrets, type Draft, dropOtherCredential } from "./draft.js";
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
  const { flags, description } = await readStart(given, terminal, word);
  loadEnvironment(flags, true);
  const directory = await openDirectory(flags);
  const { place, name, baseUrl } = await choosePlace(
    directory,
    description?.imported.record,
    flags,
    terminal,
  );
  const imported = await description?.readAs(place.slug);
  const document = imported?.document;
  if (imported !== undefined && document !== undefined)
    imported.record.api.openapi = nameDocument(place.slug);
  // With --auth the user has a token, and needs no grant.
  if (flags.auth !== undefined && flags["oauth2"] === undefined) delete imported?.record.api.oauth2;
  const start = imported?.record ?? { type: "api", name, api: { baseUrl } };
  const record = applyFlags(start, { ...flags, name, baseUrl }, place);
  dropRefusedExamples(record);
  keepSlug(record, place.slug);
  const draft: Draft = {
    record,
    secrets: { ...imported?.secrets },
    credential: imported?.credential,
    document,
  };
  dropOtherCredential(draft);
  if (terminal.asks(flags)) {
    const known = flags.auth ?? record.api.oauth2 ?? record.api.login;
    await askMissing(record.api, known !== undefined || imported?.knowsAuth === true, terminal);
  }
  const source = parseFlagged(record, place.file);
  await confirmReplacement(place, draft, flags, terminal);
  if (flags.store === "keyring") {
    // Without a keyring it reports that, before anything is asked.
    const { readKeyring } = await import("../extras/keyring/keyring-credentials.js");
    await readKeyring(listCredentialVariables(source)[0] ?? "API_SOURCES");
  }
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

/** A source that is there, and its document, are replaced only after the changes were shown and agreed to. */
async function confirmReplacement(
  place: Place,
  { record, document }: Draft,
  { yes }: AddFlags,
  terminal: Terminal,
): Promise<void> {
  const { slug, entry } = place;
  const old = entry === undefined ? record : entry.record;
  const changes = compareRecords(old, record, entry?.source !== undefined);
  const kept = await readDocument(place);
  if (document !== undefined && kept !== undefined && kept !== document)
    changes.push({ kind: "changed", path: nameDocument(slug) });
  if (areAll(changes, "kept")) return;
  // Without a person to ask, --replace is the agreement about the source.
  const isAgreed = yes === true || (entry !== undefined && !terminal.canAsk);
  await confirmChange(slug, changes, `api-sources add ... --slug ${slug} --yes`, isAgreed, terminal);
}
