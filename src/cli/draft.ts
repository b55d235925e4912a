/** A source that is being made, and the questions for what is missing in it. */

import { SourceRecordError } from "../core/base/errors.js";
import type { Credential } from "../core/credentials/credential.js";
import {
  isIssued,
  listCredentialVariables,
  listVariables,
  nameVariable,
} from "../core/credentials/credential-variables.js";
import type { ApiSource, AuthType, OAuthGrant } from "../core/record/api-source.js";
import { parseSource } from "../core/record/parse-source.js";
import type { ConnectionReport } from "../features/connection/connection-report.js";
import { type ImportedRecord, nameUrl } from "./import/imported.js";
import { askChoice, askSecret, askText, type Choice } from "./prompts.js";
import { fillOAuth2, setAuth } from "./record-flags.js";
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

const questions = {
  baseUrl: "Base URL: every path is below it",
  headerName: "Header of the key",
  queryParam: "Query parameter of the key",
  testEndpoint: "Test endpoint: a light GET that only a valid credential may read, or none",
};

/** Asks for one field; its present value is proposed, else what many APIs have. */
export async function askField(
  api: ImportedRecord["api"],
  field: keyof typeof questions,
  terminal: Terminal,
): Promise<void> {
  const testEndpoint = api.authType === undefined ? "/" : "/me";
  const proposals = { baseUrl: "", headerName: "X-API-Key", queryParam: "api_key", testEndpoint };
  const isLeftOut = (value: string): boolean => field === "testEndpoint" && value === "none";
  const check = (value: string): string | undefined =>
    isLeftOut(value) ? undefined : findProblem({ api: { ...api, [field]: value } }, `api.${field}`);
  const answer = await askText(terminal, questions[field], check, api[field] ?? proposals[field]);
  if (isLeftOut(answer)) delete api.testEndpoint;
  else api[field] = answer;
}

const authChoices: readonly Choice<AuthType | "oauth2" | "none">[] = [
  { value: "bearer", hint: "a token in `Authorization: Bearer …`: most APIs" },
  { value: "header", hint: "a key in a header of its own, such as X-API-Key" },
  { value: "query", hint: "a key in the URL, such as ?api_key=…" },
  { value: "basic", hint: "a username and a password" },
  { value: "oauth2", hint: "a token that an authorization server issues" },
  { value: "none", hint: "the API answers anyone" },
];

export async function askAuth(draft: Draft, slug: string, terminal: Terminal): Promise<void> {
  const auth = await askChoice(terminal, "How is the credential sent?", authChoices);
  setAuth(draft.record.api, auth === "oauth2" ? "bearer" : auth);
  if (auth === "oauth2") await askOAuth2(draft, slug, terminal);
  dropOtherCredential(draft);
  await askCarrier(draft.record.api, terminal);
}

const grantChoices: readonly Choice<OAuthGrant>[] = [
  { value: "client_credentials", hint: "the application itself; no person" },
  { value: "authorization_code", hint: "a person agrees in a browser" },
  { value: "device_code", hint: "a person enters a code" },
  { value: "refresh_token", hint: "you have a refresh token already" },
];

/** What the grant needs; the client's secret is asked for with the other secrets. */
async function askOAuth2(draft: Draft, slug: string, terminal: Terminal): Promise<void> {
  const grant = await askChoice(terminal, "How is a token obtained?", grantChoices);
  const given: Record<string, unknown> = {};
  const ask = async (field: string, question: string, isOptional: boolean = false): Promise<void> => {
    const check = (value: string): string | undefined => {
      if (isOptional && value === "") return undefined;
      const api = {
        baseUrl: draft.record.api.baseUrl,
        authType: "bearer",
        oauth2: { grant, ...given, [field]: value },
      };
      return findProblem({ api }, `api.oauth2.${field}`);
    };
    const answer = await askText(terminal, question, check);
    if (answer !== "") given[field] = answer;
  };
  await ask("tokenUrl", "Token URL: where a token is requested");
  if (grant === "authorization_code")
    await ask("authorizationUrl", "Authorization URL: where a person agrees");
  if (grant === "device_code") await ask("deviceAuthorizationUrl", "Device URL: where a code is requested");
  await ask("clientId", `Client id (empty: the variable ${nameVariable({ slug }, "CLIENT_ID")})`, true);
  await ask("scopes", "Scopes, with spaces between them (empty: none)", true);
  draft.record.api.oauth2 = fillOAuth2({ grant, ...given }, slug);
}

/** The header or parameter that the authType needs. */
export async function askCarrier(api: ImportedRecord["api"], terminal: Terminal): Promise<void> {
  const { authType, headerName, queryParam } = api;
  if (authType === "header" && headerName === undefined) await askField(api, "headerName", terminal);
  if (authType === "query" && queryParam === undefined) await askField(api, "queryParam", terminal);
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
