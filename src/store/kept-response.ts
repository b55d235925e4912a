/** What is kept of a response: redacted text, never a tree (about a fifth of the memory) and never a credential. */

import type { BodyKind } from "../body/response-body.js";

export interface KeptResponse {
  /** `ResponseBody.text`: redacted text, base64 for binary. */
  readonly text: string;
  readonly kind: BodyKind;
  readonly status: number;
  readonly contentType?: string;
  /** The tool that got it and what it asked for, such as `GET /issues?page=2`. */
  readonly source: string;
  readonly request: string;
  /** Set when the body did not arrive whole. */
  readonly partial?: { readonly bytes: number; readonly why: string };
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}
