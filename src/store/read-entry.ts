/** Reads the entries of a store: what comes back is checked, not trusted. */

import { bodyKinds } from "../body/response-body.js";
import { readPlainJson } from "../input.js";
import type { KeptResponse } from "./kept-response.js";

/** A store is outside: what is not the JSON of a string is shown as it came back. */
export function parseEscaped(text: string): string {
  const parsed = readPlainJson(text);
  return typeof parsed === "string" ? parsed : text;
}

/** A store is outside: what comes back is checked, not trusted. */
export function parseKept(value: Record<string, unknown> = {}): KeptResponse | undefined {
  const {
    text,
    kind,
    status,
    source,
    request,
    expiresAt,
    contentType,
    partial,
    scope,
    file,
    isConfidential,
  } = value;
  const known = bodyKinds.find((each) => each === kind);
  const hasTexts = typeof text === "string" && typeof source === "string" && typeof request === "string";
  if (!hasTexts || known === undefined || typeof status !== "number" || typeof expiresAt !== "number")
    return undefined;
  const { bytes, why }: Record<string, unknown> = { ...Object(partial) };
  return {
    ...{ text, kind: known, status, source, request, expiresAt },
    ...(typeof contentType === "string" ? { contentType } : {}),
    ...(isConfidential === true ? { isConfidential } : {}),
    ...(typeof bytes === "number" && typeof why === "string" ? { partial: { bytes, why } } : {}),
    ...parseScope({ ...Object(scope) }),
    ...parseFile(file),
  };
}

function parseScope({ rows, pages, total }: Record<string, unknown>): Pick<KeptResponse, "scope"> {
  if (typeof rows !== "number" || typeof pages !== "number") return {};
  return { scope: { rows, pages, ...(typeof total === "number" ? { total } : {}) } };
}

function parseFile(value: unknown): Pick<KeptResponse, "file"> {
  const { name, type, bytes, sha256, hasSecret }: Record<string, unknown> = { ...Object(value) };
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
