/** Tests a source before it is saved, and offers to fix what the test found. */

import type { ClientOptions } from "../client/client-options.js";
import type { ConnectionReport } from "../connection/connection-report.js";
import { testConnection } from "../connection/test-connection.js";
import { readProcessEnvironment } from "../credentials/environment.js";
import { withSeams } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import { askAuth, askCredential, askField, type Draft } from "./draft.js";
import { askChoice } from "./prompts.js";
import type { AddFlags } from "./record-flags.js";
import { toVariables } from "./save-draft.js";
import { CommandError, cleanLine, type Terminal } from "./terminal.js";
import { writeDetails } from "./test.js";
import { createCredentialOptions } from "./workspace.js";

/**
 * Tests a draft where that can be done, and keeps the report in it; a person may correct the draft, which is tested again.
 *
 * @param confirm - Called before each test, because a repair can change the host and the variables.
 * @throws CommandError 1 when the test isn't ok and no one is asked, and when the person gives up.
 */
export async function testDraft(
  draft: Draft,
  slug: string,
  confirm: (source: ApiSource) => Promise<void>,
  flags: AddFlags,
  terminal: Terminal,
): Promise<void> {
  const { testEndpoint, oauth2 } = draft.record.api;
  if (testEndpoint === undefined)
    return terminal.note("Not tested: the record has no test endpoint (--test-endpoint /me).");
  if (oauth2?.grant === "authorization_code" || oauth2?.grant === "device_code")
    return terminal.note(`Not tested: a person authorizes it first: api-sources login ${slug}`);
  for (;;) {
    // The documents of the record are not in their place yet, and the test has no need of them.
    const { openapi: _openapi, guide: _guide, ...api } = draft.record.api;
    const source = parseSource({ ...draft.record, api });
    await confirm(source);
    if (terminal.canAsk) terminal.showProgress(`Testing ${source.slug} ...`);
    const options = { ...listCredentials(draft, source), signal: terminal.signal };
    const report = await testConnection(source, options);
    draft.report = report;
    terminal.showProgress("");
    const status = report.status === undefined ? "" : ` (status ${report.status})`;
    const head = report.ok ? "ok" : `FAILED ${report.verdict}`;
    terminal.note(`${head}${status}: ${cleanLine(report.message)}`);
    if (!report.ok || report.warnings.length > 0) terminal.note(writeDetails(report, "add"));
    if (report.ok) return;
    if (!terminal.asks(flags)) {
      if (flags.json === true) terminal.printResult(flags, { saved: false, report }, "");
      const message = `Not saved: the test isn't ok (${report.verdict}). --no-test saves without one.`;
      throw new CommandError(1, message);
    }
    if ((await correct(draft, report, slug, terminal)) === "save") return;
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
  terminal: Terminal,
): Promise<Step> {
  const { api } = draft.record;
  const likely = steps.find(({ after }) => after?.test(verdict))?.value ?? "again";
  const choices = steps
    .filter(({ value }) => value !== "credential" || (api.authType !== undefined && api.oauth2 === undefined))
    .sort((left, right) => Number(right.value === likely) - Number(left.value === likely));
  const fixes = readFixes(fix);
  const label = `Set ${fixes.map(([field, value]) => `${field} to ${JSON.stringify(value)}`).join(", ")}`;
  if (fixes.length > 0) choices.unshift({ value: "fix", label });
  const step = await askChoice(terminal, "What now?", choices);
  if (step === "stop") throw new CommandError(1, "Nothing was saved.");
  if (step === "fix") for (const [field, value] of fixes) api[field] = value;
  if (step === "testEndpoint" || step === "baseUrl") await askField(draft, step, terminal);
  if (step === "auth") await askAuth(draft, slug, terminal);
  const sends = api.authType !== undefined && api.oauth2 === undefined && api.login === undefined;
  const lacksCredential = step === "auth" && sends && draft.credential === undefined;
  if (step === "credential" || lacksCredential)
    await askCredential(draft, parseSource(draft.record), terminal);
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
