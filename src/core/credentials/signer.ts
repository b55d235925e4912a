/** A credential that signs: what it receives of each attempt of a request, and what it returns. */

import type { CallContext } from "../base/runtime.js";

/** One attempt of a request, as it is sent but for what the signature adds. */
export interface RequestToSign {
  /** GET, POST, PUT, DELETE or PATCH. */
  readonly method: string;
  /** The absolute URL, byte for byte. */
  readonly url: string;
  /** Names in lower case; without `host` and `content-length`, which follow from URL and body. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body; absent without one. */
  readonly body?: Uint8Array;
  /** The SHA-256 of the body in hexadecimal; of no bytes without one. */
  readonly bodySha256: string;
}

/** What a signature adds to the request. A header takes the place of one that is there. */
export interface RequestSignature {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * A credential that signs each request, such as an HMAC, AWS Signature Version 4 or DPoP. It takes the place of what `authType` does.
 *
 * @example
 * const credentials = {
 *   shop: { sign: ({ url, bodySha256 }) => ({ headers: { "x-signature": hmac(`${url}\n${bodySha256}`) } }) },
 * };
 */
export interface RequestSigner {
  /**
   * Called for each attempt (a retry, a followed redirect, a page, a poll), when nothing else of it changes any more.
   *
   * @param context - Of the call; its `signal` fires when the call is over.
   */
  sign(
    request: RequestToSign,
    context: CallContext,
  ): Promise<RequestSignature | undefined> | RequestSignature | undefined;
}

export function isSigner(given: unknown): given is RequestSigner {
  return typeof given === "object" && given !== null && "sign" in given && typeof given.sign === "function";
}
