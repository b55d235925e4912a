/** A source that is being made: flags laid over what was imported, and questions for what is missing. */

import type { Credential } from "../credentials/credential.js";
import { SourceRecordError } from "../errors.js";
import type { ImportedRecord } from "../import/imported.js";
import type { ApiSource, AuthType } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import type { Choice, Prompts } from "./prompts.js";

export interface Draft {
  readonly record: ImportedRecord;
  /** Given by a prompt, standard input or an imported file; absent when it comes from the environment. */
  credential?: Credential;
  /** Values of the record's `${NAME}`s that were given so. */
  readonly secrets: Record<string, string>;
}

export interface RecordFlags {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly auth?: AuthType | "none";
  readonly headerName?: string;
  readonly queryParam?: string;
  readonly authScheme?: string;
  readonly testEndpoint?: string;
  readonly tagline?: string;
  readonly slug?: string;
}

/** What was imported, with every flag that was given in its place. */
export function createDraft(flags: RecordFlags, imported: Partial<Draft> = {}): Draft {
  const { name, slug, tagline, auth, baseUrl, testEndpoint, headerName, queryParam, authScheme } = flags;
  const base = imported.record ?? { type: "api", api: { baseUrl: "" } };
  const record: ImportedRecord = { ...base, ...dropMissing({ name, slug, tagline }), api: { ...base.api } };
  if (auth !== undefined) setAuth(record.api, auth);
  Object.assign(record.api, dropMissing({ baseUrl, testEndpoint, headerName, queryParam, authScheme }));
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

function dropMissing<Members extends object>(members: Members): Partial<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Members>;
}

function setAuth(api: ImportedRecord["api"], auth: AuthType | "none"): void {
  if (auth === api.authType) return;
  for (const field of ["authType", "headerName", "queryParam", "authScheme"] as const) delete api[field];
  if (auth !== "none") api.authType = auth;
}

/** Asks for what the record still needs. */
export async function completeDraft(draft: Draft, knowsAuth: boolean, prompts: Prompts): Promise<void> {
  const { record } = draft;
  const { api } = record;
  if (api.baseUrl === "") await askField(draft, "baseUrl", prompts);
  record.name ??= await prompts.askText("Name: what people call the API", {
    proposal: parseSource({ api: { baseUrl: api.baseUrl } }).name,
    check: (name) => findProblem({ name, api: { baseUrl: api.baseUrl } }, ["name", "slug"]),
  });
  if (knowsAuth) await askCarrier(draft, prompts);
  else await askAuth(draft, prompts);
  if (api.testEndpoint === undefined) await askField(draft, "testEndpoint", prompts);
}

const questions = {
  baseUrl: "Base URL: every path is below it",
  headerName: "Header of the key",
  queryParam: "Query parameter of the key",
  testEndpoint: "Test endpoint: a light GET that only a valid credential may read",
};

/** Asks for one field; what stands there is proposed, else what many APIs have. */
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

const authChoices: readonly Choice<AuthType | "none">[] = [
  { value: "bearer", label: "bearer", hint: "a token in `Authorization: Bearer …`: most APIs" },
  { value: "header", label: "header", hint: "a key in a header of its own, such as X-API-Key" },
  { value: "query", label: "query", hint: "a key in the URL, such as ?api_key=…" },
  { value: "basic", label: "basic", hint: "a username and a password" },
  { value: "none", label: "none", hint: "the API answers anyone" },
];

export async function askAuth(draft: Draft, prompts: Prompts): Promise<void> {
  setAuth(draft.record.api, await prompts.askChoice("How is the credential sent?", authChoices));
  dropOtherCredential(draft);
  await askCarrier(draft, prompts);
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
