/** The secrets of a toolkit, all of its sources': an API may echo another's. */

import type { Logger } from "../runtime.js";
import { createRedactor } from "./create-redactor.js";
import type { Redactor } from "./redactor.js";
import type { Secret } from "./secret.js";

export interface SecretRegistry {
  /** Remembers secrets for good; one that is known already costs nothing. */
  add(secrets: readonly Secret[]): void;
  /** A redactor of everything that is known by now. */
  redactor(): Redactor;
}

export function createSecretRegistry(options: { readonly logger?: Logger } = {}): SecretRegistry {
  let redactor = createRedactor([], options);
  return {
    add: (secrets) => {
      redactor = redactor.with(secrets);
    },
    redactor: () => redactor,
  };
}
