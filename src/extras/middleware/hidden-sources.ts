/** The sources that a run may not use, for everything that the run does: calls, kept answers, descriptions, code. */

import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { refusedByPolicy } from "../../core/base/errors.js";
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
  /** Finds the slugs that are hidden now. */
  findHidden(runtime: unknown): Promise<HiddenSources>;
  /** Does a part of a run that may not use them. */
  run<Result>(hidden: HiddenSources, work: () => Result | Promise<Result>): Promise<Result>;
}

export function createVisibility(
  toolkit: ApiSourceToolkit,
  slugs: readonly string[],
  visible: Visible | undefined,
): RunVisibility {
  const storage = new AsyncLocalStorage<HiddenSources>();
  const check = (slug: string): void => {
    if (storage.getStore()?.has(slug) === true) throw refuseHidden(slug);
  };
  return {
    async findHidden(runtime) {
      if (visible === undefined) return new Set();
      const given = Object(runtime) as VisibleRuntime;
      const shown = await Promise.all(slugs.map((slug) => mayUse(visible, slug, given)));
      return new Set(slugs.filter((_slug, index) => shown[index] !== true));
    },
    async run(hidden, work) {
      if (visible === undefined) return work();
      const { host } = await toolkit.openRuntime();
      host.visibility.checks.add(check);
      return storage.run(hidden, work);
    },
  };
}

async function mayUse(visible: Visible, slug: string, runtime: VisibleRuntime): Promise<boolean> {
  const end = new AbortController();
  const late = sleep(decisionMs, false, { signal: end.signal }).catch(() => false);
  try {
    const decided = (async () => (await visible(slug, runtime)) === true)();
    return await Promise.race([decided, late]);
  } catch {
    return false;
  } finally {
    end.abort();
  }
}

function refuseHidden(slug: string): Error {
  return refusedByPolicy(
    `The source ${slug} is not available in this run; nothing was sent or read.`,
    "Use another source, or tell the user that this one is not available to them.",
  );
}
