/** The sources that a run may not use, for everything that the run does: calls, kept answers, descriptions, code. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { Host } from "../../core/base/runtime.js";
import { createDeadline } from "../../core/http/deadline.js";
import type { ApiSourceToolkit } from "../../toolkit/api-source-toolkit.js";

/**
 * Decides whether a run may use a source.
 *
 * @param slug - The source's slug.
 * @param runtime - LangChain's, with `context` and `configurable`.
 */
export type Visible = (slug: string, runtime: VisibleRuntime) => boolean | Promise<boolean>;

/** The members of LangChain's runtime that tell whose run it is; others are there, too. */
export interface VisibleRuntime {
  readonly context?: unknown;
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
}

/** How long the application may take to decide, in milliseconds. */
const decisionMs = 5_000;

export type HiddenSources = ReadonlySet<string>;

export interface RunVisibility {
  /** Finds the slugs that are hidden now: by the application, and in the run that this one is a part of. */
  findHidden(runtime: unknown): Promise<HiddenSources>;
  /** Does a part of a run that may not use them. */
  run<Result>(hidden: HiddenSources, work: () => Result | Promise<Result>): Promise<Result>;
}

export function createVisibility(
  toolkit: ApiSourceToolkit,
  slugs: readonly string[],
  visible: Visible | undefined,
): RunVisibility {
  if (visible === undefined)
    return { findHidden: async () => new Set(), run: async (_hidden, work) => work() };
  return {
    async findHidden(runtime) {
      const { host } = await toolkit.openRuntime();
      const outer = host.visibility.hidden?.getStore() ?? new Set<string>();
      const asked = slugs.filter((slug) => !outer.has(slug));
      const refused = await listRefused(visible, asked, Object(runtime), host);
      return new Set([...outer, ...refused]);
    },
    async run(hidden, work) {
      const { host } = await toolkit.openRuntime();
      // One for the toolkit, however many middlewares an application makes for it.
      host.visibility.hidden ??= new AsyncLocalStorage();
      return host.visibility.hidden.run(hidden, work);
    },
  };
}

/**
 * Asks the application about each source.
 *
 * @returns the slugs that the run may not use. @throws the reason of the run's signal, when it is cancelled meanwhile.
 */
async function listRefused(
  visible: Visible,
  slugs: readonly string[],
  runtime: VisibleRuntime & { readonly signal?: unknown },
  { application, stopwatch }: Pick<Host, "application" | "stopwatch">,
): Promise<readonly string[]> {
  const signal = runtime.signal instanceof AbortSignal ? runtime.signal : undefined;
  const deadline = createDeadline({ timeoutMs: decisionMs, clock: stopwatch, signal });
  const mayUse = async (source: string): Promise<boolean> => {
    const given = { what: "The application's visible", source };
    try {
      return (await application.ask(given, () => visible(source, runtime), deadline.race)) === true;
    } catch {
      signal?.throwIfAborted();
      // The error that it threw is reported.
      const isLate = deadline.stoppedBy() !== undefined;
      if (isLate) application.report(given, new Error(`It took longer than ${decisionMs} ms.`));
      return false;
    }
  };
  try {
    const shown = await Promise.all(slugs.map(mayUse));
    return slugs.filter((_slug, index) => shown[index] !== true);
  } finally {
    deadline.close();
  }
}
