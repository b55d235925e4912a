/** The means by which the requests of a toolkit leave, and what all of them share. */

import type { Host } from "../../core/base/runtime.js";
import { createOpenKeys } from "../../core/call/idempotency-keys.js";
import type { Traffic } from "../../core/call/running-call.js";
import { Cooldowns } from "../../core/http/limits/cooldowns.js";
import type { ClientOptions } from "./client-options.js";
import { processState } from "./process-state.js";

export function createTraffic(
  { transport, redis }: Pick<ClientOptions, "transport" | "redis">,
  { stopwatch }: Pick<Host, "stopwatch">,
  nameCaller: Traffic["nameCaller"],
): Traffic {
  processState.openKeys ??= createOpenKeys();
  const { openKeys } = processState;
  return { transport, redis, cooldowns: new Cooldowns(stopwatch), openKeys, nameCaller };
}
