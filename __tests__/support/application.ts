/** The border to functions of an application, for tests of a room below the toolkit. */

import { type Application, createApplication } from "../../src/core/base/application.js";
import { silentLogger } from "../../src/core/base/runtime.js";

/** @param reports - Receives what is reported: what failed, and the message of its error. */
export function makeApplication(reports: [what: string, error: unknown][] = []): Application {
  const warn = (what: string, data: Readonly<Record<string, unknown>> = {}): void =>
    void reports.push([what, data["error"]]);
  return createApplication({
    logger: { ...silentLogger, warn },
    describeError: (error) => (error instanceof Error ? error.message : typeof error),
    redact: (text) => text,
  });
}
