/** What a file of recordings holds: plain JSON, redacted by value, without the credential. */

import { z } from "zod";

/** A file or another body that is not text. */
export interface HashedBytes {
  bytes: number;
  sha256: string;
}

export interface RecordedPart {
  name: string;
  filename?: string | undefined;
  type?: string | undefined;
  /** A part that is a file is compared by its hash. */
  content: string | HashedBytes;
}

export type RecordedBody = string | HashedBytes | { parts: RecordedPart[] };

export interface RecordedRequest {
  method: string;
  /** Path and query below the base URL; of a token call and of another host the absolute URL, its query values made up. */
  url: string;
  contentType?: string | undefined;
  /** Absent where the request has no body, and for a request that obtains a token: that body is a credential. */
  body?: RecordedBody | undefined;
  isTokenCall?: true | undefined;
}

export interface RecordedResponse {
  status: number;
  headers: Record<string, string | string[]>;
  /** Text, so that every number keeps its digits; bytes that are not UTF-8 as base64. */
  body?: string | { base64: string } | undefined;
  /** Whether the body broke off. */
  isTruncated?: true | undefined;
}

/** One attempt of a request, and what became of it. */
export interface RecordedEntry {
  request: RecordedRequest;
  /** Absent when the connection broke before a response. */
  response?: RecordedResponse | undefined;
  /** Why no response arrived: a code of Node's, where there is one. */
  failure?: { code?: string | undefined } | undefined;
  /** From the request to the response's head, in milliseconds. */
  ms: number;
}

/** One file: the attempts of one source, in the order in which they were sent. */
export interface RecordingFile {
  version: 1;
  source: string;
  entries: RecordedEntry[];
}

const hashed = z.object({ bytes: z.int(), sha256: z.string() });
const text = z.string();
const part = z.object({
  name: text,
  filename: text.optional(),
  type: text.optional(),
  content: z.union([text, hashed]),
});
const request = z.object({
  method: text,
  url: text,
  contentType: text.optional(),
  body: z.union([text, hashed, z.object({ parts: z.array(part) })]).optional(),
  isTokenCall: z.literal(true).optional(),
});
const response = z.object({
  status: z.int(),
  headers: z.record(text, z.union([text, z.array(text)])),
  body: z.union([text, z.object({ base64: text })]).optional(),
  isTruncated: z.literal(true).optional(),
});
const failure = z.object({ code: text.optional() });
const entry = z.object({
  request,
  response: response.optional(),
  failure: failure.optional(),
  ms: z.number(),
});

export const recordingFile: z.ZodType<RecordingFile> = z.object({
  version: z.literal(1),
  source: text,
  entries: z.array(entry),
});
