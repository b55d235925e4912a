/** A source that is being made: flags laid over what was imported, and questions for what is missing. */

import type { Credential } from "../credentials/credential.js";
import { SourceRecordError } from "../errors.js";
import type { ApiSettingsRecord, ApiSource, ApiSourceRecord, AuthType } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import type { Choice, Prompts } from "./prompts.js";
import { createUsageError } from "./terminal.js";

type Mutable<Members> = { -readonly [Name in keyof Members]: Members[Name] };

export interface Draft {
  readonly record: Mutable<Omit<ApiSourceRecord, "api">> & { api: Mutable<ApiSettingsRecord> };
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
  const { name, slug, tagline, auth, ...api } = flags;
  const base: Draft["record"] = imported.record ?? { type: "api", api: { baseUrl: "" } };
  const record = { ...base, ...given({ name, slug, tagline }), api: { ...base.api } };
  const { baseUrl, testEndpoint, headerName, queryParam, authScheme } = api;
  if (auth !== undefined) setAuth(record.api, auth);
  Object.assign(record.api, given({ baseUrl, testEndpoint, headerName, queryParam, authScheme }));
  return {
    record,
    secrets: { ...imported.secrets },
    ...(fitsAuth(imported.credential, record.api.authType) ? { credential: imported.credential } : {}),
  };
}

/** Whether a credential is of the kind that an authType sends. */
export function fitsAuth(
  credential: Credential | undefined,
  authType: AuthType | undefined,
): credential is Credential {
  return (
    credential !== undefined && authType !== undefined && "username" in credential === (authType === "basic")
  );
}

function given<Members extends object>(members: Members): Partial<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Members>;
}

function setAuth(api: Draft["record"]["api"], auth: AuthType | "none"): void {
  if (auth === api.authType) return;
  for (const field of ["authType", "headerName", "queryParam", "authScheme"] as const) delete api[field];
  if (auth !== "none") api.authType = auth;
}

/** Asks for what the record still needs. Without prompts what is needed must be there. */
export async function completeDraft(
  draft: Draft,
  { isImported, auth }: { readonly isImported: boolean; readonly auth: string | undefined },
  prompts: Prompts | undefined,
): Promise<void> {
  const { record } = draft;
  if (prompts === undefined) {
    if (record.api.baseUrl !== "") return;
    const right = "api-sources add --base-url https://api.example.com --auth bearer --test-endpoint /me";
    throw createUsageError("--base-url is missing.", right);
  }
  if (record.api.baseUrl === "") await askBaseUrl(draft, prompts);
  if (record.name === undefined) await askName(draft, prompts);
  if (auth === undefined && !isImported) await askAuth(draft, prompts);
  await askCarrier(draft, prompts);
  if (record.api.testEndpoint === undefined) await askTestEndpoint(draft, prompts);
}

export async function askBaseUrl({ record }: Draft, prompts: Prompts): Promise<void> {
  record.api.baseUrl = await prompts.askText({
    message: "Base URL: every path is below it",
    proposal: record.api.baseUrl,
    check: (baseUrl) => findProblem({ api: { baseUrl } }, /^api\.baseUrl$/),
  });
}

async function askName({ record }: Draft, prompts: Prompts): Promise<void> {
  record.name = await prompts.askText({
    message: "Name: what people call the API",
    proposal: parseSource({ api: { baseUrl: record.api.baseUrl } }).name,
    check: (name) => findProblem({ name, api: { baseUrl: record.api.baseUrl } }, /^(?:name|slug)$/),
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
  await askCarrier(draft, prompts);
}

/** The header or parameter that the authType needs. */
async function askCarrier({ record: { api } }: Draft, prompts: Prompts): Promise<void> {
  const check = (field: "headerName" | "queryParam") => (value: string) =>
    findProblem({ api: { ...api, [field]: value } }, new RegExp(`^api\\.${field}$`));
  if (api.authType === "header" && api.headerName === undefined) {
    const question = { message: "Header of the key", proposal: "X-API-Key", check: check("headerName") };
    api.headerName = await prompts.askText(question);
  }
  if (api.authType === "query" && api.queryParam === undefined) {
    const question = {
      message: "Query parameter of the key",
      proposal: "api_key",
      check: check("queryParam"),
    };
    api.queryParam = await prompts.askText(question);
  }
}

export async function askTestEndpoint({ record: { api } }: Draft, prompts: Prompts): Promise<void> {
  const proposal = api.testEndpoint ?? (api.authType === undefined ? "/" : "/me");
  api.testEndpoint = await prompts.askText({
    message: "Test endpoint: a light GET that only a valid credential may read",
    proposal,
    check: (testEndpoint) =>
      findProblem({ api: { baseUrl: api.baseUrl, testEndpoint } }, /^api\.testEndpoint$/),
  });
}

/** Asks for the credential; basic needs a username and a password. An empty answer leaves it to the environment. */
export async function askCredential(draft: Draft, source: ApiSource, prompts: Prompts): Promise<void> {
  if (source.api.authType !== "basic") {
    const token = await prompts.askSecret(`Token or key of ${source.name} (not shown while you type)`);
    if (token !== "") draft.credential = { token: token.trim() };
    return;
  }
  const username = await prompts.askText({ message: `Username for ${source.name}` });
  const password = await prompts.askSecret(`Password of ${username} (not shown while you type)`);
  draft.credential = { username, password };
}

/** What is wrong with one field of a record, in words. */
function findProblem(record: unknown, path: RegExp): string | undefined {
  try {
    parseSource(record);
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error;
    const problem = error.problems.find((each) => path.test(each.path));
    return problem === undefined ? undefined : `${problem.path} ${problem.message}. ${problem.fix}`;
  }
}
