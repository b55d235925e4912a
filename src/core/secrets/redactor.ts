/** Redaction by value: the secrets of `listSecrets` of `credentials`, in the forms of `secret-forms`, and nothing of the text around them. */

import type { Logger } from "../base/runtime.js";
import { findDivided } from "./find-divided.js";
import { createSecretFinder, mergeIntervals } from "./find-secrets.js";
import { redactTree } from "./redact-tree.js";
import { findInText, replaceInBytes, replaceInText } from "./replace-secrets.js";
import { hasLength, redactedMarker, Secret } from "./secret.js";
import type { Interval } from "./unescape.js";

export interface RedactOptions {
  /**
   * Whether the rest did not arrive. The end of what arrived may then be the beginning of a secret, so a fixed length of it is always
   * dropped, whatever it contains: a reader who could see whether the end matches a secret could find the secret character by character.
   *
   * @default false
   */
  readonly truncated?: boolean;
  /** The same text as UTF-8, where the caller has it: these bytes are searched. */
  readonly utf8?: Buffer | undefined;
}

export interface Redactor {
  /** The text with every secret replaced; the same text without one. */
  redact(text: string, options?: RedactOptions): string;
  /** Bytes that are not text, with every secret replaced; the same array without one. */
  redactBytes(bytes: Uint8Array, options?: RedactOptions): Uint8Array;
  /**
   * A JSON tree of any depth with all secrets in its strings, keys and numbers replaced: reading joins what markup, quoting
   * or references kept apart in the text. The same object without one; other objects than plain ones are left alone.
   */
  redactValue<Value>(value: Value): Value;
  /** A redactor that also knows these secrets (those of one call); the same one when nothing is new. */
  with(secrets: readonly Secret[]): Redactor;
  /** A redactor that also knows the secrets of another; this one when it knows them all. */
  join(other: Redactor): Redactor;
}

export interface RedactorOptions {
  /** Receives one warning when a secret is short; without its value. */
  readonly logger?: Logger | undefined;
}

/**
 * Makes a redactor of these secrets. It replaces each stretch that means a whole secret by `[REDACTED]`: as it is; in
 * JSON escapes, percent-encoding and HTML's references, any of them on top of each other; in base64, base64url
 * and hexadecimal wherever its bytes fall, with line breaks in it or not. `docs/security.md` lists what is not chased.
 *
 * A part of a secret is never replaced: a caller who can make an API echo text could otherwise find the secret piece by piece.
 * Only of a structured secret (PEM, a service account's JSON) each line and string of 8 or more characters is a secret
 * too, and of `Bearer <token>` the token.
 *
 * A secret of fewer than 8 characters occurs inside ordinary words, so it is replaced only where it is an exact whole value:
 * the whole text, a quoted string (not a key), an element's text, what follows `name=`, `Name: `, `Bearer ` and the like,
 * the password in a URL; also when these are in base64 or hex. A secret of letters alone (`admin`) is kept in
 * fields whose values are ordinary words (`role`, `status`, `name`, …). The logger is warned of it once.
 * A secret of digits alone is not found inside a longer number. An empty or blank one, and one that is a part of the
 * marker, are ignored.
 *
 * What begins like a JSON document stays valid JSON: a number that is a secret becomes the string `"[REDACTED]"`.
 * The cost is linear in the text and hardly grows with the number of secrets.
 */
export function createRedactor(secrets: readonly Secret[], options: RedactorOptions = {}): Redactor {
  let isWarned = false;
  return extendRedactor(new Set(), secrets, (values) => {
    if (isWarned || values.every(hasLength)) return;
    isWarned = true;
    options.logger?.warn(
      "A credential has fewer than 8 characters. It is redacted only where it is a whole value; use a longer one.",
    );
  });
}

/** The secrets of each redactor; a reader of the redactor itself does not find them. */
const secretsOf = new WeakMap<Redactor, ReadonlySet<string>>();

function extendRedactor(
  known: ReadonlySet<string>,
  added: readonly Secret[],
  warnOfShort: (values: readonly string[]) => void,
): Redactor {
  const all = new Set([...known, ...added.map((secret) => secret.reveal())]);
  const values = [...all].map((value) => value.trim()).filter((value) => !redactedMarker.includes(value));
  warnOfShort(values);
  const find = createSecretFinder([...all].filter((value) => !redactedMarker.includes(value.trim())));
  // No form of a secret is shorter than the shortest, which may be a line of it, and is read in two Unicode normal forms.
  const shortest =
    values.length === 0 ? Number.POSITIVE_INFINITY : Math.min(4, ...values.map((value) => value.length));
  const hasNumbers = values.some((value) => /^[0-9]+$/.test(value));
  // An escape in a secret may mean another character.
  const isAscii = values.every((value) => /^[^\\%&\x80-\uffff]*$/.test(value));
  const endLength = measureEnd(values);

  const findWhole = (text: string, bytes: Buffer = Buffer.from(text)): readonly Interval[] =>
    findInText(bytes, text, find(bytes));
  const redact: Redactor["redact"] = (text, { truncated = false, utf8 } = {}) => {
    if (text.length < shortest && !truncated) return text;
    const bytes = utf8 ?? Buffer.from(text);
    // ASCII has no character that does not show.
    const divided = bytes.length === text.length ? [] : findDivided(text, isAscii, findWhole);
    const found = mergeIntervals([...findWhole(text, bytes), ...divided]);
    const kept = truncated ? dropEnd(text.length, endLength, found) : { length: text.length, found };
    // Half of a surrogate pair is not a character.
    const isSplit = kept.length < text.length && /[\ud800-\udbff]/.test(text.charAt(kept.length - 1));
    return replaceInText(text.slice(0, kept.length - (isSplit ? 1 : 0)), kept.found);
  };
  const redactor: Redactor = {
    redact,
    redactBytes: (given, { truncated = false } = {}) => {
      const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
      const found = find(bytes);
      const kept = truncated ? dropEnd(bytes.length, endLength, found) : { length: bytes.length, found };
      const isWhole = kept.length === bytes.length && kept.found.length === 0;
      return isWhole ? given : replaceInBytes(bytes.subarray(0, kept.length), kept.found);
    },
    redactValue: (value) => redactTree(value, redact, hasNumbers) as typeof value,
    with: (secrets) =>
      secrets.every((secret) => all.has(secret.reveal()))
        ? redactor
        : extendRedactor(all, secrets, warnOfShort),
    join: (other) => redactor.with([...readSecrets(other)].map((value) => new Secret(value))),
  };
  secretsOf.set(redactor, all);
  return Object.freeze(redactor);
}

/** A redactor of one call, which learns secrets while it is in use. */
export interface LearningRedactor extends Redactor {
  with(secrets: readonly Secret[]): LearningRedactor;
  learn(secrets: readonly Secret[]): void;
}

/**
 * Makes a redactor that learns: a signature, or a session that the API gives anew, is known only when its request is sent. What `with`
 * and `join` add is learned too, so that each holder of it knows what the others know.
 */
export function createLearningRedactor(given: Redactor): LearningRedactor {
  let known = given;
  let waiting: readonly Secret[] = [];
  // A search is made anew for new secrets, so only when it is used.
  const current = (): Redactor => {
    if (waiting.length > 0) known = known.with(waiting);
    waiting = [];
    return known;
  };
  const learn = (secrets: readonly Secret[]): void => {
    if (secrets.length === 0) return;
    waiting = [...waiting, ...secrets];
    secretsOf.set(redactor, new Set([...readSecrets(redactor), ...secrets.map((secret) => secret.reveal())]));
  };
  const redactor: LearningRedactor = {
    redact: (text, options) => current().redact(text, options),
    redactBytes: (bytes, options) => current().redactBytes(bytes, options),
    redactValue: (value) => current().redactValue(value),
    with: (secrets) => {
      learn(secrets);
      return redactor;
    },
    join: (other) => redactor.with([...readSecrets(other)].map((value) => new Secret(value))),
    learn,
  };
  secretsOf.set(redactor, readSecrets(given));
  return Object.freeze(redactor);
}

/** Whether a kept file holds a secret: of those that were known when it was kept, or of those that are known now. */
export function holdsSecret(
  {
    bytes,
    kept,
  }: {
    readonly bytes: Uint8Array;
    /** Its text as it was kept, in which a secret of then is replaced. */
    readonly kept: {
      readonly text: string;
      readonly kind: string;
      readonly file?: { readonly hasSecret: boolean };
    };
  },
  redactor: Redactor,
): boolean {
  if (kept.file?.hasSecret !== false || redactor.redactBytes(bytes) !== bytes) return true;
  const isOther = kept.kind !== "binary" && !Buffer.from(kept.text).equals(bytes);
  return isOther && redactor.redact(kept.text) !== kept.text;
}

function readSecrets(redactor: Redactor): ReadonlySet<string> {
  return secretsOf.get(redactor) ?? new Set();
}

/** How much longer than a secret its longest usual encoding is: each character as `\u0041`. */
const longestEncoding = 6;
/** What is dropped is a multiple of this, so that it reveals a secret's length only roughly. */
const endStep = 256;

/** How much of a truncated end is dropped: as much as the longest line of a secret takes in any usual encoding; each line is a secret. */
function measureEnd(values: readonly string[]): number {
  const lines = values.flatMap((value) => value.split(/[\r\n]+/));
  const longest = Math.max(0, ...lines.map((line) => Buffer.byteLength(line)));
  return Math.ceil((longest * longestEncoding) / endStep) * endStep;
}

/** What is left without the end, and the whole secrets that begin in it: of one that the new end splits, all is kept to be replaced. */
function dropEnd(
  length: number,
  endLength: number,
  found: readonly Interval[],
): { readonly length: number; readonly found: readonly Interval[] } {
  const end = Math.max(0, length - endLength);
  const kept = found.filter(({ from }) => from < end);
  return { length: Math.max(end, kept.at(-1)?.to ?? 0), found: kept };
}

/** The secrets of a toolkit, all of its sources': an API may echo another's. */
export interface SecretRegistry {
  /** Remembers secrets for good; one that is known already costs nothing. */
  add(secrets: readonly Secret[]): void;
  /** Remembers secrets that live for hours: beyond a thousand of them the oldest are forgotten. */
  addPassing(secrets: readonly Secret[]): void;
  /** Remembers what a function of the application gave, and what requests were signed with: the last ones of a source, which its API may still repeat. */
  addRecent(source: string, secrets: readonly Secret[]): void;
  listRecent(source: string): readonly Secret[];
  /** A redactor of everything that is known by now, but for the recent ones, which may change with each request. */
  redactor(): Redactor;
}

const maxPassing = 1_000;
const maxRecent = 20;

export function createSecretRegistry(options: RedactorOptions = {}): SecretRegistry {
  let lasting = createRedactor([], options);
  let redactor = lasting;
  let passing = new Map<string, Secret>();
  const recent = new Map<string, readonly Secret[]>();
  return {
    add: (secrets) => {
      lasting = lasting.with(secrets);
      redactor = redactor.with(secrets);
    },
    addPassing: (secrets) => {
      for (const secret of secrets) passing.set(secret.reveal(), secret);
      if (passing.size <= maxPassing) redactor = redactor.with(secrets);
      else {
        // By half, so that this is not done again at the next one.
        passing = new Map([...passing].slice(-maxPassing / 2));
        redactor = lasting.with([...passing.values()]);
      }
    },
    addRecent: (source, secrets) => {
      const added = new Set(secrets.map((secret) => secret.reveal()));
      const others = (recent.get(source) ?? []).filter((secret) => !added.has(secret.reveal()));
      recent.set(source, [...others, ...secrets].slice(-maxRecent));
    },
    listRecent: (source) => recent.get(source) ?? [],
    redactor: () => redactor,
  };
}
