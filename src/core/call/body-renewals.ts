/** Which tokens were renewed because of a body: each once in a while, because an API may always answer so. */

import { hashText } from "../base/text.js";
import type { UsableCredential } from "../credentials/credential.js";

/** Which credentials were renewed because of a body. */
export interface BodyRenewals {
  /** Whether another renewal of this credential may begin. */
  mayRenew(source: string, credential: UsableCredential | undefined, nowMs: number): boolean;
  /** Notes a renewal, for the credential that was renewed and for the one that came of it. */
  note(source: string, credential: UsableCredential | undefined, nowMs: number): void;
}

const restMs = 60_000;
/** The oldest are forgotten first. */
const maxRenewals = 1_000;

export function createBodyRenewals(): BodyRenewals {
  const renewedMs = new Map<string, number>();
  return {
    mayRenew(source, credential, nowMs) {
      const lastMs = renewedMs.get(nameCredential(source, credential));
      return lastMs === undefined || nowMs - lastMs >= restMs;
    },
    note(source, credential, nowMs) {
      const name = nameCredential(source, credential);
      renewedMs.delete(name);
      renewedMs.set(name, nowMs);
      const [oldest = name] = renewedMs.keys();
      if (renewedMs.size > maxRenewals) renewedMs.delete(oldest);
    },
  };
}

/** A token that is issued stays the same credential; one that a function gives is known by itself. */
function nameCredential(source: string, credential: UsableCredential | undefined): string {
  const token = credential?.kind === "token" ? (credential.identity ?? credential.token) : "";
  return hashText(JSON.stringify([source, token]));
}
