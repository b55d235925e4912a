/** Writes the answer document: one valid JSON text with its keys in the order of the contract. */

import type { CallError } from "../errors.js";
import type { RateLimit } from "../limits/rate-limit.js";
import type { NextPage } from "../paging/find-next-page.js";
import type { Omission } from "../view/summary.js";
import type { ReadRequest } from "./read-request.js";

export interface Shortened {
  readonly id?: string;
  /** Estimated tokens of the whole body, and of what is shown. */
  readonly tokens: number;
  readonly shownTokens: number;
  readonly omitted: readonly Omission[];
  readonly try?: readonly string[];
}

export interface Answer {
  readonly status?: number | undefined;
  readonly error?: CallError | undefined;
  /** JSON text, printed as it is: a number in it is the wire's. */
  readonly data?: string | undefined;
  readonly contentType?: string | undefined;
  /** What a `select` can't have meant so. */
  readonly notes?: readonly string[] | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** A complete input for the same tool. */
  readonly next?:
    | (NextPage & { readonly select?: string; readonly headers?: unknown })
    | ReadRequest
    | undefined;
  readonly partial?: { readonly bytes: number; readonly why: string } | undefined;
  readonly shortened?: Shortened | undefined;
  readonly summary?: string | undefined;
}

const keyOrder = [
  "status",
  "error",
  "data",
  "contentType",
  "notes",
  "rateLimit",
  "next",
  "partial",
  "shortened",
  "summary",
] as const;

export function writeAnswer(answer: Answer): string {
  const members = keyOrder
    .filter((key) => answer[key] !== undefined)
    .map((key) => `"${key}":${key === "data" ? answer.data : JSON.stringify(answer[key])}`);
  return `{${members.join(",")}}`;
}
