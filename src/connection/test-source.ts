/** The test of one source: the tool's own request, then the same without the credential, then the report. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import { createSender } from "../client/create-sender.js";
import {
  type Probe,
  type ProbeAnswer,
  prepareProbe,
  sendProbe,
  startProbeDeadline,
} from "../client/probe-source.js";
import { traceCredential } from "../client/trace-credential.js";
import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { checkAnonymously } from "./check-anonymously.js";
import type { ConnectionReport } from "./connection-report.js";
import { diagnoseCertainFlaw, diagnosePreparation } from "./diagnose-preparation.js";
import { diagnoseReply } from "./diagnose-reply.js";
import { diagnoseTransport } from "./diagnose-transport.js";
import type { Finding, Subject } from "./finding.js";
import { peekTls } from "./peek-tls.js";
import { systemHostExists } from "./suggest-host.js";
import { type TestBench, toProbeOptions } from "./test-bench.js";
import { writeCurl } from "./write-curl.js";
import { writeReport } from "./write-report.js";

const tools = { peekTls, hostExists: systemHostExists };

/** Reports on one source. Rejects only with the reason of an aborted signal. */
export async function testSource(
  given: ApiSource,
  runtime: ClientRuntime,
  signal: AbortSignal | undefined,
): Promise<ConnectionReport> {
  signal?.throwIfAborted();
  const startedMs = runtime.clock.now();
  const source = withoutRetries(given);
  const sender = createSender(source, runtime);
  try {
    const examined = await examine({ source, runtime, sender, signal });
    return writeReport({ ...examined, source, runtime, durationMs: runtime.clock.now() - startedMs });
  } catch (error) {
    signal?.throwIfAborted();
    const finding = diagnoseUnknown(error);
    return writeReport({ finding, source, runtime, durationMs: runtime.clock.now() - startedMs });
  } finally {
    sender.close();
  }
}

/** What is wrong now is the answer: a test that tries again would only take longer. */
function withoutRetries(source: ApiSource): ApiSource {
  return { ...source, api: { ...source.api, limits: { ...source.api.limits, retries: 0 } } };
}

export interface Examination {
  readonly finding: Finding;
  readonly subject?: Subject;
  readonly probe?: Probe;
  readonly status?: number;
  readonly curl?: string;
}

async function examine(bench: TestBench): Promise<Examination> {
  const { source, runtime, signal } = bench;
  const deadline = startProbeDeadline(source, runtime, signal);
  try {
    const probe = await deadline.race(prepareProbe(source, runtime, toProbeOptions(bench)));
    if (isBlank(source.api.testEndpoint)) return { finding: tellNoTestEndpoint([]) };
    return await examineProbe(bench, probe);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ApiSourceError)) throw error;
    const finding = diagnosePreparation(source, error, traceCredential(source, runtime, undefined));
    if (isBlank(source.api.testEndpoint)) return { finding: tellNoTestEndpoint([finding.message]) };
    return { finding };
  } finally {
    deadline.close();
  }
}

async function examineProbe(bench: TestBench, probe: Probe): Promise<Examination> {
  const { runtime } = bench;
  const subject = toSubject(bench, probe);
  const line = await writeCurl(subject, probe, runtime);
  const certain = diagnoseCertainFlaw(subject);
  const sent = certain === undefined ? await ask(bench, probe, subject) : { finding: certain };
  return {
    ...sent,
    subject,
    probe,
    finding: { ...sent.finding, notes: [...(sent.finding.notes ?? []), ...(line?.notes ?? [])] },
    ...(line === undefined ? {} : { curl: line.curl }),
  };
}

async function ask(
  bench: TestBench,
  probe: Probe,
  subject: Subject,
): Promise<Pick<Examination, "finding" | "status">> {
  const { source, runtime, sender, signal } = bench;
  const deadline = startProbeDeadline(source, runtime, signal);
  let answer: ProbeAnswer;
  try {
    answer = await sendProbe(source, sender, probe, deadline);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ApiSourceError)) throw error;
    return { finding: await diagnoseTransport(subject, error, tools) };
  } finally {
    deadline.close();
  }
  const { status } = answer.reply.exchange;
  const { error } = answer;
  if (error === undefined) return { status, finding: await checkAnonymously(bench, subject, answer) };
  return { status, finding: diagnoseReply(subject, { probe, answer, error }, runtime.clock.now()) };
}

function toSubject({ source, runtime }: TestBench, { prepared, built }: Probe): Subject {
  const { credential, resolved } = prepared;
  return {
    source,
    credential,
    origin: traceCredential(source, runtime, credential),
    baseUrl: resolved.baseUrl,
    testEndpoint: resolved.testEndpoint ?? "",
    url: built.wire.url,
  };
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}

function tellNoTestEndpoint(notes: readonly string[]): Finding {
  return {
    verdict: "no_test_endpoint",
    message: "The record has no `api.testEndpoint`, so nothing was sent.",
    fix: 'Add "testEndpoint" under `api`: a path that GET answers only to a valid credential, such as "/user" or "/me" ("/" is the base URL itself).',
    notes,
  };
}

/** Nothing of what was thrown is shown but its class: it may hold anything. */
function diagnoseUnknown(error: unknown): Finding {
  return {
    verdict: "unreachable",
    message: `The test itself failed before it was through (${error instanceof Error ? error.name : typeof error}); its message is not shown.`,
    fix: "Look at the functions and clients that were given as options (credentials, secrets, redis, clock).",
  };
}
