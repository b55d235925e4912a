/** Step 2 of a call: the resolved source, the credential's interceptor, the redactor; where the credential came from; and a person who has to authorize it. */

import { ApiSourceError } from "../base/errors.js";
import type { CallContext } from "../base/runtime.js";
import { createAuthInterceptor } from "../credentials/create-auth-interceptor.js";
import { listSecrets, type UsableCredential } from "../credentials/credential.js";
import { isIssued, listCredentialVariables } from "../credentials/credential-variables.js";
import { type CredentialFacts, describeMaker } from "../failure/facts.js";
import type { ApiSource } from "../record/api-source.js";
import { resolveSource } from "../record/resolve-source.js";
import { createLearningRedactor } from "../secrets/redactor.js";
import type { Secret } from "../secrets/secret.js";
import {
  anonymousCaller,
  type CallableSource,
  type CallServices,
  type PreparedCall,
  type RunningCall,
} from "./running-call.js";
import { CallInterruption } from "./slots.js";

/** The services that find the credential of a call. */
export type CredentialServices = Pick<
  CallServices,
  "credentials" | "secrets" | "known" | "traffic"
>;

/**
 * Asks for the credential and the secrets, anew on each call.
 *
 * @param options - `anonymous`: whether to leave out the credential and every header and query parameter that holds a secret.
 * `withTestEndpoint`: whether the test endpoint is resolved too; a call does not fail for a placeholder that occurs only there.
 * @throws ApiSourceError `not_configured` when one is missing or can't be sent, or a placeholder has no value.
 */
export async function prepareCall(
  source: ApiSource,
  services: CredentialServices,
  context: CallContext,
  {
    anonymous = false,
    withTestEndpoint = false,
  }: { anonymous?: boolean; withTestEndpoint?: boolean } = {},
): Promise<PreparedCall> {
  const credential = await services.credentials.resolveCredential(source, context);
  const known = withTestEndpoint ? undefined : services.known.resolved.get(source);
  const resolved =
    known ??
    (await resolveSource(source, {
      resolveSecret: (name) => services.credentials.resolveSecret(name, source, context),
      omitSecrets: anonymous,
      omitTestEndpoint: !withTestEndpoint,
      ...(credential?.kind === "basic" ? { username: credential.username } : {}),
    }));
  if (known === undefined && !withTestEndpoint && isConstant(source))
    services.known.resolved.set(source, resolved);
  const prepared = applyCredential(source, services, { resolved, context, credential });
  // The limits that an API reports to an anonymous caller are not those of the credential.
  return anonymous ? { ...prepared, authenticate: undefined, caller: anonymousCaller } : prepared;
}

/**
 * Prepares the call of a thread. A login is answered by the source, and its failure quotes the answer: so the thread of a confidential
 * source is marked before the login call, which this may send.
 *
 * @throws ApiSourceError as `prepareCall` does, and `not_marked`.
 */
export function prepareMarkedCall(
  { source, services }: Pick<RunningCall, "source" | "services">,
  context: CallContext,
): Promise<PreparedCall> {
  if (source.api.confidential !== true || !isIssued(source))
    return prepareCall(source, services, context);
  return services.slots.beforeSend.confidential
    .mark(source, context)
    .then(() => prepareCall(source, services, context));
}

/** Whether a source has no placeholder: its resolution is the same for each call. */
function isConstant({ api: { baseUrl, headers = {}, query = {}, network } }: ApiSource): boolean {
  const { proxy, ca, cert, key } = network;
  const texts = [baseUrl, ...Object.values(headers), ...Object.values(query)];
  return (
    !texts.join().includes("{") && [proxy, ca, cert, key].every((value) => value === undefined)
  );
}

function applyCredential(
  source: ApiSource,
  services: CredentialServices,
  { resolved, context, credential }: Pick<PreparedCall, "resolved" | "context" | "credential">,
): PreparedCall {
  const own = listSecrets(source, credential);
  // The environment may have been filled after the toolkit was made: what is static is remembered for all sources.
  const { isStatic } = services.credentials;
  const lasts = isStatic.credentials && !isIssued(source);
  services.secrets.add([...(lasts ? own : []), ...(isStatic.secrets ? resolved.secrets : [])]);
  const { slug } = source;
  // A value that a function gave may be another by the next call, and a signature always is: an API may repeat earlier ones.
  const given = [
    ...(isStatic.credentials ? [] : own),
    ...(isStatic.secrets ? [] : resolved.secrets),
  ];
  services.secrets.addRecent(slug, given);
  const known = services.secrets.redactor().with([...resolved.secrets, ...own]);
  // Signatures, and sessions that the API gives anew, are known only when the request is sent.
  const redactor = createLearningRedactor(known);
  const { origin } = new URL(resolved.baseUrl);
  const learn = (secrets: readonly Secret[]): void => {
    redactor.learn(secrets);
    services.secrets.addRecent(slug, secrets);
  };
  const authenticate = createAuthInterceptor(source, origin, credential, learn);
  const caller = services.traffic.nameCaller(
    source,
    listOwners(services, { resolved, context, credential }),
  );
  return { resolved, credential, caller, authenticate, redactor, learn, context };
}

/** Lists the signs of a caller: a value that stays, and of one that a function may give anew at each call, its owner. */
function listOwners(
  { credentials }: CredentialServices,
  { resolved, context, credential }: Pick<PreparedCall, "resolved" | "context" | "credential">,
): string[] {
  const { token, username, password } = { token: "", username: "", password: "", ...credential };
  const owner = credential?.owner;
  const own = [owner ?? token, username, owner === undefined ? password : ""];
  const values = resolved.secrets.map((secret) => secret.reveal());
  const isGiven = values.length > 0 && !credentials.isStatic.secrets;
  const giver = isGiven ? credentials.nameOwner(context) : undefined;
  return [...own, ...(giver === undefined ? values : [giver])];
}

/**
 * Does what needs a credential. Where a person has to authorize the source first, in a LangGraph run that can stop, it stops with
 * `{ type: "auth_required", auth_required: true, auth_url, … }`; when it goes on, whatever the answer was, the work is tried once more.
 *
 * @throws CallInterruption to leave the run. @throws ApiSourceError `auth_required` outside of one, and when no one has agreed.
 */
export async function applyAuthorization<Result>(
  { context, deadline }: Pick<RunningCall, "context" | "deadline">,
  work: (isAgain: boolean) => Promise<Result>,
): Promise<Result> {
  try {
    return await deadline.race(work(false));
  } catch (error) {
    const question = writeQuestion(error);
    if (context.run === undefined || question === undefined) throw error;
    // A question of ours names itself; an answer to it need not say anything.
    const isConsent = (value: unknown): boolean => Object(value).type === "auth_required";
    await context.run.ask(question, isConsent).catch((reason: unknown) => {
      throw new CallInterruption(reason);
    });
    return deadline.race(work(true));
  }
}

/**
 * Prepares a call of which nothing was sent yet.
 *
 * @throws as `applyAuthorization` does; ApiSourceError `timeout`, with its reason, where no token came in time.
 */
export async function prepareInTime(
  callable: CallableSource,
  context: CallContext,
  deadline: RunningCall["deadline"],
): Promise<PreparedCall> {
  const prepare = (): Promise<PreparedCall> => prepareMarkedCall(callable, context);
  try {
    return await applyAuthorization({ context, deadline }, prepare);
  } catch (error) {
    const isLate = deadline.stoppedBy() === "deadline" && error === deadline.signal.reason;
    if (!isLate || !isIssued(callable.source)) throw error;
    throw new ApiSourceError({
      message: `No token for ${callable.source.name} came within ${deadline.timeoutMs} ms from its token or login server. Nothing was sent to the API.`,
      category: "timeout",
      retryable: true,
      hint: "Try again later; if it fails again, the application's operator has to check that server.",
    });
  }
}

export interface NewCredentialOptions {
  /** Whether only a token that another call has renewed counts, and none is renewed. @default false */
  readonly isCurrent?: boolean;
  /** Whether a person may be asked, for which the run stops. */
  readonly mayAsk: boolean;
}

/** The call with another token, which is redacted from the moment it is known. Undefined where there is no other one. */
export async function applyNewCredential(
  call: RunningCall,
  { isCurrent = false, mayAsk }: NewCredentialOptions,
): Promise<RunningCall | undefined> {
  const { source, services, context, prepared } = call;
  const { credential: used } = prepared;
  if (used?.kind !== "token" || used.renew === undefined) return undefined;
  const { token, renew } = used;
  const findOther = isCurrent
    ? () => services.credentials.resolveCredential(source, context)
    : renew;
  const asking = mayAsk ? call : { ...call, context: { ...context, run: undefined } };
  const renewed = await applyAuthorization(asking, async (isAgain) => {
    if (isAgain) return prepareCall(source, services, context);
    const credential = await findOther();
    const isSame = credential?.kind === "token" && credential.token === token;
    return credential && !isSame
      ? applyCredential(source, services, { ...prepared, credential })
      : undefined;
  });
  return renewed && changePrepared(call, renewed);
}

/** The same call with another credential; what it has found out is kept. */
export function changePrepared(call: RunningCall, prepared: PreparedCall): RunningCall {
  call.log.facts.push({ kind: "prepared", prepared });
  return { ...call, prepared };
}

/** Asks for the credential anew where the one of a call is over: its pages, polls and a person's answer may take longer than it lasts. */
export async function replaceEndedCredential(
  call: RunningCall,
  expiresAtMs: number,
): Promise<RunningCall> {
  if (expiresAtMs > call.services.host.clock.now()) return call;
  return (await applyNewCredential(call, { isCurrent: true, mayAsk: true })) ?? call;
}

/** Undefined for every error that no person can help with by a link. */
function writeQuestion(error: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!(error instanceof ApiSourceError) || error.code !== "auth_required") return undefined;
  const details: Readonly<Record<string, unknown>> = { ...Object(error.details) };
  if (typeof details["auth_url"] !== "string") return undefined;
  return { type: "auth_required", auth_required: true, ...details, message: error.message };
}

export interface CredentialOrigin extends CredentialFacts {
  /** The variables that hold it: one for a token or a `username:password` pair, two for a username and a password; none without authType. */
  readonly used: readonly string[];
}

/**
 * Compares the credential with what the variables of the source hold. Of two variables that may hold a token the one that
 * does is named; when none does, the first.
 */
export function traceCredential(
  source: ApiSource,
  { credentials }: Pick<CallServices, "credentials">,
  credential: UsableCredential | undefined,
): CredentialOrigin {
  const { authType, login } = source.api;
  const variables = authType === undefined ? [] : listCredentialVariables(source);
  if (credential?.kind === "signer")
    return { variables, used: [], madeBy: "sign", foundIn: describeMaker(source, "sign") };
  // The environment belongs to the credentials room; it gives a value only together with the credential, which is not a text.
  const values = variables.map((name) => credentials.listStaticSecrets(source, [name]).at(-1));
  const token = credential?.kind === "token" ? credential : undefined;
  const isHolding = (value: unknown): boolean =>
    token === undefined ? typeof value === "string" : value === token.token;
  const at = values.findIndex(isHolding);
  const isPair = authType === "basic";
  const pair =
    credential?.kind === "basic" ? `${credential.username}:${credential.password}` : undefined;
  const used = isPair ? variables : variables.slice(Math.max(0, at), Math.max(0, at) + 1);
  const isFromEnvironment = isPair ? values.join(":") === pair : at >= 0;
  const given = isFromEnvironment
    ? used.join(" and ")
    : `the \`credentials\` option for "${source.slug}"`;
  const maker = login === undefined ? "oauth2" : "login";
  const madeBy = token?.isIssued === true ? maker : undefined;
  const foundIn = madeBy === undefined ? given : describeMaker(source, madeBy);
  return { variables, used, madeBy, foundIn: credential && foundIn };
}
