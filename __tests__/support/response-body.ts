/** Makes response bodies as the reader would, for tests that start from one. */

import { parseJson } from "../../src/core/base/parse-json.js";
import { parseHtml } from "../../src/core/body/parse-html.js";
import { parseXml } from "../../src/core/body/parse-xml.js";
import type { BodyKind, ResponseBody } from "../../src/core/body/response-body.js";

/** A JSON body from its text, or from a value. */
export function jsonBody(content: unknown, contentType = "application/json"): ResponseBody {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return {
    kind: "json",
    text,
    contentType,
    bytes: Buffer.byteLength(text),
    document: parseJson(text),
  };
}

export async function xmlBody(
  text: string,
  contentType = "application/xml",
): Promise<ResponseBody> {
  return {
    kind: "xml",
    text,
    contentType,
    bytes: Buffer.byteLength(text),
    ...(await parseXml(text)),
  };
}

export async function htmlBody(text: string, contentType = "text/html"): Promise<ResponseBody> {
  return {
    kind: "html",
    text,
    contentType,
    bytes: Buffer.byteLength(text),
    ...(await parseHtml(text)),
  };
}

export function textBody(
  text: string,
  contentType = "text/plain",
  kind: BodyKind = "text",
): ResponseBody {
  return { kind, text, contentType, bytes: Buffer.byteLength(text), document: text };
}

export function emptyBody(contentType?: string): ResponseBody {
  return {
    kind: "empty",
    text: "",
    bytes: 0,
    ...(contentType === undefined ? {} : { contentType }),
  };
}
