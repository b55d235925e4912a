/** Tests: of every source at once by `test`; and of a draft before it is saved, with what a person may change in it. */

import { listVariables, readProcessEnvironment } from "../core/credentials/credential-variables.js";
import type { ApiSource } from "../core/record/api-source.js";
import { parseSource } from "../core/record/parse-source.js";
import type { ConnectionReport, SourceEntry } from "../index.js";
import { askSecrets, correctTestEndpoint, type Draft } from "./draft.js";
import type { AddFlags } from "./record-flags.js";
import { needsLogin } from "./save-draft.js";
import {
  askChoice,
  CommandError,
  cleanLine,
  terminal,
  writeProblem,
  writeTable,
} from "./terminal.js";
import {
  type CommonFlags,
  createCredentialOptions,
  findEntry,
  loadEnvironment,
  openDirectory,
} from "./workspace.js";

/** @returns 0 when all are ok, 2 when a record is wrong, else 1. @throws CommandError 1 where there is nothing to test. */
export async function testSources(flags: CommonFlags, slugs: readonly string[]): Promise<number> {
  const directory = await openDirectory(flags);
  loadEnvironment(flags);
  const named = [...new Set(slugs)].map((slug) => findEntry(directory, slug));
  const entries = slugs.length === 0 ? await directory.list() : await Promise.all(named);
  if (entries.length === 0) {
    if (flags.json === true) terminal.print("[]");
    throw new CommandError(
      1,
      `No sources in ${directory.path}.`,
      "api-sources add https://api.example.com",
    );
  }
  const options = { ...createCredentialOptions(), signal: terminal.signal };
  // Loaded here: `list` has no need of it.
  const { testConnection } = await import("../index.js");
  const test = (entry: SourceEntry): ConnectionReport | Promise<ConnectionReport> =>
    entry.source ? testConnection(entry.source, options) : reportBroken(entry);
  const reports = await Promise.all(entries.map(test));
  terminal.printResult(flags, reports, writeReports(reports));
  if (reports.some(({ verdict }) => verdict === "invalid_record")) return 2;
  return reports.every(({ ok }) => ok) ? 0 : 1;
}

function reportBroken({ slug, problems }: SourceEntry): ConnectionReport {
  return {
    source: slug,
    ok: false,
    verdict: "invalid_record",
    credentialVerified: false,
    durationMs: 0,
    warnings: [],
    message: "The record is wrong, so nothing was sent.",
    fix: problems.map((problem) => writeProblem(problem).trim()).join("\n"),
  };
}

function writeReports(reports: readonly ConnectionReport[]): string {
  const rows = reports.map(({ source, ok, verdict, status = "-", durationMs, message }) => [
    ok ? "ok" : "FAILED",
    source,
    verdict,
    String(status),
    `${Math.round(durationMs)} ms`,
    message,
  ]);
  const table = writeTable(["", "SOURCE", "VERDICT", "STATUS", "TIME", "MESSAGE"], rows);
  const details = reports
    .filter(({ ok, warnings }) => !ok || warnings.length > 0)
    .map(writeDetails);
  return [table, ...details].join("\n\n");
}

/** Writes what to do about one report: the fix, the line that shows the failure, the warnings. */
function writeDetails({ source, fix, curl, warnings }: ConnectionReport): string {
  const lines = [
    ...(fix === "" ? [] : fix.split("\n").map((line) => `Fix: ${line}`)),
    ...(curl === undefined ? [] : [`Try: ${curl}`]),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  return [source, ...lines.map((line) => `  ${cleanLine(line)}`)].join("\n");
}

/**
 * Tests a draft where that can be done, and keeps the report in it; a person may enter the credential again, or correct the test endpoint.
 *
 * @throws CommandError 1 when the test isn't ok and no one is asked, and when the person gives up.
 */
export async function testDraft(draft: Draft, flags: AddFlags): Promise<void> {
  if (!canTest(draft))
    return terminal.note("Not tested: the record has no test endpoint (--test-endpoint /me).");
  if (needsLogin(draft.record.api))
    return terminal.note("Not tested: a person authorizes it first.");
  for (;;) {
    const source = readDraft(draft);
    const report = await runTest(draft, source);
    if (report.ok) return;
    if (!terminal.asks(flags)) {
      if (flags.json === true) terminal.printResult(flags, { saved: false, report }, "");
      const message = `Not saved: the test isn't ok (${report.verdict}). --no-test saves without one.`;
      throw new CommandError(1, message);
    }
    const step = await askStep(source);
    if (step === "save") return;
    if (step === "stop") throw new CommandError(1, "Nothing was saved.");
    if (step === "again") await askSecrets(draft, source, true);
    if (step === "endpoint") await correctTestEndpoint(draft);
    if (!canTest(draft)) return;
  }
}

/** A credential is tested at an endpoint that requires it; where a record has no secret, the base URL shows whether the API is reached. */
function canTest({ record }: Draft): boolean {
  return record.api.testEndpoint !== undefined || listVariables(record).length === 0;
}

/** The source of a draft. Its documents are not in their place yet, and the test has no need of them. */
function readDraft({ record }: Draft): ApiSource {
  const { openapi: _openapi, guide: _guide, ...api } = record.api;
  return parseSource({ ...record, api });
}

/** Tests once, and writes what came of it. */
async function runTest(draft: Draft, source: ApiSource): Promise<ConnectionReport> {
  const { testConnection } = await import("../index.js");
  if (terminal.canAsk) terminal.showProgress(`Testing ${source.slug} ...`);
  // Given values replace the variables; the rest is in the environment or the keyring.
  const readEnvironment = (name: string) => draft.variables[name] ?? readProcessEnvironment(name);
  const options = { ...createCredentialOptions(readEnvironment), signal: terminal.signal };
  const report = await testConnection(source, options, { readEnvironment });
  draft.report = report;
  terminal.showProgress("");
  const status = report.status === undefined ? "" : ` (status ${report.status})`;
  const head = report.ok ? "ok" : `FAILED ${report.verdict}`;
  terminal.note(`${head}${status}: ${cleanLine(report.message)}`);
  if (!report.ok || report.warnings.length > 0) terminal.note(writeDetails(report));
  return report;
}

/** Asks what to do after a test that failed. */
async function askStep({ slug, api }: ApiSource): Promise<string> {
  const again = { value: "again", label: "Enter the credential again" } as const;
  return askChoice("What now?", [
    ...(api.authType === undefined ? [] : [again]),
    { value: "endpoint", label: `Correct the test endpoint (${api.testEndpoint ?? "none"})` },
    { value: "save", label: `Save it as it is: api-sources set ${slug} changes it` },
    { value: "stop", label: "Stop, save nothing" },
  ]);
}
