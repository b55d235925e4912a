/** The calls that wait for a decision on the page. */

import { ApiSourceError } from "../../core/base/errors.js";
import type { Clock } from "../../core/base/runtime.js";
import type { ApprovalDecision, Approver } from "../../core/call/slots.js";
import { type Question, settleMs } from "./page-change.js";
import { createSecret } from "./page-server.js";

export interface Questions {
  readonly approver: Approver;
  list(): readonly Question[];
  /**
   * @returns false for a nonce that is unknown, or was used, for a question that has not been at its place for `settleMs`, and for another type
   * than approve and reject: nothing is decided then.
   */
  decide(nonce: unknown, type: unknown, message: unknown): boolean;
  /** From now on questions are asked. */
  open(): void;
  /** Ends every question without a decision, and asks no more. */
  close(): void;
}

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
export function createQuestions(isAllowed: boolean, onChange: () => void, clock: Clock): Questions {
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
  return {
    async approver(request, { signal }) {
      if (!isAllowed) throw noDecision("The inspector accepts no decisions.", takesDecisions);
      // No one would ever answer.
      if (!isOpen) throw noDecision("The inspector's page is not open.", "The application starts it.");
      signal?.throwIfAborted();
      const nonce = createSecret();
      const { args: _args, ...shown } = request;
      const leave = (): void => take(nonce)?.fail(signal?.reason);
      signal?.addEventListener("abort", leave, { once: true });
      return new Promise<ApprovalDecision>((decide, fail) => {
        waiting.set(nonce, { question: { ...shown, nonce }, placedMs: clock.now(), decide, fail });
        onChange();
      }).finally(() => signal?.removeEventListener("abort", leave));
    },
    list: () => [...waiting.values()].map(({ question }) => question),
    decide(nonce, type, message) {
      const found = type === "approve" || type === "reject" ? waiting.get(nonce) : undefined;
      if (found === undefined || clock.now() - found.placedMs < settleMs) return false;
      take(nonce);
      const { digest } = found.question;
      const why = typeof message === "string" && message.trim() !== "" ? { message } : {};
      found.decide(type === "approve" ? { type, digest } : { type: "reject", digest, ...why });
      return true;
    },
    open() {
      isOpen = true;
    },
    close() {
      isOpen = false;
      const closed = noDecision("The inspector was closed before a person decided.", "Ask again later.");
      for (const nonce of [...waiting.keys()]) take(nonce)?.fail(closed);
    },
  };
}

const takesDecisions =
  "The agent can't change this. The application makes the inspector with { approve: true }; the command takes --approve.";

function noDecision(message: string, hint: string): ApiSourceError {
  const category = "approval_required";
  return new ApiSourceError({ message: `${message} Nothing was sent.`, category, code: "no_decision", hint });
}
