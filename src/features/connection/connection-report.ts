/** The report of a connection test: one verdict, what it means, and what to change; every text is redacted once more. */

import type { RecordProblem } from "../../core/base/errors.js";
import { dropUndefined } from "../../core/base/input.js";
import { hasSecretName } from "../../core/base/secret-name.js";
import type { CallServices, PreparedCall } from "../../core/call/running-call.js";
import type { GrantFacts } from "../../core/credentials/credential.js";
import type { ConnectionVerdict, RecordChange } from "../../core/failure/cause.js";
import type { ApiSource } from "../../core/record/api-source.js";
import type { BuiltRequest } from "../../core/request/wire-request.js";
import { redactMembers } from "../../core/secrets/redactor.js";
import { redactedMarker } from "../../core/secrets/secret.js";
import { addCredentialParameter } from "./write-curl.js";

export type { ConnectionVerdict, RecordChange };

/**
 * The report of one source.
 *
 * @example
 * const report = await testConnection(record);
 * if (!report.ok) console.error(`${report.verdict}: ${report.message}\n${report.fix}`);
 */
export interface ConnectionReport {
  /** The tool's name; the record's name or host when the record is wrong. */
  readonly source: string;
  /** Whether the source answers as it should. */
  readonly ok: boolean;
  /** The result in one word. */
  readonly verdict: ConnectionVerdict;
  /** Whether the answer proves that the credential is right: only when the endpoint refuses a request without it. */
  readonly credentialVerified: boolean;
  /** The HTTP status; absent where no response arrived. */
  readonly status?: number;
  /** How long the test took, in milliseconds. */
  readonly durationMs: number;
  /** The request line with the full URL, redacted, such as `GET https://api.example.com/user`; absent when none was built. */
  readonly request?: string;
  /** The facts about a token that expires: its lifetime, its scopes, and its owner's account, where the server reports it. */
  readonly grant?: Omit<GrantFacts, "source">;
  /** The result in words, for a person. */
  readonly message: string;
  /** The change to make; it names the field of the record or the variable. `""` when there is nothing to fix. */
  readonly fix: string;
  /** The changes that a program can make: settings of the record, such as `{ field: "api.baseUrl", value: "https://api.example.com" }`. Absent where it can do nothing. */
  readonly changes?: readonly RecordChange[];
  /** A line that reproduces the call when pasted, with `$NAME` in place of the credential. */
  readonly curl?: string;
  /** Advice about the record, also where it works. */
  readonly warnings: readonly string[];
}

/** The request of a test, ready to be sent. */
export interface Probe {
  readonly prepared: PreparedCall;
  readonly built: BuiltRequest;
}

/** The findings of the test of one source. */
export interface Finding
  extends Pick<ConnectionReport, "verdict" | "message" | "fix">,
    Partial<Pick<ConnectionReport, "status" | "credentialVerified" | "changes" | "grant">> {
  /** More to know although it is not the cause. */
  readonly notes?: readonly string[];
  /** The request that was made, or would have been. */
  readonly probe?: Probe;
  readonly curl?: string;
}

export function writeReport(
  finding: Finding,
  source: ApiSource,
  { secrets }: Pick<CallServices, "secrets">,
  durationMs: number,
): ConnectionReport {
  const { verdict, message, fix, changes = [], notes = [], probe, status, grant, curl } = finding;
  const { credentialVerified = false } = finding;
  const redactor = probe?.prepared.redactor ?? secrets.redactor();
  // The credential's parameter is shown by its name, so that a person sees how it is sent.
  const url = probe && addCredentialParameter(source, probe.built.wire.url, redactedMarker);
  const texts = dropUndefined({
    request: url && `GET ${url}`,
    grant,
    message,
    fix,
    changes: changes.length === 0 ? undefined : changes,
    curl,
    warnings: [...notes, ...lintRecord(source)],
  });
  const ok = ["ok", "anonymous_ok", "reachable"].includes(verdict);
  const facts = dropUndefined({
    source: source.slug,
    ok,
    verdict,
    credentialVerified,
    status,
    durationMs,
  });
  return { ...facts, ...redactMembers(texts, redactor) };
}

/** The report of a record that can't be read. */
export function reportProblems(problems: readonly RecordProblem[]): ConnectionReport {
  const count = problems.length === 1 ? "a problem" : `${problems.length} problems`;
  const lines = problems.map(
    ({ path, given, message }) =>
      `${path} ${message}${given === undefined ? "" : ` (given: ${given})`}`,
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

/** Lists what a person should correct in a record that can be read; sends no request. */
function lintRecord({ api }: ApiSource): string[] {
  const { baseUrl, testEndpoint = "" } = api;
  const [, host = ""] = /^http:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(baseUrl) ?? [];
  return [
    ...listCredentialParameters(testEndpoint).map(
      ([name]) =>
        `\`api.testEndpoint\` carries a credential in its query (${name}): a record is shared and shown. Remove it; with "authType": "query" and "queryParam": "${name}" it comes from the environment.`,
    ),
    ...(privateHost.test(host)
      ? []
      : [
          `\`api.baseUrl\` is plain http to ${host}: everything, including the credential, is sent unencrypted. Write https:// if the API has it.`,
        ]),
  ];
}

/** Names and addresses that stay within a machine or a network (RFC 1918, RFC 4193, RFC 6761, RFC 6762). */
const privateHost =
  /^\[(?:::1\]|f[cd]|fe[89ab])|^(?:127|10|0)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|\.(?:localhost|local|internal|lan|home|test|invalid|example)$|^[^.[]*$/i;

/** Values in the query of a test endpoint that are not to be shown, because their names are those of credentials. */
export function listShownSecrets(testEndpoint: string): string[] {
  // A plus sign is read as a space, and may be one.
  const values = listCredentialParameters(testEndpoint).flatMap(([, value]) => [
    value,
    value.replaceAll(" ", "+"),
  ]);
  return values.filter((value) => value !== "");
}

function listCredentialParameters(testEndpoint: string): [string, string][] {
  const [, query = ""] = testEndpoint.split(/\?(.*)/s);
  return [...new URLSearchParams(query)].filter(([name]) => hasSecretName(name, "query"));
}
