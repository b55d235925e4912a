/** `add`: makes a record of flags, an imported description and questions, tests it, then saves it and its credential. */

import {
  isIssued,
  listCredentialVariables,
  listVariables,
} from "../core/credentials/credential-variables.js";
import type { ApiSource } from "../core/record/api-source.js";
import { choosePlace, type Place } from "./choose-slug.js";
import { askAuth, askCarrier, askCredential, askField, type Draft, dropOtherCredential } from "./draft.js";
import type { ImportedRecord } from "./import/imported.js";
import { confirmVariables, importDescription } from "./import-description.js";
import { askSecret } from "./prompts.js";
import { askBeginning, readRecipe, toUrl } from "./recipes.js";
import {
  areAll,
  compareRecords,
  confirmChange,
  dropRefusedExamples,
  fillGaps,
  keepSlug,
  parseFlagged,
} from "./record-change.js";
import { type AddFlags, applyFlags } from "./record-flags.js";
import { confirmOverwrite, nameDocument, readDocument, readSecretInput, saveDraft } from "./save-draft.js";
import { createUsageError, type Terminal } from "./terminal.js";
import { testDraft } from "./test.js";
import { isSet, loadEnvironment, openDirectory } from "./workspace.js";

/** @returns 0 when the source was saved, or has nothing to change. @throws CommandError 1 when its test isn't ok: nothing is saved then. */
export async function addSource(
  given: AddFlags,
  terminal: Terminal,
  word: string | undefined,
): Promise<number> {
  const isNamed = (word ?? given.from ?? given.baseUrl ?? given.slug) !== undefined;
  const url = isNamed || !terminal.asks(given) ? word : await askBeginning(terminal);
  const recipe = url === undefined || given.from !== undefined ? undefined : readRecipe(url, terminal);
  const flags =
    url === undefined || recipe !== undefined ? given : { ...given, baseUrl: readUrl(url, given) };
  loadEnvironment(flags, true);
  const directory = await openDirectory(flags);
  if (flags.from === "-" && flags.secretStdin === true)
    throw createUsageError("Standard input can't hold both.", "api-sources add --from FILE --secret-stdin");
  const description =
    flags.from === undefined ? recipe : await importDescription(flags.from, flags, terminal);
  const { place, identity } = await choosePlace(directory, description?.imported.record, flags, terminal);
  const imported = await description?.readAs(place.slug);
  const document = imported?.document;
  if (imported !== undefined && document !== undefined)
    imported.record.api.openapi = nameDocument(place.slug);
  // With --auth the user has a token, and needs no grant.
  if (flags.auth !== undefined && flags["oauth2"] === undefined) delete imported?.record.api.oauth2;
  // A source that is there keeps what it has, and a description fills its gaps.
  const start =
    place.entry === undefined || flags.replace === true
      ? (imported?.record ?? { type: "api", api: { baseUrl: "" } })
      : fillGaps(place.entry.record, imported?.record ?? { api: { baseUrl: "" } });
  const record = applyFlags(start, { ...flags, ...identity }, place);
  if (place.entry === undefined) dropRefusedExamples(record);
  keepSlug(record, place.slug);
  const draft: Draft = { record, secrets: { ...imported?.secrets }, document };
  if (imported?.credential !== undefined && !hasOtherAuth(place, record, imported.record))
    draft.credential = imported.credential;
  dropOtherCredential(draft);
  if (terminal.asks(flags)) {
    const known = flags.auth ?? record.api.oauth2 ?? record.api.login ?? place.entry;
    if (known === undefined && imported?.knowsAuth !== true) await askAuth(draft, place.slug, terminal);
    await askCarrier(record.api, terminal);
    if (record.api.testEndpoint === undefined) await askField(record.api, "testEndpoint", terminal);
  }
  const source = parseFlagged(record, place.file);
  await confirmEntry(place, draft, flags, terminal);
  if (flags.store === "keyring") {
    // Without a keyring it reports that, before anything is asked.
    const { readKeyring } = await import("../extras/keyring/keyring-credentials.js");
    await readKeyring(listCredentialVariables(source)[0] ?? "API_SOURCES");
  }
  if (flags.secretStdin === true) draft.credential = await readSecretInput(source, terminal);
  const agreed = new Set(flags.useVariable);
  const confirm = async (made: ApiSource): Promise<void> => {
    // The variables of a recipe are those of the API that the user named.
    if (flags.from !== undefined) await confirmVariables(made, flags, agreed, terminal);
    await confirmOverwrite(draft, flags, agreed, terminal);
  };
  await confirm(source);
  if (terminal.asks(flags)) await askSecrets(draft, source, terminal);
  if (flags.test) await testDraft(draft, place.slug, confirm, flags, terminal);
  await confirm(parseFlagged(record, place.file));
  terminal.signal.throwIfAborted();
  await saveDraft(draft, place, directory, flags, terminal);
  return 0;
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

/** A credential that a description gives is not for a source that sends its own in another way. */
function hasOtherAuth({ entry }: Place, { api }: ImportedRecord, { api: given }: ImportedRecord): boolean {
  return entry !== undefined && (given.authType !== api.authType || given.headerName !== api.headerName);
}

/** A source that is there, and a document in its place, is changed only after the changes were shown and agreed to. */
async function confirmEntry(
  place: Place,
  { record, document }: Draft,
  { yes, replace }: AddFlags,
  terminal: Terminal,
): Promise<void> {
  const { slug, entry } = place;
  const old = entry === undefined ? record : entry.record;
  const changes = compareRecords(old, record, entry?.source !== undefined);
  const kept = await readDocument(place);
  if (document !== undefined && kept !== undefined && kept !== document)
    changes.push({ kind: "changed", path: nameDocument(slug) });
  if (areAll(changes, "kept")) return;
  // A person who can be asked agrees to a replacement, too.
  const isAgreed = yes === true || (replace === true && !terminal.canAsk);
  await confirmChange(slug, changes, `api-sources add ... --slug ${slug} --yes`, isAgreed, terminal);
}

/** Asks for the credential and each secret that is neither in the environment nor given. */
async function askSecrets(draft: Draft, source: ApiSource, terminal: Terminal): Promise<void> {
  const names = isIssued(source) ? [] : listCredentialVariables(source);
  const isGiven = draft.credential !== undefined || names.some(isSet);
  if (source.api.authType !== undefined && !isIssued(source) && !isGiven)
    await askCredential(draft, source, terminal);
  for (const name of listVariables(source)) {
    if (names.includes(name) || draft.secrets[name] !== undefined || isSet(name)) continue;
    const value = await askSecret(terminal, `${name}: a secret of the record (not shown while you type)`);
    if (value !== "") draft.secrets[name] = value;
  }
}
