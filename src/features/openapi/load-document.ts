/** Loads a description from its file, or from a text that somebody gave. */

import { readFile } from "node:fs/promises";
import { quoteText } from "../../core/base/text.js";
import { describeFileError } from "../../core/record/load-sources.js";
import { type ApiDocument, asObject, type Plain } from "./api-document.js";
import { type Bundle, bundleDocument } from "./bundle-document.js";
import { decodeUtf8, maxBytes, openFiles } from "./document-files.js";
import { createApiDocument } from "./open-document.js";
import { loadParser, parseDocument, unreadable } from "./parse-document.js";

/** @throws ApiSourceError `not_configured` that names file, place and reason. */
export async function loadApiDocument(file: string): Promise<ApiDocument> {
  const top = asObject(await parseDocument(await readText(file), file));
  const { openapi, swagger } = top;
  if (!/^3\./.test(String(openapi)) && !/^2/.test(String(swagger))) {
    const version = openapi ?? swagger;
    const what =
      version === undefined
        ? "it has neither `openapi` nor `swagger`"
        : quoteText(String(version), 20);
    throw unreadable(
      file,
      `is not an OpenAPI 3 or Swagger 2 document: ${what}`,
      "Give one of these versions.",
    );
  }
  const files = openFiles(top, file);
  if (files.hasOthers) files.setParser(await loadParser());
  return createApiDocument(files);
}

/** A document that somebody gave, to be kept elsewhere. */
export interface GivenDocument {
  readonly document: ApiDocument;
  /** The document with all that it refers to. */
  readonly bundle: Bundle;
}

/**
 * Reads a document that was parsed already. Its references are rewritten in place.
 *
 * @param file - Where it is: files in its folder, and below, are read. Absent for a text, which has none beside it.
 */
export async function readApiDocument(top: Plain, file?: string): Promise<GivenDocument> {
  const files = openFiles(top, file);
  if (files.hasOthers) files.setParser(await loadParser());
  const bundle = bundleDocument(files);
  return { document: createApiDocument(files), bundle };
}

/** @throws ApiSourceError `not_configured` for a file that can't be read as UTF-8. */
export async function readText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    if (bytes.length <= maxBytes) return decodeUtf8(bytes);
  } catch (error) {
    const { message, fix } = describeFileError(error);
    throw unreadable(file, message, fix);
  }
  throw unreadable(file, `has more than ${maxBytes} bytes`, "Give a smaller one.");
}
