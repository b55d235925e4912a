/** Tests a source before it is saved, and offers to mend what the test found. */

import type { ClientOptions } from "../client/client-options.js";
import type { ConnectionReport } from "../connection/connection-report.js";
import { testConnection } from "../connection/test-connection.js";
import { readProcessEnvironment } from "../credentials/environment.js";
import type { ApiSource } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import { toVariables } from "./credential-store.js";
import { askAuth, askBaseUrl, askCredential, askTestEndpoint, type Draft, fitsAuth } from "./draft.js";
import type { Choice, Prompts } from "./prompts.js";
import { CommandError, cleanLine, type Terminal } from "./terminal.js";
import { writeDetails } from "./test.js";
import { createCredentialOptions } from "./workspace.js";

/** The last report; with prompts, of the draft as it was mended. @throws CommandError 1 when the person gives up. */
export async function testDraft(
  draft: Draft,
  terminal: Terminal,
  prompts: Prompts | undefined,
): Promise<ConnectionReport> {
  for (;;) {
    const source = parseSource(draft.record);
    if (terminal.canAsk) terminal.showProgress(`Testing ${source.slug} ...`);
    const report = await testConnection(draft.record, {
      ...listCredentials(draft, source),
      signal: terminal.signal,
    });
    if (terminal.canAsk) terminal.showProgress("");
    const status = report.status === undefined ? "" : ` (status ${report.status})`;
    const head = report.ok ? "ok" : `FAILED ${report.verdict}`;
    terminal.tell(`${head}${status}: ${cleanLine(report.message)}`);
    if (!report.ok || report.warnings.length > 0) terminal.tell(writeDetails(report));
    if (report.ok || prompts === undefined) return report;
    if ((await mend(draft, report, prompts)) === "save") return report;
  }
}

/** What was given stands for its variables; the rest is in the environment or the keyring. */
function listCredentials({ credential, secrets }: Draft, source: ApiSource): ClientOptions {
  const { credentials, secrets: stored, tokenStore } = createCredentialOptions();
  const given = { ...(credential === undefined ? {} : toVariables(source, credential)), ...secrets };
  return {
    tokenStore,
    ...(credential === undefined ? { credentials } : {}),
    secrets: (name, ...rest) =>
      given[name] ?? (typeof stored === "function" ? stored(name, ...rest) : undefined),
    readEnvironment: (name) => given[name] ?? readProcessEnvironment(name),
  };
}

type Step = "fix" | "credential" | "testEndpoint" | "baseUrl" | "auth" | "again" | "save" | "stop";

const labels: Readonly<Record<Exclude<Step, "fix">, string>> = {
  credential: "Enter the credential again",
  testEndpoint: "Change the test endpoint",
  baseUrl: "Change the base URL",
  auth: "Change how the credential is sent",
  again: "Test again",
  save: "Save it as it is",
  stop: "Stop, save nothing",
};

/** What is most likely wrong comes first. */
const firstSteps: Readonly<Record<string, Step>> = {
  missing_credentials: "credential",
  malformed_credentials: "credential",
  invalid_credentials: "credential",
  missing_header: "auth",
  not_found: "testEndpoint",
  method_not_allowed: "testEndpoint",
  no_test_endpoint: "testEndpoint",
  bad_request: "testEndpoint",
  dns: "baseUrl",
  refused: "baseUrl",
  unreachable: "baseUrl",
  tls: "baseUrl",
  redirected: "baseUrl",
  not_an_api: "baseUrl",
};

async function mend(draft: Draft, report: ConnectionReport, prompts: Prompts): Promise<"save" | "again"> {
  const fixes = readFixes(report.fix);
  const first = firstSteps[report.verdict] ?? "again";
  const order: Exclude<Step, "fix">[] = [
    "credential",
    "testEndpoint",
    "baseUrl",
    "auth",
    "again",
    "save",
    "stop",
  ];
  const steps = order.filter((step) => step !== "credential" || draft.record.api.authType !== undefined);
  steps.sort((left, right) => Number(right === first) - Number(left === first));
  const choices: Choice<Step>[] = steps.map((step) => ({ value: step, label: labels[step] }));
  if (fixes.length > 0) choices.unshift({ value: "fix", label: `Set ${fixes.map(writeFix).join(", ")}` });
  const step = await prompts.askChoice("What now?", choices);
  if (step === "stop") throw new CommandError(1, "Nothing was saved.");
  if (step === "save") return "save";
  if (step === "fix") for (const [field, value] of fixes) draft.record.api[field] = value;
  if (step === "credential") await askCredential(draft, parseSource(draft.record), prompts);
  if (step === "testEndpoint") await askTestEndpoint(draft, prompts);
  if (step === "baseUrl") await askBaseUrl(draft, prompts);
  if (step === "auth") {
    await askAuth(draft, prompts);
    if (!fitsAuth(draft.credential, draft.record.api.authType)) delete draft.credential;
    if (draft.record.api.authType !== undefined && draft.credential === undefined)
      await askCredential(draft, parseSource(draft.record), prompts);
  }
  return "again";
}

const mendable = ["baseUrl", "testEndpoint", "headerName", "queryParam", "authScheme"] as const;
type Mendable = (typeof mendable)[number];

/** The members that the words of a fix name with a value, such as `"baseUrl": "https://api.example.com"`. */
export function readFixes(fix: string): [Mendable, string][] {
  const found = [...fix.matchAll(/"(\w+)": "((?:[^"\\]|\\.)*)"/g)].flatMap(([, name, value = ""]) => {
    const field = mendable.find((each) => each === name);
    return field === undefined ? [] : [[field, value.replace(/\\(["\\])/g, "$1")] as [Mendable, string]];
  });
  // Two values for one field are alternatives: those are for a person to choose from.
  return found.filter(([field]) => found.filter(([other]) => other === field).length === 1);
}

function writeFix([field, value]: [Mendable, string]): string {
  return `${field} to ${JSON.stringify(value)}`;
}
