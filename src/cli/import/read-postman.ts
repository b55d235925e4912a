/** Reads the requests of a Postman collection, its variables filled in. */

import { hasSecretName } from "../../core/base/secret-name.js";
import { asList, asObject, asString, type Plain } from "../../features/openapi/api-document.js";
import { findContentType, readSentFormat, type SentFormat } from "./body-format.js";
import type { SentRequest } from "./imported.js";
import { applyPostmanAuth } from "./postman-auth.js";
import { readPostmanPairs } from "./postman-pairs.js";
import { noteScheme } from "./read-address.js";

const maxItems = 5_000;

/** The requests of a collection (https://schema.postman.com), its variables filled in; folders hand their `auth` down. */
export function readPostman(document: Plain, baseUrl: string | undefined): SentRequest[] {
  const variables = new Map(readPostmanPairs(document["variable"]));
  const marked = asList(document["variable"]).filter(isMarkedSecret);
  const secrets = new Map(readPostmanPairs(marked).filter(([, value]) => value !== ""));
  const fill = createFill(variables, secrets, baseUrl);
  const secretValues = [...secrets.values()].map((value) => fill(value));
  const requests: SentRequest[] = [];
  const waiting = [{ items: asList(document["item"]), auth: document["auth"] }];
  for (
    let next = waiting.pop();
    next !== undefined && requests.length < maxItems;
    next = waiting.pop()
  ) {
    for (const item of next.items.map(asObject)) {
      const auth = item["auth"] ?? next.auth;
      if (Array.isArray(item["item"])) waiting.push({ items: item["item"], auth });
      else if (item["request"] !== undefined)
        requests.push(
          ...readPostmanRequest(item, auth, fill).map((each) => ({ ...each, secretValues })),
        );
    }
  }
  return requests;
}

/** Last words of a variable that describes how a credential is got or sent, such as `auth_url`. */
const describing =
  /(?:url|uri|host|domain|port|path|endpoint|version|type|scheme|prefix|header|name)$/i;

/** By its type, and by its name: `api_key`, `password`. */
function isMarkedSecret(variable: unknown): boolean {
  const { key, id, type } = asObject(variable);
  const name = asString(key ?? id) ?? "";
  return type === "secret" || (hasSecretName(name, "header") && !describing.test(name));
}

/** A value may name other variables, and they others: no collection goes deeper. */
const maxNesting = 10;

function createFill(
  variables: ReadonlyMap<string, string>,
  secrets: ReadonlyMap<string, string>,
  baseUrl: string | undefined,
): Fill {
  const readValue = (name: string, isShown: boolean): string | undefined => {
    // Often the environment of its author has the base URL, which is a file of its own.
    const isBase = /^(?:base_?|server_?|api_?)?(?:url|host)$/i.test(name);
    const value = isShown && secrets.has(name) ? undefined : variables.get(name);
    return value || (isBase ? baseUrl : undefined);
  };
  const fill = (text: string, isShown: boolean, depth: number): string =>
    text.replace(/\{\{\s*([^{}]{1,100}?)\s*\}\}/g, (whole, name: string) => {
      const value = readValue(name, isShown);
      if (value === undefined) return whole;
      return depth === maxNesting ? value : fill(value, isShown, depth + 1);
    });
  return (text, isShown = false) => fill(text, isShown, 1);
}

/** Fills in variables; with `isShown` not those that are marked as secret: a path becomes an endpoint of the record. */
type Fill = (text: string, isShown?: boolean) => string;

/** @returns none for a request without an http(s) URL. */
function readPostmanRequest(item: Plain, inherited: unknown, fill: Fill): SentRequest[] {
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
  const whole = /^[a-z]+:\/\//i.test(path) ? path : `https://${path}`;
  // A parser takes the path of `https:///orders` for a host.
  if (!URL.canParse(whole) || !/^https?:\/\/[^/?#:]/i.test(whole)) return [];
  const headers = readPostmanPairs(header).map(([name, value]) => [name, fill(value)] as const);
  const sample: SentRequest = {
    method: (asString(method) ?? "GET").toUpperCase(),
    url: new URL(whole),
    headers,
    about: asString(item["name"]),
    bodyFormat: findFormat(asObject(body), headers),
    notes: noteScheme(path),
  };
  return [applyPostmanAuth(sample, asObject(auth ?? inherited), fill)];
}

/** How a body is written: its Content-Type states it, else its kind, and for a text its language. */
function findFormat(
  { mode, raw, options }: Plain,
  headers: readonly (readonly [string, string])[],
): SentFormat | undefined {
  const isEmpty = mode === undefined || (mode === "raw" && (asString(raw) ?? "").trim() === "");
  if (isEmpty) return undefined;
  if (mode === "urlencoded") return "form";
  if (mode === "formdata") return "multipart";
  const stated = readSentFormat(findContentType(headers));
  if (stated !== undefined) return stated;
  if (mode === "graphql") return "json";
  if (mode === "file") return "other";
  const language = asString(asObject(asObject(options)["raw"])["language"]);
  const isJson = language === "json" || (language === undefined && /^\s*[[{]/.test(String(raw)));
  return isJson ? "json" : "other";
}

/** A URL that is written in parts alone. */
function joinUrl({ protocol, host, path, query }: Plain): string {
  const join = (value: unknown, mark: string): string =>
    [value ?? ""].flat().map(String).join(mark);
  const pairs = readPostmanPairs(query).map((pair) => pair.join("="));
  const end = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return `${protocol === undefined ? "" : `${protocol}://`}${join(host, ".")}/${join(path, "/").replace(/^\/+/, "")}${end}`;
}
