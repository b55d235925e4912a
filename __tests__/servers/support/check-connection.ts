/** The connection test of one record against a real server; its report is searched for secrets. */

import { inspect } from "node:util";
import { expect } from "@jest/globals";
import type { ClientOptions } from "../../../src/client/client-options.js";
import type { ConnectionReport } from "../../../src/connection/connection-report.js";
import { testConnection } from "../../../src/connection/test-connection.js";
import { findSecret } from "./find-secret.js";

/** Nothing comes from the environment of this machine. */
export async function checkConnection(
  record: unknown,
  options: ClientOptions,
  secrets: readonly string[],
): Promise<ConnectionReport> {
  const report = await testConnection(record, { readEnvironment: () => undefined, ...options });
  expect(findSecret(inspect(report, { depth: null, showHidden: true }), secrets)).toBeUndefined();
  return report;
}
