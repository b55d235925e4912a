/** Kept files over MCP: a link in the result of a call, and the bytes behind it. */

import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import type { KeptFile } from "../files/file.js";
import type { ApiSourceToolkit } from "../toolkit/api-source-toolkit.js";

const place = "api-sources://files/";

/** The link to a file; none for a file that could not be kept. */
export function linkFile(file: KeptFile | undefined): CallToolResult["content"] {
  if (file?.id === undefined) return [];
  const { id, name, type, bytes } = file;
  return [{ type: "resource_link", uri: place + id, name, mimeType: type, size: bytes }];
}

/**
 * Reads a linked file: as text where it is UTF-8 of a text type, else in base64.
 *
 * @param session - Whom kept files belong to.
 * @throws ResourceNotFoundError for a link that is unknown, expired, or another session's. ProtocolError for a file that contains a
 * secret: a client may show it to a model.
 */
export async function readLinkedFile(
  toolkit: ApiSourceToolkit,
  uri: string,
  session: string,
): Promise<ReadResourceResult> {
  const runtime = await toolkit.openRuntime();
  const file = uri.startsWith(place)
    ? await runtime.keptResponses.loadFile(uri.slice(place.length), { threadId: session })
    : undefined;
  if (file === undefined) throw new ResourceNotFoundError(uri);
  if (file.kept.file?.hasSecret !== false)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "The file contains a secret, so it is not given to a client. The result of the call has its redacted text.",
    );
  await runtime.flow?.rememberFile(file, { threadId: session });
  const { type: mimeType, bytes } = file;
  const text = /^text\/|[/+](?:json|xml)\b/.test(mimeType) ? decode(bytes) : undefined;
  const content = text === undefined ? { blob: Buffer.from(bytes).toString("base64") } : { text };
  return { contents: [{ uri, mimeType, ...content }] };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
