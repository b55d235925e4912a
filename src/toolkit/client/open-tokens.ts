/** Tokens that expire, for the clients of one runtime: loaded when the first call needs one. */

import { notConfigured } from "../../core/base/errors.js";
import type { CallContext, RuntimeStore } from "../../core/base/runtime.js";
import type { ApiSource } from "../../core/record/api-source.js";
import type { SecretRegistry } from "../../core/secrets/redactor.js";
import { Secret } from "../../core/secrets/secret.js";
import { readScope } from "../../core/store/kept-responses.js";
import { resolveRuntimeStore } from "../../core/store/response-store.js";
import type { OAuthRuntime } from "../../features/oauth/resolve-grant.js";
import type { TokenIssuer } from "../../features/oauth/token-issuer.js";
import type { TokenStore } from "../../features/oauth/token-store.js";
import type { ClientOptions } from "./client-options.js";

/** What of a runtime the tokens need. */
type Needed = Pick<OAuthRuntime, "clock" | "sleep" | "random" | "logger" | "transport" | "resolveSecret"> & {
  readonly secrets: SecretRegistry;
  fingerprint(source: ApiSource, credential: undefined, secrets: readonly Secret[]): string;
};

/** Makes the one issuer of a runtime. */
export async function openTokens(
  { tokenStore, responseScope }: Pick<ClientOptions, "tokenStore" | "responseScope">,
  runtime: Needed,
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
    hide: (texts) => secrets.addPassing(texts.filter(Boolean).map((text) => new Secret(String(text)))),
    fingerprint: (source, text) => runtime.fingerprint(source, undefined, [new Secret(text)]),
    storeOf: ({ store }) => {
      const given = (tokenStore === "runtime" ? store : tokenStore) ?? memory;
      return "lease" in given ? given : adapt(given);
    },
    userOf: (context) => findUser(context, responseScope),
  });
}

/** By the application's own scope, else by the user that LangGraph authenticated; `""` where there is neither. */
function findUser(context: CallContext, responseScope: ClientOptions["responseScope"]): string {
  if (responseScope === undefined) {
    // LangGraph Platform puts the authenticated user into `configurable`.
    const { langgraph_auth_user: user, langgraph_auth_user_id: id } = { ...context.configurable };
    const identity = (user as { identity?: unknown } | undefined)?.identity;
    const found = [identity, user, id].find((each) => typeof each === "string" && each !== "");
    return found === undefined ? "" : String(found);
  }
  const names = readScope(responseScope(context));
  if (names !== undefined) return JSON.stringify(names);
  throw notConfigured(
    "unknown_user",
    "The application's responseScope returned no user, so it is not known whose token this call may use.",
    "The agent can't change this. In the application, responseScope has to return a string for each user.",
  );
}
