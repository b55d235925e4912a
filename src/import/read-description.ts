/** Reads what describes an API, whatever it is: OpenAPI 3, Swagger 2, a Postman collection, a HAR file, or a curl line. */

import { type ApiSourceError, invalidInput } from "../errors.js";
import { asList, asObject, isObject, type Plain, parseDocument } from "../map/parse-document.js";
import type { ImportChoice, Imported } from "./imported.js";
import { readHar, readPostman } from "./read-collection.js";
import { readCurl } from "./read-curl.js";
import { readOpenApi } from "./read-openapi.js";
import { createFromRequests } from "./sample-request.js";

/**
 * Makes a record of a description. Nothing is fetched: references to other documents are not followed.
 *
 * @param text - A document in JSON or YAML, or a line that starts with `curl`.
 * @throws ApiSourceError `invalid_input` that says what the text is not.
 */
export async function readDescription(text: string, choice: ImportChoice = {}): Promise<Imported> {
  const source = text.replace(/^\uFEFF/, "");
  if (/^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(source))
    return createFromRequests([readCurl(source.trim())], choice);
  const document = await readPlain(source);
  if (document["openapi"] !== undefined || document["swagger"] !== undefined)
    return readOpenApi(document, choice);
  if (Array.isArray(asObject(document["log"])["entries"]))
    return createFromRequests(readHar(document), choice);
  if (asObject(document["info"])["schema"] !== undefined && Array.isArray(document["item"])) {
    const { name, requests } = readPostman(document, choice.baseUrl);
    return createFromRequests(requests, choice, name);
  }
  if (asList(document["resources"]).length > 0)
    throw unknownFormat("It looks like an export of Insomnia, which is not read.");
  throw unknownFormat("It is none of the formats that are read.");
}

async function readPlain(text: string): Promise<Plain> {
  const { value, why } = await parseDocument(text);
  if (why !== undefined) throw unknownFormat(`It ${why}.`);
  if (!isObject(value)) throw unknownFormat("It holds no object.");
  return value;
}

function unknownFormat(message: string): ApiSourceError {
  return invalidInput(
    message,
    "Give an OpenAPI 3 or Swagger 2 document (JSON or YAML), a Postman collection v2.1, a HAR file, or a curl line.",
  );
}
