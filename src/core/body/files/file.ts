/** What a file is: its bytes, and the plain data that an answer, an approval and a program see of it. */

import { createHash } from "node:crypto";

/** A file as plain data; its bytes are never part of it. */
export interface FileFacts {
  /** Safe for every file system: no path, no control characters. */
  readonly name: string;
  /** The media type, such as `application/pdf`. */
  readonly type: string;
  /** Its size. */
  readonly bytes: number;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** A kept file: `id` names it in `{"$file": id}`. */
export interface KeptFile extends FileFacts {
  /** Absent where the file could not be kept. */
  readonly id?: string;
}

/** What an answer has of a kept file. */
export type ShownFile = Omit<KeptFile, "sha256">;

/** A file with its bytes. */
export interface FileContent {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Describes a file by its bytes. */
export function describeFile({ name, type, bytes }: FileContent): FileFacts {
  return { name, type, bytes: bytes.length, sha256: hashBytes(bytes) };
}

/** SHA-256 in hexadecimal. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
