/** The application's logger as the package calls it: the fields arrive in each kind of logger, and a failure of it changes no answer. */

import type { Logger } from "../../core/base/runtime.js";

type Log = (message: string, data?: Readonly<Record<string, unknown>>) => unknown;

/** Passes everything on and swallows what the logger throws or rejects: a call that succeeded must not fail for a log line. */
export function guardLogger(logger: Logger): Logger {
  const isFieldsFirst = takesFieldsFirst(logger);
  const guard =
    (level: keyof Logger): Log =>
    async (message, data) => {
      try {
        // In one turn: only what a logger returns is waited for.
        await (isFieldsFirst && data !== undefined
          ? Reflect.apply(logger[level], logger, [data, message])
          : logger[level](message, data));
      } catch {
        // There is nowhere left to report it.
      }
    };
  return { debug: guard("debug"), info: guard("info"), warn: guard("warn"), error: guard("error") };
}

/**
 * Whether a logger takes the fields before the text: pino and those made of it, which are known by `bindings()`. It would take fields after the text for
 * values of a format, and drop them. winston and console take them after the text.
 */
function takesFieldsFirst(logger: Logger): boolean {
  return "bindings" in logger && typeof logger.bindings === "function";
}
