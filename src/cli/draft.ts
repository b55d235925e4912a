/** A source that is being made, and the questions for what is missing in it. */

import { SourceRecordError } from "../core/base/errors.js";
import type { Credential } from "../core/credentials/credential.js";
import {
  isIssued,
  listCredentialVariables,
  listVariables,
} from "../core/credentials/credential-variables.js";
import type { ApiSource, AuthType } from "../core/record/api-source.js";
import { parseSource } from "../core/record/parse-source.js";
import type { ConnectionReport } from "../features/connection/connection-report.js";
import { type ImportedRecord, nameUrl } from "./import/imported.js";
import { askChoice, askSecret, askText, type Choice } from "./prompts.js";
import { setAuth } from "./record-flags.js";
import type { Terminal } from "./terminal.js";
import { isSet } from "./workspace.js";

export interface Draft {
  readonly record: ImportedRecord;
  /** Given by a prompt, standard input or an imported file; absent when it comes from the environment. */
  credential?: Credential | undefined;
  /** Values of the record's `${NAME}`s that were given so. */
  readonly secrets: Record<string, string>;
  /** An imported description, kept where the record names it. */
  readonly document?: string | undefined;
  /** Of its last test. */
  report?: ConnectionReport;
}

/** A credential of another kind than the authType sends has no use. */
export function dropOtherCredential(draft: Draft): void {
  const { authType } = draft.record.api;
  const isBasic = draft.credential !== undefined && "username" in draft.credential;
  if (authType === undefined || isBasic !== (authType === "basic")) delete draft.credential;
}

export async function askName(baseUrl: string, terminal: Terminal): Promise<string> {
  const check = (name: string): string | undefined => findProblem({ name, api: { baseUrl } }, "name", "slug");
  return askText(terminal, "Name: the API's name for people", check, nameUrl(baseUrl));
}

/** What is wrong with the name of a tool. */
export function findNameProblem(slug: string): string | undefined {
  return findProblem({ slug, api: { baseUrl: "https://api.example.com" } }, "slug");
}

const authChoices: readonly Choice<AuthType | "none">[] = [
  { value: "bearer", hint: "a token in `Authorization: Bearer …`: most APIs" },
  { value: "header", hint: "a key in a header of its own, such as X-API-Key" },
  { value: "query", hint: "a key in the URL, such as ?api_key=…" },
  { value: "basic", hint: "a username and a password" },
  { value: "none", hint: "the API answers anyone" },
];

/** @param knowsAuth - Whether it is known how the credential is sent. */
export async function askMissing(
  api: ImportedRecord["api"],
  knowsAuth: boolean,
  terminal: Terminal,
): Promise<void> {
  if (!knowsAuth) setAuth(api, await askChoice(terminal, "How is the credential sent?", authChoices));
  const ask = async (
    field: "headerName" | "queryParam" | "testEndpoint",
    question: string,
    proposal: string,
  ): Promise<void> => {
    const isLeftOut = (value: string): boolean => field === "testEndpoint" && value === "none";
    const check = (value: string): string | undefined =>
      isLeftOut(value) ? undefined : findProblem({ api: { ...api, [field]: value } }, `api.${field}`);
    const answer = api[field] ?? (await askText(terminal, question, check, proposal));
    if (!isLeftOut(answer)) api[field] = answer;
  };
  if (api.authType === "header") await ask("headerName", "Header of the key", "X-API-Key");
  if (api.authType === "query") await ask("queryParam", "Query parameter of the key", "api_key");
  const about = "Test endpoint: a light GET that only a valid credential may read, or none";
  await ask("testEndpoint", about, api.authType === undefined ? "/" : "/me");
}

/** Asks for the credential and each secret: those that are neither given nor in the environment, or all of them again. */
export async function askSecrets(
  draft: Draft,
  source: ApiSource,
  terminal: Terminal,
  isAgain: boolean = false,
): Promise<void> {
  const names = isIssued(source) ? [] : listCredentialVariables(source);
  const isGiven = draft.credential !== undefined || names.some(isSet);
  if (source.api.authType !== undefined && !isIssued(source) && (isAgain || !isGiven))
    await askCredential(draft, source, terminal);
  const how = `not shown while you type${isAgain ? "; empty: as it is" : ""}`;
  for (const name of listVariables(source)) {
    const isKnown = draft.secrets[name] !== undefined || isSet(name);
    if (names.includes(name) || (isKnown && !isAgain)) continue;
    const value = await askSecret(terminal, `${name}: a secret of the record (${how})`);
    if (value !== "") draft.secrets[name] = value;
  }
}

/** Basic needs a username and a password. An empty answer leaves it to the environment. */
async function askCredential(draft: Draft, source: ApiSource, terminal: Terminal): Promise<void> {
  if (source.api.authType !== "basic") {
    const token = await askSecret(terminal, `Token or key of ${source.name} (not shown while you type)`);
    if (token !== "") draft.credential = { token: token.trim() };
    return;
  }
  const username = await askText(terminal, `Username for ${source.name}`);
  const password = await askSecret(terminal, `Password of ${username} (not shown while you type)`);
  draft.credential = { username, password };
}

/** What is wrong with one field of a record, in words. */
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
