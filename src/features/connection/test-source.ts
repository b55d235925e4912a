/** The test of one source: the tool's own request, then the same without the credential, then the report. */

import { once } from "node:events";
import { isIP } from "node:net";
import tls from "node:tls";
import { ApiSourceError } from "../../core/base/errors.js";
import { createSender } from "../../core/call/create-sender.js";
import { traceCredential } from "../../core/call/prepare-call.js";
import {
  type Probe,
  type ProbeAnswer,
  type ProbeOptions,
  prepareProbe,
  sendProbe,
} from "../../core/call/probe-source.js";
import type { UsableCredential } from "../../core/credentials/credential.js";
import type { Cause } from "../../core/failure/cause.js";
import {
  ConnectionError,
  explainConnection,
  explainPreparation,
  explainRedirect,
  isRedirect,
} from "../../core/failure/explain-failure.js";
import type { PeerCertificate, TlsDetails } from "../../core/failure/failure-facts.js";
import { readPage } from "../../core/failure/page.js";
import { dropQuery } from "../../core/failure/request-address.js";
import type { SendFailure } from "../../core/http/send-failure.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { checkAnonymously } from "./check-anonymously.js";
import { type ConnectionReport, type Finding, writeReport } from "./connection-report.js";
import { listMeantSecrets, lookAtCredential } from "./credential-look.js";
import { describeGrant, describeTokenFailure } from "./describe-token.js";
import { listShownSecrets } from "./lint-record.js";
import { applyDeadline, type TestContext, type TestServices, type TestSubject } from "./test-context.js";
import { writeCurl } from "./write-curl.js";

/** Reports on one source. Rejects only with the reason of an aborted signal. */
export async function testSource(
  given: ApiSource,
  services: TestServices,
  signal: AbortSignal | undefined,
): Promise<ConnectionReport> {
  signal?.throwIfAborted();
  const startedMs = services.host.clock.now();
  // What is wrong now is the answer: a test that tries again would only take longer.
  const source = { ...given, api: { ...given.api, limits: { ...given.api.limits, retries: 0 } } };
  const sender = createSender(source, services);
  const context = { source, services, sender, signal, probeOptions: listProbeOptions(source, signal) };
  const report = (finding: Finding): ConnectionReport =>
    writeReport(finding, source, services, services.host.clock.now() - startedMs);
  try {
    return report(await examine(context));
  } catch (error) {
    signal?.throwIfAborted();
    return report(describeUnknown(error));
  } finally {
    sender.close();
  }
}

/**
 * Besides the secrets, their intended values are redacted (a server may echo a quoted key without its quotes), and a key that is
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

async function examine(context: TestContext): Promise<Finding> {
  const { source, services, probeOptions } = context;
  const hasEndpoint = (source.api.testEndpoint ?? "").trim() !== "";
  const probe = await applyDeadline(context, (deadline) =>
    deadline.race(prepareProbe(source, services, probeOptions)),
  );
  if (!(probe instanceof ApiSourceError))
    return hasEndpoint ? examineProbe(context, probe) : describeNoEndpoint([]);
  const credential = traceCredential(source, services, undefined);
  const finding = describeTokenFailure(source, probe) ?? explainPreparation(probe, { source, credential });
  return hasEndpoint ? finding : describeNoEndpoint([finding.message]);
}

async function examineProbe(context: TestContext, probe: Probe): Promise<Finding> {
  const { source, services } = context;
  const { credential, resolved } = probe.prepared;
  const { wire, method, url } = probe.built;
  const origin = traceCredential(source, services, credential);
  const subject: TestSubject = {
    source,
    credential: { ...origin, ...lookAtCredential(source, credential, services.host.clock.now()) },
    baseUrl: resolved.baseUrl,
    testEndpoint: resolved.testEndpoint ?? "",
    request: { method, path: url.path, url: wire.url },
  };
  const line = await writeCurl(source, services, probe, origin.used);
  const finding = await ask(context, probe, subject);
  const withGrant = await tellGrant(context, finding, credential);
  return {
    ...withGrant,
    probe,
    curl: line?.curl,
    notes: [...(withGrant.notes ?? []), ...(line?.notes ?? [])],
  };
}

/** With what is kept of the token that was sent; for one that the application gave, nothing is known. */
async function tellGrant(
  { source, services, probeOptions }: TestContext,
  finding: Finding,
  credential: UsableCredential | undefined,
): Promise<Finding> {
  if (credential?.kind !== "token" || credential.identity === undefined) return finding;
  const grant = await services.describeGrant(source, probeOptions.context);
  return grant === undefined ? finding : describeGrant(finding, source, grant);
}

async function ask(context: TestContext, probe: Probe, subject: TestSubject): Promise<Finding> {
  const { source, sender } = context;
  const answer = await applyDeadline(context, (deadline) =>
    sendProbe(source, sender, probe, deadline, subject),
  );
  if (answer instanceof ApiSourceError) return explainError(answer, subject);
  const { status } = answer.reply.exchange;
  if (answer.error !== undefined) return { ...(await judge(answer, subject)), status };
  return { ...(await checkAnonymously(context, subject, answer)), status };
}

/** A redirect, a body that broke off, and a response that explains why it failed. */
async function judge({ reply, cause }: ProbeAnswer, subject: TestSubject): Promise<Finding> {
  const { failure, status, attempts, url } = reply.exchange;
  if (failure !== undefined && (cause === undefined || status < 400)) return explainError(failure, subject);
  if (cause?.verdict === "not_an_api" && readPage(reply.body) !== undefined && status < 300 && attempts > 1) {
    const page = readPage(reply.body);
    return explainRedirect({ status, reason: "followed", target: dropQuery(url), page }, subject);
  }
  return cause ?? describeUnknown(failure);
}

/** Takes what sending threw, or the failure of an answer of which a part came. Never rejects. */
async function explainError(error: ApiSourceError, subject: TestSubject): Promise<Finding> {
  if (!(error instanceof ConnectionError)) return explainPreparation(error, subject);
  const { failure } = error;
  if (isRedirect(failure)) return explainRedirect(failure, subject);
  // A second look would go past the proxy.
  return subject.source.api.network.proxy === undefined
    ? explainCloser(failure, subject.baseUrl)
    : explainConnection(failure, subject.baseUrl);
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
    message: `The test itself failed before it was finished (${error instanceof Error ? error.name : typeof error}); its message is not shown.`,
    fix: "Check the functions and clients that were given as options (credentials, secrets, redis).",
  };
}

/** What a server that expects TLS does with plain HTTP: it drops it without a word, or sends bytes that are not HTTP. */
const mayExpectTls: ReadonlySet<string> = new Set(["not_http", "no_answer", "broken_off"]);

/** Why no answer came. A TLS handshake that sends nothing may name it better. Never rejects. */
async function explainCloser(failure: SendFailure, baseUrl: string): Promise<Cause> {
  const cause = explainConnection(failure, baseUrl);
  const isPlain = /^http:/i.test(baseUrl);
  if (isPlain ? !mayExpectTls.has(cause.name) : cause.verdict !== "tls") return cause;
  const found = await readTlsPeer(new URL(baseUrl));
  return explainConnection(failure, baseUrl, isPlain ? { speaksTls: found.peer !== undefined } : found);
}

const lookTimeoutMs = 1_500;

/**
 * Connects, reads the certificate and leaves. The certificate is not verified, which is why nothing is ever sent: it was
 * verified, and refused, when the real request was made; this only finds the words for it. Gives up after 1.5 seconds. Never rejects.
 */
async function readTlsPeer(url: URL): Promise<TlsDetails> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = tls.connect({ host, port, rejectUnauthorized: false, ...name });
  // What still fails while it is being left is of no interest.
  socket.on("error", () => {});
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(lookTimeoutMs) });
    return { peer: readPeer(socket) };
  } catch (error) {
    return { reason: readReason(error) };
  } finally {
    socket.destroy();
  }
}

/** Node calls most failures of a handshake `EPROTO` and keeps OpenSSL's text as `reason`. */
function readReason(error: unknown): string | undefined {
  const { reason }: { readonly reason?: unknown } = Object(error);
  if (typeof reason !== "string" || reason === "" || reason.length > 100) return undefined;
  return reason.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}

function readPeer(socket: tls.TLSSocket): PeerCertificate {
  const peer = socket.getPeerCertificate();
  const { subjectaltname = "", valid_to: validTo = "" } = peer;
  const listed = [...subjectaltname.matchAll(/(?:DNS|IP Address):([^,\s"]{1,253})/g)].map(
    ([, name = ""]) => name,
  );
  const names = listed.length > 0 ? listed : [peer.subject?.CN ?? ""].flat();
  return { names, validTo, issuer: [peer.issuer?.O ?? peer.issuer?.CN ?? ""].flat()[0] ?? "" };
}
