/** Answers requests from a directory of recordings, strictly: a request that was not recorded is an error. */

import { notConfigured } from "../../core/base/errors.js";
import { isJsonContainer, type JsonValue, writeJson } from "../../core/base/exact-number.js";
import { parseJson } from "../../core/base/parse-json.js";
import { findDistance, plural, quoteText } from "../../core/base/text.js";
import type { OwnAnswer, TransportReplay } from "../../core/http/own-transport.js";
import { refuseProduction } from "./record-to.js";
import { readRelativeTimes, toRecordedRequest } from "./recorded-entry.js";
import { type RecordedEntry, type RecordedRequest, readRecordings } from "./recordings.js";
import { createFaults, type ReplayFault } from "./replay-faults.js";

export interface Replay extends TransportReplay {
  /**
   * Makes the next request to a path fail.
   *
   * @throws ApiSourceError `invalid_input` when the fault does not name exactly one failure.
   *
   * @example
   * replay.fail({ path: "/orders", status: 503 });
   */
  fail(fault: ReplayFault): void;
  /**
   * Ends a test.
   *
   * @throws Error that lists every request that was not recorded, every recording that was not used, and every fault that did not occur.
   */
  assertAllUsed(): void;
}

/**
 * Makes a replay for the option `transport`. Requests are matched by method, URL (the order of the query does not matter) and body
 * (JSON by value, bytes that are not text by hash), never by headers. The same request several times receives the recorded answers
 * in their order, and is an error after the last one. No request reaches the network, and waits between requests are skipped.
 *
 * @param directory - Where `recordTo` wrote.
 * @throws ApiSourceError `not_configured` when it contains no recordings, and when `NODE_ENV` is `production`.
 *
 * @example
 * const replay = replayFrom("recordings");
 * const toolkit = await ApiSourceToolkit.fromFile("github.json", { transport: replay, credentials: { github: { token: "any-token" } } });
 */
export function replayFrom(directory: string): Replay {
  refuseProduction("replayFrom");
  const recordings = openRecordings(directory);
  const faults = createFaults();
  return {
    async replay(observed) {
      const answer = faults.play(observed);
      if (answer !== undefined) return answer;
      return toAnswer(recordings.take(observed.source, toRecordedRequest(observed)));
    },
    has: (observed) => recordings.has(observed.source, toRecordedRequest(observed)),
    fail: faults.add,
    assertAllUsed() {
      const problems = [...recordings.listProblems(), ...faults.listUnreached()];
      if (problems.length === 0) return;
      throw new Error(
        `The replay of ${directory} differs from its recordings:\n${problems.join("\n")}`,
      );
    },
  };
}

interface Recording {
  readonly source: string;
  readonly entry: RecordedEntry;
  /** The same for all requests that match. */
  readonly key: string;
  isUsed: boolean;
}

/** The recordings of a directory, each of which answers one request. */
interface Recordings {
  has(source: string, request: RecordedRequest): boolean;
  /** @throws ApiSourceError `not_configured` for a request that was not recorded, or not so often. */
  take(source: string, request: RecordedRequest): RecordedEntry;
  /** Requests that were not recorded, and recordings that were not used. */
  listProblems(): readonly string[];
}

function openRecordings(directory: string): Recordings {
  const recordings: readonly Recording[] = readRecordings(directory).flatMap(
    ({ source, entries }) =>
      entries.map((entry) => ({
        source,
        entry,
        key: writeRequestKey(entry.request),
        isUsed: false,
      })),
  );
  const unknown: string[] = [];
  const listSame = (source: string, request: RecordedRequest): Recording[] => {
    const key = writeRequestKey(request);
    return recordings.filter((each) => each.source === source && each.key === key);
  };
  const refuse = (source: string, request: RecordedRequest, used: number): never => {
    const others = recordings.filter((each) => each.source === source);
    const recorded = others.map(({ entry }) => entry.request);
    const message = describeUnknown(request, recorded, used);
    unknown.push(`${source}: ${message}`);
    const hint = "Record the calls again, or send the recorded request.";
    throw notConfigured("not_recorded", message, hint);
  };
  return {
    has: (source, request) => listSame(source, request).some(({ isUsed }) => !isUsed),
    take(source, request) {
      const same = listSame(source, request);
      const next = same.find(({ isUsed }) => !isUsed);
      if (next === undefined) return refuse(source, request, same.length);
      next.isUsed = true;
      return next.entry;
    },
    listProblems() {
      const unused = recordings.filter(({ isUsed }) => !isUsed);
      return [...unknown, ...unused.map((each) => describeUnused(each, recordings))];
    },
  };
}

function nameRequest({ method, url }: RecordedRequest): string {
  return `${method} ${url}`;
}

/** Describes an entry by its line, and by the facts that distinguish it from others of that line. */
function describeUnused(
  { source, entry: { request } }: Recording,
  all: readonly Recording[],
): string {
  const alike = all
    .filter(
      (other) =>
        other.source === source && nameRequest(other.entry.request) === nameRequest(request),
    )
    .map(({ entry }) => entry.request);
  const facts = listOwnFacts(request, alike).map((fact) => ` with ${fact}`);
  return `${source}: ${nameRequest(request)}${facts.join(" and")} was recorded, but not sent.`;
}

/** By the recorded request that differs least, and how: `query page: recorded "2", sent "3"`. */
function describeUnknown(
  request: RecordedRequest,
  recorded: readonly RecordedRequest[],
  used: number,
): string {
  if (used > 0)
    return `${nameRequest(request)} was recorded ${plural(used, "time")} and sent once more.`;
  const sent = listFacts(request);
  const compared = recorded.map((other) => {
    const known = listFacts(other);
    const all = [...new Set([...known.keys(), ...sent.keys()])];
    const names = all.filter((name) => known.get(name) !== sent.get(name));
    const distance = findDistance(known.get("path") ?? "", sent.get("path") ?? "");
    return { other, known, names, rank: distance + names.length };
  });
  const [nearest] = compared.sort((left, right) => left.rank - right.rank);
  if (nearest === undefined)
    return `${nameRequest(request)} was not recorded; nothing of this source was.`;
  const { other, known, names } = nearest;
  const differences = names
    .slice(0, maxNamed)
    .map((name) => `${name}: recorded ${write(known.get(name))}, sent ${write(sent.get(name))}`);
  const described = differences.join("; ") || "values that read alike here";
  return `${nameRequest(request)} was not recorded. Nearest: ${nameRequest(other)}. Differences: ${described}.`;
}

function toAnswer({ response, failure }: RecordedEntry): OwnAnswer {
  if (response === undefined)
    throw Object.assign(new Error("The recorded connection broke."), failure);
  const { status, headers, body, isTruncated = false } = response;
  const nowMs = Date.now();
  const read = (value: string): string => readRelativeTimes(value, nowMs);
  const current = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === "string" ? read(value) : value.map(read),
  ]);
  const bytes =
    typeof body === "object" ? Buffer.from(body.base64, "base64") : Buffer.from(body ?? "");
  return { status, headers: Object.fromEntries(current), body: bytes, isTruncated };
}

/** One text for all requests that are the same: method, URL, and body by value, whatever the order of query, form and members. */
function writeRequestKey(request: RecordedRequest): string {
  const { path, query, kind, body } = readParts(request);
  const leaves = body.map((leaf) => JSON.stringify(leaf)).sort();
  return JSON.stringify([request.method, path, query, kind, leaves]);
}

/** How many differences are named. */
const maxNamed = 5;

function write(value: string | undefined): string {
  return value === undefined ? "nothing" : quoteText(value, 60);
}

/** Lists the facts of a request that one of the others lacks: `body.page "2"`. */
function listOwnFacts(request: RecordedRequest, others: readonly RecordedRequest[]): string[] {
  const known = others.map(listFacts);
  return [...listFacts(request)]
    .filter(([name, value]) => known.some((facts) => facts.get(name) !== value))
    .slice(0, maxNamed)
    .map(([name, value]) => `${name} ${write(value)}`);
}

/** The request as named values, each of which may differ: for people, who read two values of one name side by side. */
function listFacts(request: RecordedRequest): Map<string, string> {
  const { path, query, body } = readParts(request);
  const facts = new Map([
    ["method", request.method],
    ["path", path],
  ]);
  const inQuery = query.map(([name, value]): Fact => [`query ${name}`, value]);
  const inBody = body.map(({ at, value }): Fact => [`body${at.map(writeStep).join("")}`, value]);
  for (const [name, value] of [...inQuery, ...inBody]) {
    const other = facts.get(name);
    facts.set(name, other === undefined ? value : `${other}&${value}`);
  }
  return facts;
}

type Fact = [name: string, value: string];

const writeStep = (step: string | number): string =>
  typeof step === "number" ? `[${step}]` : `.${step}`;

interface RequestParts {
  readonly path: string;
  /** Sorted by name and value. */
  readonly query: readonly Fact[];
  /** The kind that the body is read as, so that no text is taken for a form, or a form for JSON. */
  readonly kind: "nothing" | "bytes" | "form" | "json" | "text";
  readonly body: readonly Leaf[];
}

/** A value of a body that has no members, and the names and places that lead to it. */
interface Leaf {
  readonly at: readonly (string | number)[];
  readonly value: string;
}

function readParts({ url, body, contentType = "" }: RecordedRequest): RequestParts {
  const [path = "", query = ""] = url.split(/\?(.*)/s, 2);
  const line = { path, query: listPairs(query) };
  if (body === undefined) return { ...line, kind: "nothing", body: [] };
  if (typeof body !== "string")
    return { ...line, kind: "bytes", body: [{ at: [], value: JSON.stringify(body) }] };
  if (/\bx-www-form-urlencoded\b/i.test(contentType)) {
    const fields = listPairs(body).map(([name, value]): Leaf => ({ at: [name], value }));
    return { ...line, kind: "form", body: fields };
  }
  try {
    return { ...line, kind: "json", body: listLeaves([], parseJson(body)) };
  } catch {
    // Not JSON, or nested deeper than the stack.
    return { ...line, kind: "text", body: [{ at: [], value: body }] };
  }
}

const listPairs = (text: string): Fact[] => [...new URLSearchParams(text)].sort();

function listLeaves(at: Leaf["at"], value: JsonValue): Leaf[] {
  const members = isJsonContainer(value) ? Object.entries(value) : [];
  if (members.length === 0) return [{ at, value: writeJson(value) }];
  const isList = Array.isArray(value);
  return members.flatMap(([name, member]) =>
    listLeaves([...at, isList ? Number(name) : name], member),
  );
}
