/** The calls that wait for a decision on the page. */

import { ApiSourceError } from "../../core/base/errors.js";
import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import type { Clock } from "../../core/base/runtime.js";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../../core/call/slots.js";
import { redactedMarker } from "../../core/secrets/secret.js";
import { type Question, settleMs } from "./page-change.js";
import { createSecret } from "./page-server.js";

/** The decision as the page sent it: `type`, the `message` of a rejection, `always` of an approval, or `input`, the call as it should be, as JSON text. */
type GivenDecision = Readonly<Record<string, unknown>>;

export interface Questions {
  /** Asks on the page. */
  readonly approver: Approver;
  list(): readonly Question[];
  /**
   * @returns false for a nonce that is unknown, or was used, for a question that has not been at its place for `settleMs`, and for a decision
   * that the question does not offer: nothing is decided then.
   */
  decide(nonce: unknown, given: GivenDecision): boolean;
  /** From now on questions are asked. */
  open(): void;
  /** Ends every question without a decision, and asks no more. */
  close(): void;
}

/**
 * @param isAllowed - Whether decisions are taken at all.
 * @param onChange - Called when a question comes or goes.
 */
export function createQuestions(isAllowed: boolean, onChange: () => void, clock: Clock): Questions {
  const queue = createQueue(onChange, clock);
  let isOpen = false;
  return {
    async approver(request, { signal }) {
      if (!isAllowed) throw noDecision("The inspector accepts no decisions.", takesDecisions);
      // No one would ever answer.
      if (!isOpen)
        throw noDecision("The inspector's page is not open.", "The application starts it.");
      signal?.throwIfAborted();
      return waitForDecision(queue, request, signal);
    },
    list: () => queue.list().map(({ question }) => question),
    decide(nonce, given) {
      const asked = queue.find(nonce);
      if (asked === undefined || clock.now() - asked.placedMs < settleMs) return false;
      const decision = readDecision(asked.question, given);
      if (decision === undefined) return false;
      queue.take(nonce)?.decide(decision);
      return true;
    },
    open() {
      isOpen = true;
    },
    close() {
      isOpen = false;
      const closed = noDecision(
        "The inspector was closed before a person decided.",
        "Ask again later.",
      );
      for (const { question } of queue.list()) queue.take(question.nonce)?.fail(closed);
    },
  };
}

interface Waiting {
  readonly question: Question;
  /** Since when it is at its place on the page. */
  readonly placedMs: number;
  readonly decide: (decision: ApprovalDecision) => void;
  readonly fail: (reason: unknown) => void;
}

/** The questions that wait, in their order on the page. */
interface Queue {
  add(waiting: Omit<Waiting, "placedMs">): void;
  find(nonce: unknown): Waiting | undefined;
  /** Removes a question; those after it move to another place. */
  take(nonce: unknown): Waiting | undefined;
  list(): readonly Waiting[];
}

function createQueue(onChange: () => void, clock: Clock): Queue {
  let queue: readonly Waiting[] = [];
  const find = (nonce: unknown): Waiting | undefined =>
    queue.find(({ question }) => question.nonce === nonce);
  return {
    add(waiting) {
      queue = [...queue, { ...waiting, placedMs: clock.now() }];
      onChange();
    },
    find,
    take(nonce) {
      const taken = find(nonce);
      if (taken === undefined) return undefined;
      const place = queue.indexOf(taken);
      const placedMs = clock.now();
      const moved = queue.slice(place + 1).map((waiting) => ({ ...waiting, placedMs }));
      queue = [...queue.slice(0, place), ...moved];
      onChange();
      return taken;
    },
    list: () => queue,
  };
}

/** Rejects with the reason of the signal, which also removes the question. */
async function waitForDecision(
  queue: Queue,
  request: ApprovalRequest,
  signal: AbortSignal | undefined,
): Promise<ApprovalDecision> {
  const nonce = createSecret();
  const { args: _args, ...shown } = request;
  const question = { ...shown, nonce, input: writeEditable(request) };
  const leave = (): void => queue.take(nonce)?.fail(signal?.reason);
  signal?.addEventListener("abort", leave, { once: true });
  try {
    return await new Promise((decide, fail) => queue.add({ question, decide, fail }));
  } finally {
    signal?.removeEventListener("abort", leave);
  }
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
/** Characters that do not show, or turn the direction of what follows. */
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
