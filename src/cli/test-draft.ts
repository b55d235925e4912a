/** Tests a source before it is saved, and offers to fix what the test found. */

import type { ClientOptions } from "../client/client-options.js";
import type { ConnectionReport } from "../connection/connection-report.js";
import { testConnection } from "../connection/test-connection.js";
import { readProcessEnvironment } from "../credentials/environment.js";
import { withSeams } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import { toVariables } from "./credential-store.js";
import { askAuth, askCredential, askField, type Draft } from "./draft.js";
import type { Prompts } from "./prompts.js";
import type { Asking } from "./record-difference.js";
import { CommandError, cleanLine } from "./terminal.js";
import { writeDetails } from "./test.js";
import { createCredentialOptions } from "./workspace.js";

/** The last report; with prompts, of the draft as it was corrected. @throws CommandError 1 when the person gives up. */
export async function testDraft(
  draft: Draft,
  {
    terminal,
    prompts,
    slug,
    confirm,
  }: Asking & {
    readonly slug: string;
    /** Called before each test, because a repair can change the host and the variables. */
    readonly confirm: (source: ApiSource) => Promise<void>;
  },
): Promise<ConnectionReport | undefined> {
  for (;;) {
    // The documents of the record are not in their place yet, and the test has no need of them.
    const { openapi: _openapi, guide: _guide, ...api } = draft.record.api;
    const source = parseSource({ ...draft.record, api });
    await confirm(source);
    if (terminal.canAsk) terminal.showProgress(`Testing ${source.slug} ...`);
    const options = { ...listCredentials(draft, source), signal: terminal.signal };
    const report = await testConnection(source, options);
    terminal.showProgress("");
    const status = report.status === undefined ? "" : ` (status ${report.status})`;
    const head = report.ok ? "ok" : `FAILED ${report.verdict}`;
    terminal.note(`${head}${status}: ${cleanLine(report.message)}`);
    if (!report.ok || report.warnings.length > 0) terminal.note(writeDetails(report, "add"));
    if (report.ok || prompts === undefined) return report;
    if ((await correct(draft, report, slug, prompts)) === "save") return report;
  }
}

/** What was given replaces its variables; the rest is in the environment or the keyring. */
function listCredentials({ credential, secrets }: Draft, source: ApiSource): ClientOptions {
  const { credentials, secrets: stored, tokenStore } = createCredentialOptions();
  const given = { ...(credential && toVariables(source, credential)), ...secrets };
  return {
    tokenStore,
    ...(credential === undefined ? { credentials } : {}),
    secrets: (name, ...rest) => given[name] ?? stored(name, ...rest),
    ...withSeams({ readEnvironment: (name) => given[name] ?? readProcessEnvironment(name) }),
  };
}

type Step = "fix" | "credential" | "testEndpoint" | "baseUrl" | "auth" | "again" | "save" | "stop";

/** What a person may do, and after which verdicts that is most likely what helps. */
const steps: readonly { readonly value: Step; readonly label: string; readonly after?: RegExp }[] = [
  { value: "credential", label: "Enter the credential again", after: /_credentials$/ },
  {
    value: "testEndpoint",
    label: "Change the test endpoint",
    after: /^(?:not_found|method_not_allowed|no_test_endpoint|bad_request)$/,
  },
  {
    value: "baseUrl",
    label: "Change the base URL",
    after: /^(?:dns|refused|unreachable|tls|redirected|not_an_api)$/,
  },
  { value: "auth", label: "Change how the credential is sent", after: /^missing_header$/ },
  { value: "again", label: "Test again" },
  { value: "save", label: "Save it as it is" },
  { value: "stop", label: "Stop, save nothing" },
];

async function correct(
  draft: Draft,
  { verdict, fix }: ConnectionReport,
  slug: string,
  prompts: Prompts,
): Promise<Step> {
  const { api } = draft.record;
  const likely = steps.find(({ after }) => after?.test(verdict))?.value ?? "again";
  const choices = steps
    .filter(({ value }) => value !== "credential" || (api.authType !== undefined && api.oauth2 === undefined))
    .sort((left, right) => Number(right.value === likely) - Number(left.value === likely));
  const fixes = readFixes(fix);
  const label = `Set ${fixes.map(([field, value]) => `${field} to ${JSON.stringify(value)}`).join(", ")}`;
  if (fixes.length > 0) choices.unshift({ value: "fix", label });
  const step = await prompts.askChoice("What now?", choices);
  if (step === "stop") throw new CommandError(1, "Nothing was saved.");
  if (step === "fix") for (const [field, value] of fixes) api[field] = value;
  if (step === "testEndpoint" || step === "baseUrl") await askField(draft, step, prompts);
  if (step === "auth") await askAuth(draft, slug, prompts);
  const sends = api.authType !== undefined && api.oauth2 === undefined && api.login === undefined;
  const lacksCredential = step === "auth" && sends && draft.credential === undefined;
  if (step === "credential" || lacksCredential)
    await askCredential(draft, parseSource(draft.record), prompts);
  return step;
}

const fixable = ["baseUrl", "testEndpoint", "headerName", "queryParam", "authScheme"] as const;
type Fixable = (typeof fixable)[number];

/** The members that the words of a fix name with a value, such as `"baseUrl": "https://api.example.com"`. */
function readFixes(fix: string): [Fixable, string][] {
  const found = [...fix.matchAll(/"(\w+)": "((?:[^"\\]|\\.)*)"/g)].flatMap(([, name, value = ""]) => {
    const field = fixable.find((each) => each === name);
    return field === undefined ? [] : [[field, value.replace(/\\(["\\])/g, "$1")] as [Fixable, string]];
  });
  // Two values for one field are alternatives: those are for a person to choose from.
  return found.filter(([field]) => found.filter(([other]) => other === field).length === 1);
}
