/** Which recording a request is, and how the nearest one differs when no recording matches. */

import { isJsonContainer, type JsonValue } from "../../core/base/exact-number.js";
import { findDistance, quoteText } from "../../core/base/text.js";
import { writeJson } from "../../core/base/write-json.js";
import { parseBody, writeComparable } from "./recorded-body.js";
import type { RecordedRequest } from "./recording-format.js";

/** One text for all requests that are the same: method, URL with its query in order, and body. */
export function writeRequestKey({ method, url, body, contentType }: RecordedRequest): string {
  const [path = "", query = ""] = url.split(/\?(.*)/s, 2);
  return JSON.stringify([method, path, query.split("&").sort(), writeComparable(body, contentType)]);
}

/** How many recordings are compared, and how many differences are named. */
const maxCompared = 200;
const maxNamed = 5;

/** The recorded request that differs least, and how: `query page: recorded "2", sent "3"`. */
export function findNearestEntry(
  sent: RecordedRequest,
  recorded: readonly RecordedRequest[],
): { readonly request: RecordedRequest; readonly differences: readonly string[] } | undefined {
  const compared = recorded.slice(0, maxCompared).map((request) => {
    const differences = listDifferences(request, sent);
    const isOther = request.method !== sent.method || toPath(request) !== toPath(sent);
    const distance = isOther ? 10 + findDistance(toPath(request), toPath(sent)) : 0;
    return { request, differences: differences.slice(0, maxNamed), rank: distance + differences.length };
  });
  return compared.sort((left, right) => left.rank - right.rank)[0];
}

function toPath({ url }: RecordedRequest): string {
  return url.split("?", 1)[0]?.slice(0, 100) ?? "";
}

function listDifferences(recorded: RecordedRequest, sent: RecordedRequest): string[] {
  const before = listFacts(recorded);
  const after = listFacts(sent);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [left, right] = [before.get(name), after.get(name)];
    return left === right ? [] : [`${name}: recorded ${write(left)}, sent ${write(right)}`];
  });
}

/** What a request has and one of the others has not: `body.page 2`. */
export function listOwnFacts(request: RecordedRequest, others: readonly RecordedRequest[]): string[] {
  const known = others.map(listFacts);
  const own = [...listFacts(request)].filter(([name, value]) =>
    known.some((facts) => facts.get(name) !== value),
  );
  return own.slice(0, maxNamed).map(([name, value]) => `${name} ${write(value)}`);
}

function write(value: string | undefined): string {
  return value === undefined ? "nothing" : quoteText(value, 60);
}

/** The request as named values, each of which may differ. */
function listFacts(request: RecordedRequest): Map<string, string> {
  const facts = new Map([
    ["method", request.method],
    ["path", toPath(request)],
  ]);
  for (const [name, value] of new URLSearchParams(request.url.split(/\?(.*)/s, 2)[1] ?? ""))
    facts.set(`query ${name}`, value);
  const { body, contentType } = request;
  const document = typeof body === "string" ? parseBody(body) : undefined;
  if (document !== undefined) addLeaves(facts, "body", document);
  else if (body !== undefined) facts.set("body", writeComparable(body, contentType));
  return facts;
}

function addLeaves(facts: Map<string, string>, path: string, value: JsonValue): void {
  if (facts.size > 500) return;
  if (!isJsonContainer(value)) {
    facts.set(path, writeJson(value));
    return;
  }
  for (const [name, member] of Object.entries(value)) addLeaves(facts, `${path}.${name}`, member);
}
