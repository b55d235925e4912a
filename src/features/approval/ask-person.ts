/** Asks a person about a call: by the application's approver, or by an interrupt of the run. */

import type { Application } from "../../core/base/application.js";
import { ApiSourceError } from "../../core/base/errors.js";
import {
  type ApprovalQuestion,
  type ApprovalRequest,
  type Approver,
  CallInterruption,
  type CallToApprove,
  nameSources,
} from "../../core/call/slots.js";
import { hasDigest, notApproved } from "./read-decision.js";

interface PersonToAsk {
  readonly approver?: Approver | undefined;
  /** Calls the approver. */
  readonly application: Application;
  /** Whether the option `approve` wants a decision about this call, besides the flow of content. */
  readonly isOwn: boolean;
}

/** Asks the approver, or interrupts the run. @returns the decision as it was given */
export async function ask(
  { source, context, deadline }: CallToApprove,
  request: ApprovalRequest,
  { approver, application, isOwn }: PersonToAsk,
): Promise<unknown> {
  if (context.run === undefined) {
    if (approver !== undefined) {
      const asked = { what: "The application's approver", source: source.slug };
      return application.ask(asked, () => approver(request, context), deadline.pause);
    }
    const why =
      request.confidential &&
      `, because this conversation may have content of ${nameSources(request.confidential)}`;
    throw notApproved(
      `A person has to approve ${request.method} on ${source.name}${why ?? ""}, and no one can be asked here.`,
      undefined,
      "The agent can't change this. The application needs a LangGraph graph with a checkpointer, an MCP client that can ask, or the option approver.",
    );
  }
  const { digest } = request;
  const question = { ...writeQuestion(request, isOwn) };
  const asking = context.run.ask(question, (other) => hasDigest(other, digest));
  const asked = await deadline.race(
    asking.catch((reason: unknown) => {
      throw reason instanceof ApiSourceError ? reason : new CallInterruption(reason);
    }),
  );
  // A decision without a digest counts for what the person was shown, which the checkpoint still holds.
  if (!hasDigest(asked.answer, digest) && !asked.wasShown)
    throw notApproved(
      "The request is not the one that was shown for the decision, or the question is noted in a responseStore that this process does not share.",
      "decision_for_another",
    );
  return asked.answer;
}

/** Why a person is asked beside what the application asks about: which source's content may go where. */
function writeReason(request: ApprovalRequest, isOwn: boolean): string {
  const { source, method, confidential, program } = request;
  if (confidential === undefined) return "";
  if (program !== undefined)
    return `This program may send anything it has read from ${confidential.join(", ")} to ${source}, in any number of requests, until it ends.\n\n${program}\n\nIts first request:\n\n`;
  const both = isOwn ? ` Besides, a person has to approve this ${method} itself.` : "";
  return `This conversation may have content of ${nameSources(confidential)}, and the request to ${source} may carry it.${both}\n\n`;
}

/** The question as LangChain's middleware sends it, in the spelling of both its languages, so that interfaces made for either show it. */
function writeQuestion({ args, ...request }: ApprovalRequest, isOwn: boolean): ApprovalQuestion {
  const { source: name, method, url, headers = {}, body } = request;
  const lines = Object.entries(headers).map(([header, value]) => `\n${header}: ${value}`);
  const reason = writeReason({ ...request, args }, isOwn);
  const description = `${reason}${method} ${url}${lines.join("")}${body === undefined ? "" : `\n\n${body}`}`;
  const action = { name, args, description };
  const edit = request.program === undefined ? (["edit"] as const) : [];
  const allowed = ["approve", ...edit, "reject"] as const;
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
  const { actionRequests } = question as Partial<ApprovalQuestion>;
  const actions = actionRequests?.map((action) => ({
    ...action,
    description: `${note}\n\n${action.description}`,
  }));
  return {
    ...question,
    ...(actions && { actionRequests: actions, action_requests: actions }),
    note,
  };
}
