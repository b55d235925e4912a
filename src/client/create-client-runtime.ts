/** What the clients of one toolkit share: where secrets come from, what is redacted, what is kept, how time passes. */

import { createHmac, randomBytes, scryptSync } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ApprovalCheck, Approve, CallToApprove, LastingApprovals } from "../approval/approval.js";
import { createApprovalCheck } from "../approval/create-approval-check.js";
import { nameQuestion } from "../approval/describe-request.js";
import { createTurns } from "../call/create-turns.js";
import { createMarks, type Marks } from "../confidential/marks.js";
import {
  type CredentialResolver,
  createCredentialResolver,
} from "../credentials/create-credential-resolver.js";
import { listSecrets, type UsableCredential } from "../credentials/credential.js";
import { describeErrorClass } from "../errors.js";
import { createDecisionStore } from "../kept/decision-store.js";
import { createKeptResponses, type KeptResponses } from "../kept/kept-responses.js";
import { createLastingApprovals } from "../kept/lasting-approvals.js";
import { createKnowledgeBase, hasDocuments, type KnowledgeBase } from "../knowledge/knowledge-base.js";
import { createPageMemory, type PageMemory } from "../knowledge/page-memory.js";
import { type Cooldowns, createCooldowns } from "../limits/create-cooldowns.js";
import type { TokenIssuer } from "../oauth/token-issuer.js";
import { type Logger, readSeams, type Seams, silentLogger } from "../runtime.js";
import { createSecretRegistry, type SecretRegistry } from "../secrets/redactor.js";
import type { Secret } from "../secrets/secret.js";
import type { ApiSource } from "../source/api-source.js";
import { listSecretNames } from "../source/read-values.js";
import { clipText } from "../text.js";
import { isReplay } from "../transport/observed-attempt.js";
import { estimateTokens } from "../view/count-tokens.js";
import type { ClientOptions } from "./client-options.js";
import { openTokens } from "./open-tokens.js";
import { findToolName } from "./tool-names.js";

type Own = "logger" | "countTokens" | "readApiResponse";
type AsGiven = "interrupts" | "summarizer" | "maxTokens" | "redis" | "onCall" | "transport" | "readFile";

type WithDefaults = { readonly [Name in Own]-?: NonNullable<ClientOptions[Name]> };
type Injected = Omit<Seams, "readEnvironment">;

export interface ClientRuntime extends WithDefaults, Injected, Pick<ClientOptions, AsGiven> {
  readonly credentials: CredentialResolver;
  readonly secrets: SecretRegistry;
  /** Gets and keeps the tokens of sources with `oauth2` or `login`. */
  openTokens(): Promise<TokenIssuer>;
  readonly keptResponses: KeptResponses;
  /** What `approve` asks for; absent when no one is asked. */
  readonly checkApproval: ApprovalCheck | undefined;
  /** Decisions with `always`. */
  readonly lastingApprovals: LastingApprovals;
  /** Which threads may have content of confidential sources. */
  readonly marks: Marks;
  /** Whether a person was asked about this very call before its run went on. */
  wasAsked(call: CallToApprove): Promise<boolean>;
  /** An approval check of another rule that asks the same people. */
  openApprovalCheck(approve: Approve): ApprovalCheck;
  readonly cooldowns: Cooldowns;
  /** What is known of the sources' APIs. */
  readonly knowledge: KnowledgeBase;
  /** What pages have shown. */
  readonly pageMemory: PageMemory;
  /** Whether the model has `describe_api`, so that an answer may name it. */
  readonly hasDescribeTool: boolean;
  /** Waits for a turn of the event loop in which few calls go on. */
  readonly takeTurn: () => Promise<void>;
  /** An error of the application's own code in words for the log: class, message and cause, redacted and truncated. */
  describeError(error: unknown): string;
  /**
   * An opaque name of the caller, the same in every process, to keep one user's quota apart from another's: the credential, and
   * the secrets in headers and query that some APIs take instead of one.
   */
  fingerprint(
    source: ApiSource,
    credential: UsableCredential | undefined,
    secrets: readonly Secret[],
  ): string;
}

/** The scope of tools that were made without a toolkit: a reader made alone reads what they keep. */
const standaloneScope = "standalone";

/**
 * Makes what the clients of these sources share, and registers every secret that is known without a call.
 *
 * @param defaultScope - Whom kept responses belong to when a call has no thread.
 */
export function createClientRuntime(
  sources: readonly ApiSource[],
  options: ClientOptions = {},
  defaultScope: string = standaloneScope,
): ClientRuntime {
  const { approve, approver, toolNames, transport } = options;
  // A replay does not wait between requests: what it answers was recorded with the waits.
  const { readEnvironment, ...seams } = readSeams(options, isReplay(transport) ? { sleep: skipSleep } : {});
  const logger = guardLogger(options.logger ?? silentLogger);
  const secrets = createSecretRegistry({ logger });
  const redact = (text: string): string => secrets.redactor().redact(text);
  const describeError = (error: unknown): string => clipText(maskTokens(redact(nameError(error))), 500);
  const credentials = createCredentialResolver({
    ...options,
    readEnvironment,
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
  const own = { ...seams, logger, secrets, fingerprint: createFingerprint() };
  const nameTool = (source: ApiSource): string => findToolName(source, toolNames);
  let issuer: Promise<TokenIssuer> | undefined;
  const tokens = (): Promise<TokenIssuer> => {
    issuer ??= openTokens(options, { ...own, transport, resolveSecret: credentials.resolveSecret });
    return issuer;
  };
  const warnOf = (what: string) => (error: unknown) =>
    logger.warn(`${what} could not be read or written.`, { error: describeError(error) });
  const marks = createMarks({ ...options, logger, onFailure: warnOf("Marks of confidential sources") });
  const slugs = sources.map(({ slug }) => slug);
  const keptResponses = createKeptResponses({
    ...{ ...options, ...seams, defaultScope, logger, describeError },
    // What is not the answer of a source, such as the result of code, may have content of any.
    listMarks: (source, context) =>
      marks.isOn ? marks.list(context, slugs.includes(source) ? source : undefined) : [],
    addMarks: marks.add,
  });
  const decisions = createDecisionStore({ ...options, ...seams, logger });
  const onFailure = warnOf("Decisions with always");
  const lasting = createLastingApprovals({ ...options, ...seams, keptResponses, onFailure });
  const knowledge = createKnowledgeBase(logger);
  const { findTemplate } = knowledge;
  const openApprovalCheck = (rule: Approve): ApprovalCheck =>
    createApprovalCheck({ approve: rule, approver, decisions, lasting, nameTool, findTemplate });
  return {
    ...options,
    ...own,
    credentials,
    openTokens: tokens,
    keptResponses,
    checkApproval: approve === undefined ? undefined : openApprovalCheck(approve),
    marks,
    lastingApprovals: lasting,
    // A store that fails knows of no question.
    wasAsked: async (call) =>
      call.context.run !== undefined &&
      decisions.wasOpened(nameQuestion(call), call.context).catch(() => false),
    openApprovalCheck,
    cooldowns: createCooldowns(seams),
    countTokens: options.countTokens ?? estimateTokens,
    readApiResponse: options.readApiResponse ?? true,
    knowledge,
    pageMemory: createPageMemory(),
    takeTurn: createTurns(),
    hasDescribeTool: defaultScope !== standaloneScope && sources.some(hasDocuments),
    describeError,
  };
}

/** Waits one turn of the event loop, so that a loop of waits cannot block the process. */
async function skipSleep(_delayMs: number, signal?: AbortSignal): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** With its causes, which often say more than the error itself. */
function nameError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return typeof error;
  const cause = error.cause === undefined || depth > 3 ? "" : `; cause: ${nameError(error.cause, depth + 1)}`;
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

const readableWord = /^["'(]*(?:[A-Za-z_-][A-Za-z_.'-]*|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?["):,;!?]*\.?$/;

/** How many credentials' names are remembered: hashing one costs more than a request's URL. */
const maxFingerprints = 1_000;

/**
 * The name is stored in Redis, so it is stretched (scrypt, 2 ms, 1 MB) with the source as its salt, and truncated: a password can't be looked up
 * in a list of hashes, nor guessed as fast as from a plain one.
 */
function createFingerprint(): ClientRuntime["fingerprint"] {
  const known = new Map<string, string>();
  const key = randomBytes(32);
  return ({ slug }, credential, secrets) => {
    if (credential === undefined && secrets.length === 0) return "anonymous";
    // A token that expires does not identify the caller, who stays the same.
    const identity = credential?.kind === "token" ? (credential.identity ?? credential.token) : "";
    const { username, password } = { username: "", password: "", ...credential };
    const parts = [slug, identity, username, password, ...secrets.map((secret) => secret.reveal())];
    const text = JSON.stringify(parts);
    // A hash with a key of this process: what its memory shows must not be a credential.
    const hashed = createHmac("sha256", key).update(text).digest("base64");
    const found = known.get(hashed);
    if (found !== undefined) return found;
    const name = scryptSync(text, `langchain-api-sources:${slug}`, 15, { N: 1024 }).toString("base64url");
    if (known.size >= maxFingerprints) known.clear();
    known.set(hashed, name);
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
