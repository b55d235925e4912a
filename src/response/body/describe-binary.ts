/** Describes bytes that are no text. */

import { createHash } from "node:crypto";
import type { JsonDocument } from "../json-document.js";
import { sniffMediaType } from "./sniff-binary.js";

/** Takes bytes and the declared media type. Returns `{type, bytes, sha256}`; `type` by their beginning when none is declared. */
export function describeBinary(bytes: Uint8Array, declared: string | undefined): JsonDocument {
  const isTold = declared !== undefined && declared !== "application/octet-stream";
  const type = isTold ? declared : (sniffMediaType(bytes) ?? "application/octet-stream");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { value: { type, bytes: bytes.length, sha256 }, numberMark: "" };
}
