/** What the clients of one toolkit share: where secrets come from, what is redacted, what is kept, how time passes. */

import { scryptSync } from "node:crypto";
import { describeErrorClass, notConfigured } from "../../core/base/errors.js";
import {
  type CallContext,
  createTurns,
  type Host,
  type Logger,
  type RuntimeStore,
  type Seams,
  silentLogger,
  systemClock,
  systemRandom,
  systemSleep,
} from "../../core/base/runtime.js";
import { clipText } from "../../core/base/text.js";
import type { CallServices, Traffic } from "../../core/call/running-call.js";
import type { ApprovalCheck, Approve, CallToApprove } from "../../core/call/slots.js";
import { createCredentialResolver } from "../../core/credentials/create-credential-resolver.js";
import { listSecrets } from "../../core/credentials/credential.js";
import { Cooldowns } from "../../core/http/limits/cooldowns.js";
import { isReplay } from "../../core/http/own-transport.js";
import { createLearnedNames } from "../../core/paging/rows-read.js";
import { type ApiSource, hasDocuments } from "../../core/record/api-source.js";
import { listSecretNames } from "../../core/record/used-names.js";
import { createSecretRegistry, type SecretRegistry } from "../../core/secrets/redactor.js";
import { Secret } from "../../core/secrets/secret.js";
import { createKeptResponses, readScope } from "../../core/store/kept-responses.js";
import { resolveRuntimeStore } from "../../core/store/response-store.js";
import { estimateTokens } from "../../core/view/count-tokens.js";
import {
  createDecisionStore,
  createLastingApprovals,
  type LastingApprovals,
} from "../../features/approval/approval-store.js";
import { createApprovalCheck } from "../../features/approval/create-approval-check.js";
import { nameQuestion } from "../../features/approval/describe-request.js";
import { createMarks } from "../../features/confidential/marks.js";
import type { TestServices } from "../../features/connection/test-source.js";
import type { OAuthRuntime } from "../../features/oauth/resolve-grant.js";
import type { TokenIssuer } from "../../features/oauth/token-issuer.js";
import type { TokenStore } from "../../features/oauth/token-store.js";
import { createKnowledgeBase, type KnowledgeBase } from "../../features/openapi/knowledge-base.js";
import type { ClientOptions } from "./client-options.js";
import { findToolName } from "./client-options.js";

/** What the tools of one toolkit share: the services of a call, and what only this floor and those above use. */
export interface ToolkitServices extends CallServices, TestServices {
  /** Gets and keeps the tokens of sources with `oauth2` or `login`. */
  openTokens(): Promise<TokenIssuer>;
  /** Decisions with `always`. */
  readonly lastingApprovals: LastingApprovals;
  /** What is known of the sources' APIs. */
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
  options: ClientOptions = {},
  defaultScope: string = standaloneScope,
  given: Seams = {},
): ToolkitServices {
  const { approve, approver, toolNames, transport } = options;
  const seams = {
    clock: given.clock ?? systemClock,
    // A replay does not wait between requests, and yet lets other work go on: what it answers was recorded with the waits.
    sleep:
      given.sleep ?? (isReplay(transport) ? (_ms, signal) => systemSleep(0, signal) : systemSleep),
    random: given.random ?? systemRandom,
  };
  const logger = guardLogger(options.logger ?? silentLogger);
  const secrets = createSecretRegistry();
  const redact = (text: string): string => secrets.redactor().redact(text);
  const describeError = (error: unknown): string =>
    clipText(maskTokens(redact(nameError(error))), 500);
  const credentials = createCredentialResolver({
    ...options,
    readEnvironment: given.readEnvironment,
    issue: async (source, context) => (await tokens()).issue(source, context),
    onFailure: (thrown, { slug: source }, option) => {
      const error = describeError(thrown);
      logger.warn(`The application's ${option} option failed.`, { source, error });
    },
  });
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
  const host: Host = { ...seams, takeTurn: createTurns(), logger, describeError };
  const fingerprint = createFingerprint();
  const nameTool = (source: ApiSource): string => findToolName(source, toolNames);
  let issuer: Promise<TokenIssuer> | undefined;
  const tokens = (): Promise<TokenIssuer> => {
    const { resolveSecret } = credentials;
    issuer ??= openTokens(options, { ...host, secrets, fingerprint, transport, resolveSecret });
    return issuer;
  };
  const warnOf = (what: string) => (error: unknown) =>
    logger.warn(`${what} could not be read or written.`, { error: describeError(error) });
  const marks = createMarks({
    ...options,
    logger,
    onFailure: warnOf("Marks of confidential sources"),
  });
  const slugs = sources.map(({ slug }) => slug);
  const kept = createKeptResponses({
    ...{ ...options, ...seams, defaultScope, logger, describeError },
    // What is not the answer of a source, such as the result of code, may have content of any.
    listMarks: (source, context) =>
      marks.isOn ? marks.list(context, slugs.includes(source) ? source : undefined) : [],
    addMarks: marks.add,
  });
  const decisions = createDecisionStore({ ...options, ...seams, logger });
  const onFailure = warnOf("Decisions with always");
  const lasting = createLastingApprovals({ ...options, ...seams, kept, onFailure });
  const knowledge = createKnowledgeBase(logger);
  const { findTemplate } = knowledge;
  const openApproval = (rule: Approve): ApprovalCheck =>
    createApprovalCheck({ approve: rule, approver, decisions, lasting, nameTool, findTemplate });
  const comparedWith = {
    knowledge,
    hasDescribeTool: defaultScope !== standaloneScope && sources.some(hasDocuments),
    // A store that fails knows of no question.
    wasAsked: async (call: CallToApprove) =>
      call.context.run !== undefined &&
      decisions.wasOpened(nameQuestion(call), call.context).catch(() => false),
  };
  const loadComparison = () => import("../../features/openapi/compare-call.js");
  return {
    host,
    answers: {
      countTokens: options.countTokens ?? estimateTokens,
      maxTokens: options.maxTokens,
      summarizer: options.summarizer,
      readApiResponse: options.readApiResponse ?? true,
    },
    secrets,
    kept,
    credentials,
    readFile: options.readFile,
    names: createLearnedNames(host.clock),
    slots: {
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
      afterAnswer: options.onCall,
    },
    traffic: { transport, redis: options.redis, cooldowns: new Cooldowns(host.clock), fingerprint },
    describeGrant: async (source, context) => (await tokens()).describe(source, context),
    openTokens: tokens,
    lastingApprovals: lasting,
    knowledge,
    interrupts: options.interrupts,
  };
}

/** Makes the one issuer of a runtime: its room is loaded when the first call needs a token. */
async function openTokens(
  { tokenStore, responseScope }: Pick<ClientOptions, "tokenStore" | "responseScope">,
  runtime: Pick<
    OAuthRuntime,
    "clock" | "sleep" | "random" | "logger" | "transport" | "resolveSecret"
  > &
    Pick<Traffic, "fingerprint"> & { readonly secrets: SecretRegistry },
): Promise<TokenIssuer> {
  const { secrets } = runtime;
  const { TokenIssuer } = await import("../../features/oauth/token-issuer.js");
  const { createMemoryTokenStore, createRuntimeTokenStore } = await import(
    "../../features/oauth/token-store.js"
  );
  const memory = createMemoryTokenStore();
  // One of ours for each of theirs: a renewal that is under way is found by its store.
  const adapted = new WeakMap<RuntimeStore, TokenStore>();
  const adapt = (given: RuntimeStore): TokenStore => {
    const store = resolveRuntimeStore(given);
    const known = adapted.get(store) ?? createRuntimeTokenStore(store, runtime);
    adapted.set(store, known);
    return known;
  };
  return new TokenIssuer({
    ...runtime,
    redactor: () => secrets.redactor(),
    hide: (texts) =>
      secrets.addPassing(texts.filter(Boolean).map((text) => new Secret(String(text)))),
    fingerprint: (source, text) => runtime.fingerprint(source, undefined, [new Secret(text)]),
    storeOf: ({ store }) => {
      const given = (tokenStore === "runtime" ? store : tokenStore) ?? memory;
      return "lease" in given ? given : adapt(given);
    },
    userOf: (context) => findUser(context, responseScope),
  });
}

/** By the application's own scope, else by the user that LangGraph authenticated; `""` where there is neither. */
function findUser(context: CallContext, responseScope: ClientOptions["responseScope"]): string {
  if (responseScope === undefined) {
    // LangGraph Platform puts the authenticated user into `configurable`.
    const { langgraph_auth_user: user, langgraph_auth_user_id: id } = { ...context.configurable };
    const identity = (user as { identity?: unknown } | undefined)?.identity;
    const found = [identity, user, id].find((each) => typeof each === "string" && each !== "");
    return found === undefined ? "" : String(found);
  }
  const names = readScope(responseScope(context));
  if (names !== undefined) return JSON.stringify(names);
  throw notConfigured(
    "unknown_user",
    "The application's responseScope returned no user, so it is not known whose token this call may use.",
    "The agent can't change this. In the application, responseScope has to return a string for each user.",
  );
}

/** With its causes, which often say more than the error itself. */
function nameError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return typeof error;
  const cause =
    error.cause === undefined || depth > 3 ? "" : `; cause: ${nameError(error.cause, depth + 1)}`;
  return `${error.name}: ${error.message}${cause}`;
}

/**
 * Hides words that could be secrets that no one has named yet (a token that the failing function was about to give): six characters
 * or more with a digit or a sign among them. What is left is prose, names of classes and hosts, codes such as ECONNREFUSED, and
 * addresses with their port.
 */
function maskTokens(text: string): string {
  return text.replace(/\S{6,}/g, (word) => (readableWord.test(word) ? word : "[hidden]"));
}

const readableWord =
  /^["'(]*(?:[A-Za-z_-][A-Za-z_.'-]*|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?["):,;!?]*\.?$/;

/** How many credentials' names are remembered: making one takes 2 ms. */
const maxFingerprints = 1_000;

/**
 * The name is stored in Redis, so it is stretched (scrypt, 2 ms, 1 MB) with the source as its salt, and truncated: a password can't be looked up
 * in a list of hashes, nor guessed as fast as from a plain one.
 */
function createFingerprint(): Traffic["fingerprint"] {
  const known = new Map<string, string>();
  return ({ slug }, credential, secrets) => {
    if (credential === undefined && secrets.length === 0) return "anonymous";
    // A token that expires does not identify the caller, who stays the same.
    const identity = credential?.kind === "token" ? (credential.identity ?? credential.token) : "";
    const { username, password } = { username: "", password: "", ...credential };
    const parts = [slug, identity, username, password, ...secrets.map((secret) => secret.reveal())];
    const text = JSON.stringify(parts);
    const found = known.get(text);
    if (found !== undefined) return found;
    const name = scryptSync(text, `langchain-api-sources:${slug}`, 15, { N: 1024 }).toString(
      "base64url",
    );
    if (known.size >= maxFingerprints) known.clear();
    known.set(text, name);
    return name;
  };
}

/** Passes everything on and swallows what the application's logger throws: a call that succeeded must not fail for a log line. */
function guardLogger(logger: Logger): Logger {
  const guard =
    (level: keyof Logger): Logger["info"] =>
    (message, data) => {
      try {
        logger[level](message, data);
      } catch {
        // There is nowhere left to say it.
      }
    };
  return { debug: guard("debug"), info: guard("info"), warn: guard("warn"), error: guard("error") };
}
