/** Describes bytes that are no text. */

import { createHash } from "node:crypto";
import type { JsonValue } from "../json/exact-number.js";
import type { MediaType } from "./read-media-type.js";
import { sniffMediaType } from "./sniff-binary.js";

/**
 * Takes bytes and what was declared. Returns `{type, bytes, sha256}`; `type` by how they begin when what was declared says
 * nothing (`application/octet-stream`, none) or promises text.
 */
export function describeBinary(bytes: Uint8Array, declared: MediaType): JsonValue {
  const { name, promises } = declared;
  const isTold = name !== "application/octet-stream" && (promises === undefined || promises === "binary");
  const type = (isTold ? name : undefined) ?? sniffMediaType(bytes) ?? "application/octet-stream";
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { type, bytes: bytes.length, sha256 };
}
