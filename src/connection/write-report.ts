/** From a finding to the report: every text of it redacted once more. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { RecordProblem } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import type { ConnectionReport, ConnectionVerdict } from "./connection-report.js";
import { lintRecord } from "./lint-record.js";
import type { Examination } from "./test-source.js";

const goodVerdicts: ReadonlySet<ConnectionVerdict> = new Set<ConnectionVerdict>(["ok", "anonymous_ok"]);

export function writeReport(
  input: Examination & {
    readonly source: ApiSource;
    readonly runtime: ClientRuntime;
    readonly durationMs: number;
  },
): ConnectionReport {
  const { finding, source, runtime, probe, status, curl, durationMs } = input;
  const redactor = probe?.prepared.redactor ?? runtime.secrets.redactor();
  const redact = (text: string): string => redactor.redact(text);
  return {
    source: source.slug,
    ok: goodVerdicts.has(finding.verdict),
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
  const [first] = problems;
  const count = problems.length;
  return {
    source: first?.source ?? "record",
    ok: false,
    verdict: "invalid_record",
    credentialVerified: false,
    durationMs: 0,
    message: `The record has ${count === 1 ? "a problem" : `${count} problems`}, so nothing was sent:\n${problems.map(writeProblem).join("\n")}`,
    fix: problems.map(({ path, fix }) => `${path}: ${fix}`).join("\n"),
    warnings: [],
  };
}

function writeProblem({ path, given, message }: RecordProblem): string {
  return `${path} ${message}${given === undefined ? "" : ` (given: ${given})`}`;
}
