/** `test`: every source at once, live progress, and a table of verdicts. */

import type { ConnectionReport } from "../connection/connection-report.js";
import { testConnection } from "../connection/test-connection.js";
import type { SourceEntry } from "../registry/source-directory.js";
import { nameFlags } from "./record-flags.js";
import { CommandError, cleanLine, type Terminal, writeProblem, writeTable } from "./terminal.js";
import {
  type CommonFlags,
  createCredentialOptions,
  findEntry,
  loadEnvironment,
  openDirectory,
} from "./workspace.js";

/** @returns 0 when all are ok, 2 when a record is wrong, else 1. @throws CommandError 1 where there is nothing to test. */
export async function testSources(
  flags: CommonFlags,
  terminal: Terminal,
  slugs: readonly string[],
): Promise<number> {
  const directory = await openDirectory(flags);
  loadEnvironment(flags);
  const named = [...new Set(slugs)].map((slug) => findEntry(directory, slug, "test"));
  const entries = slugs.length === 0 ? await directory.list() : await Promise.all(named);
  if (entries.length === 0) {
    if (flags.json === true) terminal.print("[]");
    throw new CommandError(1, `No sources in ${directory.path}.`, "api-sources add https://api.example.com");
  }
  const reports = await testAll(entries, terminal);
  terminal.printResult(flags, reports, writeReports(reports));
  if (reports.some(({ verdict }) => verdict === "invalid_record")) return 2;
  return reports.every(({ ok }) => ok) ? 0 : 1;
}

async function testAll(entries: readonly SourceEntry[], terminal: Terminal): Promise<ConnectionReport[]> {
  const waiting = new Set(entries.map(({ slug }) => slug));
  const options = { ...createCredentialOptions(), signal: terminal.signal };
  const show = (): void => {
    const done = `${entries.length - waiting.size} of ${entries.length} tested`;
    if (terminal.canAsk) terminal.showProgress(`${done}, waiting for ${[...waiting].join(", ")}`);
  };
  show();
  const reports = await Promise.all(
    entries.map(async (entry) => {
      const { source } = entry;
      const report = source === undefined ? reportBroken(entry) : await testConnection(source, options);
      waiting.delete(entry.slug);
      show();
      return report;
    }),
  );
  terminal.showProgress("");
  return reports;
}

function reportBroken({ slug, problems }: SourceEntry): ConnectionReport {
  return {
    source: slug,
    ok: false,
    verdict: "invalid_record",
    credentialVerified: false,
    durationMs: 0,
    message: "The record is wrong, so nothing was sent.",
    fix: problems.map((problem) => writeProblem(problem).trim()).join("\n"),
    warnings: [],
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
    .map((report) => writeDetails(report, `set ${report.source}`));
  return [table, ...details].join("\n\n");
}

/**
 * What to do about one report: the fix, the line that shows the failure, the warnings. A member of the record is called by the flag that
 * sets it.
 *
 * @param command - The command that has those flags.
 */
export function writeDetails({ source, ok, fix, curl, warnings }: ConnectionReport, command: string): string {
  const named = nameFlags(fix);
  const lines = [
    ...(fix === "" ? [] : named.split("\n").map((line) => `Fix: ${line}`)),
    ...(named === fix ? [] : [`Change it with: api-sources ${command}, and the flags above`]),
    ...(ok || curl === undefined ? [] : [`Try: ${curl}`]),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  return [source, ...lines.map((line) => `  ${cleanLine(line)}`)].join("\n");
}
