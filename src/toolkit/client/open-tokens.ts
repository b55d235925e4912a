/** The one issuer of tokens of a toolkit: its room is loaded when the first call needs a token. */

import type { RuntimeStore } from "../../core/base/runtime.js";
import type { Traffic } from "../../core/call/running-call.js";
import { Secret } from "../../core/secrets/secret.js";
import type { SecretRegistry } from "../../core/secrets/secret-registry.js";
import { resolveRuntimeStore } from "../../core/store/response-store.js";
import type { OAuthRuntime } from "../../features/oauth/resolve-grant.js";
import type { TokenIssuer } from "../../features/oauth/token-issuer.js";
import type { TokenStore } from "../../features/oauth/token-store.js";
import type { ClientOptions } from "./client-options.js";
import { findUser } from "./name-owner.js";

/** The services of a toolkit that the issuer needs. */
export interface TokenRuntime
  extends Pick<
      OAuthRuntime,
      | "clock"
      | "stopwatch"
      | "sleep"
      | "random"
      | "logger"
      | "application"
      | "transport"
      | "resolveSecret"
    >,
    Pick<Traffic, "nameCaller"> {
  readonly secrets: SecretRegistry;
}

type TokenOptions = Pick<ClientOptions, "tokenStore" | "responseScope" | "userOf">;

/** Gives the one issuer, however often it is asked for. */
export function createTokenOpener(
  options: TokenOptions,
  runtime: TokenRuntime,
): () => Promise<TokenIssuer> {
  let issuer: Promise<TokenIssuer> | undefined;
  return () => {
    issuer ??= openTokens(options, runtime);
    return issuer;
  };
}

async function openTokens(
  { tokenStore, responseScope, userOf }: TokenOptions,
  runtime: TokenRuntime,
): Promise<TokenIssuer> {
  const { secrets } = runtime;
  const { TokenIssuer } = await import("../../features/oauth/token-issuer.js");
  const { createMemoryTokenStore, createRuntimeTokenStore } = await import(
    "../../features/oauth/token-store.js"
  );
  const memory = createMemoryTokenStore();
  // One of ours for each of theirs: a renewal that is under way is found by its store.
  const adapted = new WeakMap<RuntimeStore, TokenStore>();
  const adapt = (given: RuntimeStore): TokenStore => {
    const store = resolveRuntimeStore(given);
    const known = adapted.get(store) ?? createRuntimeTokenStore(store, runtime);
    adapted.set(store, known);
    return known;
  };
  return new TokenIssuer({
    ...runtime,
    redactor: () => secrets.redactor(),
    hide: (texts) =>
      secrets.addPassing(texts.filter(Boolean).map((text) => new Secret(String(text)))),
    fingerprint: (source, text) => runtime.nameCaller(source, ["", "", "", text]),
    storeOf: ({ store }) => {
      const given = (tokenStore === "runtime" ? store : tokenStore) ?? memory;
      return "lease" in given ? given : adapt(given);
    },
    userOf: (context, isPersons) =>
      findUser({ responseScope, userOf, application: runtime.application }, context, isPersons),
  });
}
