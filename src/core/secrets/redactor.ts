/** Redaction by value: each stretch of a text that gives away a secret, in the forms of `secret-forms`, and nothing of the text around it. */

import { isUtf8 } from "node:buffer";
import { createSecretFinder, type SecretFinder } from "./find-secrets.js";
import { type Interval, mergeIntervals } from "./intervals.js";
import { redactTree, replaceInJson } from "./redact-tree.js";
import { redactedMarker, Secret } from "./secret.js";

export interface RedactOptions {
  /**
   * Where the text is truncated because the rest did not arrive: a place behind which nothing arrived whole (the end of the last complete
   * line), or `true` where no place is known. The end may then be the beginning of a secret, so a fixed length of it is always dropped, whatever
   * it contains: a reader who could see whether the end matches a secret could find the secret character by character.
   *
   * @default false
   */
  readonly truncated?: boolean | number;
}

export interface Redactor {
  /**
   * A text, or a JSON tree of any depth, with every secret in it replaced: in a tree those in strings, keys and numbers. The same text or object
   * without one; other objects than plain ones are left alone.
   */
  redact<Value>(value: Value): Value;
  /** A body with every secret replaced, as text or as bytes; the same one without a secret. */
  redactBody<Body extends string | Uint8Array>(body: Body, options?: RedactOptions): Body;
  /** A redactor that also knows these secrets (those of one call); the same one when nothing is new. */
  with(secrets: readonly Secret[]): Redactor;
  /** A redactor that also knows the secrets of another; this one when it knows them all. */
  join(other: Redactor): Redactor;
}

/**
 * Makes a redactor of these secrets. It replaces each stretch that means a whole secret by `[REDACTED]`: as it is; in JSON escapes and
 * percent-encoding, also partly; in base64, base64url and hexadecimal wherever its bytes fall. `docs/security.md` lists what is not chased.
 *
 * A part of a secret is never replaced: a caller who can make an API echo text could otherwise find the secret piece by piece. Only of a
 * structured secret (PEM, a service account's JSON) each line and string of 8 or more characters is a secret too, and of
 * `Bearer <token>` the token.
 *
 * A secret of fewer than 8 characters occurs inside ordinary words, so it is replaced only between characters that are neither letters nor digits.
 * A secret of digits alone is not found inside a longer number. An empty or blank one, and one that is a part of the marker, are ignored.
 *
 * What begins like a JSON document stays valid JSON: a number that is a secret becomes the string `"[REDACTED]"`.
 * The cost is linear in the text and hardly grows with the number of secrets.
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  return openRedactor({ known: new Set(), searches: [] }, secrets);
}

/** A redactor of one call, which learns secrets while it is in use: a signature, or a session that the API gives anew, is known only when its request is sent. */
export interface LearningRedactor extends Redactor {
  learn(secrets: readonly Secret[]): void;
}

export function createLearningRedactor(given: Redactor): LearningRedactor {
  return openRedactor(readState(given), []);
}

/** What a redactor knows. */
interface State {
  readonly known: ReadonlySet<string>;
  /** What is known has a search already: a call that adds its own credential does not make it again. */
  readonly searches: readonly SecretFinder[];
}

/** The state of each redactor; a reader of the redactor itself does not find it. */
const states = new WeakMap<Redactor, () => State>();

function readState(redactor: Redactor): State {
  return states.get(redactor)?.() ?? { known: new Set(), searches: [] };
}

function extendState({ known, searches }: State, added: readonly Secret[]): State {
  const fresh = [...new Set(added.map((secret) => secret.reveal()))].filter(
    (value) => !known.has(value),
  );
  const usable = fresh
    .map((value) => value.trim())
    .filter((value) => !redactedMarker.includes(value));
  return {
    known: new Set([...known, ...fresh]),
    searches: usable.length === 0 ? searches : [...searches, createSecretFinder(usable)],
  };
}

function openRedactor(given: State, added: readonly Secret[]): LearningRedactor {
  let state = given;
  let waiting = added;
  // A search is made anew for new secrets, so only when it is used.
  const read = (): State => {
    if (waiting.length > 0) state = extendState(state, waiting);
    waiting = [];
    return state;
  };
  const find: SecretFinder = (text) => {
    const { searches } = read();
    return searches.length === 1
      ? (searches[0]?.(text) ?? [])
      : mergeIntervals(searches.flatMap((one) => one(text)));
  };
  const redactText = (
    text: string,
    { truncated = false }: RedactOptions = {},
    replace = replaceInText,
  ): string => {
    const found = find(text);
    if (truncated === false) return found.length === 0 ? text : replace(text, found);
    return replace(
      ...dropEnd(text, found, truncated === true ? text.length - measureEnd(read()) : truncated),
    );
  };
  const redactBytes = (bytes: Uint8Array, options?: RedactOptions): Uint8Array => {
    // As Latin-1 each byte is one character, there and back.
    const charset = isUtf8(bytes) ? "utf8" : "latin1";
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(charset);
    const kept = redactText(text, options, replaceAll);
    return kept === text ? bytes : Uint8Array.from(Buffer.from(kept, charset));
  };
  const redactor: LearningRedactor = {
    redact: (value) => {
      if (value instanceof Uint8Array) return redactBytes(value) as typeof value;
      return (
        typeof value === "string" ? redactText(value) : redactTree(value, redactText)
      ) as typeof value;
    },
    redactBody: (body, options) =>
      (typeof body === "string"
        ? redactText(body, options)
        : redactBytes(body, options)) as typeof body,
    with: (secrets) => {
      const { known } = read();
      return secrets.every((secret) => known.has(secret.reveal()))
        ? redactor
        : openRedactor(state, secrets);
    },
    join: (other) => redactor.with([...readState(other).known].map((value) => new Secret(value))),
    learn: (secrets) => {
      waiting = [...waiting, ...secrets];
    },
  };
  states.set(redactor, read);
  return Object.freeze(redactor);
}

function replaceInText(text: string, found: readonly Interval[]): string {
  const isJson = /^[\ufeff\s]{0,1000}[{[]/.test(text);
  return (isJson ? replaceInJson(text, found) : undefined) ?? replaceAll(text, found);
}

function replaceAll(text: string, found: readonly Interval[]): string {
  let done = 0;
  const pieces = found.map(({ from, to }) => {
    const piece = text.slice(done, from);
    done = to;
    return piece;
  });
  return [...pieces, text.slice(done)].join(redactedMarker);
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Redacts names and values. Node decodes a header as Latin-1 (RFC 9110 section 5.5), so a secret that a server sent as UTF-8 consists of
 * other characters in the value: its bytes are redacted, too.
 *
 * @returns The headers with each secret redacted.
 */
export function redactHeaders<Given extends Headers>(headers: Given, redactor: Redactor): Given {
  // Plain ASCII has the same bytes in both, and is nearly every header.
  if (!/[\x80-\xff]/.test(JSON.stringify(headers))) return redactor.redact(headers);
  const redactBytes = (value: string): string =>
    Buffer.from(redactor.redactBody(Buffer.from(value, "latin1"))).toString("latin1");
  const decoded = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === "string" ? redactBytes(value) : value?.map(redactBytes),
  ]);
  return redactor.redact(Object.fromEntries(decoded));
}

/** A file as it arrived, and as it was kept. */
interface KeptBytes {
  readonly bytes: Uint8Array;
  readonly kept: {
    readonly kind: string;
    readonly text: string;
    readonly file?: { readonly hasSecret?: boolean | undefined } | undefined;
  };
}

/**
 * Whether a kept file holds a secret: of those that were known when it was kept, each of which is replaced in its kept text, or of those that
 * are known now.
 */
export function holdsSecret({ bytes, kept }: KeptBytes, redactor: Redactor): boolean {
  if (kept.file?.hasSecret !== false || redactor.redactBody(bytes) !== bytes) return true;
  const isOther = kept.kind !== "binary" && !Buffer.from(kept.text).equals(bytes);
  return isOther && redactor.redact(kept.text) !== kept.text;
}

/**
 * Twice the bytes of the longest line of a secret: no usual encoding is longer than hexadecimal. More than a text can lose is not taken from it.
 */
const longestEnd = 512;

function measureEnd({ known }: State): number {
  const lines = [...known].flatMap((value) => value.split(/[\r\n]+/));
  return Math.min(longestEnd, 2 * Math.max(0, ...lines.map((line) => Buffer.byteLength(line))));
}

/** What is left before the end, and the whole secrets that begin there: of one that the end divides, all is kept to be replaced. */
function dropEnd(
  text: string,
  found: readonly Interval[],
  end: number,
): [text: string, found: readonly Interval[]] {
  if (end >= text.length) return [text, found];
  const kept = found.filter(({ from }) => from < end);
  const length = Math.max(end, 0, kept.at(-1)?.to ?? 0);
  // Half of a surrogate pair is not a character.
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return [text.slice(0, length - (isSplit ? 1 : 0)), kept];
}

const maxPassing = 1_000;
const maxRecent = 20;

/** The secrets of a toolkit, all of its sources': an API may echo another's. */
export type SecretRegistry = ReturnType<typeof createSecretRegistry>;

export function createSecretRegistry() {
  let lasting = createRedactor([]);
  let redactor = lasting;
  let passing = new Map<string, Secret>();
  const recent = new Map<string, readonly Secret[]>();
  return {
    /** Remembers secrets for good; one that is known already costs nothing. */
    add: (secrets: readonly Secret[]): void => {
      lasting = lasting.with(secrets);
      redactor = redactor.with(secrets);
    },
    /** Remembers secrets that live for hours: beyond a thousand of them the oldest are forgotten. */
    addPassing: (secrets: readonly Secret[]): void => {
      for (const secret of secrets) passing.set(secret.reveal(), secret);
      if (passing.size <= maxPassing) redactor = redactor.with(secrets);
      else {
        // By half, so that this is not done again at the next one.
        passing = new Map([...passing].slice(-maxPassing / 2));
        redactor = lasting.with([...passing.values()]);
      }
    },
    /** Remembers what a function of the application gave, and what requests were signed with: the last ones of a source, which its API may still repeat. */
    addRecent: (source: string, secrets: readonly Secret[]): void => {
      const added = new Set(secrets.map((secret) => secret.reveal()));
      const others = (recent.get(source) ?? []).filter((secret) => !added.has(secret.reveal()));
      recent.set(source, [...others, ...secrets].slice(-maxRecent));
    },
    listRecent: (source: string): readonly Secret[] => recent.get(source) ?? [],
    /** A redactor of all that is known by now, the recent ones of each source included: for what is looked at rarely. */
    whole: (): Redactor => redactor.with([...recent.values()].flat()),
    /** A redactor of everything that is known by now, but for the recent ones, which may change with each request. */
    redactor: (): Redactor => redactor,
  };
}
