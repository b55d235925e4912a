/** The test of one source: the tool's own request, then the same without the credential, then the report. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import { createSender } from "../client/create-sender.js";
import {
  type Probe,
  type ProbeAnswer,
  type ProbeOptions,
  prepareProbe,
  sendProbe,
  startProbeDeadline,
} from "../client/probe-source.js";
import { traceCredential } from "../client/trace-credential.js";
import { readPreparationCause } from "../diagnosis/connection-cause.js";
import { readPage } from "../diagnosis/page.js";
import { describeRedirect } from "../diagnosis/redirect.js";
import { describeAnswer } from "../diagnosis/verdict.js";
import { describePreparation } from "../diagnosis/verdict-preparation.js";
import type { SubjectFacts } from "../diagnosis/verdict-words.js";
import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { checkAnonymously, type TestBench } from "./check-anonymously.js";
import { type ConnectionReport, type Examination, type Finding, writeReport } from "./connection-report.js";
import { findUnsendable, listMeantSecrets, readCredentialFacts } from "./credential-look.js";
import { describeFailure } from "./describe-failure.js";
import { listShownSecrets } from "./lint-record.js";
import { writeCurl } from "./write-curl.js";

/** Reports on one source. Rejects only with the reason of an aborted signal. */
export async function testSource(
  given: ApiSource,
  runtime: ClientRuntime,
  signal: AbortSignal | undefined,
): Promise<ConnectionReport> {
  signal?.throwIfAborted();
  const startedMs = runtime.clock.now();
  // What is wrong now is the answer: a test that tries again would only take longer.
  const source = { ...given, api: { ...given.api, limits: { ...given.api.limits, retries: 0 } } };
  const sender = createSender(source, runtime);
  const report = (examined: Examination): ConnectionReport =>
    writeReport({ ...examined, source, runtime, durationMs: runtime.clock.now() - startedMs });
  try {
    return report(
      await examine({ source, runtime, sender, signal, probeOptions: listProbeOptions(source, signal) }),
    );
  } catch (error) {
    signal?.throwIfAborted();
    return report({ finding: describeUnknown(error) });
  } finally {
    sender.close();
  }
}

/**
 * Redacted besides the secrets is what they were meant to be (a server may echo a quoted key without its quotes), and a key that stands
 * in the test endpoint's query.
 */
function listProbeOptions(source: ApiSource, signal: AbortSignal | undefined): ProbeOptions {
  return {
    context: signal === undefined ? {} : { signal },
    alsoSecret: ({ credential }) => [
      ...listMeantSecrets(source, credential),
      ...listShownSecrets(source.api.testEndpoint ?? ""),
    ],
  };
}

async function examine(bench: TestBench): Promise<Examination> {
  const { source, runtime, signal } = bench;
  const hasEndpoint = (source.api.testEndpoint ?? "").trim() !== "";
  const deadline = startProbeDeadline(source, runtime, signal);
  try {
    const probe = await deadline.race(prepareProbe(source, runtime, bench.probeOptions));
    return hasEndpoint ? await examineProbe(bench, probe) : { finding: describeNoEndpoint([]) };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ApiSourceError)) throw error;
    const credential = readCredentialFacts(source, undefined, traceCredential(source, runtime, undefined), 0);
    const finding = describePreparation(readPreparationCause(error), { source, credential });
    return { finding: hasEndpoint ? finding : describeNoEndpoint([finding.message]) };
  } finally {
    deadline.close();
  }
}

async function examineProbe(bench: TestBench, probe: Probe): Promise<Examination> {
  const { source, runtime } = bench;
  const { credential, resolved } = probe.prepared;
  const origin = traceCredential(source, runtime, credential);
  const subject: SubjectFacts = {
    source,
    credential: readCredentialFacts(source, credential, origin, runtime.clock.now()),
    baseUrl: resolved.baseUrl,
    testEndpoint: resolved.testEndpoint ?? "",
    url: probe.built.wire.url,
  };
  const line = await writeCurl(source, runtime, probe, origin.variables);
  const flaw = findUnsendable(source, credential);
  const sent: Pick<Examination, "finding" | "status"> =
    flaw === undefined
      ? await ask(bench, probe, subject)
      : {
          finding: describePreparation(
            { kind: "credential_malformed", message: "", hint: "", flaw },
            subject,
          ),
        };
  const notes = [...(sent.finding.notes ?? []), ...line.notes];
  return { ...sent, probe, finding: { ...sent.finding, notes }, curl: line.curl };
}

async function ask(
  bench: TestBench,
  probe: Probe,
  subject: SubjectFacts,
): Promise<Pick<Examination, "finding" | "status">> {
  const { source, runtime, sender, signal } = bench;
  const deadline = startProbeDeadline(source, runtime, signal);
  let answer: ProbeAnswer;
  try {
    answer = await sendProbe(source, sender, probe, deadline, subject.credential);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ApiSourceError)) throw error;
    return { finding: await describeFailure(error, subject) };
  } finally {
    deadline.close();
  }
  const { status } = answer.reply.exchange;
  if (answer.error === undefined) return { status, finding: await checkAnonymously(bench, subject, answer) };
  return { status, finding: await judge(answer, subject) };
}

/** A redirect, a body that broke off, and an answer that says why it is no success. */
async function judge({ reply, cause }: ProbeAnswer, subject: SubjectFacts): Promise<Finding> {
  const { failure, status, attempts, url } = reply.exchange;
  const page = readPage(reply.body);
  if (failure !== undefined && (cause === undefined || status < 400))
    return await describeFailure(failure, subject);
  if (cause === undefined) return describeUnknown(failure);
  if (status < 300 && page !== undefined && attempts > 1) {
    return describeRedirect(
      { kind: "redirected", status, reason: "followed", target: url.split("?", 1)[0] ?? url, page },
      subject,
    );
  }
  return describeAnswer(cause, { ...subject, isPage: page !== undefined });
}

function describeNoEndpoint(notes: readonly string[]): Finding {
  return {
    verdict: "no_test_endpoint",
    message: "The record has no `api.testEndpoint`, so nothing was sent.",
    fix: 'Add "testEndpoint" under `api`: a path that GET answers only to a valid credential, such as "/user" or "/me" ("/" is the base URL itself).',
    notes,
  };
}

/** Nothing of what was thrown is shown but its class: it may hold anything. */
function describeUnknown(error: unknown): Finding {
  return {
    verdict: "unreachable",
    message: `The test itself failed before it was through (${error instanceof Error ? error.name : typeof error}); its message is not shown.`,
    fix: "Look at the functions and clients that were given as options (credentials, secrets, redis, clock).",
  };
}
