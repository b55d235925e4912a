/** The package as another process has it: nothing that its modules hold is shared. */

import { jest } from "@jest/globals";

export function importAnew(): Promise<typeof import("langchain-api-sources")> {
  jest.resetModules();
  return import("langchain-api-sources");
}
