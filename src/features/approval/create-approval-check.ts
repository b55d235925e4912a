/** The approval check: asks a person about a call, and lets pass what they approved, once. */

import { createHash } from "node:crypto";
import type { Application } from "../../core/base/application.js";
import { ApiSourceError } from "../../core/base/errors.js";
import { clipText } from "../../core/base/text.js";
import { listMethodOverrides } from "../../core/call/build-request.js";
import {
  type ApprovalCheck,
  type ApprovalRequest,
  type ApprovalResult,
  type Approve,
  type Approver,
  asksOnlyAboutFlows,
  type CallToApprove,
  type Mark,
} from "../../core/call/slots.js";
import { httpMethods } from "../../core/record/api-source.js";
import { isKnownMethod, toMethodWord } from "../../core/request/check-parameters.js";
import type { BuiltRequest } from "../../core/request/wire-request.js";
import type { Decisions } from "./approval-store.js";
import { ask } from "./ask-person.js";
import { describeRequest, nameQuestion } from "./describe-request.js";
import { type Coverage, type CoverageOptions, findCoverage, toFlow } from "./find-coverage.js";
import type { LastingApproval, LastingSubject } from "./lasting-approvals.js";
import { notApproved, type ReadDecision, readDecision } from "./read-decision.js";

interface ApprovalCheckOptions extends CoverageOptions {
  readonly approve: Approve;
  readonly approver?: Approver;
  readonly decisions: Decisions;
  /** Calls `approve` and `approver`. */
  readonly application: Application;
}

/** Makes the approval check that a call passes after the request policy and before anything is sent. */
export function createApprovalCheck(options: ApprovalCheckOptions): ApprovalCheck {
  const { approver, decisions, nameTool, application } = options;
  return async (given) => {
    const asked = withoutRunOfApprover(given, approver);
    const flows = await listClosed(asked, options);
    const call: CallToApprove = { ...asked, flows };
    const isOwn = await isApprovalNeeded(call, options);
    if (!isOwn && flows.length === 0) return undefined;
    const coverage = await findCoverage(call, options);
    // An earlier decision about a path opens no flow.
    const [path] = flows.length === 0 ? (coverage.subjects ?? []) : [];
    const earlier = path && (await findLasting(call, path, options));
    if (earlier !== undefined) return { approval: { decision: "always", digest: earlier.digest } };
    const key = await openQuestion(call, decisions);
    const source = nameTool(call.source);
    const request: ApprovalRequest = { ...describeRequest(call, coverage.words, key), source };
    const answer = await ask(call, request, { approver, application, isOwn });
    const decision = readDecision(answer, request);
    checkDecision(decision, call);
    if (call.context.run !== undefined) await claimDecision(call, decisions);
    const notes = await noteLasting(decision, coverage, (subject) =>
      options.lasting.add(subject, request.digest, call.context),
    );
    return toResult(call, request, decision, notes);
  };
}

/** An approver decides in place of an interrupt: its call is made as outside of a run. */
function withoutRunOfApprover(call: CallToApprove, approver: Approver | undefined): CallToApprove {
  const { run, ...context } = call.context;
  return approver === undefined || run === undefined ? call : { ...call, context };
}

/** Whether the option `approve` wants a person to decide about the call. Most calls need only the method. */
async function isApprovalNeeded(
  call: CallToApprove,
  { approve, nameTool, application }: ApprovalCheckOptions,
): Promise<boolean> {
  if (call.isEdited === true || approve === asksOnlyAboutFlows) return false;
  if (approve === "writes" && call.built.isRead) return false;
  if (typeof approve === "string") return true;
  return askApprove(approve, call, nameTool(call.source), application);
}

type PassingDecision = Exclude<ReadDecision, { readonly type: "reject" }>;

/** @throws ApiSourceError for a rejection, and for an edit of something that can't be edited. */
function checkDecision(
  decision: ReadDecision,
  call: CallToApprove,
): asserts decision is PassingDecision {
  if (decision.type === "reject")
    throw new ApiSourceError({
      message: decision.message ?? "A person rejected this call.",
      category: "approval_required",
      code: "rejected",
      hint: "A person decided against this call, and nothing was sent. Don't repeat it unchanged.",
    });
  if (call.program !== undefined && decision.type === "edit")
    throw notApproved(
      "The question is about a run of code, which cannot be edited.",
      "decision_unclear",
    );
}

/** The call as it goes on after a decision that lets it pass. */
function toResult(
  call: CallToApprove,
  request: ApprovalRequest,
  decision: PassingDecision,
  notes: readonly string[],
): ApprovalResult {
  const approval = { decision: decision.type, digest: request.digest };
  if (call.program !== undefined) return { approval, notes };
  if (decision.type === "approve") {
    // Outside of a run nothing comes here again: an equal call that was approved by itself is another write.
    const isInRun = call.context.run !== undefined;
    const built = isInRun ? withLastingKey(call.built, request) : call.built;
    return { built, approval, notes };
  }
  const { args: input } = decision.editedAction;
  const shown = clipText(call.redactor.redact(JSON.stringify(input)), 1_000);
  const edited = `A person changed this call before it was sent; it was made with ${shown}`;
  return { input, notes: [edited, ...notes], approval };
}

/** Asks the function `approve` whether a person decides about the call, by each method that may be carried out; it is ended with the call. */
function askApprove(
  approve: Exclude<Approve, string>,
  call: CallToApprove,
  source: string,
  application: Application,
): Promise<boolean> {
  const asked = { what: "The application's approve", source: call.source.slug };
  const request = { ...describeRequest(call), source };
  const decide = async (): Promise<boolean> => {
    for (const method of listPossibleMethods(call)) {
      const isAsked: unknown = await approve({ ...request, method }, call.context);
      // No answer is no leave to send.
      if (typeof isAsked !== "boolean") throw new TypeError(`It returned neither true nor false.`);
      if (isAsked) return true;
    }
    return false;
  };
  return application.ask(asked, decide, call.deadline.race);
}

/** The method that is sent, and those that some frameworks carry out in its place (`_method`): where one is not known, all. */
function listPossibleMethods({ source, built }: CallToApprove): readonly string[] {
  const isMeantOtherwise = source.api.methodParameter === "allow";
  const overrides = built.isRead || isMeantOtherwise ? [] : listMethodOverrides(built);
  const named = overrides.flatMap(([, value]) => {
    const word = toMethodWord(value);
    return isKnownMethod(word) ? [word] : httpMethods;
  });
  return [...new Set([built.method, ...named])];
}

/** The flows of a call that no earlier decision opened. */
async function listClosed(
  call: CallToApprove,
  options: ApprovalCheckOptions,
): Promise<readonly Mark[]> {
  const { flows = [] } = call;
  const subjects = flows.map((flow) => toFlow(call.source, flow, options.nameTool));
  const found = await Promise.all(subjects.map((subject) => findLasting(call, subject, options)));
  return flows.filter((_, at) => found[at] === undefined);
}

/**
 * An earlier decision with `always` that covers the call; a store that fails gives none. A question that was opened needs a decision of its own:
 * the run may have stopped after its request was sent.
 */
async function findLasting(
  call: CallToApprove,
  subject: LastingSubject,
  { lasting, decisions }: ApprovalCheckOptions,
): Promise<LastingApproval | undefined> {
  const { context } = call;
  try {
    const found = await lasting.find(subject, context);
    const isOpen =
      found !== undefined &&
      context.run !== undefined &&
      (await decisions.wasOpened(nameQuestion(call), context));
    return isOpen ? undefined : found;
  } catch {
    return undefined;
  }
}

/** Makes a decision with `always` last. @returns why it does not, for the answer. */
async function noteLasting(
  decision: ReadDecision,
  { subjects, why }: Coverage,
  add: (subject: LastingSubject) => Promise<void>,
): Promise<string[]> {
  if (decision.always !== true) return [];
  const write = (reason: string): string[] => [
    `The decision about this call has \`always\`, and counts once: ${reason}.`,
  ];
  if (subjects === undefined) return write(why);
  if (decision.type === "edit") return write("a person edited the call");
  try {
    // One after the other: each is added to the same list.
    for (const subject of subjects) await add(subject);
    return [];
  } catch {
    return write("the store that would keep it failed");
  }
}

/**
 * The key of the digest; undefined outside of a run.
 *
 * @throws ApiSourceError where the store that would note the decision fails: the decision could be used twice.
 */
async function openQuestion(
  call: CallToApprove,
  decisions: Decisions,
): Promise<string | undefined> {
  if (call.context.run === undefined) return undefined;
  return decisions.openQuestion(nameQuestion(call), call.context).catch(() => {
    throw notNoted();
  });
}

function notNoted(): ApiSourceError {
  return notApproved("The store that notes used decisions failed.", "not_noted");
}

/** A run that stops after the request was sent comes here again with the same decision. */
async function claimDecision(call: CallToApprove, decisions: Decisions): Promise<void> {
  const isFirst = await decisions.claim(nameQuestion(call), call.context).catch(() => undefined);
  if (isFirst === true) return;
  if (isFirst === undefined) throw notNoted();
  throw new ApiSourceError({
    message:
      "This decision was used before: the request was sent then, and is not sent a second time.",
    category: "approval_required",
    code: "decision_used",
    hint: "Check the effect of the first request with a GET before anything else.",
  });
}

/** Gives the write the same idempotency key however often the run comes back to this request. */
function withLastingKey(built: BuiltRequest, { digest }: ApprovalRequest): BuiltRequest {
  const { wire, generatedHeader } = built;
  if (generatedHeader === undefined) return built;
  const hash = createHash("sha256").update(digest).digest("hex");
  const value = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5");
  return { ...built, wire: { ...wire, headers: { ...wire.headers, [generatedHeader]: value } } };
}
