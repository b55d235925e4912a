/** A source that is being made: its place, and the questions for what is missing in it. */

import { join } from "node:path";
import { SourceRecordError } from "../core/base/errors.js";
import type { Credential } from "../core/credentials/credential.js";
import {
  isIssued,
  listCredentialVariables,
  listVariables,
} from "../core/credentials/credential-variables.js";
import type { ApiSource } from "../core/record/api-source.js";
import { parseSource } from "../core/record/parse-source.js";
import { keyOf } from "../core/record/record-schema.js";
import type { ConnectionReport } from "../features/connection/connection-report.js";
import type { SourceDirectory, SourceEntry } from "../toolkit/directory/source-directory.js";
import { parseFlagged, setAuth } from "./apply-flags.js";
import { type FirstCall, type ImportedRecord, nameUrl } from "./import/imported.js";
import type { AddFlags } from "./record-flags.js";
import { askChoice, askSecret, askText, askYesNo, createUsageError, terminal } from "./terminal.js";
import { isSet } from "./workspace.js";

export interface Draft {
  readonly record: ImportedRecord;
  /** The variables that were given by a prompt, standard input or an imported file; what is absent comes from the environment. */
  readonly variables: Record<string, string>;
  /** An imported description, kept where the record names it. */
  readonly document?: string | undefined;
  /** A request that the description has, to begin with. */
  readonly firstCall?: FirstCall | undefined;
  /** The report of its last test. */
  report?: ConnectionReport;
}

/** The place of a source. */
export interface Place {
  readonly slug: string;
  /** Where the record is, or will be. */
  readonly file: string;
  /** The source that is there, and is changed; absent for a new one. */
  readonly entry?: SourceEntry;
}

/**
 * Finds the place of a new source. Asks for its name, where neither a flag nor the description has it.
 *
 * @returns the flags, too, with the name and the base URL.
 * @throws CommandError 2 without a base URL, for a name that is wrong, and for a source that is there.
 */
export async function choosePlace(
  directory: SourceDirectory,
  imported: ImportedRecord | undefined,
  flags: AddFlags,
): Promise<{ readonly place: Place; readonly flags: AddFlags }> {
  const baseUrl = flags.baseUrl ?? imported?.api.baseUrl ?? "";
  if (baseUrl === "")
    throw createUsageError(
      "The base URL is missing.",
      "api-sources add https://api.example.com --auth bearer --test-endpoint /me",
    );
  const derived = nameUrl(baseUrl);
  const given = flags.name ?? (imported?.name === derived ? undefined : imported?.name);
  const check = (name: string): string | undefined =>
    findProblem({ name, api: { baseUrl } }, "name", "slug");
  const name =
    given ??
    (terminal.asks(flags)
      ? await askText("Name: the API's name for people", check, derived)
      : derived);
  const { slug } = parseFlagged({ name, slug: flags.slug, api: { baseUrl } });
  const entries = await directory.list();
  const taken = findTaken(entries, slug);
  const own = taken === undefined ? slug : proposeSlug(slug, baseUrl, entries);
  if (taken !== undefined) {
    const { baseUrl: other = "a broken record" } = taken.source?.api ?? {};
    const message = `The name "${taken.slug}" belongs to ${other} already.`;
    if (flags.slug !== undefined || foldUrl(other) === foldUrl(baseUrl))
      throw createUsageError(
        `${message} Nothing was saved.`,
        `api-sources set ${taken.slug} ..., which changes it; add ... --slug ${own} adds another`,
      );
    // Two APIs of one host get two names, `acme_billing` and `acme_orders`.
    terminal.note(`${message} The new source is called "${own}".`);
  }
  return {
    place: { slug: own, file: join(directory.path, `${own}.json`) },
    flags: { ...flags, name, baseUrl },
  };
}

/** The source that has a name, or nearly that one. */
export function findTaken(entries: readonly SourceEntry[], slug: string): SourceEntry | undefined {
  return entries.find((entry) => keyOf(entry.slug) === keyOf(slug));
}

function foldUrl(url: string): string {
  return url.replace(/\/+$/, "").toLowerCase();
}

/** `acme_orders` by the path, else `acme_2`. */
function proposeSlug(slug: string, baseUrl: string, entries: readonly SourceEntry[]): string {
  const words = baseUrl.replace(/^[a-z]+:\/\/[^/]*/i, "").match(/[a-z][a-z0-9]+/gi) ?? [];
  const named = words.filter((word) => !/^(?:api|rest|v\d+)$/i.test(word)).reverse();
  const numbers = Array.from({ length: entries.length + 1 }, (_, index) => String(index + 2));
  return (
    [...named, ...numbers]
      .map((word) => `${slug.slice(0, 50)}_${word.toLowerCase().slice(0, 12)}`)
      .find((each) => findTaken(entries, each) === undefined) ?? slug
  );
}

const authChoices = [
  { value: "bearer", hint: "a token in `Authorization: Bearer …`: most APIs" },
  { value: "header", hint: "a key in a header of its own, such as X-API-Key" },
  { value: "query", hint: "a key in the URL, such as ?api_key=…" },
  { value: "basic", hint: "a username and a password" },
  { value: "none", hint: "the API answers anyone" },
];

/**
 * Asks for what a record needs and does not have yet.
 *
 * @param knowsAuth - Whether it is known how the credential is sent.
 */
export async function askMissing(record: ImportedRecord, knowsAuth: boolean): Promise<void> {
  const { api } = record;
  if (!knowsAuth) setAuth(api, await askChoice("How is the credential sent?", authChoices));
  if (api.authType === "header")
    api.headerName ??= await askField(api, "headerName", "Header of the key", "X-API-Key");
  if (api.authType === "query")
    api.queryParam ??= await askField(api, "queryParam", "Query parameter of the key", "api_key");
  await askClientSecret(api);
  if (api.testEndpoint === undefined) await askTestEndpoint(api);
  if (record.tagline === undefined) await askTagline(record);
}

/** Asks for one field of `api` until its value is right. */
function askField(
  api: ImportedRecord["api"],
  field: "headerName" | "queryParam" | "testEndpoint",
  question: string,
  proposal: string,
): Promise<string> {
  const check = (value: string): string | undefined =>
    field === "testEndpoint" && value === "none"
      ? undefined
      : findProblem({ api: { ...api, [field]: value } }, `api.${field}`);
  return askText(question, check, proposal);
}

async function askTestEndpoint(api: ImportedRecord["api"]): Promise<void> {
  const about = "Test endpoint: a light GET that only a valid credential may read, or none";
  const proposal = api.testEndpoint ?? (api.authType === undefined ? "/" : "/me");
  const answer = await askField(api, "testEndpoint", about, proposal);
  if (answer === "none") delete api.testEndpoint;
  else api.testEndpoint = answer;
}

/** Asks for another test endpoint; `none` removes it. */
export async function correctTestEndpoint({ record }: Draft): Promise<void> {
  await askTestEndpoint(record.api);
}

/** A client of a person's device is often public (RFC 6749, section 2.1): it has no secret that could be asked for. */
async function askClientSecret(api: ImportedRecord["api"]): Promise<void> {
  const { oauth2 } = api;
  const isByPerson = oauth2?.grant === "authorization_code" || oauth2?.grant === "device_code";
  if (!isByPerson || oauth2.clientAuthentication !== undefined) return;
  if (await askYesNo("Does the OAuth client have a secret? A public client has none.")) return;
  const { clientSecret: _none, ...others } = oauth2;
  api.oauth2 = { ...others, clientAuthentication: "none" };
}

/** The model reads the tagline of each tool before it chooses one. */
async function askTagline(record: ImportedRecord): Promise<void> {
  const question =
    "Tagline: what the API is for, in one line, which the model reads; Enter leaves it out";
  const answer = await askText(question);
  if (answer !== "") record.tagline = answer;
}

/** Asks for the credential and each secret: those that are neither given nor in the environment, or all of them again. */
export async function askSecrets(
  draft: Draft,
  source: ApiSource,
  isAgain: boolean = false,
): Promise<void> {
  const names = isIssued(source) ? [] : listCredentialVariables(source);
  const isKnown = (name: string): boolean => draft.variables[name] !== undefined || isSet(name);
  if (source.api.authType !== undefined && !isIssued(source) && (isAgain || !names.some(isKnown)))
    Object.assign(draft.variables, await askCredential(source));
  const how = `not shown while you type${isAgain ? "; empty: as it is" : ""}`;
  for (const name of listVariables(source)) {
    if (names.includes(name) || (isKnown(name) && !isAgain)) continue;
    const value = await askSecret(`${name}: a secret of the record (${how})`);
    if (value !== "") draft.variables[name] = value;
  }
}

/** Basic needs a username and a password. An empty answer leaves it to the environment. */
async function askCredential(source: ApiSource): Promise<Record<string, string>> {
  if (source.api.authType !== "basic") {
    const token = await askSecret(`Token or key of ${source.name} (not shown while you type)`);
    return token === "" ? {} : toVariables(source, { token: token.trim() });
  }
  const username = await askText(`Username for ${source.name}`);
  const password = await askSecret(`Password of ${username} (not shown while you type)`);
  return toVariables(source, { username, password });
}

/** The variables that hold a credential of a source, with their values. */
export function toVariables(source: ApiSource, credential: Credential): Record<string, string> {
  const [first = "", second] = listCredentialVariables(source);
  if (!("username" in credential))
    return { [first]: "token" in credential ? credential.token : credential.apiKey };
  const { username, password } = credential;
  // A record may name one variable for both.
  if (second === undefined) return { [first]: `${username}:${password}` };
  return { [first]: username, [second]: password };
}

/** Describes in words what is wrong with one field of a record. */
export function findProblem(record: unknown, ...paths: readonly string[]): string | undefined {
  try {
    parseSource(record);
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error;
    const problem = error.problems.find(({ path }) => paths.includes(path));
    return problem && `${problem.path} ${problem.message}. ${problem.fix}`;
  }
}
