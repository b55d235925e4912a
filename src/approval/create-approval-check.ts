/** The approval check: asks a person about a call, and lets pass what they approved, once. */

import { createHash } from "node:crypto";
import { ApiSourceError } from "../errors.js";
import { describeFlow } from "../flow/describe-flow.js";
import type { BuiltRequest } from "../policy/wire-request.js";
import type { ApiSource } from "../source/api-source.js";
import { clipText } from "../text.js";
import {
  type ApprovalCheck,
  type ApprovalRequest,
  type ApprovalResult,
  type Approve,
  type Approver,
  CallInterruption,
  type CallToApprove,
  type Decisions,
} from "./approval.js";
import { describeRequest, nameQuestion } from "./describe-request.js";
import { hasDigest, notApproved, readDecision } from "./read-decision.js";

export interface ApprovalCheckOptions {
  readonly approve: Approve;
  readonly approver?: Approver | undefined;
  readonly decisions: Decisions;
  /** Gives the name of a source's tool. */
  readonly nameTool: (source: ApiSource) => string;
}

/** Makes the approval check that a call passes after the request policy and before anything is sent. */
export function createApprovalCheck({
  approve,
  approver,
  decisions,
  nameTool,
}: ApprovalCheckOptions): ApprovalCheck {
  return async (given) => {
    // An approver decides in place of an interrupt: its call is made as outside of a run.
    const { run, ...caller } = given.context;
    const call: CallToApprove =
      approver === undefined || run === undefined ? given : { ...given, context: caller };
    const source = nameTool(call.source);
    if (call.flow === undefined && !(await isHeld(call, source, approve))) return undefined;
    const request = { ...(await openQuestion(call, decisions)), source };
    const answer = await ask(call, request, approver);
    const decision = readDecision(answer, request);
    if (decision.type === "reject")
      throw new ApiSourceError({
        message: decision.message ?? "A person rejected this call.",
        category: "approval_required",
        code: "rejected",
        hint: "A person decided against this call, and nothing was sent. Don't repeat it unchanged.",
      });
    if (call.context.run !== undefined) await claimDecision(call, decisions);
    const approval = { decision: decision.type, digest: request.digest };
    if (decision.type === "approve") return { built: withLastingKey(call.built, request), approval };
    return { ...describeEdit(call, decision.editedAction.args), approval };
  };
}

async function isHeld(call: CallToApprove, source: string, approve: Approve): Promise<boolean> {
  // The method is the one that is carried out: the request policy refuses a GET with a parameter that would make another of it.
  if (approve === "writes") return !call.built.isRead;
  return approve === "all" || approve({ ...describeRequest(call), source }, call.context);
}

async function ask(
  { source, context, deadline }: CallToApprove,
  request: ApprovalRequest,
  approver: Approver | undefined,
): Promise<unknown> {
  if (context.run === undefined) {
    if (approver !== undefined) return deadline.pause(approver(request, context));
    const why = request.flow === undefined ? "" : `, because it repeats ${describeFlow(request.flow)}`;
    throw notApproved(
      `A person has to approve ${request.method} on ${source.name}${why}, and there is no one to ask here.`,
      undefined,
      "The agent can't change this. The application needs a LangGraph graph with a checkpointer, an MCP client that can ask, or the option approver.",
    );
  }
  const { digest } = request;
  const asking = context.run.ask(writeQuestion(request), (other) => hasDigest(other, digest));
  const asked = await deadline.race(
    asking.catch((reason: unknown) => {
      throw reason instanceof ApiSourceError ? reason : new CallInterruption(reason);
    }),
  );
  // A decision without a digest counts for what the person was shown, which the checkpoint still holds.
  if (!hasDigest(asked.answer, digest) && !asked.wasShown)
    throw notApproved(
      "What would be sent now is not what was shown when it was decided, or the question is noted in a responseStore that this process does not share.",
      "decision_for_another",
    );
  return asked.answer;
}

/** What LangChain's middleware sends, in the spelling of both its languages, so that interfaces made for either show it. */
function writeQuestion({ args, ...request }: ApprovalRequest) {
  const { source: name, method, url, headers = {}, body } = request;
  const lines = Object.entries(headers).map(([header, value]) => `\n${header}: ${value}`);
  const repeated = request.flow === undefined ? "" : `This repeats ${describeFlow(request.flow)}.\n\n`;
  const description = `${repeated}${method} ${url}${lines.join("")}${body === undefined ? "" : `\n\n${body}`}`;
  const action = { name, args, description };
  const allowed = ["approve", "edit", "reject"];
  return {
    actionRequests: [action],
    reviewConfigs: [{ actionName: name, allowedDecisions: allowed }],
    action_requests: [action],
    review_configs: [{ action_name: name, allowed_decisions: allowed }],
    request,
  };
}

/** The same question, with the reason why it is asked again; interfaces show a person the description. */
export function addNote(
  question: Readonly<Record<string, unknown>>,
  note: string,
): Readonly<Record<string, unknown>> {
  const { actionRequests } = question as Partial<ReturnType<typeof writeQuestion>>;
  const actions = actionRequests?.map((action) => ({
    ...action,
    description: `${note}\n\n${action.description}`,
  }));
  return { ...question, ...(actions && { actionRequests: actions, action_requests: actions }), note };
}

/** @throws ApiSourceError where the store that would note the decision fails: the decision could be used twice. */
async function openQuestion(call: CallToApprove, decisions: Decisions): Promise<ApprovalRequest> {
  if (call.context.run === undefined) return describeRequest(call);
  const key = await decisions.openQuestion(nameQuestion(call), call.context).catch(() => undefined);
  if (key === undefined) throw notNoted();
  return describeRequest(call, key);
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
    message: "This decision was used before: the request was sent then, and is not sent a second time.",
    category: "approval_required",
    code: "decision_used",
    hint: "Read what the first request did before anything else.",
  });
}

/** The same idempotency key however often the run comes back to this request. */
function withLastingKey(built: BuiltRequest, { digest }: ApprovalRequest): BuiltRequest {
  const { wire, generatedHeader } = built;
  if (generatedHeader === undefined) return built;
  const hash = createHash("sha256").update(digest).digest("hex");
  const value = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5");
  return { ...built, wire: { ...wire, headers: { ...wire.headers, [generatedHeader]: value } } };
}

function describeEdit({ redactor }: CallToApprove, input: Readonly<Record<string, unknown>>): ApprovalResult {
  const shown = clipText(redactor.redact(JSON.stringify(input)), 1_000);
  return { input, notes: [`A person changed this call before it was sent; it was made with ${shown}`] };
}
