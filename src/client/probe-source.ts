/** One request to a source's test endpoint, built and sent as a call of the tool is, with everything the answer tells. */

import type { AnswerCause } from "../diagnosis/cause.js";
import type { CredentialFacts } from "../diagnosis/facts.js";
import type { CallError } from "../errors.js";
import type { CallContext } from "../runtime.js";
import { Secret } from "../secrets/secret.js";
import type { ApiSource } from "../source/api-source.js";
import { createDeadline, type Deadline } from "../transport/deadline.js";
import { applyDefaultHeaders } from "../transport/wire-headers.js";
import { type BuiltRequest, buildRequest } from "./build-request.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import type { Reply, Sender } from "./create-sender.js";
import { judgeReply } from "./judge-reply.js";
import { type PreparedCall, prepareCall } from "./prepare-call.js";

export interface Probe {
  readonly prepared: PreparedCall;
  readonly built: BuiltRequest;
  /** What is on the wire besides the credential: the record's headers and the defaults. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ProbeAnswer {
  readonly reply: Reply;
  /** Why the answer is no success; absent when it is one. */
  readonly error?: CallError;
  /** The same, understood; absent also when only a part of the body arrived. */
  readonly cause?: AnswerCause;
}

export interface ProbeOptions {
  readonly context: CallContext;
  /** Whether to leave out the credential and every header and query parameter that holds a secret. @default false */
  readonly anonymous?: boolean;
  /** Texts to redact besides the secrets themselves. */
  readonly alsoSecret?: (prepared: PreparedCall) => readonly string[];
}

/** The deadline of one probe, on the runtime's clock: that of a call. */
export function startProbeDeadline(
  source: ApiSource,
  runtime: ClientRuntime,
  signal: AbortSignal | undefined,
): Deadline {
  return createDeadline({ timeoutMs: source.api.limits.timeoutMs, clock: runtime.clock, signal });
}

/** @throws ApiSourceError as `prepareCall` and `buildRequest` do. */
export async function prepareProbe(
  source: ApiSource,
  runtime: ClientRuntime,
  { context, anonymous = false, alsoSecret = () => [] }: ProbeOptions,
): Promise<Probe> {
  const asked = await prepareCall(source, runtime, context, { anonymous, withTestEndpoint: true });
  const redactor = asked.redactor.with(alsoSecret(asked).map((text) => new Secret(text)));
  // What an API says of its limits to nobody must not be held against the credential.
  const prepared = { ...asked, redactor, credential: anonymous ? undefined : asked.credential };
  const built = buildTestRequest(source, prepared.resolved);
  return { prepared, built, headers: listSentHeaders(built) };
}

/** @throws ApiSourceError as the wall does. */
export function buildTestRequest(source: ApiSource, resolved: PreparedCall["resolved"]): BuiltRequest {
  const path = resolved.testEndpoint ?? "";
  return buildRequest(source, resolved, { method: "GET", path }, { applyRules: false });
}

export function listSentHeaders(built: BuiltRequest): Record<string, string> {
  const all = Object.entries(applyDefaultHeaders(built.wire.headers));
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== false));
}

/** @throws ApiSourceError when nothing came back. */
export async function sendProbe(
  source: ApiSource,
  sender: Sender,
  { prepared, built }: Probe,
  deadline: Deadline,
  credential: CredentialFacts,
): Promise<ProbeAnswer> {
  const reply = await sender.send(built, prepared, {
    deadline,
    useCooldown: false,
  });
  return { reply, ...(await judgeReply(source, built, reply, prepared.redactor, credential)) };
}
