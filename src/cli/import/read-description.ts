/** Reads what describes an API, whatever it is: OpenAPI 3, Swagger 2, a Postman collection, a curl line, or a PowerShell command. */

import { type ApiSourceError, invalidInput } from "../../core/base/errors.js";
import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import { clipText } from "../../core/base/text.js";
import { asObject, asString } from "../../features/openapi/api-document.js";
import { readApiDocument } from "../../features/openapi/load-document.js";
import { parseDocument } from "../../features/openapi/parse-document.js";
import { createFromRequests } from "./create-from-requests.js";
import { dropForeignVariables, type ImportChoice, type Imported } from "./imported.js";
import { isCurl, readCurl } from "./read-curl.js";
import { readOpenApi } from "./read-openapi.js";
import { readPostman } from "./read-postman.js";
import { isPowerShell, readPowerShell } from "./read-powershell.js";

/**
 * Makes a record of a description. Nothing is fetched: of references to other documents those to files beside it are followed, and kept with it.
 *
 * @param text - A document in JSON or YAML, a line that starts with `curl`, or a PowerShell command.
 * @throws ApiSourceError `invalid_input` that names what the text is not.
 */
export async function readDescription(text: string, choice: ImportChoice = {}): Promise<Imported> {
  return dropForeignVariables(await readAny(text, choice));
}

async function readAny(text: string, choice: ImportChoice): Promise<Imported> {
  const source = text.replace(/^\uFEFF/, "");
  const { baseUrl } = choice;
  if (isCurl(source)) return createFromRequests([readCurl(source.trim(), baseUrl)], choice);
  if (isPowerShell(source))
    return createFromRequests([readPowerShell(source.trim(), baseUrl)], choice);
  const document = await parseDocument(source);
  if (!isPlainObject(document)) throw unknownFormat("It contains no object.");
  const { name, schema } = asObject(document["info"]);
  if (schema !== undefined && Array.isArray(document["item"]))
    return createFromRequests(readPostman(document, choice.baseUrl), choice, asString(name));
  if (document["openapi"] === undefined && document["swagger"] === undefined)
    throw unknownFormat("It has another format.");
  const { document: api, bundle } = await readApiDocument(document, choice.file);
  const imported = readOpenApi(api, choice);
  const notes = [...imported.notes, ...noteFiles(bundle.files)];
  const kept = writeKept(source, bundle.document ?? document, bundle.document);
  return { ...imported, notes, document: kept };
}

function noteFiles(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, 10).join(", ");
  const more = files.length > 10 ? ` and ${files.length - 10} more` : "";
  return [`The kept document has parts of these files: ${clipText(named, 500)}${more}.`];
}

/** The text that is kept beside the record: JSON that refers to nothing else stays as it is, since its numbers keep their digits. */
function writeKept(source: string, document: unknown, bundle: unknown): string {
  const isKept = bundle === undefined && readPlainJson(source) !== undefined;
  return isKept ? source : JSON.stringify(document, null, 2);
}

function unknownFormat(message: string): ApiSourceError {
  return invalidInput(
    message,
    "Give an OpenAPI 3 or Swagger 2 document (JSON or YAML), a Postman collection v2.1, a curl line, or a PowerShell command.",
  );
}
