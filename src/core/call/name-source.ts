/** A call by the tool of many sources names its source: in its input, and in the next call that its answer gives. */

import type { Answer } from "../answer/answer.js";

/** @returns an answer whose `next` is an input for the same tool. */
export function addSource(source: string, answer: Answer): Answer {
  if (answer.next === undefined || "id" in answer.next) return answer;
  return { ...answer, next: { source, ...answer.next } };
}
