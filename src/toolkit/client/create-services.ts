/** The services that the clients of one toolkit share: where secrets come from, what is redacted, what is kept, how time passes. */

import { createApplication } from "../../core/base/application.js";
import { describeErrorClass } from "../../core/base/errors.js";
import { createLifetime } from "../../core/base/lifetime.js";
import {
  createTurns,
  type Host,
  type Seams,
  silentLogger,
  systemClock,
  systemRandom,
  systemSleep,
  systemStopwatch,
} from "../../core/base/runtime.js";
import { createBodyRenewals } from "../../core/call/body-renewals.js";
import { FailingCalls } from "../../core/call/failing-calls.js";
import { identifyCall } from "../../core/call/identify-call.js";
import type { CallServices } from "../../core/call/running-call.js";
import type {
  ApprovalCheck,
  Approve,
  CallSlots,
  CallToApprove,
  ConfidentialRule,
} from "../../core/call/slots.js";
import {
  type CredentialResolver,
  type CredentialResolverOptions,
  createCredentialResolver,
} from "../../core/credentials/create-credential-resolver.js";
import { listSecrets } from "../../core/credentials/credential.js";
import { isReplay } from "../../core/http/own-transport.js";
import { type ApiSource, hasDocuments } from "../../core/record/api-source.js";
import { listSecretNames } from "../../core/record/used-names.js";
import { createSecretRegistry, type SecretRegistry } from "../../core/secrets/secret-registry.js";
import { createKeptResponses } from "../../core/store/kept-responses.js";
import { createDecisionStore } from "../../features/approval/approval-store.js";
import { createApprovalCheck } from "../../features/approval/create-approval-check.js";
import { nameQuestion } from "../../features/approval/describe-request.js";
import {
  createLastingApprovals,
  type LastingApprovals,
} from "../../features/approval/lasting-approvals.js";
import { createMarks, type Marks } from "../../features/confidential/marks.js";
import type { TestServices } from "../../features/connection/test-source.js";
import type { TokenIssuer } from "../../features/oauth/token-issuer.js";
import { createKnowledgeBase, type KnowledgeBase } from "../../features/openapi/knowledge-base.js";
import { type ClientOptions, findToolName } from "./client-options.js";
import { createFingerprint } from "./create-fingerprint.js";
import { createTraffic } from "./create-traffic.js";
import { describeThrown } from "./describe-thrown.js";
import { findActiveTrace } from "./find-active-trace.js";
import { guardLogger } from "./guard-logger.js";
import { createAnswerSettings, guardScope } from "./guard-options.js";
import { createOwnerNamer } from "./name-owner.js";
import { createTokenOpener } from "./open-tokens.js";
import { processState } from "./process-state.js";

/** The services that the tools of one toolkit share: those of a call, and others that only this floor and those above use. */
export interface ToolkitServices extends CallServices, TestServices {
  /** Gets and keeps the tokens of sources with `oauth2` or `login`. */
  openTokens(): Promise<TokenIssuer>;
  /** Decisions with `always`. */
  readonly lastingApprovals: LastingApprovals;
  /** The documents of the sources' APIs. */
  readonly knowledge: KnowledgeBase;
  /** Whether a call may interrupt a LangGraph run. */
  readonly interrupts: boolean | undefined;
}

/** The scope of tools that were made without a toolkit: a reader made alone reads what they keep. */
const standaloneScope = "standalone";

/**
 * Makes what the clients of these sources share, and registers every secret that is known without a call.
 *
 * @param defaultScope - Whom kept responses belong to when a call has no thread.
 */
export function createServices(
  sources: readonly ApiSource[],
  givenOptions: ClientOptions = {},
  defaultScope: string = standaloneScope,
  given: Seams = {},
): ToolkitServices {
  const { transport } = givenOptions;
  const secrets = createSecretRegistry();
  const host = createHost(givenOptions, given, secrets);
  const options = guardScope(givenOptions, host);
  const nameCaller = createFingerprint();
  const credentials = createCredentials(options, given, host, async (source, context) =>
    (await openTokens()).issue(source, context),
  );
  registerStaticSecrets(sources, credentials, secrets, host);
  const { resolveSecret } = credentials;
  const tokenRuntime = { ...host, secrets, nameCaller, transport, resolveSecret };
  const openTokens = createTokenOpener(options, tokenRuntime);
  const { kept, marks } = createStores(sources, options, defaultScope, host);
  const knowledge = createKnowledgeBase(host.logger);
  const hasDescribeTool = defaultScope !== standaloneScope && sources.some(hasDocuments);
  const people = createDecisions(options, host, kept, knowledge);
  return {
    host,
    answers: createAnswerSettings(options, host),
    secrets,
    kept,
    credentials,
    known: { checked: new WeakSet(), resolved: new WeakMap() },
    readFile: options.readFile,
    renewals: createBodyRenewals(),
    failing: new FailingCalls(),
    slots: {
      ...createSlots(options, { marks, knowledge, hasDescribeTool, ...people }),
      identify: createIdentifier(options, host, secrets),
    },
    traffic: createTraffic(options, host, nameCaller),
    describeGrant: async (source, context) => (await openTokens()).describe(source, context),
    openTokens,
    lastingApprovals: people.lasting,
    knowledge,
    interrupts: options.interrupts,
  };
}

/** The process as calls see it: time, chance, and the application's logger. */
function createHost(options: ClientOptions, given: Seams, secrets: SecretRegistry): Host {
  // A replay does not wait between requests, and yet lets other work go on: what it answers was recorded with the waits.
  const usualSleep: Host["sleep"] = isReplay(options.transport)
    ? (_ms, signal) => systemSleep(0, signal)
    : systemSleep;
  const redact = (text: string): string => secrets.redactor().redact(text);
  const describeError: Host["describeError"] = (error) => describeThrown(error, redact);
  const logger = options.logger && guardLogger(options.logger);
  return {
    clock: given.clock ?? systemClock,
    stopwatch: given.stopwatch ?? given.clock ?? systemStopwatch,
    sleep: given.sleep ?? usualSleep,
    random: given.random ?? systemRandom,
    takeTurn: createTurns(),
    logger: logger ?? silentLogger,
    lifetime: createLifetime(),
    visibility: {},
    describeError,
    application: createApplication({ logger, describeError, redact }),
  };
}

/** The function that names calls; undefined where no one observes them. */
function createIdentifier(
  { onCall, userOf, traces }: ClientOptions,
  { application }: Host,
  secrets: SecretRegistry,
): CallSlots["identify"] {
  if (onCall === undefined && traces !== true) return undefined;
  const redact = (text: string): string => secrets.redactor().redact(text);
  const observation = {
    application,
    redact,
    userOf: onCall && userOf,
    findActiveTrace: traces === true ? findActiveTrace : undefined,
  };
  return (context) => identifyCall(observation, context);
}

/** Where credentials and the values of `${NAME}` come from. */
function createCredentials(
  options: ClientOptions,
  { readEnvironment }: Seams,
  { clock, application }: Host,
  issue: CredentialResolverOptions["issue"],
): CredentialResolver {
  const nameOwner = createOwnerNamer(options, { application });
  const parts = { readEnvironment, clock, issue, application, nameOwner };
  return createCredentialResolver({ ...options, ...parts });
}

/** Has every secret redacted that is known without a call. */
function registerStaticSecrets(
  sources: readonly ApiSource[],
  credentials: CredentialResolver,
  secrets: SecretRegistry,
  { logger }: Host,
): void {
  for (const source of sources) {
    try {
      const values = credentials.listStaticSecrets(source, listSecretNames(source));
      secrets.add(values.flatMap((value) => listSecrets(source, value)));
    } catch (error) {
      // The application's own function failed; each call asks it again, and answers when it fails then.
      const data = { source: source.slug, error: describeErrorClass(error) };
      logger.warn("The environment could not be read.", data);
    }
  }
}

/** Reports that something could not be stored. */
function createStoreWarning(what: string, { application }: Host): (error: unknown) => void {
  return (error) => application.report({ what: `Reading or writing ${what}` }, error);
}

/** Kept responses, and the marks of confidential sources that belong to them. */
function createStores(
  sources: readonly ApiSource[],
  options: ClientOptions,
  defaultScope: string,
  host: Host,
): Pick<CallServices, "kept"> & { readonly marks: Marks } {
  const onFailure = createStoreWarning("marks of confidential sources", host);
  const marks = createMarks({
    ...options,
    sources,
    logger: host.logger,
    onFailure,
    confidential: processState.confidential,
  });
  const slugs = sources.map(({ slug }) => slug);
  const kept = createKeptResponses({
    ...options,
    ...host,
    defaultScope,
    // The result of code, which is no source's answer, may have content of any source.
    listMarks: async (source, context) => {
      if (!marks.isOn) return [];
      return marks.list(context, slugs.includes(source) ? source : undefined);
    },
    addMarks: marks.add,
  });
  return { kept, marks };
}

/** How a person decides, once and with `always`. */
interface Decisions {
  readonly openApproval: (rule: Approve) => ApprovalCheck;
  readonly lasting: LastingApprovals;
  /** Whether a person was asked about this very call before. */
  readonly wasAsked: (call: CallToApprove) => Promise<boolean>;
}

function createDecisions(
  options: ClientOptions,
  host: Host,
  kept: CallServices["kept"],
  { findTemplate }: KnowledgeBase,
): Decisions {
  const { approver, toolNames } = options;
  const decisions = createDecisionStore({
    ...options,
    ...host,
    claiming: processState.claiming,
  });
  const onFailure = createStoreWarning("decisions with always", host);
  const lasting = createLastingApprovals({ ...options, ...host, kept, onFailure });
  const nameTool = (source: ApiSource): string => findToolName(source, toolNames);
  return {
    lasting,
    openApproval: (approve) =>
      createApprovalCheck({
        approve,
        approver,
        decisions,
        lasting,
        application: host.application,
        nameTool,
        findTemplate,
      }),
    // A store that fails knows of no question.
    wasAsked: async (call) =>
      call.context.run !== undefined &&
      decisions.wasOpened(nameQuestion(call), call.context).catch(() => false),
  };
}

interface SlotParts extends Pick<Decisions, "openApproval" | "wasAsked"> {
  readonly marks: ConfidentialRule;
  readonly knowledge: KnowledgeBase;
  readonly hasDescribeTool: boolean;
}

/** The features in the slots of a call. */
function createSlots(
  { approve, onCall }: ClientOptions,
  { marks, knowledge, hasDescribeTool, openApproval, wasAsked }: SlotParts,
): CallSlots {
  const { answeredNames } = processState;
  const comparedWith = { knowledge, hasDescribeTool, wasAsked, answeredNames };
  const loadComparison = () => import("../../features/openapi/compare-call.js");
  return {
    beforeSend: {
      compareNames: async (call, body) =>
        (await loadComparison()).checkNames(call, body, comparedWith),
      confidential: marks,
      approve: approve === undefined ? undefined : openApproval(approve),
      openApproval,
    },
    document: knowledge,
    advise: async (call, error) =>
      (await loadComparison()).explainByDocument(call, error, comparedWith),
    afterAnswer: onCall,
  };
}
