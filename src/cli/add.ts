/** `add`: makes a record of flags, an imported description and questions, tests it, then saves it and its credential. */

import { isIssued, listCredentialVariables } from "../credentials/credential-variables.js";
import { type Imported, type ImportedRecord, nameUrl } from "../import/imported.js";
import type { SourceDirectory } from "../registry/source-directory.js";
import type { ApiSource } from "../source/api-source.js";
import { chooseSlug, findPlace, type Place } from "./choose-slug.js";
import { confirmVariables } from "./confirm-variables.js";
import { readSecretInput } from "./credential-store.js";
import { askBaseUrl, askCredential, askName, completeDraft, createDraft, type Draft } from "./draft.js";
import { importDescription } from "./import-description.js";
import { dropRefusedExamples, fillGaps, keepSlug, parseFlagged } from "./lay-record.js";
import { Prompts } from "./prompts.js";
import { readRecipe } from "./read-recipe.js";
import { type Asking, compareRecords, confirmChange, isEmpty } from "./record-difference.js";
import { applyFlags, type RecordFlags } from "./record-flags.js";
import { confirmOverwrite, nameDocument, readDocument, type SaveFlags, saveDraft } from "./save-draft.js";
import { CommandError, createUsageError, type Terminal } from "./terminal.js";
import { testDraft } from "./test-draft.js";
import { isSet, listVariables, loadEnvironment, openDirectory } from "./workspace.js";

export interface AddFlags extends SaveFlags, RecordFlags {
  readonly secretStdin?: boolean;
  readonly from?: string;
  readonly server?: string;
  readonly scheme?: string;
  readonly test: boolean;
  readonly replace?: boolean;
  /** The variables of the environment that an imported record may send. */
  readonly useVariable?: readonly string[];
}

/** @returns 0 when the source was saved, or has nothing to change. @throws CommandError 1 when its test isn't ok: nothing is saved then. */
export async function addSource(
  url: string | undefined,
  given: AddFlags,
  terminal: Terminal,
): Promise<number> {
  const recipe = url === undefined || given.from !== undefined ? undefined : await readRecipe(url, terminal);
  const flags =
    url === undefined || recipe !== undefined ? given : { ...given, baseUrl: readUrl(url, given) };
  loadEnvironment(flags, true);
  const directory = await openDirectory(flags);
  if (flags.from === "-" && flags.secretStdin === true)
    throw createUsageError("Standard input can't hold both.", "api-sources add --from FILE --secret-stdin");
  const prompts = terminal.canAsk && flags.yes !== true ? await Prompts.load(terminal) : undefined;
  const asking = { terminal, prompts };
  const description = flags.from === undefined ? recipe : await importDescription(flags, asking);
  const { place, identity } = await identify(directory, description?.imported.record, flags, asking);
  const imported = await description?.readAs(place.slug);
  const document = imported?.document;
  if (imported !== undefined && document !== undefined)
    imported.record.api.openapi = nameDocument(place.slug);
  // With --auth the user has a token, and needs no grant.
  if (flags.auth !== undefined && flags["oauth2"] === undefined) delete imported?.record.api.oauth2;
  const record = applyFlags(layRecord(place, imported, flags), { ...flags, ...identity }, place);
  if (place.entry === undefined) dropRefusedExamples(record);
  keepSlug(record, place.slug);
  const draft = createDraft(
    record,
    hasOtherAuth(place, record, imported) ? { secrets: imported?.secrets ?? {} } : imported,
  );
  const known = flags.auth ?? record.api.oauth2 ?? record.api.login ?? place.entry;
  const knowsAuth = known !== undefined || imported?.knowsAuth === true;
  if (prompts !== undefined) await completeDraft(draft, { knowsAuth, slug: place.slug }, prompts);
  const source = parseFlagged(draft.record, place.file);
  await confirmEntry(place, record, document, flags, asking);
  if (flags.store === "keyring") {
    // Without a keyring it reports that, before anything is asked.
    const { readKeyring } = await import("../keyring/keyring-credentials.js");
    await readKeyring(listCredentialVariables(source)[0] ?? "API_SOURCES");
  }
  if (flags.secretStdin === true) draft.credential = await readSecretInput(source, terminal);
  const agreed = new Set(flags.useVariable ?? []);
  const confirm = async (made: ApiSource): Promise<void> => {
    // The variables of a recipe are those of the API that the user named.
    if (flags.from !== undefined) await confirmVariables(made, agreed, prompts);
    await confirmOverwrite(draft, flags, agreed, asking);
  };
  await confirm(source);
  if (prompts !== undefined) await askSecrets(draft, source, prompts);
  const report = await testBeforeSaving(draft, flags, { ...asking, slug: place.slug, confirm });
  await confirm(parseFlagged(draft.record, place.file));
  terminal.signal.throwIfAborted();
  await saveDraft(draft, { place, directory, flags, terminal, report, document });
  return 0;
}

/** @throws CommandError 2 for a word that is not an address, and for two base URLs. */
function readUrl(url: string, { baseUrl, from }: AddFlags): string {
  if (baseUrl !== undefined || from !== undefined)
    throw createUsageError(
      `${url} is given beside ${from === undefined ? "--base-url" : "--from"}.`,
      `api-sources add ${from === undefined ? url : `--from ${from} --base-url ${url}`}`,
    );
  if (/^https?:\/\//i.test(url)) return url;
  if (!/[.:/]/.test(url))
    throw createUsageError(
      `${url} is neither a URL nor the name of a recipe (docs/recipes.md).`,
      "api-sources add https://api.example.com",
    );
  return `https://${url}`;
}

interface Identified {
  readonly place: Place;
  /** What names a new record; a source that is there keeps its own. */
  readonly identity: { readonly name?: string; readonly baseUrl?: string };
}

/** Which source is made or changed. Asks for its base URL and its name, where neither a flag nor the description has them. */
async function identify(
  directory: SourceDirectory,
  imported: ImportedRecord | undefined,
  flags: AddFlags,
  asking: Asking,
): Promise<Identified> {
  const { prompts } = asking;
  const entries = await directory.list();
  const named = entries.find(({ slug }) => slug === flags.slug);
  if (named !== undefined && flags.replace !== true)
    return { place: findPlace(entries, named), identity: {} };
  const baseUrl = flags.baseUrl ?? (imported?.api.baseUrl || (prompts && (await askBaseUrl(prompts))));
  if (baseUrl === undefined)
    throw createUsageError(
      "The base URL is missing.",
      "api-sources add https://api.example.com --auth bearer --test-endpoint /me",
    );
  parseFlagged({ api: { baseUrl } }, "");
  const preset = flags.name ?? imported?.name;
  const name = preset ?? (prompts === undefined ? nameUrl(baseUrl) : await askName(baseUrl, prompts));
  const place = await chooseSlug(directory, { name, baseUrl, slug: flags.slug }, flags, asking);
  const isNew = place.entry === undefined || flags.replace === true;
  return { place, identity: isNew ? { name, baseUrl } : {} };
}

/** What the flags are laid over: a source that is there keeps what it has, and a description fills its gaps. */
function layRecord(place: Place, imported: Imported | undefined, { replace }: AddFlags): ImportedRecord {
  if (place.entry === undefined || replace === true)
    return imported?.record ?? { type: "api", api: { baseUrl: "" } };
  return fillGaps(place.entry.record, imported?.record ?? { api: { baseUrl: "" } });
}

/** A credential that a description gives is not for a source that sends its own in another way. */
function hasOtherAuth({ entry }: Place, { api }: ImportedRecord, imported: Imported | undefined): boolean {
  const given = imported?.record.api;
  return entry !== undefined && (given?.authType !== api.authType || given?.headerName !== api.headerName);
}

/** A source that is there, and a document in its place, is changed only after the changes were shown and agreed to. */
async function confirmEntry(
  { slug, file, entry }: Place,
  record: ImportedRecord,
  document: string | undefined,
  { yes = false, replace = false }: AddFlags,
  asking: Asking,
): Promise<void> {
  const kept = await readDocument(slug, file);
  const changes = document !== undefined && kept !== undefined && kept !== document;
  const fields = compareRecords(
    entry === undefined ? record : entry.record,
    record,
    entry?.source !== undefined,
  );
  const difference = changes ? { ...fields, changed: [...fields.changed, nameDocument(slug)] } : fields;
  if (isEmpty(difference)) return;
  const question = { slug, command: `api-sources add ... --slug ${slug}`, isAgreed: yes || replace };
  await confirmChange(difference, question, asking);
}

/** Asks for the credential and each secret that is neither in the environment nor given. */
async function askSecrets(draft: Draft, source: ApiSource, prompts: Prompts): Promise<void> {
  const names = isIssued(source) ? [] : listCredentialVariables(source);
  const sends = source.api.authType !== undefined && !isIssued(source);
  if (sends && draft.credential === undefined && !names.some(isSet))
    await askCredential(draft, source, prompts);
  for (const name of listVariables(source)) {
    if (names.includes(name) || draft.secrets[name] !== undefined || isSet(name)) continue;
    const value = await prompts.askSecret(`${name}: a secret of the record (not shown while you type)`);
    if (value !== "") draft.secrets[name] = value;
  }
}

type TestAsking = Parameters<typeof testDraft>[1];

async function testBeforeSaving(
  draft: Draft,
  flags: AddFlags,
  asking: TestAsking,
): ReturnType<typeof testDraft> {
  const { terminal, prompts, slug } = asking;
  if (!flags.test) return undefined;
  const { testEndpoint, oauth2 } = draft.record.api;
  if (testEndpoint === undefined) {
    terminal.note("Not tested: the record has no test endpoint (--test-endpoint /me).");
    return undefined;
  }
  if (oauth2?.grant === "authorization_code" || oauth2?.grant === "device_code") {
    terminal.note(`Not tested: a person authorizes it first: api-sources login ${slug}`);
    return undefined;
  }
  const report = await testDraft(draft, asking);
  if (report === undefined || report.ok || prompts !== undefined) return report;
  if (flags.json === true) terminal.printResult(flags, { saved: false, report }, "");
  throw new CommandError(1, `Not saved: the test isn't ok (${report.verdict}). --no-test saves without one.`);
}
