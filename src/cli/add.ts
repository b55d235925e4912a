/** `add`: makes a record of flags, an imported description and questions, tests it, then saves it and its credential. */

import type { ConnectionReport } from "../connection/connection-report.js";
import { listCredentialVariables } from "../credentials/credential-variables.js";
import type { SourceDirectory } from "../registry/source-directory.js";
import type { ApiSource } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import { checkSlug } from "./check-slug.js";
import { confirmVariables } from "./confirm-variables.js";
import { parseSecretText, storeVariables, toVariables } from "./credential-store.js";
import { askCredential, completeDraft, createDraft, type Draft, type RecordFlags } from "./draft.js";
import { importDescription } from "./import-description.js";
import { Prompts } from "./prompts.js";
import { CommandError, createUsageError, type Terminal } from "./terminal.js";
import { testDraft } from "./test-draft.js";
import { type CommonFlags, isSet, listVariables, loadEnvironment, openDirectory } from "./workspace.js";

export interface AddFlags extends CommonFlags, RecordFlags {
  readonly secretStdin?: boolean;
  readonly from?: string;
  readonly server?: string;
  readonly scheme?: string;
  readonly store: "env" | "keyring";
  readonly test: boolean;
  readonly replace?: boolean;
  /** The variables of the environment that an imported record may send. */
  readonly useVariable?: readonly string[];
}

/** @returns 0 when the source was saved, 1 when its test isn't ok. Nothing is saved then. */
export async function addSource(flags: AddFlags, terminal: Terminal): Promise<number> {
  loadEnvironment(flags, true);
  const directory = await openDirectory(flags);
  if (flags.from === "-" && flags.secretStdin === true)
    throw createUsageError("Standard input can't hold both.", "api-sources add --from FILE --secret-stdin");
  const prompts = terminal.canAsk && flags.yes !== true ? await Prompts.load(terminal) : undefined;
  const imported = flags.from === undefined ? undefined : await importDescription(flags, terminal, prompts);
  const draft = createDraft(flags, imported);
  const knowsAuth = flags.auth !== undefined || imported?.knowsAuth === true;
  if (prompts !== undefined) await completeDraft(draft, knowsAuth, prompts);
  else if (draft.record.api.baseUrl === "")
    throw createUsageError(
      "--base-url is missing.",
      "api-sources add --base-url https://api.example.com --auth bearer --test-endpoint /me",
    );
  const source = parseSource(draft.record);
  await checkSlug(directory, source, draft.record, flags, { terminal, prompts });
  if (flags.store === "keyring") {
    // Where there is no keyring it says so, before anything is asked.
    const { readKeyring } = await import("../keyring/keyring-credentials.js");
    await readKeyring(listCredentialVariables(source)[0] ?? "API_SOURCES");
  }
  if (flags.secretStdin === true) {
    checkSecretInput(source, terminal);
    draft.credential = parseSecretText(await terminal.readInput(), source.api.authType === "basic");
  }
  const agreed = new Set(flags.useVariable ?? []);
  const confirm = async (made: ApiSource): Promise<void> => {
    if (imported !== undefined) await confirmVariables(made, agreed, prompts);
  };
  await confirm(source);
  if (prompts !== undefined) await askSecrets(draft, source, prompts);
  const report = await testBeforeSaving(draft, flags, { terminal, prompts, confirm });
  terminal.signal.throwIfAborted();
  await saveDraft(draft, flags, directory, report, terminal);
  return 0;
}

/** Before standard input is read for a secret: whether it would be seen there, or has no use. */
function checkSecretInput({ api }: ApiSource, { isTyped }: Terminal): void {
  if (api.authType === undefined)
    throw createUsageError(
      "The source sends no credential, so --secret-stdin has no use.",
      "api-sources add ... --auth bearer --secret-stdin",
    );
  if (isTyped)
    throw createUsageError(
      "Standard input is a terminal, which would show the secret.",
      "api-sources add ... (it asks for the secret, and shows nothing)",
    );
}

/** Asks for the credential and each secret that is neither in the environment nor given. */
async function askSecrets(draft: Draft, source: ApiSource, prompts: Prompts): Promise<void> {
  const names = listCredentialVariables(source);
  if (source.api.authType !== undefined && draft.credential === undefined && !names.some(isSet))
    await askCredential(draft, source, prompts);
  for (const name of listVariables(source)) {
    if (names.includes(name) || draft.secrets[name] !== undefined || isSet(name)) continue;
    const value = await prompts.askSecret(`${name}: a secret of the record (not shown while you type)`);
    if (value !== "") draft.secrets[name] = value;
  }
}

async function testBeforeSaving(
  draft: Draft,
  flags: AddFlags,
  asking: Parameters<typeof testDraft>[1],
): Promise<ConnectionReport | undefined> {
  const { terminal, prompts } = asking;
  if (!flags.test) return undefined;
  if (draft.record.api.testEndpoint === undefined) {
    terminal.tell("Not tested: the record has no test endpoint (--test-endpoint /me).");
    return undefined;
  }
  const report = await testDraft(draft, asking);
  if (report.ok || prompts !== undefined) return report;
  if (flags.json === true) terminal.printResult(flags, { saved: false, report }, "");
  throw new CommandError(1, `Not saved: the test isn't ok (${report.verdict}). --no-test saves without one.`);
}

async function saveDraft(
  { record, credential, secrets }: Draft,
  flags: AddFlags,
  directory: SourceDirectory,
  report: ConnectionReport | undefined,
  terminal: Terminal,
): Promise<void> {
  const source = parseSource(record);
  const values = { ...(credential && toVariables(source, credential)), ...secrets };
  const stored = Object.keys(values);
  // First the credential: a record without it would fail, a line in the environment without a record does nothing.
  const place = stored.length === 0 ? undefined : await storeVariables(values, flags.store, flags);
  const { slug, file } = await directory.put(record);
  terminal.printResult(flags, { slug, file, stored, store: place, report }, `Saved ${slug} in ${file}.`);
  if (flags.json === true) return;
  if (place !== undefined) terminal.tell(`Kept ${stored.join(", ")} in ${place}.`);
  const missing = listVariables(source).filter((name) => !stored.includes(name) && !isSet(name));
  if (missing.length > 0) terminal.tell(`Still to be set in the environment: ${missing.join(", ")}.`);
}
