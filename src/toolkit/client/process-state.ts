/** The state that all toolkits of one process share on purpose: an application may make a toolkit, or a client, for each request that it serves. */

import { createOpenKeys, type OpenKeys } from "../../core/call/idempotency-keys.js";

export interface ProcessState {
  /** A write that is sent again by another client of the process is the same write. */
  readonly openKeys: OpenKeys;
}

export const processState: ProcessState = { openKeys: createOpenKeys() };
