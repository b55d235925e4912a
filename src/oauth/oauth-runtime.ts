/** What the room needs of the client it works for. */

import type { CallContext, Clock, Logger, Random, Sleep } from "../runtime.js";
import type { Redactor } from "../secrets/redactor.js";
import type { Secret } from "../secrets/secret.js";
import type { ApiSource } from "../source/api-source.js";
import type { TransportFunction } from "../transport/own-transport.js";
import type { TokenStore } from "./token-store.js";

export interface OAuthRuntime {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly logger: Logger;
  /** Answers requests in place of the network. */
  readonly transport?: TransportFunction | undefined;
  /** Knows every secret so far. */
  redactor(): Redactor;
  /** Has these texts redacted from now on, wherever they stand. */
  hide(texts: readonly (string | undefined)[]): void;
  resolveSecret(name: string, source: ApiSource, context: CallContext): Promise<Secret | undefined>;
  /** A name for a text that doesn't give it away, the same in every process. */
  fingerprint(source: ApiSource, text: string): string;
  storeOf(context: CallContext): TokenStore;
  /**
   * Whose tokens a call uses; `""` where the application knows no users.
   *
   * @throws ApiSourceError `not_configured` when the application names nobody.
   */
  userOf(context: CallContext): string;
}
