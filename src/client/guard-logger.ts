/** A logger that can't fail a call. */

import type { Logger } from "../runtime.js";

/** Passes everything on and swallows what the application's logger throws: a call that succeeded must not fail for a log line. */
export function guardLogger(logger: Logger): Logger {
  const guard =
    (level: keyof Logger): Logger["info"] =>
    (message, data) => {
      try {
        logger[level](message, data);
      } catch {
        // There is nowhere left to say it.
      }
    };
  return { debug: guard("debug"), info: guard("info"), warn: guard("warn"), error: guard("error") };
}
