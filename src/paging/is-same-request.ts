/** Tells a next page that would only repeat the request. */

import type { JsonValue } from "../json/exact-number.js";
import { dropEndSlashes } from "../policy/place-below-base.js";
import type { NextPage, PagedRequest } from "./page-place.js";
import { writePath } from "./page-place.js";

/** Same method, path, parameters in any order and spelling, and body. */
export function isSameRequest(next: NextPage, request: PagedRequest): boolean {
  if (next.method !== request.method) return false;
  const sent = writePath(request.path, request.query);
  if (normalizePath(next.path) !== normalizePath(sent)) return false;
  return next.body === undefined || writeBody(next.body) === writeBody(request.body);
}

function normalizePath(pathAndQuery: string): string {
  const [path = "", query = ""] = splitOnce(pathAndQuery);
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).sort();
  return `${dropEndSlashes(decode(path))}?${pairs.join("&")}`;
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf("?");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A text and the value it holds are the same body; one too deep to be written counts as unchanged. */
function writeBody(body: JsonValue | undefined): string {
  try {
    return JSON.stringify(typeof body === "string" ? JSON.parse(body) : body) ?? "";
  } catch {
    return typeof body === "string" ? body : "";
  }
}
