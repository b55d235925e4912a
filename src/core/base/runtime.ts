/** The needs of the package from the process it runs in, as injectable types with defaults. */

import type { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import type { Application } from "./application.js";
import { refusedByPolicy } from "./errors.js";
import type { Lifetime } from "./lifetime.js";

/** Takes a message and plain, redacted data. A `console` fits. */
export interface Logger {
  /** Takes what only a search for a fault needs. */
  debug(message: string, data?: Readonly<Record<string, unknown>>): void;
  /** Takes what happened as it was meant to. */
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  /** Takes what a person may have to correct. */
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  /** Takes what failed. */
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}

/** Returns a time in milliseconds: a date's since the Unix epoch, or a stopwatch's since any moment. */
export interface Clock {
  now(): number;
}

/** Resolves after `delayMs`; rejects with the signal's reason as soon as it is aborted. */
export type Sleep = (delayMs: number, signal?: AbortSignal) => Promise<void>;

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** The part of LangGraph's BaseStore that is used. */
export interface RuntimeStore {
  get(
    namespace: string[],
    key: string,
  ): Promise<{ value: Record<string, unknown> } | null | undefined>;
  /** `index` and `options` are what each of LangGraph's stores takes there; a store of one's own may ignore them. */
  put(
    namespace: string[],
    key: string,
    value: Record<string, unknown>,
    index?: unknown,
    options?: unknown,
  ): Promise<unknown>;
  delete(namespace: string[], key: string): Promise<unknown>;
}

export function isStore(value: unknown): value is RuntimeStore {
  if (typeof value !== "object" || value === null) return false;
  return (["get", "put", "delete"] as const).every(
    (name) => typeof Reflect.get(value, name) === "function",
  );
}

/** A run that can stop for a person and go on with their answer: LangGraph's, with a checkpointer. */
export interface PausableRun {
  /** Names this place in the run: the same each time the run comes back to it, and no other's. */
  readonly place: string;
  /** Whether the answer to the next question is there: the run goes on after it had stopped. @default false */
  readonly isAnswered?: boolean;
  /**
   * Returns the answer to a question, and whether the run had stopped for this very question; without an answer it rejects with the error that stops the run.
   *
   * @param isFor - Whether a question or an answer names this question.
   */
  ask(
    question: Readonly<Record<string, unknown>>,
    isFor: (value: unknown) => boolean,
  ): Promise<{ readonly answer: unknown; readonly wasShown: boolean }>;
}

/** The facts that LangChain has of a running call; every part is optional outside an agent. */
export interface CallContext {
  /** The agent's typed run-time context (`createAgent({ contextSchema })`). */
  readonly context?: unknown | undefined;
  /** LangGraph's `config.configurable`. */
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  /** The conversation; by default `configurable.thread_id`. */
  readonly threadId?: string | undefined;
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Receives each page that a call with `pages` has read: `{ source, page, rows, total? }`. In LangGraph, the streams `custom` and `tools` of the run. */
  readonly onProgress?: ((progress: Readonly<Record<string, unknown>>) => unknown) | undefined;
  /** The agent's store (`createAgent({ store })`), used when `responseStore` is `"runtime"`. */
  readonly store?: RuntimeStore | undefined;
  /** Set by the tools inside a LangGraph run that has a checkpointer: where a person is asked. */
  readonly run?: PausableRun | undefined;
}

/** The conversation of a call as text; undefined for a call without one. */
export function findThread({ threadId, configurable }: CallContext): string | undefined {
  const found = threadId ?? configurable?.["thread_id"];
  return typeof found === "number" || typeof found === "string"
    ? String(found) || undefined
    : undefined;
}

/** Logs nothing. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

export const systemClock: Clock = { now: () => Date.now() };

/** Nobody sets it back or forward, so that what it measures lasts as long as it is said to. Whole, as dates are: answers and events show its spans. */
export const systemStopwatch: Clock = { now: () => Math.floor(performance.now()) };

export const systemRandom: Random = () => Math.random();

/** Longest delay a Node timer can take; a longer one would fire after 1 ms. */
export const maxTimerMs: number = 2 ** 31 - 1;

export const systemSleep: Sleep = (delayMs, signal) =>
  setTimeout<void>(Math.min(Math.max(0, delayMs), maxTimerMs), undefined, { signal }).catch(() => {
    throw signal?.reason;
  });

/** The sources that a run may use, as a middleware says. */
export interface Visibility {
  /** The slugs that are hidden from the run that asks; absent where every run may use all. */
  hidden?: AsyncLocalStorage<ReadonlySet<string>>;
}

/** Whether the run that asks may use a source. */
export function isVisible({ hidden }: Visibility, slug: string): boolean {
  return hidden?.getStore()?.has(slug) !== true;
}

/** @throws ApiSourceError `refused_by_policy` for a source that the run that asks may not use. */
export function checkVisible(visibility: Visibility, slug: string): void {
  if (isVisible(visibility, slug)) return;
  throw refusedByPolicy(
    `The source ${slug} is not available in this run; nothing was sent or read.`,
    "Use another source, or tell the user that this one is not available to them.",
  );
}

/** The means that the process and the application give to every step. */
export interface Host {
  /** Tells dates: when a token ends, and what is kept or shared between processes. */
  readonly clock: Clock;
  /** Measures spans within this process: time limits, cooldowns, holds, and waits that a server stated. */
  readonly stopwatch: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  /** Waits for a turn of the event loop in which few calls go on. */
  readonly takeTurn: () => Promise<void>;
  readonly logger: Logger;
  /** Which sources a run may use. */
  readonly visibility: Visibility;
  /** How long the toolkit or client lives that a call belongs to. */
  readonly lifetime: Lifetime;
  /** An error of the application's own code in words for the log: class, message and cause, redacted and truncated. */
  readonly describeError: (error: unknown) => string;
  /** Calls the functions that the application gave. */
  readonly application: Application;
}

/** The means that this package's tests replace, and its command line: an argument of its own at a few doors, and no option of an application. */
export interface Seams {
  /** @default the system's */
  readonly clock?: Clock | undefined;
  /** @default `clock`, else the system's */
  readonly stopwatch?: Clock | undefined;
  readonly sleep?: Sleep | undefined;
  readonly random?: Random | undefined;
  /** @default the environment of the process */
  readonly readEnvironment?: ((name: string) => string | undefined) | undefined;
}

/** How many go on in one turn of the event loop. A step of a call with 1 kB takes less than a millisecond. */
const perTurn = 8;

/**
 * Lets calls that come together go on a few at a time, so that hundreds of them do not keep other work of the process waiting.
 *
 * @returns a function that waits for a turn of the event loop with a place left; first come, first served.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let left = perTurn;
  const begin = (): void => {
    left = perTurn;
    for (const goOn of waiting.splice(0, perTurn)) take(goOn);
  };
  const take = (goOn: () => void): void => {
    // One timer for all that wait: 256 calls at once had one for each step.
    if (left-- === perTurn) setImmediate(begin);
    goOn();
  };
  return () => new Promise((resolve) => void (left === 0 ? waiting.push(resolve) : take(resolve)));
}
