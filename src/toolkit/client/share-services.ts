/** The services of some sources, made when the first call needs them: importing the package does not load what only a call needs. */

import type { Seams } from "../../core/base/runtime.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { noteConfidential } from "../../features/confidential/loaded.js";
import { type ClientOptions, checkOptions } from "./client-options.js";
import type { ToolkitServices } from "./create-services.js";
import { processState } from "./process-state.js";

/** Gives the one runtime of some sources, however often it is asked for. */
export type OpenServices = () => Promise<ToolkitServices>;

/**
 * Checks the options, and gives what makes the services once.
 *
 * @param defaultScope - The owner of kept responses when a call has no thread; see `createServices`.
 * @throws ApiSourceError `not_configured` for an unknown option, a wrong value, and a credential with nearly a source's name.
 */
export function shareServices(
  sources: readonly ApiSource[],
  options: ClientOptions = {},
  defaultScope?: string,
  seams?: Seams,
): OpenServices {
  checkOptions(options, sources);
  noteConfidential(sources, processState.confidential);
  let opened: Promise<ToolkitServices> | undefined;
  return () => {
    opened ??= import("./create-services.js").then(({ createServices }) =>
      createServices(sources, options, defaultScope, seams),
    );
    return opened;
  };
}
