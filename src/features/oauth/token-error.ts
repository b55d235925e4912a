/** The report of an authorization server's answer that the library refused, and of a request to it that failed. */

import type * as OAuth from "oauth4webapi";
import { ApiSourceError } from "../../core/base/errors.js";
import { clipText } from "../../core/base/text.js";
import { quoteAnswer, refuseSetup, TokenRefused } from "./refusals.js";
import type { OAuthRuntime, ResolvedOAuth2 } from "./resolve-grant.js";
import { describeEndpoint } from "./token-endpoint.js";

/** An endpoint that answered, or did not. */
interface AskedEndpoint {
  readonly runtime: OAuthRuntime;
  readonly url: string;
  /** Whether it gives device codes, and no tokens. */
  readonly isDevice: boolean;
}

/** The error to throw for whatever the library or the transport threw. */
export function toTokenError(
  error: unknown,
  library: typeof OAuth,
  { source }: ResolvedOAuth2,
  { runtime, url, isDevice }: AskedEndpoint,
): ApiSourceError {
  if (error instanceof ApiSourceError) return error;
  if (error instanceof library.ResponseBodyError) {
    const { error: word, error_description: description = "" } = error;
    const code = quoteAnswer(runtime, word, 100);
    const reason = quoteAnswer(runtime, description, 300);
    return new TokenRefused(source, code, reason === "" ? code : `${code}: ${reason}`);
  }
  const [thing, place] = isDevice
    ? ["device code", "device authorization endpoint"]
    : ["token", "token endpoint"];
  return refuseSetup(
    `The response of ${describeEndpoint(url)} contains no usable ${thing}: ${describeProblem(error)}.`,
    "invalid_token_answer",
    `check that this is the ${place} of the API`,
    { category: "unexpected_content" },
  );
}

/** The library's own words, which hold nothing of the answer; of anything else its class alone. */
export function describeProblem(error: unknown): string {
  const isLibrarys =
    error instanceof Error &&
    /^(?:OperationProcessingError|UnsupportedOperationError)$/.test(error.name);
  return isLibrarys
    ? clipText(error.message.replaceAll('"response" body ', ""), 200)
    : "it can't be read";
}
