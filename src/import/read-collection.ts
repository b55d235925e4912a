/** Reads a Postman collection v2.1 and a HAR file into the requests they hold. */

import { asList, asObject, asString, type Plain } from "../map/parse-document.js";
import type { SampleRequest } from "./sample-request.js";

const maxItems = 5_000;

/** The requests of a HAR file (http://www.softwareishard.com/blog/har-12-spec/) that were answered with JSON, or all when none was. */
export function readHar(document: Plain): SampleRequest[] {
  const entries = asList(asObject(document["log"])["entries"]).slice(0, maxItems).map(asObject);
  const isJson = (entry: Plain): boolean =>
    /json/i.test(asString(asObject(asObject(entry["response"])["content"])["mimeType"]) ?? "");
  const chosen = entries.some(isJson) ? entries.filter(isJson) : entries;
  return chosen.map((entry) => {
    const request = asObject(entry["request"]);
    const body = asString(asObject(request["postData"])["text"]);
    const type = asString(asObject(request["postData"])["mimeType"]) ?? "";
    return {
      method: (asString(request["method"]) ?? "GET").toUpperCase(),
      url: asString(request["url"]) ?? "",
      headers: readPairs(request["headers"], "name"),
      ...(body === undefined ? {} : { body, isForm: /x-www-form-urlencoded/i.test(type) }),
    };
  });
}

export interface PostmanCollection {
  readonly name: string | undefined;
  readonly requests: readonly SampleRequest[];
}

/** The requests of a collection (https://schema.postman.com), its variables filled in; folders hand their `auth` down. */
export function readPostman(document: Plain, baseUrl?: string): PostmanCollection {
  const variables = new Map(readPairs(document["variable"], "key"));
  // Often the environment of whoever made it has it, which is a file of its own.
  const isBase = (name: string): boolean => /^(?:base_?|server_?|api_?)?(?:url|host)$/i.test(name);
  const fill = (text: string): string =>
    text.replace(/\{\{([^{}]{1,100})\}\}/g, (whole, name: string) => {
      const value = variables.get(name.trim());
      return value || (isBase(name.trim()) && baseUrl) || whole;
    });
  const requests: SampleRequest[] = [];
  const waiting = [{ items: asList(document["item"]), auth: document["auth"] }];
  for (let next = waiting.pop(); next !== undefined && requests.length < maxItems; next = waiting.pop()) {
    for (const each of next.items) {
      const item = asObject(each);
      const auth = item["auth"] ?? next.auth;
      if (Array.isArray(item["item"])) waiting.push({ items: item["item"], auth });
      else if (item["request"] !== undefined) requests.push(readPostmanRequest(item, auth, fill));
      if (requests.length >= maxItems) break;
    }
  }
  return { name: asString(asObject(document["info"])["name"]), requests };
}

function readPostmanRequest(item: Plain, inherited: unknown, fill: (text: string) => string): SampleRequest {
  const request = typeof item["request"] === "string" ? { url: item["request"] } : asObject(item["request"]);
  const { url, method, header, auth, body } = request as Plain;
  const raw = fill(asString(url) ?? asString(asObject(url)["raw"]) ?? joinUrl(asObject(url)));
  // `:id` in a path is a variable of it.
  const path = raw.replace(/\/:([A-Za-z_]\w*)/g, "/{$1}");
  const about = asString(item["name"]);
  const mode = asString(asObject(body)["mode"]);
  const sample: SampleRequest = {
    method: (asString(method) ?? "GET").toUpperCase(),
    url: /^[a-z]+:\/\//i.test(path) ? path : `https://${path}`,
    headers: readPairs(header, "key").map(([name, value]) => [name, fill(value)] as const),
    ...(about === undefined ? {} : { about }),
    ...(mode === undefined ? {} : { isForm: mode === "urlencoded" }),
  };
  return applyAuth(sample, asObject(auth ?? inherited), fill);
}

/** A URL that is written in parts alone. */
function joinUrl({ protocol, host, path, query }: Plain): string {
  const join = (value: unknown, mark: string): string =>
    Array.isArray(value) ? value.map(String).join(mark) : (asString(value) ?? "");
  const scheme = asString(protocol) === undefined ? "" : `${asString(protocol)}://`;
  const pairs = readPairs(query, "key").map(([name, value]) => `${name}=${value}`);
  const end = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return `${scheme}${join(host, ".")}/${join(path, "/")}${end}`;
}

function applyAuth(sample: SampleRequest, auth: Plain, fill: (text: string) => string): SampleRequest {
  const type = asString(auth["type"]) ?? "noauth";
  const values = new Map(readPairs(auth[type], "key").map(([name, value]) => [name, fill(value)]));
  const read = (name: string): string => values.get(name) ?? "";
  const withHeader = (name: string, value: string): SampleRequest => ({
    ...sample,
    headers: [...sample.headers, [name, value]],
    secretNames: [name.toLowerCase()],
  });
  switch (type) {
    case "noauth":
      return sample;
    case "bearer":
      return withHeader("Authorization", `Bearer ${read("token") || "{{token}}"}`);
    case "oauth2":
      return withHeader(
        "Authorization",
        `${read("headerPrefix").trim() || "Bearer"} ${read("accessToken") || "{{token}}"}`,
      );
    case "basic":
      return {
        ...sample,
        basic: { username: read("username") || "{{username}}", password: read("password") },
      };
    case "apikey": {
      const name = read("key") || "X-API-Key";
      if (read("in") !== "query") return withHeader(name, read("value"));
      const mark = sample.url.includes("?") ? "&" : "?";
      const url = `${sample.url}${mark}${encodeURIComponent(name)}=${encodeURIComponent(read("value"))}`;
      return { ...sample, url, secretNames: [name.toLowerCase()] };
    }
    default:
      return {
        ...sample,
        notes: [`Its way to authenticate (${type.slice(0, 40)}) can't be expressed by a record.`],
      };
  }
}

function readPairs(list: unknown, nameKey: string): [string, string][] {
  return asList(list).flatMap((each): [string, string][] => {
    const { [nameKey]: name, value, disabled } = asObject(each);
    const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
    return typeof name === "string" && name !== "" && disabled !== true ? [[name, text]] : [];
  });
}
