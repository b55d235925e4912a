/** From a finding to the report: every text of it redacted once more. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { Probe } from "../client/probe-source.js";
import type { RecordProblem } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import type { ConnectionReport, Finding } from "./connection-report.js";
import { lintRecord } from "./lint-record.js";

/** What was found out about one source. */
export interface Examination {
  readonly finding: Finding;
  readonly probe?: Probe;
  readonly status?: number;
  readonly curl?: string | undefined;
}

export interface ReportInput extends Examination {
  readonly source: ApiSource;
  readonly runtime: ClientRuntime;
  readonly durationMs: number;
}

export function writeReport({
  finding,
  source,
  runtime,
  probe,
  status,
  curl,
  durationMs,
}: ReportInput): ConnectionReport {
  const redactor = probe?.prepared.redactor ?? runtime.secrets.redactor();
  const redact = (text: string): string => redactor.redact(text);
  return {
    source: source.slug,
    ok: finding.verdict === "ok" || finding.verdict === "anonymous_ok",
    verdict: finding.verdict,
    credentialVerified: finding.credentialVerified ?? false,
    ...(status === undefined ? {} : { status }),
    durationMs,
    ...(probe === undefined ? {} : { request: redact(writeRequest(source, probe.built.wire.url)) }),
    message: redact(finding.message),
    fix: redact(finding.fix),
    ...(curl === undefined ? {} : { curl: redact(curl) }),
    warnings: [...(finding.notes ?? []), ...lintRecord(source)].map(redact),
  };
}

/** The credential's parameter is shown by its name, so that a person sees how it is sent. */
function writeRequest({ api }: ApiSource, url: string): string {
  if (api.authType !== "query") return `GET ${url}`;
  return `GET ${url}${url.includes("?") ? "&" : "?"}${encodeURIComponent(api.queryParam ?? "")}=[REDACTED]`;
}

/** The report of a record that can't be read. */
export function reportProblems(problems: readonly RecordProblem[]): ConnectionReport {
  const count = problems.length === 1 ? "a problem" : `${problems.length} problems`;
  const lines = problems.map(
    ({ path, given, message }) => `${path} ${message}${given === undefined ? "" : ` (given: ${given})`}`,
  );
  return {
    source: problems[0]?.source ?? "record",
    ok: false,
    verdict: "invalid_record",
    credentialVerified: false,
    durationMs: 0,
    message: `The record has ${count}, so nothing was sent:\n${lines.join("\n")}`,
    fix: problems.map(({ path, fix }) => `${path}: ${fix}`).join("\n"),
    warnings: [],
  };
}
