/**
 * The connection test against eight sources that are broken, each in its own way: what it found, and what it says to change.
 *
 *   npm run example:broken-sources
 */

import { styleText } from "node:util";
import { ApiSourceToolkit, type ConnectionReport } from "langchain-api-sources";
import { startBrokenServers } from "./broken-servers.js";
import { wrapTable } from "./wrap-table.js";

const columns = [
  { title: "what is broken", share: 16, least: 14 },
  { title: "verdict", share: 16, least: 23 },
  { title: "what happened", share: 36, least: 24 },
  { title: "what to change", share: 36, least: 24 },
];

const servers = await startBrokenServers();
try {
  const toolkit = await ApiSourceToolkit.fromSources(
    servers.sources.map(({ record }) => record),
    { credentials: servers.credentials },
  );
  const reports = await toolkit.testConnections();
  const width = Math.max(100, Math.min(process.stdout.columns ?? 140, 180));
  const rows = reports.map((report, index) => [
    `${report.source}: ${servers.sources[index]?.broken ?? ""}`,
    `${report.ok ? "✓" : "✗"} ${report.verdict}${report.status === undefined ? "" : ` (${report.status})`}`,
    report.message,
    report.fix,
  ]);
  console.log(wrapTable(columns, rows, width));
  printDetails(reports);
} finally {
  await servers.close();
}

/** What does not fit side by side: lines to paste, and what is questionable although it works. */
function printDetails(reports: readonly ConnectionReport[]): void {
  for (const { source, curl, warnings } of reports) {
    if (curl === undefined && warnings.length === 0) continue;
    console.log(`\n${process.stdout.isTTY ? styleText("bold", source) : source}`);
    if (curl !== undefined) console.log(`  ${curl}`);
    for (const warning of warnings) console.log(`  ! ${warning}`);
  }
}
