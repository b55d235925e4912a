/** The one issuer of tokens of a toolkit: its room is loaded when the first call needs a token; and whose tokens a call may use. */

import { notConfigured } from "../../core/base/errors.js";
import type { CallContext, RuntimeStore } from "../../core/base/runtime.js";
import type { Traffic } from "../../core/call/running-call.js";
import { Secret } from "../../core/secrets/secret.js";
import type { SecretRegistry } from "../../core/secrets/secret-registry.js";
import { readScope } from "../../core/store/kept-responses.js";
import { resolveRuntimeStore } from "../../core/store/response-store.js";
import type { OAuthRuntime } from "../../features/oauth/resolve-grant.js";
import type { TokenIssuer } from "../../features/oauth/token-issuer.js";
import type { TokenStore } from "../../features/oauth/token-store.js";
import type { ClientOptions } from "./client-options.js";

/** The services of a toolkit that the issuer needs. */
export interface TokenRuntime
  extends Pick<
      OAuthRuntime,
      "clock" | "sleep" | "random" | "logger" | "application" | "transport" | "resolveSecret"
    >,
    Pick<Traffic, "fingerprint"> {
  readonly secrets: SecretRegistry;
}

type TokenOptions = Pick<ClientOptions, "tokenStore" | "responseScope">;

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
  { tokenStore, responseScope }: TokenOptions,
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
    fingerprint: (source, text) => runtime.fingerprint(source, undefined, [new Secret(text)]),
    storeOf: ({ store }) => {
      const given = (tokenStore === "runtime" ? store : tokenStore) ?? memory;
      return "lease" in given ? given : adapt(given);
    },
    userOf: (context) => findUser(context, responseScope),
  });
}

/** Names the user by the application's own scope, else by the user that LangGraph authenticated; `""` where there is neither. */
function findUser(context: CallContext, responseScope: ClientOptions["responseScope"]): string {
  if (responseScope === undefined) return findAuthenticatedUser(context);
  const names = readScope(responseScope(context));
  if (names !== undefined) return JSON.stringify(names);
  throw notConfigured(
    "unknown_user",
    "The application's responseScope returned no user, so it is not known whose token this call may use.",
    "The agent can't change this. In the application, responseScope has to return a string for each user.",
  );
}

/** LangGraph Platform puts the authenticated user into `configurable`. */
function findAuthenticatedUser({ configurable }: CallContext): string {
  const { langgraph_auth_user: user, langgraph_auth_user_id: id } = { ...configurable };
  const identity = (user as { identity?: unknown } | undefined)?.identity;
  const found = [identity, user, id].find((each) => typeof each === "string" && each !== "");
  return found === undefined ? "" : String(found);
}
