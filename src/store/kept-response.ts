/** What is kept of a response. */

import type { BodyKind } from "../body/response-body.js";
import type { FileFacts } from "../files/file.js";

/** The rows of an answer that is a part of a longer list. */
export interface PageScope {
  readonly rows: number;
  /** How many pages they come from. */
  readonly pages: number;
  /** How many rows the list has; absent where the API doesn't report it. */
  readonly total?: number;
}

/** What is kept of a response: redacted text, never a tree (about a fifth of the memory) and never a credential. */
export interface KeptResponse {
  /** `ResponseBody.text`: redacted text, base64 for binary. */
  readonly text: string;
  readonly kind: BodyKind;
  readonly status: number;
  readonly contentType?: string;
  /** The tool and its request, such as `GET /issues?page=2`. */
  readonly source: string;
  readonly request: string;
  /** Set when the body did not arrive whole. */
  readonly partial?: { readonly bytes: number; readonly why: string };
  /** Set when the API has more rows. */
  readonly scope?: PageScope;
  /** Whether it is of a source whose values must not reach other sources unseen. */
  readonly isConfidential?: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** Set when it is kept as a file, too. */
  readonly file?: FileFacts & {
    /** Whether its bytes hold a secret: `text` does not. */
    readonly hasSecret: boolean;
  };
}

/** A response to be kept. */
export interface KeepInput extends KeptResponse {
  /** The bytes of its file as they were received; `text` is redacted. */
  readonly content?: Uint8Array;
}
