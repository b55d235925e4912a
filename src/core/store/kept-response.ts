/** What is kept of a response, and how an entry of a store is read as that. */

import { readPlainJson } from "../base/input.js";
import type { FileFacts } from "../body/files/file.js";
import { type BodyKind, bodyKinds } from "../body/response-body.js";

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
  /** Marks of the confidential sources that it may have content of: the thread that receives it has them, too. */
  readonly marks?: readonly string[];
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

/** A store is outside: what is not the JSON of a string is shown as it came back. */
export function parseEscaped(text: string): string {
  const parsed = readPlainJson(text);
  return typeof parsed === "string" ? parsed : text;
}

/** A store is outside: what comes back is checked, not trusted. */
export function parseKept(value: Record<string, unknown> = {}): KeptResponse | undefined {
  const { text, kind, status, source, request, expiresAt, contentType, partial, scope, file, marks } = value;
  const known = bodyKinds.find((each) => each === kind);
  const hasTexts = typeof text === "string" && typeof source === "string" && typeof request === "string";
  if (!hasTexts || known === undefined || typeof status !== "number" || typeof expiresAt !== "number")
    return undefined;
  const { bytes, why } = (partial ?? {}) as Record<string, unknown>;
  return {
    ...{ text, kind: known, status, source, request, expiresAt },
    ...(typeof contentType === "string" ? { contentType } : {}),
    ...(Array.isArray(marks) ? { marks: marks.map(String) } : {}),
    ...(typeof bytes === "number" && typeof why === "string" ? { partial: { bytes, why } } : {}),
    ...parseScope((scope ?? {}) as Record<string, unknown>),
    ...parseFile(file),
  };
}

function parseScope({ rows, pages, total }: Record<string, unknown>): Pick<KeptResponse, "scope"> {
  if (typeof rows !== "number" || typeof pages !== "number") return {};
  return { scope: { rows, pages, ...(typeof total === "number" ? { total } : {}) } };
}

function parseFile(value: unknown): Pick<KeptResponse, "file"> {
  const { name, type, bytes, sha256, hasSecret } = (value ?? {}) as Record<string, unknown>;
  const hasTexts = typeof name === "string" && typeof type === "string" && typeof sha256 === "string";
  if (!hasTexts || typeof bytes !== "number") return {};
  return { file: { name, type, bytes, sha256, hasSecret: hasSecret !== false } };
}

/** The keys of the further parts, of an entry that may be anything. */
export function readParts(
  value: Record<string, unknown> = {},
  member: "parts" | "contentParts" = "parts",
): string[] {
  const parts = value[member];
  return Array.isArray(parts) ? parts.filter((part) => typeof part === "string") : [];
}
