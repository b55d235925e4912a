/** The calls that wait for a decision on the page. */

import { ApiSourceError } from "../../core/base/errors.js";
import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import type { Clock } from "../../core/base/runtime.js";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../../core/call/slots.js";
import { redactedMarker } from "../../core/secrets/secret.js";
import { type Question, settleMs } from "./page-change.js";
import { createSecret } from "./page-server.js";

/** What the page sent: `type`, the `message` of a rejection, `always` of an approval, or `input`, the call as it should be, as JSON text. */
type GivenDecision = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly question: Question;
  /** Since when it is at its place: an earlier question that goes moves all after it. */
  placedMs: number;
  readonly decide: (decision: ApprovalDecision) => void;
  readonly fail: (reason: unknown) => void;
}

/**
 * @param isAllowed - Whether decisions are taken at all.
 * @param onChange - Called when a question comes or goes.
 */
export function createQuestions(isAllowed: boolean, onChange: () => void, clock: Clock) {
  const waiting = new Map<unknown, Waiting>();
  let isOpen = false;
  const take = (nonce: unknown): Waiting | undefined => {
    const found = waiting.get(nonce);
    if (found === undefined) return undefined;
    const all = [...waiting.values()];
    for (const moved of all.slice(all.indexOf(found) + 1)) moved.placedMs = clock.now();
    waiting.delete(nonce);
    onChange();
    return found;
  };
  const approver: Approver = async (request, { signal }) => {
    if (!isAllowed) throw noDecision("The inspector accepts no decisions.", takesDecisions);
    // No one would ever answer.
    if (!isOpen)
      throw noDecision("The inspector's page is not open.", "The application starts it.");
    signal?.throwIfAborted();
    const nonce = createSecret();
    const { args: _args, ...shown } = request;
    const input = writeEditable(request);
    const leave = (): void => take(nonce)?.fail(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    return new Promise<ApprovalDecision>((decide, fail) => {
      waiting.set(nonce, {
        question: { ...shown, nonce, input },
        placedMs: clock.now(),
        decide,
        fail,
      });
      onChange();
    }).finally(() => signal?.removeEventListener("abort", leave));
  };
  return {
    approver,
    list: (): readonly Question[] => [...waiting.values()].map(({ question }) => question),
    /**
     * @returns false for a nonce that is unknown, or was used, for a question that has not been at its place for `settleMs`, and for a decision
     * that the question does not offer: nothing is decided then.
     */
    decide(nonce: unknown, given: GivenDecision): boolean {
      const found = waiting.get(nonce);
      const decision = found && readDecision(found.question, given);
      if (found === undefined || decision === undefined || clock.now() - found.placedMs < settleMs)
        return false;
      take(nonce);
      found.decide(decision);
      return true;
    },
    /** From now on questions are asked. */
    open(): void {
      isOpen = true;
    },
    /** Ends every question without a decision, and asks no more. */
    close(): void {
      isOpen = false;
      const closed = noDecision(
        "The inspector was closed before a person decided.",
        "Ask again later.",
      );
      for (const nonce of [...waiting.keys()]) take(nonce)?.fail(closed);
    },
  };
}

function readDecision(
  { digest, source, always, input: offered }: Question,
  { type, message, always: lasts, input }: GivenDecision,
): ApprovalDecision | undefined {
  if (type === "reject")
    return { type, digest, message: typeof message === "string" ? message.trim() : "" };
  if (type === "approve") return { type, digest, always: lasts === true && always !== undefined };
  const args =
    typeof input === "string" && offered !== undefined ? readPlainJson(input) : undefined;
  if (type !== "edit" || !isPlainObject(args)) return undefined;
  return { type, digest, editedAction: { name: source, args } };
}

/** More than a person changes by hand. */
const maxEditable = 10_000;
/** What does not show, or turns the direction of what follows. */
const invisible = /[^\P{C}\n]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|\u2800/gu;

/** Undefined where a secret was taken out, and where the question is about a program. */
function writeEditable({ args, program }: ApprovalRequest): string | undefined {
  const text = JSON.stringify(args, null, 2);
  if (program !== undefined || text.length > maxEditable || text.includes(redactedMarker))
    return undefined;
  // A person approves what they see; each of these is a part of a string.
  const writeUnit = (unit: string): string =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(invisible, (character) => character.split("").map(writeUnit).join(""));
}

const takesDecisions =
  "The agent can't change this. The application makes the inspector with { approve: true }; the command takes --approve.";

function noDecision(message: string, hint: string): ApiSourceError {
  const category = "approval_required";
  return new ApiSourceError({
    message: `${message} Nothing was sent.`,
    category,
    code: "no_decision",
    hint,
  });
}
