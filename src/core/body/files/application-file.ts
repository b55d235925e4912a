/** Files of the application's own, which a request may name. */

import type { CallContext } from "../../base/runtime.js";

/** A file of the application's own. */
export interface ApplicationFile {
  readonly bytes: Uint8Array;
  /** @default the last segment of the name that was asked for */
  readonly name?: string | undefined;
  /** @default "application/octet-stream" */
  readonly type?: string | undefined;
}

/** Finds a file of the application's own for this caller; undefined where it does not exist. */
export type ReadFile = (
  name: string,
  context: CallContext,
) => ApplicationFile | undefined | Promise<ApplicationFile | undefined>;
