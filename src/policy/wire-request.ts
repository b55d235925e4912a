/** A request that passed every rule of the wall and is ready for the wire, but for the credential. */

import type { HttpMethod } from "../source/api-source.js";

export interface WireRequest {
  readonly method: HttpMethod;
  /** The absolute URL, byte for byte as it is sent; it never holds the credential. */
  readonly url: string;
  /** Constant headers and those the agent added; it never holds the credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** The serialised body; its `Content-Type` is among the headers. */
  readonly body?: Uint8Array;
}
