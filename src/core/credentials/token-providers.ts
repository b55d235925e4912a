/** Token providers of the application: their tokens, and one renewal for all calls that a token failed. */

import type { Application, GivenFunction } from "../base/application.js";
import { type CallContext, type Clock, systemClock } from "../base/runtime.js";
import type { ApiSource } from "../record/api-source.js";
import { parseCredential, type TokenProvider, type UsableCredential } from "./credential.js";

export const fromOption = "the credentials option";
export const lookupFailed = "credential_lookup_failed";

export function nameCredentials({ slug }: ApiSource): GivenFunction {
  return { what: "The application's credentials option", source: slug, code: lookupFailed };
}

export type ResolveProvided = (
  provider: TokenProvider,
  source: ApiSource,
  caller: Caller,
) => Promise<UsableCredential>;

interface Caller {
  readonly context: CallContext;
  /** As `UsableCredential` has it. */
  readonly owner: string | undefined;
}

interface ProviderOptions {
  readonly application: Pick<Application, "ask">;
  readonly clock?: Clock | undefined;
}

interface SharedRenewal {
  readonly end: Promise<unknown>;
  readonly startedMs: number;
}

/** A function that has not answered by then may never answer: it is called again for a later call. */
const sharedForMs = 60_000;

/**
 * Calls that received a 401 for one token share one renewal. A provider that has another token already is not called about the old one: a
 * call before has renewed it. `onUnauthorized` gets no signal, because a caller that leaves must not stop it for the others.
 */
export function createProviderResolver({
  application: { ask },
  clock = systemClock,
}: ProviderOptions): ResolveProvided {
  const renewals = new Map<string, SharedRenewal>();

  function share(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const startedMs = clock.now();
    const running = renewals.get(key);
    if (running !== undefined && startedMs - running.startedMs < sharedForMs) return running.end;
    const end = work().finally(() => {
      if (renewals.get(key) === renewal) renewals.delete(key);
    });
    const renewal: SharedRenewal = { end, startedMs };
    renewals.set(key, renewal);
    return end;
  }

  return async (provider, source, { context, owner }) => {
    const { signal: _, ...lasting } = context;
    const asked = nameCredentials(source);
    const askToken = async () => {
      const token = await ask(asked, () => provider.token(context));
      return { ...parseCredential({ token }, source, fromOption), owner };
    };
    const credential = await askToken();
    if (credential.kind !== "token") return credential;
    const { token } = credential;
    const renew = async (): Promise<UsableCredential | undefined> => {
      const current = await askToken();
      if (current.kind === "token" && current.token !== token) return current;
      if (provider.onUnauthorized === undefined) return undefined;
      await share(JSON.stringify([source.slug, token]), () =>
        ask(asked, async () => provider.onUnauthorized?.(lasting)),
      );
      return askToken();
    };
    return { ...credential, renew };
  };
}
