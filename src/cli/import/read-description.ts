/** Reads what describes an API, whatever it is: OpenAPI 3, Swagger 2, a Postman collection, or a curl line. */

import { type ApiSourceError, invalidInput } from "../../core/base/errors.js";
import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import {
  asList,
  asObject,
  asString,
  type Plain,
  parseDocument,
} from "../../features/openapi/parse-document.js";
import type { ImportChoice, Imported, SampleRequest } from "./imported.js";
import { isCurl, readCurl } from "./read-curl.js";
import { readOpenApi } from "./read-openapi.js";
import { createFromRequests } from "./sample-request.js";

/**
 * Makes a record of a description. Nothing is fetched: references to other documents are not followed.
 *
 * @param text - A document in JSON or YAML, or a line that starts with `curl`.
 * @throws ApiSourceError `invalid_input` that names what the text is not.
 */
export async function readDescription(text: string, choice: ImportChoice = {}): Promise<Imported> {
  const source = text.replace(/^\uFEFF/, "");
  if (isCurl(source)) return createFromRequests([readCurl(source.trim())], choice);
  const { value: document, why } = await parseDocument(source);
  if (why !== undefined) throw unknownFormat(`It ${why}.`);
  if (!isPlainObject(document)) throw unknownFormat("It contains no object.");
  if (document["openapi"] !== undefined || document["swagger"] !== undefined)
    return {
      ...readOpenApi(document, choice),
      // JSON stays as it is: its numbers keep their digits.
      document: readPlainJson(source) !== undefined ? source : JSON.stringify(document, null, 2),
    };
  const { name, schema } = asObject(document["info"]);
  if (schema !== undefined && Array.isArray(document["item"]))
    return createFromRequests(readPostman(document, choice.baseUrl), choice, asString(name));
  throw unknownFormat("It has another format.");
}

function unknownFormat(message: string): ApiSourceError {
  return invalidInput(
    message,
    "Give an OpenAPI 3 or Swagger 2 document (JSON or YAML), a Postman collection v2.1, or a curl line.",
  );
}

const maxItems = 5_000;

/** The requests of a collection (https://schema.postman.com), its variables filled in; folders hand their `auth` down. */
function readPostman(document: Plain, baseUrl: string | undefined): SampleRequest[] {
  const variables = new Map(readPairs(document["variable"]));
  const marked = asList(document["variable"]).filter((each) => asObject(each)["type"] === "secret");
  const secrets = new Map(readPairs(marked).filter(([, value]) => value !== ""));
  const fill: Fill = (text, isShown = false) =>
    text.replace(/\{\{\s*([^{}]{1,100}?)\s*\}\}/g, (whole, name: string) => {
      // Often the environment of its author has the base URL, which is a file of its own.
      const isBase = /^(?:base_?|server_?|api_?)?(?:url|host)$/i.test(name);
      const value = isShown && secrets.has(name) ? undefined : variables.get(name);
      return value || (isBase && baseUrl) || whole;
    });
  const secretValues = [...secrets.values()];
  const requests: SampleRequest[] = [];
  const waiting = [{ items: asList(document["item"]), auth: document["auth"] }];
  for (let next = waiting.pop(); next !== undefined && requests.length < maxItems; next = waiting.pop()) {
    for (const item of next.items.map(asObject)) {
      const auth = item["auth"] ?? next.auth;
      if (Array.isArray(item["item"])) waiting.push({ items: item["item"], auth });
      else if (item["request"] !== undefined)
        requests.push({ ...readPostmanRequest(item, auth, fill), secretValues });
    }
  }
  return requests;
}

/** Fills in variables; with `isShown` not those that are marked as secret: a path becomes an endpoint of the record. */
type Fill = (text: string, isShown?: boolean) => string;

function readPostmanRequest(item: Plain, inherited: unknown, fill: Fill): SampleRequest {
  const { request } = item;
  const { url, method, header, auth, body } =
    typeof request === "string" ? { url: request } : asObject(request);
  const [address = "", query] = (
    asString(url) ??
    asString(asObject(url)["raw"]) ??
    joinUrl(asObject(url))
  ).split(/(?<=\?)(.*)/s);
  const raw = fill(address, true) + fill(query ?? "");
  // `:id` in a path is a variable of it.
  const path = raw.replace(/\/:([A-Za-z_]\w*)/g, "/{$1}");
  const about = asString(item["name"]);
  const sample: SampleRequest = {
    method: (asString(method) ?? "GET").toUpperCase(),
    url: /^[a-z]+:\/\//i.test(path) ? path : `https://${path}`,
    headers: readPairs(header).map(([name, value]) => [name, fill(value)] as const),
    about,
    ...readBodyFormat(asObject(body)["mode"]),
  };
  return applyAuth(sample, asObject(auth ?? inherited), fill);
}

function readBodyFormat(mode: unknown): Pick<SampleRequest, "bodyFormat"> {
  if (mode === "urlencoded") return { bodyFormat: "form" };
  return mode === "formdata" ? { bodyFormat: "multipart" } : {};
}

/** A URL that is written in parts alone. */
function joinUrl({ protocol, host, path, query }: Plain): string {
  const join = (value: unknown, mark: string): string => [value ?? ""].flat().map(String).join(mark);
  const pairs = readPairs(query).map((pair) => pair.join("="));
  const end = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return `${protocol === undefined ? "" : `${protocol}://`}${join(host, ".")}/${join(path, "/")}${end}`;
}

function applyAuth(sample: SampleRequest, auth: Plain, fill: Fill): SampleRequest {
  const type = asString(auth["type"]) ?? "noauth";
  const values = new Map(readPairs(auth[type]).map(([name, value]) => [name, fill(value)]));
  const read = (name: string, preset: string = ""): string => values.get(name) || preset;
  const withHeader = (name: string, value: string): SampleRequest => ({
    ...sample,
    headers: [...sample.headers, [name, value]],
    secretNames: [name.toLowerCase()],
  });
  if (type === "noauth") return sample;
  if (type === "bearer") return withHeader("Authorization", `Bearer ${read("token", "{{token}}")}`);
  if (type === "oauth2") {
    const word = read("headerPrefix").trim() || "Bearer";
    return withHeader("Authorization", `${word} ${read("accessToken", "{{token}}")}`);
  }
  if (type === "basic")
    return { ...sample, basic: { username: read("username", "{{username}}"), password: read("password") } };
  if (type !== "apikey") {
    const note = `Its authentication (${type.slice(0, 40)}) can't be expressed by a record.`;
    return { ...sample, notes: [note] };
  }
  const name = read("key", "X-API-Key");
  if (read("in") !== "query") return withHeader(name, read("value"));
  const pair = new URLSearchParams({ [name]: read("value") });
  const url = `${sample.url}${sample.url.includes("?") ? "&" : "?"}${pair}`;
  return { ...sample, url, secretNames: [name.toLowerCase()] };
}

function readPairs(list: unknown): [string, string][] {
  return asList(list).flatMap((each): [string, string][] => {
    const { key: name, value, disabled } = asObject(each);
    const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
    return typeof name === "string" && name !== "" && disabled !== true ? [[name, text]] : [];
  });
}
