/** The test of one source: the tool's own request, then the same without the credential, then the report. */

import { ApiSourceError } from "../../core/base/errors.js";
import type { CallContext } from "../../core/base/runtime.js";
import { clipText } from "../../core/base/text.js";
import { buildTestRequest } from "../../core/call/build-request.js";
import { createSender } from "../../core/call/create-sender.js";
import { judgeReply } from "../../core/call/judge-reply.js";
import { prepareCall, traceCredential } from "../../core/call/prepare-call.js";
import type { CallServices, Sender, SenderServices } from "../../core/call/running-call.js";
import type { GrantFacts } from "../../core/credentials/credential.js";
import { dropQuery } from "../../core/failure/answer-facts.js";
import {
  ConnectionError,
  explainPreparation,
  explainToPerson,
} from "../../core/failure/explain-failure.js";
import { describeOrigin, type Subject } from "../../core/failure/facts.js";
import { createDeadline, type Deadline } from "../../core/http/deadline.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { Secret } from "../../core/secrets/secret.js";
import {
  type ConnectionReport,
  type Finding,
  listShownSecrets,
  type Probe,
  writeReport,
} from "./connection-report.js";
import {
  describeGrant,
  describeTokenFailure,
  listProblems,
  lookAtCredential,
} from "./credential-look.js";
import {
  describeNoEndpoint,
  describeUnknown,
  explainError,
  judge,
  judgeReach,
  type ProbeAnswer,
} from "./judge-probe.js";
import { writeCurl } from "./write-curl.js";

/** The services that the test of a source needs. */
export interface TestServices
  extends Pick<CallServices, "credentials" | "secrets" | "known">,
    SenderServices {
  /** The kept facts about the token that was sent; undefined where the application gave it. */
  describeGrant(source: ApiSource, context: CallContext): Promise<GrantFacts | undefined>;
}

/** The source that is tested, and what its requests share. */
interface TestContext {
  readonly source: ApiSource;
  readonly services: TestServices;
  readonly sender: Sender;
  readonly caller: CallContext;
}

/** Reports on one source. Rejects only with the reason of an aborted signal. */
export async function testSource(
  given: ApiSource,
  services: TestServices,
  signal?: AbortSignal,
): Promise<ConnectionReport> {
  signal?.throwIfAborted();
  const startedMs = services.host.clock.now();
  // The first answer is the finding: a test that repeats a request would only take longer.
  const source = { ...given, api: { ...given.api, limits: { ...given.api.limits, retries: 0 } } };
  const sender = createSender(source, services);
  const context = { source, services, sender, caller: { signal } };
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

/** Runs within the time of one call. What fails in an expected way is returned; only a cancelled test rejects. */
async function applyDeadline<Result>(
  { source, services, caller: { signal } }: TestContext,
  run: (deadline: Deadline) => Promise<Result>,
): Promise<Result | ApiSourceError> {
  const { timeoutMs } = source.api.limits;
  const { stopwatch, lifetime } = services.host;
  const deadline = createDeadline({ timeoutMs, clock: stopwatch, lifetime, signal });
  try {
    return await run(deadline);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ApiSourceError)) throw error;
    return error;
  } finally {
    deadline.close();
  }
}

async function examine(context: TestContext): Promise<Finding> {
  const { source, services } = context;
  const hasEndpoint = (source.api.testEndpoint ?? "").trim() !== "";
  const probe = await applyDeadline(context, (deadline) => deadline.race(prepareProbe(context)));
  if (!(probe instanceof ApiSourceError)) {
    const { credential } = probe.prepared;
    const isPublic = credential === undefined && !hasSecret(source);
    if (!hasEndpoint && !isPublic) return describeNoEndpoint([]);
    return examineProbe(context, probe);
  }
  const credential = traceCredential(source, services, undefined);
  const finding =
    describeTokenFailure(source, probe) ?? explainPreparation(probe, { source, credential });
  return hasEndpoint ? finding : describeNoEndpoint([finding.message]);
}

/** @param isAnonymous - Whether to leave out the credential and every header and query parameter that holds a secret. */
async function prepareProbe(
  { source, services, caller }: TestContext,
  isAnonymous: boolean = false,
): Promise<Probe> {
  const options = { anonymous: isAnonymous, withTestEndpoint: true };
  const asked = await prepareCall(source, services, caller, options);
  // A server may echo a quoted key without its quotes.
  const meant = [
    ...listProblems(source, asked.credential).flatMap(({ meant = [] }) => meant),
    ...listShownSecrets(source.api.testEndpoint ?? ""),
  ];
  asked.redactor.learn(meant.map((text) => new Secret(text)));
  return { prepared: asked, built: buildTestRequest(source, asked.resolved) };
}

/** @throws ApiSourceError when nothing came back. */
async function sendProbe(
  { source, sender }: TestContext,
  { prepared, built }: Probe,
  deadline: Deadline,
  subject: Subject,
): Promise<ProbeAnswer> {
  const reply = await sender.send(built, prepared, { deadline, useCooldown: false });
  return { reply, ...(await judgeReply(source, built, reply, { findSubject: () => subject })) };
}

async function examineProbe(context: TestContext, probe: Probe): Promise<Finding> {
  const { source, services, caller } = context;
  const { credential, resolved } = probe.prepared;
  const { wire, method, url } = probe.built;
  const origin = traceCredential(source, services, credential);
  const subject: Subject = {
    source,
    credential: { ...origin, ...lookAtCredential(source, credential, services.host.clock.now()) },
    baseUrl: resolved.baseUrl,
    testEndpoint: resolved.testEndpoint ?? "",
    request: { method, path: url.path, url: wire.url },
  };
  const line = await writeCurl(source, credential, origin.used);
  const asked = await ask(context, probe, subject);
  // For a token that the application gave, nothing is known.
  const isIssued = credential?.kind === "token" && credential.isIssued === true;
  const grant = isIssued ? await services.describeGrant(source, caller) : undefined;
  const finding = grant === undefined ? asked : describeGrant(asked, source, grant);
  const notes = [...(finding.notes ?? []), ...(line?.notes ?? [])];
  return { ...finding, probe, curl: line?.curl, notes };
}

async function ask(context: TestContext, probe: Probe, subject: Subject): Promise<Finding> {
  const answer = await applyDeadline(context, (deadline) =>
    sendProbe(context, probe, deadline, subject),
  );
  if (answer instanceof ApiSourceError)
    return (await findHttps(context, answer, subject)) ?? explainError(answer, subject);
  const { status } = answer.reply.exchange;
  if ((subject.testEndpoint ?? "").trim() === "") return judgeReach(answer, subject);
  if (answer.error !== undefined) return { ...judge(answer, subject), status };
  return { ...(await checkAnonymously(context, subject, answer)), status };
}

/** A server that speaks HTTPS answers within this time; a port that is silent to it speaks something else. */
const httpsProbeMs = 3_000;

/** A port for HTTPS closes on plain HTTP. Asked by HTTPS, without the credential, it answers, or shows a certificate that is not accepted. */
async function findHttps(
  context: TestContext,
  error: ApiSourceError,
  subject: Subject,
): Promise<Finding | undefined> {
  const { source, services } = context;
  const httpsBase = source.api.baseUrl.replace(/^http:/i, "https:");
  const isClosed = error instanceof ConnectionError && error.failure.kind === "connection";
  if (!isClosed || error.failure.phase !== "first_byte" || httpsBase === source.api.baseUrl)
    return undefined;
  const timeoutMs = Math.min(source.api.limits.timeoutMs, httpsProbeMs);
  const limits = { ...source.api.limits, timeoutMs };
  const secure = { ...source, api: { ...source.api, baseUrl: httpsBase, limits } };
  const sender = createSender(secure, services);
  try {
    const answer = await askAnonymously({ ...context, source: secure, sender }, subject);
    const shown = answer instanceof ConnectionError && explainToPerson(answer.failure, subject);
    const isHttps = shown
      ? shown.name.startsWith("certificate_")
      : !(answer instanceof ApiSourceError);
    return isHttps ? explainToPerson(error.failure, { ...subject, httpsBase }) : undefined;
  } finally {
    sender.close();
  }
}

/** The request of the test without the credential and the secrets. */
function askAnonymously(
  context: TestContext,
  subject: Subject,
): Promise<ProbeAnswer | ApiSourceError> {
  return applyDeadline(context, async (deadline) =>
    sendProbe(context, await deadline.race(prepareProbe(context, true)), deadline, subject),
  );
}

/** Failures that happen with a credential just as well: they refuse no credential. */
const passing = /^(?:rate_limited|server_error|timeout|network|too_large)$/;

/** Sends a request that succeeded once more without credential and secrets: an endpoint that answers anyone proves nothing about them. */
async function checkAnonymously(
  context: TestContext,
  subject: Subject,
  { reply }: ProbeAnswer,
): Promise<Finding> {
  const { source, request } = subject;
  const answered = `GET ${dropQuery(request.url)} answered ${reply.exchange.status}`;
  const ok = { verdict: "ok", fix: "" } as const;
  const isSigned = subject.credential.madeBy === "sign";
  if (!hasSecret(source) && !isSigned)
    return { ...ok, message: `${answered}; the record has no credential to check.` };
  const what = source.api.authType === undefined && !isSigned ? "its secrets" : "the credential";
  const answer = await askAnonymously(context, subject);
  const { error, status } =
    answer instanceof ApiSourceError
      ? { error: answer, status: undefined }
      : { error: answer.error, status: answer.reply.exchange.status };
  if (error !== undefined && status !== undefined && !passing.test(error.category)) {
    const message = `${answered} with ${what}, and ${status < 300 ? "not" : status} without: the credential is right.`;
    return { ...ok, message, credentialVerified: true };
  }
  const { problem } = subject.credential;
  const notes =
    problem === undefined
      ? []
      : [`The credential, from ${describeOrigin(subject)}, ${problem.what}. ${problem.fix}`];
  if (error === undefined)
    return {
      verdict: "anonymous_ok",
      message: `${answered}, but answers the same request without ${what}, too: this proves nothing about ${what}.`,
      fix: "Set `api.testEndpoint` to a path that needs the credential, such as /user or /me.",
      notes,
    };
  const why = status === undefined ? clipText(error.message, 160) : `it answered ${status}`;
  return {
    ...ok,
    message: `${answered} with ${what}. It is unknown whether it answers without ${what}, too.`,
    notes: [
      ...notes,
      `The credential is not verified: the second request, without ${what}, gave no result (${why}). Test again later.`,
    ],
  };
}

/** Whether there is anything that an anonymous request would leave out. */
function hasSecret({ api }: ApiSource): boolean {
  const constants = [...Object.values(api.headers), ...Object.values(api.query)];
  return api.authType !== undefined || constants.some((value) => /\$\{[A-Za-z_]/.test(value));
}
