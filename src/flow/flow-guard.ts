/** Remembers what confidential sources showed, and finds it in requests to others. */

import { type ApiSourceError, notConfigured } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";
import type { CallContext } from "../runtime.js";
import { resolveEscapes } from "../secrets/unescape.js";
import type { KeptResponse } from "../store/kept-response.js";
import type { FlowEntries, FlowRule, FlowValue, SentRequest } from "./flow.js";
import { FlowMemory, unknownThread } from "./flow-memory.js";
import { fold, listNumbers } from "./fold.js";
import type { Found } from "./fragment-index.js";
import { listShown } from "./shown-values.js";

/** What a request repeats. */
export interface Repeated {
  readonly values: readonly FlowValue[];
  /** Whether a URL that it is redirected to repeats more than the request did. */
  repeatsMore(url: string): boolean;
}

/** Whose answer something is of. */
export interface ShownSource {
  readonly slug: string;
  readonly isConfidential: boolean;
}

/** A kept file. */
export interface ShownFile {
  readonly name: string;
  readonly kept: Pick<KeptResponse, "source" | "isConfidential" | "kind" | "text">;
}

export interface FlowGuard {
  readonly rule: FlowRule;
  /**
   * Remembers what was shown of an answer.
   *
   * @param list - Gives `"unread"` for bytes that are not text: from then on each request with parameters counts.
   * @throws ApiSourceError where the store fails, for a confidential source: then the answer must not be shown.
   */
  remember(
    source: ShownSource,
    list: () => readonly JsonValue[] | "unread",
    context: CallContext,
  ): Promise<void>;
  /** Remembers that code, or a client, received the content of a kept file. @throws as `remember` does */
  rememberFile(file: ShownFile, context: CallContext): Promise<void>;
  /** What a request to a source repeats of others; undefined for nothing. */
  check(request: SentRequest): Promise<Repeated | undefined>;
}

export interface FlowGuardOptions {
  readonly rule: FlowRule;
  /** Whether a source is confidential, so that what the others answer is remembered, too. */
  readonly isWatching: boolean;
  readonly entries: FlowEntries;
  readonly onFailure: (error: unknown) => void;
}

/** A larger request is not searched: it counts as one that repeats something. */
const maxSearchedBytes = 2_000_000;
/** How many values a question lists. */
const maxListed = 30;

export function createFlowGuard({ rule, isWatching, entries, onFailure }: FlowGuardOptions): FlowGuard {
  const memory = new FlowMemory(entries);
  const guard: FlowGuard = {
    rule,
    rememberFile({ name, kept: { source: slug, isConfidential = false, kind, text } }, context) {
      return guard.remember(
        { slug, isConfidential },
        () => (kind === "binary" ? "unread" : [text, name]),
        context,
      );
    },
    async remember({ slug: source, isConfidential }, list, context) {
      if (!isConfidential && !isWatching) return;
      const name = entries.nameThread(context);
      try {
        const given = list();
        const documents = given === "unread" ? [] : given;
        const shown = listShown(documents, name);
        // What a receiver quotes of others' values in a longer text, it knows as well.
        const known = isConfidential ? undefined : await memory.load(name, context);
        const quoted = documents.flatMap((document) => known?.index.find(writeJson(document)) ?? []);
        const all = {
          fragments: [
            ...shown.fragments,
            ...quoted.map(({ fragment }) => ({ ...fragment, ...fragment.place })),
          ],
          isWhole: shown.isWhole && given !== "unread",
        };
        await memory.add(name, { source, isConfidential }, all, context);
      } catch (error) {
        context.signal?.throwIfAborted();
        onFailure(error);
        if (isConfidential) throw notRemembered(source);
      }
    },
    async check(request) {
      const { source, built, context } = request;
      if (built.encoded === undefined && entries.isEmpty(context)) return undefined;
      const files = (built.encoded?.files ?? []).flatMap(({ confidentialSource: from }): FlowValue[] =>
        from === undefined || from === source.slug ? [] : [{ source: from, field: "file", kind: "file" }],
      );
      const name = entries.nameThread(context);
      const { index, isFull, sources } = await memory.load(name, context).catch((error: unknown) => {
        context.signal?.throwIfAborted();
        onFailure(error);
        return unknownThread;
      });
      const others = sources.filter((each) => each !== source.slug);
      if (others.length === 0 && files.length === 0) return undefined;
      const parts = listParts(request);
      const isSearched = parts.reduce((sum, part) => sum + part.length, 0) <= maxSearchedBytes;
      const isBlind = others.length > 0 && (isFull || !isSearched);
      const any =
        isBlind && hasParameters(request)
          ? others.map((each): FlowValue => ({ source: each, field: "*", kind: "unknown" }))
          : [];
      const isExempt = createExemption(request);
      const search = (bytes: Buffer): Found[] =>
        listReadings(bytes)
          .flatMap((text) => index.find(text))
          .filter(
            ({ fragment: { place, hash }, text }) =>
              place.isConfidential &&
              place.source !== source.slug &&
              !index.has(hash, source.slug) &&
              !isExempt(text),
          );
      const found = isSearched ? parts.flatMap(search) : [];
      const values = listValues([...files, ...any, ...found.map(({ fragment }) => fragment.place)]);
      const hashes = new Set(found.map(({ fragment }) => fragment.hash));
      const repeatsMore = (url: string): boolean =>
        (isBlind && values.length === 0) ||
        search(Buffer.from(url)).some(({ fragment }) => !hashes.has(fragment.hash));
      return { values, repeatsMore };
    },
  };
  return guard;
}

/** What of a request may be another source's: not its constant headers. */
function listParts({ built: { wire }, configured }: SentRequest): Buffer[] {
  const constant = new Set<unknown>(Object.values(Object(Object(configured).headers)));
  const headers = Object.entries(wire.headers).filter(([, value]) => !constant.has(value));
  const texts = [wire.url, ...headers.map((each) => each.join(": "))].map((text) => Buffer.from(text));
  const { body } = wire;
  return body === undefined ? texts : [...texts, Buffer.from(body.buffer, body.byteOffset, body.byteLength)];
}

/** Whether a request has a query, a body, headers of its own, or a path with something else than a few words in it. */
function hasParameters({ built: { wire, query, url }, configured }: SentRequest): boolean {
  const constant = Object.keys(Object(Object(configured).headers)).length;
  const isPlain = /^(?:\/[A-Za-z_-]{0,20}){0,6}$/.test(url.path);
  const hasHeaders = Object.keys(wire.headers).length > constant;
  return query.length > 0 || wire.body !== undefined || hasHeaders || !isPlain;
}

/** Whether the user wrote a value, or the record contains it. */
function createExemption({ source, configured, context }: SentRequest): (text: string) => boolean {
  const { userText }: { readonly userText?: unknown } = Object(context.context);
  const own = [userText, JSON.stringify([source, configured])]
    .flat()
    .filter((each) => typeof each === "string");
  const texts = own.flatMap((each) => [fold(each), ...listNumbers(each).map((number) => `#${number}`)]);
  return (text) => texts.some((each) => (text.startsWith("#") ? each === text : each.includes(text)));
}

/** Each once, without what is not the person's: the same whatever the order in which it was found. */
function listValues(all: readonly FlowValue[]): FlowValue[] {
  const texts = all.map(({ source, field, kind }) => JSON.stringify({ source, field, kind }));
  return [...new Set(texts)]
    .sort()
    .slice(0, maxListed)
    .map((text): FlowValue => JSON.parse(text));
}

function notRemembered(source: string): ApiSourceError {
  return notConfigured(
    "not_remembered",
    `The source ${source} is confidential, and the store that remembers what it answered failed. The request was carried out; its answer is not shown.`,
    "The agent can't change this. Don't repeat a write: it was carried out.",
  );
}

/** The shortest that can encode a value: eight bytes. */
const base64 = /[A-Za-z0-9+/_-]{11,}/g;
const hexadecimal = /[0-9A-Fa-f]{16,}/g;

/**
 * Bytes as text, in every way in which the redactor reads them: as they are, with escapes undone, and what base64 and hexadecimal in
 * them encode.
 */
export function listReadings(bytes: Buffer): string[] {
  const resolved = resolveEscapes(bytes, false);
  const own = resolved === bytes ? [bytes] : [bytes, resolved];
  const text = resolved.toString("latin1");
  const encoded = [...decodeRuns(text, base64, "base64", 4), ...decodeRuns(text, hexadecimal, "hex", 2)];
  const unescaped = encoded.map((each) => resolveEscapes(each, false));
  return [...own, ...encoded, ...unescaped.filter((each, at) => each !== encoded[at])].flatMap(decode);
}

/** Each run once for each way in which its bytes can fall; the bytes of all runs of one way together. */
function decodeRuns(text: string, run: RegExp, encoding: "base64" | "hex", ways: number): Buffer[] {
  const runs = text.match(run) ?? [];
  if (runs.length === 0) return [];
  return Array.from({ length: ways }, (_, skipped) =>
    Buffer.concat(runs.flatMap((each) => [Buffer.from(each.slice(skipped), encoding), gap])),
  );
}

/** Between two runs: no value contains it. */
const gap = Buffer.from("\u{1}");

/** As UTF-8, and as Latin-1 where the bytes are not. */
function decode(bytes: Buffer): string[] {
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? [text, bytes.toString("latin1")] : [text];
}
