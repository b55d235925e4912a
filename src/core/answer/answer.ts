/** The answer document: one valid JSON text, its keys in the order of the contract, each part within a bound of its own. */

import type { CallError } from "../base/errors.js";
import { clipText } from "../base/text.js";
import type { ShownFile } from "../body/files/file.js";
import type { ParsedCall } from "../call/call-request.js";
import { applyErrorBounds } from "../failure/call-error.js";
import type { RateLimit } from "../http/limits/rate-limit.js";
import type { NextPage } from "../paging/paged-request.js";
import type { Candidate } from "../paging/paging.js";
import type { ReadRequest } from "../store/keep-response.js";
import type { CountTokens, Omission } from "../view/summary.js";

export interface Shortened {
  /** Absent when nothing could be kept. */
  readonly id?: string;
  /** Estimated tokens of the whole body. */
  readonly tokens: number;
  /** Estimated tokens of what is shown. */
  readonly shownTokens: number;
  /** The parts that `data` lacks, by their paths. */
  readonly omitted: readonly Omission[];
  /** Inputs for `select` that suit the kept body. */
  readonly try?: readonly string[];
}

/** The result of a call that asked for several pages. */
export interface PagesRead {
  /** How many pages were read. */
  readonly read: number;
  /** How many rows were read, before `select`. */
  readonly rows: number;
  /** Whether these are all rows: true by evidence, false where something shows that there is more, null where nothing shows either. */
  readonly complete: boolean | null;
  /** Rows that came twice; each is shown once. */
  readonly repeated?: number;
  /** Why it is not known to be complete. */
  readonly why?: string;
}

/** The job that a call waited for. */
export interface JobRead {
  /** Where its state is read, below the base URL. */
  readonly path: string;
  /** How many times the state was read. */
  readonly polls: number;
  /** From the first response to the last, in milliseconds. */
  readonly ms: number;
  /** The id of the first response, where the last one lacks members of it. */
  readonly created?: string;
}

/** Set when a call waited, or was sent more than once. */
export interface Waited {
  /** The sum of the waits, in milliseconds. */
  readonly ms: number;
  /** How many requests were sent, the first included. */
  readonly requests: number;
  /** The reason of the waits, in words. */
  readonly why: string;
}

/** The calls of one run of code. */
export interface CodeCalls {
  /** How many of the allowed calls were used. Descriptions and reads of kept responses count, too. */
  readonly used: number;
  readonly allowed: number;
  /** How many were sent, and how many of all failed. */
  readonly sent: number;
  readonly failed: number;
  /** How many requests they took: pages, retries and redirects need more than one. */
  readonly requests: number;
  /** How long they waited for the API's limits. */
  readonly waitedMs: number;
}

export interface Answer {
  /** The HTTP status; absent where no response arrived. */
  readonly status?: number | undefined;
  /** Why the call failed and what to change; absent when it succeeded. */
  readonly error?: CallError | undefined;
  /** JSON text, printed as it is: a number in it is the wire's. */
  readonly data?: string | undefined;
  /** The media type of a body that is not JSON. */
  readonly contentType?: string | undefined;
  /** The body as a file, where it is not JSON: for a model its id alone, where `data` is all of it. */
  readonly file?: ShownFile | string | undefined;
  /** Facts that the reader of this answer would otherwise get wrong. */
  readonly notes?: readonly string[] | undefined;
  /** The headers of the response that a caller needs, such as `Location`, and those that the record names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The API's quota, where a fifth or less of it is left, and on a rate-limit error. */
  readonly rateLimit?: RateLimit | undefined;
  /** The number of all rows, where the API states it. */
  readonly total?: number | undefined;
  /** The pages that were read, where the call asked for `pages`. */
  readonly pages?: PagesRead | undefined;
  /** A complete input for the same tool. */
  readonly next?: NextCall | ReadRequest | undefined;
  /** The job that the call waited for. */
  readonly job?: JobRead | undefined;
  /** How many bytes of a body arrived that broke off, and why no more. */
  readonly partial?: { readonly bytes: number; readonly why: string } | undefined;
  /** The waits and the repeated requests of the call. */
  readonly waited?: Waited | undefined;
  /** The requests that a run of code sent. */
  readonly calls?: CodeCalls | undefined;
  /** The lines that a run of code logged. */
  readonly log?: readonly string[] | undefined;
  /** The parts that `data` lacks, and the id that reads them; absent where `data` is whole. */
  readonly shortened?: Shortened | undefined;
  /** The id of the whole body, where `data` is what a `select` took from it. */
  readonly kept?: string | undefined;
  /** The words of a summarizer of the application about the body. */
  readonly summary?: string | undefined;
}

/** The parsed form of `content`. */
export interface ParsedAnswer extends Omit<Answer, "data"> {
  /** The body, or a part of it; of several pages all rows. */
  readonly data?: unknown;
}

export type NextCall = Omit<NextPage, "headers"> &
  Pick<ParsedCall, "select" | "headers" | "pages" | "wait" | "until"> & {
    /** The slug, for the tool of many sources. */
    readonly source?: string;
  };

/** A way to the next page as an input for the tool. */
export interface NextWay extends Omit<Candidate, "next"> {
  readonly call: NextCall;
}

const keyOrder = [
  "status",
  "error",
  "data",
  "contentType",
  "file",
  "notes",
  "headers",
  "rateLimit",
  "total",
  "pages",
  "next",
  "job",
  "partial",
  "waited",
  "calls",
  "log",
  "shortened",
  "kept",
  "summary",
] as const;

/** Prints an answer, without members that are `undefined` and without an empty list of notes. */
export function writeAnswer(answer: Answer): string {
  let text = "";
  for (const key of keyOrder) {
    const value = answer[key];
    if (value === undefined || (key === "notes" && answer.notes?.length === 0)) continue;
    text += `${text && ","}"${key}":${key === "data" ? answer.data : JSON.stringify(value)}`;
  }
  return `{${text}}`;
}

/** The budget of an answer, in tokens, where neither the record nor the toolkit sets one. */
export const defaultMaxTokens = 2_000;
/** The tokens of the braces and of `,"data":`. */
const syntaxTokens = 8;

/** How many tokens are left for `data` beside the other parts. */
export function countLeft(envelope: Answer, maxTokens: number, countTokens: CountTokens): number {
  return Math.max(1, maxTokens - syntaxTokens - countTokens(writeAnswer(envelope)));
}

/** So many tokens are left whatever the tokenizer: no token is shorter than a byte. A small document needs no count beside it. */
export function leaveAtLeast(envelope: Answer, maxTokens: number): number {
  return maxTokens - syntaxTokens - Buffer.byteLength(writeAnswer(envelope));
}

/** The share of the budget that the input of the next call may take. */
export const nextShare = 0.35;
/** The share of the budget that each part beside `data` may take: together they leave room for `data`. */
const shares = {
  error: 0.35,
  notes: 0.15,
  headers: 0.1,
  rateLimit: 0.1,
  next: nextShare,
  file: 0.1,
} as const;
/** The members that are omitted where they take more, and the note about each. */
const omittedNotes = {
  headers: "the API's headers are too long to show.",
  rateLimit: "the API's rate-limit headers are too long to show.",
  next: "the input for the next page is too long to show. Request the rest by other parameters, or use `pages`.",
} as const;
const maxNoteCharacters = 400;
const maxTypeCharacters = 120;

/**
 * Holds every part beside `data` to its share of the budget: an API may put 400,000 characters into a cursor, a header or an
 * error. What does not fit is omitted, or truncated where it is prose, and `notes` reports it.
 */
export function fitAnswer(answer: Answer, maxTokens: number, countTokens: CountTokens): Answer {
  const fits = (part: keyof typeof shares, value: unknown): boolean =>
    countTokens(JSON.stringify(value)) <= maxTokens * shares[part];
  const fitted: { -readonly [Key in keyof Answer]: Answer[Key] } = { ...answer };
  const notes = [...(answer.notes ?? [])];
  for (const part of ["next", "rateLimit", "headers"] as const) {
    if (answer[part] === undefined || fits(part, answer[part])) continue;
    fitted[part] = undefined;
    notes.unshift(`\`${part}\` is omitted: ${omittedNotes[part]}`);
  }
  const shown = notes.length === 0 ? notes : notes.map((note) => clipText(note, maxNoteCharacters));
  while (shown.length > 1 && !fits("notes", shown)) shown.pop();
  const { error, contentType, file, partial } = answer;
  if (typeof file === "object" && !fits("file", file)) fitted.file = fitFile(file);
  if (error) fitted.error = fitError(error, (each) => fits("error", each));
  if (contentType) fitted.contentType = clipText(contentType, maxTypeCharacters);
  if (partial) fitted.partial = { ...partial, why: clipText(partial.why, maxNoteCharacters) };
  return { ...fitted, notes: shown };
}

/** A name that is shown is one that a person reads; the file itself keeps its own. */
const maxFileNameCharacters = 60;

function fitFile(file: ShownFile): ShownFile {
  return {
    ...file,
    type: clipText(file.type, maxTypeCharacters),
    name: clipText(file.name, maxFileNameCharacters),
  };
}

/** No URL in use is longer. */
const maxAddressCharacters = 4_096;

/** Its parts within their own bounds, then without `details`: the body is in `data`, too. */
function fitError(error: CallError, fits: (error: CallError) => boolean): CallError {
  const bounded = applyErrorBounds(error);
  const { auth_url: url }: { readonly auth_url?: unknown } = Object(error.details);
  if (
    error.code === "auth_required" &&
    typeof url === "string" &&
    url.length <= maxAddressCharacters
  ) {
    // A truncated address is useless to the person who has to open it.
    const whole = { ...bounded, details: { ...Object(bounded.details), auth_url: url } };
    return fits(whole) ? whole : { ...whole, hint: clipText(whole.hint, 60) };
  }
  if (fits(bounded)) return bounded;
  const { details: _details, ...rest } = bounded;
  return fits(rest)
    ? rest
    : { ...rest, message: clipText(rest.message, 60), hint: clipText(rest.hint, 60) };
}
