/** URLs as a source builds them for an agent's path, or the refusal. */

import type { ApiSourceError } from "../../src/core/base/errors.js";
import {
  type ResolvedUrl,
  type ResolveUrlInput,
  resolveUrl,
} from "../../src/core/request/resolve-url.js";
import { staysUnderBase } from "./lenient-server.js";
import { findRefusal } from "./refusals.js";
import { words } from "./words.js";

export const origin = "https://api.example.com";

export function resolve(path: string, given: Partial<ResolveUrlInput> = {}): ResolvedUrl {
  const constants = { query: [], constantQuery: {}, reservedQueryNames: ["api_key"] };
  return resolveUrl({ baseUrl: `${origin}/v1`, path, ...constants, ...given });
}

export const refusalOf = (
  path: unknown,
  given: Partial<ResolveUrlInput> = {},
): ApiSourceError | undefined => findRefusal(() => resolve(path as string, given));

/** Whether a path is refused, or sent as it is written and below the base path for the most lenient server. */
export function isHarmless(path: string): "refused" | "confined" | "escaped" {
  if (refusalOf(path) !== undefined) return "refused";
  const { url } = resolve(path);
  const isKept = new URL(url).href === url && url.startsWith(`${origin}/v1`);
  return isKept && staysUnderBase(url.slice(origin.length), "/v1") ? "confined" : "escaped";
}

/** What lenient servers have made ways out of. */
export const pathPieces: readonly string[] = [
  ...words(`
    / / // \\ . .. ... ; ;x %2f %5c %2e %252e %25 %252f %c0 %ae %e0%80%ae %u002e a b : @ ? # = & % %00 %0a %3b
    %3f %CC%87 \u0307 %E2%80%8B %252f%CC%87 ．． ‥ 。 ／ ＼ ⁄ ∕ ％ ； \u200b \u00ad é ﬀ \u0338 { } {x} http: //evil
  `),
  ...["%ef%bc%8e", "\t", "\n", " ", "+", "%20", "\ufeff", "%25252e"],
];
