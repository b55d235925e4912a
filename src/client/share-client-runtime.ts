/** A client runtime that is made when it is first used: importing the package loads nothing that a call needs. */

import type { ApiSource } from "../source/api-source.js";
import type { ClientOptions } from "./client-options.js";
import type { ClientRuntime } from "./create-client-runtime.js";

export interface SharedRuntime {
  /** The one runtime of these sources, however often it is asked for. */
  open(): Promise<ClientRuntime>;
}

/** @param defaultScope - Whom kept responses belong to when a call has no thread; see `createClientRuntime`. */
export function shareClientRuntime(
  sources: readonly ApiSource[],
  options: ClientOptions = {},
  defaultScope?: string,
): SharedRuntime {
  let opened: Promise<ClientRuntime> | undefined;
  return {
    open() {
      opened ??= import("./create-client-runtime.js").then(({ createClientRuntime }) =>
        createClientRuntime(sources, options, defaultScope),
      );
      return opened;
    },
  };
}
