/** The decision that came back from a person, or from the program that asked them: checked, because it comes from outside. */

import { ApiSourceError } from "../../core/base/errors.js";
import { isPlainObject } from "../../core/base/input.js";
import { quoteText } from "../../core/base/text.js";
import type { ApprovalDecision, ApprovalRequest } from "../../core/call/slots.js";

/** Whether an answer, or the question itself, names the request it is about. */
export function hasDigest(value: unknown, digest: string): boolean {
  const request = isPlainObject(value) ? value["request"] : undefined;
  return [request, ...listDecisions(value)].some(
    (each) => isPlainObject(each) && each["digest"] === digest,
  );
}

/** A decision, and whether the person wants it to last. */
export type ReadDecision = ApprovalDecision & { readonly always?: boolean };

/**
 * The decision about this request: the one that carries its digest, else the only one.
 *
 * @param answer `{ decisions: [...] }`, or a decision alone.
 * @throws ApiSourceError `approval_required` for anything else; nothing may be sent then.
 */
export function readDecision(answer: unknown, { digest, source }: ApprovalRequest): ReadDecision {
  const all = listDecisions(answer).filter(isPlainObject);
  const own = all.find((decision) => decision["digest"] === digest);
  const [given = {}] = own === undefined ? all : [own];
  if (own === undefined && all.length !== 1)
    throw notApproved(
      `One decision is required, but ${all.length} were given.`,
      "decision_unclear",
    );
  const { type, message, editedAction, edited_action: alias, digest: named, always } = given;
  if (named !== undefined && named !== null && named !== digest)
    throw notApproved("The decision is about another request.", "decision_for_another");
  if (type === "reject")
    return typeof message === "string" && message !== "" ? { type, message } : { type };
  if (always !== undefined && always !== null && typeof always !== "boolean")
    throw notApproved("The `always` of the decision is not true or false.", "decision_unclear");
  const lasts = always === true ? { always } : {};
  if (type === "approve") return { type, ...lasts };
  const edited = editedAction ?? alias;
  if (type !== "edit" || !isPlainObject(edited) || !isPlainObject(edited["args"]))
    throw notApproved(
      "The decision is not approve, reject, or edit with editedAction.args.",
      "decision_unclear",
    );
  const { name = source, args } = edited;
  if (name !== source)
    throw notApproved(
      `The edited call is for ${quoteText(String(name))}, and this is ${source}.`,
      "decision_for_another",
    );
  return { type, editedAction: { name: source, args }, ...lasts };
}

/** @param code - The reason, for a program. */
export function notApproved(
  message: string,
  code?: string,
  hint: string = askAgain,
): ApiSourceError {
  return new ApiSourceError({
    message: `${message} Nothing was sent.`,
    category: "approval_required",
    code,
    hint,
  });
}

const askAgain = "Make the call again if it is still needed: a person is then asked again.";

function listDecisions(answer: unknown): readonly unknown[] {
  if (!isPlainObject(answer)) return [];
  const { decisions = [answer] } = answer;
  return Array.isArray(decisions) ? decisions : [];
}
