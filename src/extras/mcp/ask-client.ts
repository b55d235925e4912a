/** A person decides over MCP: the client asks them (elicitation), in the multi-round form of revision 2026-07-28, which the SDK serves to older clients too. */

import { randomUUID } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { ApiSourceError } from "../../core/base/errors.js";
import type { PausableRun } from "../../core/base/runtime.js";
import type { ApprovalRequest } from "../../core/call/slots.js";

/** Thrown through a call that waits for a person: nothing was sent, and the client is to ask and call again. */
export class QuestionToClient extends Error {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super("The call waits for a decision.");
    this.result = result;
  }
}

/** The key of the question and of its answer; there is one in a call. */
const key = "approval";

/**
 * A call as a run that stops for its question, and is made anew with the answer. What the client hands back names the place and the digest of the
 * request that was shown: a decision counts for that request alone, and once.
 *
 * @returns for a client that can't ask, a run whose question is refused in words for its user.
 */
export function findRun(mcp: McpServer, { mcpReq }: ServerContext): PausableRun {
  const envelope: Readonly<Record<string, ClientCapabilities | undefined>> = { ...mcpReq.envelope };
  const { elicitation } =
    envelope[CLIENT_CAPABILITIES_META_KEY] ?? mcp.server.getClientCapabilities() ?? {};
  // A client that names no mode has forms.
  const hasForms = elicitation?.form !== undefined || elicitation?.url === undefined;
  if (elicitation === undefined || !hasForms) return { place: randomUUID(), ask: refuse };
  const [place = "", digest = ""] = mcpReq.requestState<string>()?.split(" ") ?? [];
  const answer = mcpReq.inputResponses?.[key];
  if (place !== "" && digest !== "" && answer !== undefined) {
    const decision = { ...readAnswer(answer), digest };
    return {
      place,
      ask: async (_question, isFor) => ({ answer: decision, wasShown: isFor(decision) }),
    };
  }
  const fresh = randomUUID();
  const ask: PausableRun["ask"] = async ({ request, actionRequests }) => {
    // A question about a consent is not for a form: the call is answered with the address, and made again afterwards.
    if (request === undefined) return { answer: undefined, wasShown: false };
    const [{ description }] = actionRequests as readonly [{ readonly description: string }];
    throw new QuestionToClient(writeQuestion(fresh, request as ApprovalRequest, description));
  };
  return { place: fresh, ask };
}

/** A consent needs no form: the answer has its address. @throws ApiSourceError `approval_required` for a request. */
const refuse: PausableRun["ask"] = async ({ request }) => {
  if (request === undefined) return { answer: undefined, wasShown: false };
  throw new ApiSourceError({
    message:
      "A person has to approve this call, and this MCP client can't ask one (elicitation). Nothing was sent.",
    category: "approval_required",
    hint: "Tell the user: this needs a client that supports elicitation, or a server started with `api-sources mcp --approve none`, which asks about no call.",
  });
};

/** @param description - The request as every person is shown it: method, URL, headers and body. */
function writeQuestion(
  place: string,
  { source, digest, always }: ApprovalRequest,
  description: string,
): InputRequiredResult {
  const message = `Let ${source} send this?\n\n${description}`;
  const lasting = {
    type: "boolean" as const,
    title: "Always",
    description: `Do not ask again for 24 hours about ${always}.`,
    default: false,
  };
  const properties: Record<string, typeof lasting> =
    always === undefined ? {} : { always: lasting };
  const requestedSchema = { type: "object" as const, properties };
  return inputRequired({
    inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema }) },
    requestState: `${place} ${digest}`,
  });
}

/** Only a plain yes is one: no answer, and one that was not understood, sends nothing. */
function readAnswer(
  answer: unknown,
): { type: "approve"; always: boolean } | { type: "reject"; message: string } {
  const { action, content }: { readonly action?: unknown; readonly content?: unknown } =
    Object(answer);
  if (action === "accept") return { type: "approve", always: Object(content).always === true };
  return { type: "reject", message: "A person did not approve this call." };
}
