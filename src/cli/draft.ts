/** A source that is being made, and the questions for what is missing in it. */

import type { Credential } from "../credentials/credential.js";
import { SourceRecordError } from "../errors.js";
import { type ImportedRecord, nameUrl } from "../import/imported.js";
import type { ApiSource, AuthType, OAuthGrant } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import type { Choice, Prompts } from "./prompts.js";
import { fillOAuth2, nameClientVariable, setAuth } from "./record-flags.js";

export interface Draft {
  readonly record: ImportedRecord;
  /** Given by a prompt, standard input or an imported file; absent when it comes from the environment. */
  credential?: Credential;
  /** Values of the record's `${NAME}`s that were given so. */
  readonly secrets: Record<string, string>;
}

/** A record with what is known of its credential; one of another kind than the record sends has no use. */
export function createDraft(record: ImportedRecord, imported: Partial<Draft> = {}): Draft {
  const draft: Draft = { record, secrets: { ...imported.secrets } };
  if (imported.credential !== undefined) draft.credential = imported.credential;
  dropOtherCredential(draft);
  return draft;
}

/** A credential of another kind than the authType sends has no use. */
function dropOtherCredential(draft: Draft): void {
  const { authType } = draft.record.api;
  const isBasic = draft.credential !== undefined && "username" in draft.credential;
  if (authType === undefined || isBasic !== (authType === "basic")) delete draft.credential;
}

/** Asks for what the record still needs: how the credential is sent, unless that is known, and the test endpoint. */
export async function completeDraft(
  draft: Draft,
  { knowsAuth, slug }: { readonly knowsAuth: boolean; readonly slug: string },
  prompts: Prompts,
): Promise<void> {
  if (knowsAuth) await askCarrier(draft, prompts);
  else await askAuth(draft, slug, prompts);
  if (draft.record.api.testEndpoint === undefined) await askField(draft, "testEndpoint", prompts);
}

export async function askBaseUrl(prompts: Prompts): Promise<string> {
  return prompts.askText(questions.baseUrl, {
    check: (baseUrl) => findProblem({ api: { baseUrl } }, ["api.baseUrl"]),
  });
}

export async function askName(baseUrl: string, prompts: Prompts): Promise<string> {
  return prompts.askText("Name: the API's name for people", {
    proposal: nameUrl(baseUrl),
    check: (name) => findProblem({ name, api: { baseUrl } }, ["name", "slug"]),
  });
}

const questions = {
  baseUrl: "Base URL: every path is below it",
  headerName: "Header of the key",
  queryParam: "Query parameter of the key",
  testEndpoint: "Test endpoint: a light GET that only a valid credential may read",
};

/** Asks for one field; its present value is proposed, else what many APIs have. */
export async function askField(
  { record: { api } }: Draft,
  field: keyof typeof questions,
  prompts: Prompts,
): Promise<void> {
  const testEndpoint = api.authType === undefined ? "/" : "/me";
  const proposals = { baseUrl: "", headerName: "X-API-Key", queryParam: "api_key", testEndpoint };
  api[field] = await prompts.askText(questions[field], {
    proposal: api[field] ?? proposals[field],
    check: (value) => findProblem({ api: { ...api, [field]: value } }, [`api.${field}`]),
  });
}

const authChoices: readonly Choice<AuthType | "oauth2" | "none">[] = [
  { value: "bearer", label: "bearer", hint: "a token in `Authorization: Bearer …`: most APIs" },
  { value: "header", label: "header", hint: "a key in a header of its own, such as X-API-Key" },
  { value: "query", label: "query", hint: "a key in the URL, such as ?api_key=…" },
  { value: "basic", label: "basic", hint: "a username and a password" },
  { value: "oauth2", label: "oauth2", hint: "a token that an authorization server issues" },
  { value: "none", label: "none", hint: "the API answers anyone" },
];

export async function askAuth(draft: Draft, slug: string, prompts: Prompts): Promise<void> {
  const auth = await prompts.askChoice("How is the credential sent?", authChoices);
  setAuth(draft.record.api, auth === "oauth2" ? "bearer" : auth);
  if (auth === "oauth2") await askOAuth2(draft, slug, prompts);
  dropOtherCredential(draft);
  await askCarrier(draft, prompts);
}

const grantChoices: readonly Choice<OAuthGrant>[] = [
  { value: "client_credentials", label: "client_credentials", hint: "the application itself; no person" },
  { value: "authorization_code", label: "authorization_code", hint: "a person agrees in a browser" },
  { value: "device_code", label: "device_code", hint: "a person enters a code" },
  { value: "refresh_token", label: "refresh_token", hint: "you have a refresh token already" },
];

/** What the grant needs; the client's secret is asked for with the other secrets. */
async function askOAuth2(draft: Draft, slug: string, prompts: Prompts): Promise<void> {
  const grant = await prompts.askChoice("How is a token obtained?", grantChoices);
  const given: Record<string, unknown> = {};
  const ask = async (field: string, question: string, isOptional: boolean = false): Promise<void> => {
    const check = (value: string): string | undefined => {
      if (isOptional && value === "") return undefined;
      const api = {
        baseUrl: draft.record.api.baseUrl,
        authType: "bearer",
        oauth2: { grant, ...given, [field]: value },
      };
      return findProblem({ api }, [`api.oauth2.${field}`]);
    };
    const answer = await prompts.askText(question, { check });
    if (answer !== "") given[field] = answer;
  };
  await ask("tokenUrl", "Token URL: where a token is requested");
  if (grant === "authorization_code")
    await ask("authorizationUrl", "Authorization URL: where a person agrees");
  if (grant === "device_code") await ask("deviceAuthorizationUrl", "Device URL: where a code is requested");
  await ask("clientId", `Client id (empty: the variable ${nameClientVariable(slug, "CLIENT_ID")})`, true);
  await ask("scopes", "Scopes, with spaces between them (empty: none)", true);
  draft.record.api.oauth2 = fillOAuth2({ grant, ...given }, slug);
}

/** The header or parameter that the authType needs. */
async function askCarrier(draft: Draft, prompts: Prompts): Promise<void> {
  const { authType, headerName, queryParam } = draft.record.api;
  if (authType === "header" && headerName === undefined) await askField(draft, "headerName", prompts);
  if (authType === "query" && queryParam === undefined) await askField(draft, "queryParam", prompts);
}

/** Asks for the credential; basic needs a username and a password. An empty answer leaves it to the environment. */
export async function askCredential(draft: Draft, source: ApiSource, prompts: Prompts): Promise<void> {
  if (source.api.authType !== "basic") {
    const token = await prompts.askSecret(`Token or key of ${source.name} (not shown while you type)`);
    if (token !== "") draft.credential = { token: token.trim() };
    return;
  }
  const username = await prompts.askText(`Username for ${source.name}`);
  const password = await prompts.askSecret(`Password of ${username} (not shown while you type)`);
  draft.credential = { username, password };
}

/** What is wrong with one field of a record, in words. */
function findProblem(record: unknown, paths: readonly string[]): string | undefined {
  try {
    parseSource(record);
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error;
    const problem = error.problems.find(({ path }) => paths.includes(path));
    return problem && `${problem.path} ${problem.message}. ${problem.fix}`;
  }
}
