/** Reads the requests of a Postman collection, its variables filled in. */

import { asList, asObject, asString, type Plain } from "../../features/openapi/api-document.js";
import { type SentRequest, writeBasic } from "./imported.js";

const maxItems = 5_000;

/** The requests of a collection (https://schema.postman.com), its variables filled in; folders hand their `auth` down. */
export function readPostman(document: Plain, baseUrl: string | undefined): SentRequest[] {
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
  if (!URL.canParse(whole) || !/^https?:/i.test(whole)) return [];
  const { mode } = asObject(body);
  const bodyFormat = mode === "urlencoded" ? "form" : mode === "formdata" ? "multipart" : undefined;
  const sample: SentRequest = {
    method: (asString(method) ?? "GET").toUpperCase(),
    url: new URL(whole),
    headers: readPairs(header).map(([name, value]) => [name, fill(value)] as const),
    about: asString(item["name"]),
    bodyFormat,
    notes: [],
  };
  return [applyAuth(sample, asObject(auth ?? inherited), fill)];
}

/** A URL that is written in parts alone. */
function joinUrl({ protocol, host, path, query }: Plain): string {
  const join = (value: unknown, mark: string): string =>
    [value ?? ""].flat().map(String).join(mark);
  const pairs = readPairs(query).map((pair) => pair.join("="));
  const end = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return `${protocol === undefined ? "" : `${protocol}://`}${join(host, ".")}/${join(path, "/")}${end}`;
}

function applyAuth(sample: SentRequest, auth: Plain, fill: Fill): SentRequest {
  const type = asString(auth["type"]) ?? "noauth";
  const values = new Map(readPairs(auth[type]).map(([name, value]) => [name, fill(value)]));
  const read = (name: string, preset: string = ""): string => values.get(name) || preset;
  const withHeader = (name: string, value: string): SentRequest => ({
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
    return withHeader(
      "Authorization",
      writeBasic(read("username", "{{username}}"), read("password")),
    );
  if (type !== "apikey") {
    const note = `Its authentication (${type.slice(0, 40)}) can't be expressed by a record.`;
    return { ...sample, notes: [note] };
  }
  const name = read("key", "X-API-Key");
  if (read("in") !== "query") return withHeader(name, read("value"));
  sample.url.searchParams.append(name, read("value"));
  return { ...sample, secretNames: [name.toLowerCase()] };
}

function readPairs(list: unknown): [string, string][] {
  return asList(list).flatMap((each): [string, string][] => {
    const { key: name, value, disabled } = asObject(each);
    const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
    return typeof name === "string" && name !== "" && disabled !== true ? [[name, text]] : [];
  });
}
