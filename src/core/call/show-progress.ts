/** Tells the caller how far a call has come: the pages that it read, the state of the job that it waits for. */

import type { RunningCall } from "./running-call.js";

/** The caller is not waited for, and what its function throws is reported. */
export function showProgress(
  { services, context }: Pick<RunningCall, "services" | "context">,
  progress: Readonly<Record<string, unknown>>,
): void {
  const { onProgress } = context;
  if (onProgress === undefined) return;
  services.host.application.observe("The application's onProgress", () => onProgress(progress));
}
