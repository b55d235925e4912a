/** Reads what describes an API, whatever it is: OpenAPI 3, Swagger 2, a Postman collection, a HAR file, or a curl line. */

import {
  asList,
  asObject,
  type ImportChoice,
  type Imported,
  importError,
  maxYamlCharacters,
  type Plain,
} from "./imported.js";
import { readHar, readPostman } from "./read-collection.js";
import { readCurl } from "./read-curl.js";
import { readOpenApi } from "./read-openapi.js";
import { createFromRequests } from "./sample-request.js";

/** More aliases than this are a bomb, not a document ("billion laughs"). */
const maxAliasCount = 200;
const maxDepth = 500;

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
  const document = await parseDocument(source);
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

async function parseDocument(text: string): Promise<Plain> {
  const value = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  const parsed = value ?? (await parseYaml(text));
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw unknownFormat("It holds no object.");
  return asObject(parsed);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What begins with a brace may still be YAML.
    return undefined;
  }
}

async function parseYaml(text: string): Promise<unknown> {
  if (text.length > maxYamlCharacters) {
    throw importError(
      `The document has more than ${maxYamlCharacters} characters.`,
      "Convert it to JSON, which is read faster.",
    );
  }
  if (isTooDeep(text)) throw unknownFormat("It is nested too deeply.");
  const { parse } = await import("yaml");
  try {
    return parse(text, { maxAliasCount, logLevel: "error", uniqueKeys: false });
  } catch (error) {
    const why =
      error instanceof Error && error.name === "YAMLParseError"
        ? (error.message.split("\n")[0] ?? "").slice(0, 80)
        : "it can't be read";
    // Only the place is passed on: the words may quote a secret of the document.
    const place = /at line \d+, column \d+/.exec(why)?.[0];
    throw unknownFormat(`It is neither JSON nor YAML${place === undefined ? "" : ` (${place})`}.`);
  }
}

/** The parser recurses: a document that is only brackets or dashes would keep it for seconds. Brackets in prose come in pairs. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= maxDepth; at += 1) {
    const character = text[at];
    if (character === "[" || character === "{") depth += 1;
    else if ((character === "]" || character === "}") && depth > 0) depth -= 1;
  }
  return depth > maxDepth || text.includes("- ".repeat(maxDepth)) || text.includes("? ".repeat(maxDepth));
}

function unknownFormat(message: string): ReturnType<typeof importError> {
  return importError(
    message,
    "Give an OpenAPI 3 or Swagger 2 document (JSON or YAML), a Postman collection v2.1, a HAR file, or a curl line.",
  );
}
