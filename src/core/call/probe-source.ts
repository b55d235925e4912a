/** The connection test's share of a call: one request to the test endpoint, and everything that its response shows. */

import type { CallContext } from "../base/runtime.js";
import type { Deadline } from "../http/deadline.js";
import type { ApiSource } from "../record/api-source.js";
import type { BuiltRequest } from "../request/wire-request.js";
import { Secret } from "../secrets/secret.js";
import { buildTestRequest } from "./build-request.js";
import { type FindSubject, type Judgement, judgeReply } from "./judge-reply.js";
import { type CredentialServices, prepareCall } from "./prepare-call.js";
import type { PreparedCall, Reply, Sender } from "./running-call.js";

export interface Probe {
  readonly prepared: PreparedCall;
  readonly built: BuiltRequest;
}

/** A reply, and why it is a failure; a success has neither `error` nor `cause`. */
export interface ProbeAnswer extends Partial<Judgement> {
  readonly reply: Reply;
}

export interface ProbeOptions {
  readonly context: CallContext;
  /** Whether to leave out the credential and every header and query parameter that holds a secret. @default false */
  readonly anonymous?: boolean;
  /** Texts to redact besides the secrets themselves. */
  readonly alsoSecret?: (prepared: PreparedCall) => readonly string[];
}

/** @throws ApiSourceError as `prepareCall` and `buildRequest` do. */
export async function prepareProbe(
  source: ApiSource,
  services: CredentialServices,
  { context, anonymous = false, alsoSecret = () => [] }: ProbeOptions,
): Promise<Probe> {
  const asked = await prepareCall(source, services, context, { anonymous, withTestEndpoint: true });
  asked.redactor.learn(alsoSecret(asked).map((text) => new Secret(text)));
  // The limits that an API reports to an anonymous caller are not those of the credential.
  const prepared = { ...asked, credential: anonymous ? undefined : asked.credential };
  return { prepared, built: buildTestRequest(source, prepared.resolved) };
}

/** @throws ApiSourceError when nothing came back. */
export async function sendProbe(
  source: ApiSource,
  sender: Sender,
  { prepared, built }: Probe,
  deadline: Deadline,
  subject: ReturnType<FindSubject>,
): Promise<ProbeAnswer> {
  const reply = await sender.send(built, prepared, { deadline, useCooldown: false });
  return { reply, ...(await judgeReply(source, built, reply, () => subject)) };
}
