/** Recorded requests compared with a sent one: which recording it is, and how the nearest one differs when none matches. */

import { isJsonContainer, type JsonValue, writeJson } from "../../core/base/exact-number.js";
import { parseJson } from "../../core/base/parse-json.js";
import { findDistance, quoteText } from "../../core/base/text.js";
import type { RecordedRequest } from "./recordings.js";

/** One text for all requests that are the same: method, URL, and body by value, whatever the order of query, form and members. */
export function writeRequestKey(request: RecordedRequest): string {
  return JSON.stringify([...listFacts(request)].sort());
}

/** How many differences are named. */
const maxNamed = 5;

/** The recorded request that differs least, and how: `query page: recorded "2", sent "3"`. */
export function findNearestEntry(
  sent: RecordedRequest,
  recorded: readonly RecordedRequest[],
): { readonly request: RecordedRequest; readonly differences: readonly string[] } | undefined {
  const after = listFacts(sent);
  const compared = recorded.map((request) => {
    const before = listFacts(request);
    const all = new Set([...before.keys(), ...after.keys()]);
    const names = [...all].filter((name) => before.get(name) !== after.get(name));
    const isOther = names.includes("method") || names.includes("path");
    const distance = isOther ? 10 + findDistance(toPath(request), toPath(sent)) : 0;
    const differences = names
      .slice(0, maxNamed)
      .map((name) => `${name}: recorded ${write(before.get(name))}, sent ${write(after.get(name))}`);
    return { request, differences, rank: distance + names.length };
  });
  return compared.sort((left, right) => left.rank - right.rank)[0];
}

function toPath({ url }: RecordedRequest): string {
  return url.split("?", 1)[0]?.slice(0, 100) ?? "";
}

function write(value: string | undefined): string {
  return value === undefined ? "nothing" : quoteText(value, 60);
}

/** What a request has and one of the others has not: `body.page "2"`. */
export function listOwnFacts(request: RecordedRequest, others: readonly RecordedRequest[]): string[] {
  const known = others.map(listFacts);
  return [...listFacts(request)]
    .filter(([name, value]) => known.some((facts) => facts.get(name) !== value))
    .slice(0, maxNamed)
    .map(([name, value]) => `${name} ${write(value)}`);
}

/** The request as named values, each of which may differ. */
function listFacts(request: RecordedRequest): Map<string, string> {
  const [path = "", query = ""] = request.url.split(/\?(.*)/s, 2);
  const facts = new Map([
    ["method", request.method],
    ["path", path],
  ]);
  const pairs = [...new URLSearchParams(query)].map(([name, value]): Fact => [`query ${name}`, value]);
  for (const [name, value] of [...pairs.sort(), ...listBodyFacts(request)]) {
    const other = facts.get(name);
    facts.set(name, other === undefined ? value : `${other}&${value}`);
  }
  return facts;
}

type Fact = [name: string, value: string];

function listBodyFacts({ body, contentType = "" }: RecordedRequest): Fact[] {
  if (body === undefined) return [];
  if (typeof body !== "string") return [["body", JSON.stringify(body)]];
  if (/\bx-www-form-urlencoded\b/i.test(contentType))
    return [...new URLSearchParams(body)].sort().map(([name, value]) => [`body.${name}`, value]);
  try {
    return listLeaves("body", parseJson(body));
  } catch {
    // Not JSON, or nested deeper than the stack.
    return [["body", body]];
  }
}

function listLeaves(path: string, value: JsonValue): Fact[] {
  const members = isJsonContainer(value) ? Object.entries(value) : [];
  if (members.length === 0) return [[path, writeJson(value)]];
  return members.flatMap(([name, member]) =>
    listLeaves(Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`, member),
  );
}
