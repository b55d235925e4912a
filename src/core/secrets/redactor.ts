/** Redaction by value: each stretch of a text that gives away a secret, in the forms of `secret-forms`, and nothing of the text around it. */

import { isUtf8 } from "node:buffer";
import { createSecretFinder, type SecretFinder } from "./find-secrets.js";
import { type Interval, mergeIntervals } from "./intervals.js";
import { redactTree } from "./redact-tree.js";
import { dropEnd, measureEnd, replaceAll, replaceInText } from "./replace-found.js";
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
  /** How many characters (bytes of a binary body) `truncated: true` drops at most. */
  measureEnd(): number;
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
 * A text that begins like a JSON document stays valid JSON: a number that is a secret becomes the string `"[REDACTED]"`.
 * The cost is linear in the text and hardly grows with the number of secrets.
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  return new ValueRedactor(new Set(), [], secrets);
}

/** A redactor of one call, which learns secrets while it is in use: a signature, or a session that the API gives anew, is known only when its request is sent. */
export interface LearningRedactor extends Redactor {
  learn(secrets: readonly Secret[]): void;
}

export function createLearningRedactor(given: Redactor): LearningRedactor {
  return given instanceof ValueRedactor ? given.copy() : new ValueRedactor(new Set(), [], []);
}

type Replace = (text: string, found: readonly Interval[]) => string;

class ValueRedactor implements LearningRedactor {
  #known: ReadonlySet<string>;
  /** The searches for all that is known: a call that adds its own credential makes none of them again. */
  #searches: readonly SecretFinder[];
  /** A search is made anew for new secrets, so only when it is used. */
  #waiting: readonly Secret[];

  constructor(
    known: ReadonlySet<string>,
    searches: readonly SecretFinder[],
    waiting: readonly Secret[],
  ) {
    this.#known = known;
    this.#searches = searches;
    this.#waiting = waiting;
  }

  redact<Value>(value: Value): Value {
    if (typeof value === "string") return this.#redactText(value) as typeof value;
    if (value instanceof Uint8Array) return this.#redactBytes(value) as typeof value;
    return redactTree(value, (text) => this.#redactText(text)) as typeof value;
  }

  redactBody<Body extends string | Uint8Array>(body: Body, options: RedactOptions = {}): Body {
    if (typeof body === "string") return this.#redactText(body, options) as typeof body;
    return this.#redactBytes(body, options) as typeof body;
  }

  measureEnd(): number {
    if (this.#waiting.length > 0) this.#learnWaiting();
    return measureEnd(this.#known);
  }

  with(secrets: readonly Secret[]): Redactor {
    if (secrets.length === 0) return this;
    if (this.#waiting.length > 0) this.#learnWaiting();
    const isKnown = secrets.every((secret) => this.#known.has(secret.reveal()));
    return isKnown ? this : new ValueRedactor(this.#known, this.#searches, secrets);
  }

  join(other: Redactor): Redactor {
    if (!(other instanceof ValueRedactor)) return this;
    if (other.#waiting.length > 0) other.#learnWaiting();
    return this.with([...other.#known].map((value) => new Secret(value)));
  }

  learn(secrets: readonly Secret[]): void {
    this.#waiting = [...this.#waiting, ...secrets];
  }

  copy(): ValueRedactor {
    if (this.#waiting.length > 0) this.#learnWaiting();
    return new ValueRedactor(this.#known, this.#searches, []);
  }

  /** Makes the search for what was learned: only when a text is searched. */
  #learnWaiting(): void {
    const values = new Set(this.#waiting.map((secret) => secret.reveal()));
    this.#waiting = [];
    const fresh = [...values].filter((value) => !this.#known.has(value));
    const usable = fresh
      .map((value) => value.trim())
      .filter((value) => !redactedMarker.includes(value));
    this.#known = new Set([...this.#known, ...fresh]);
    if (usable.length > 0) this.#searches = [...this.#searches, createSecretFinder(usable)];
  }

  #find(text: string): readonly Interval[] {
    if (this.#waiting.length > 0) this.#learnWaiting();
    const [first, ...others] = this.#searches;
    if (first === undefined) return [];
    if (others.length === 0) return first(text);
    return mergeIntervals(this.#searches.flatMap((search) => search(text)));
  }

  #redactText(text: string, options: RedactOptions = {}): string {
    const found = this.#find(text);
    const isWhole = options.truncated === undefined || options.truncated === false;
    if (found.length === 0 && isWhole) return text;
    return this.#replace(text, found, options, replaceInText);
  }

  #redactBytes(bytes: Uint8Array, options: RedactOptions = {}): Uint8Array {
    // As Latin-1 each byte is one character, there and back.
    const charset = isUtf8(bytes) ? "utf8" : "latin1";
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(charset);
    const kept = this.#replace(text, this.#find(text), options, replaceAll);
    return kept === text ? bytes : Uint8Array.from(Buffer.from(kept, charset));
  }

  #replace(
    text: string,
    found: readonly Interval[],
    { truncated = false }: RedactOptions,
    replace: Replace,
  ): string {
    if (truncated === false) return found.length === 0 ? text : replace(text, found);
    const end = truncated === true ? text.length - measureEnd(this.#known) : truncated;
    const beginning = dropEnd(text, found, end);
    return replace(beginning.text, beginning.found);
  }
}

/** The members with each secret in their values replaced. Their names are the code's own, so they stay, whatever word a secret is. */
export function redactMembers<Members extends object>(
  members: Members,
  redactor: Pick<Redactor, "redact">,
): Members {
  const redacted = Object.entries(members).map(([name, value]) => [name, redactor.redact(value)]);
  return Object.fromEntries(redacted);
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
