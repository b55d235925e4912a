/** The application's logger as the package calls it: what it throws changes no answer. */

import type { Logger } from "../../core/base/runtime.js";

/** Passes everything on and swallows what the logger throws: a call that succeeded must not fail for a log line. */
export function guardLogger(logger: Logger): Logger {
  const guard =
    (level: keyof Logger): Logger["info"] =>
    (message, data) => {
      try {
        logger[level](message, data);
      } catch {
        // There is nowhere left to report it.
      }
    };
  return { debug: guard("debug"), info: guard("info"), warn: guard("warn"), error: guard("error") };
}
