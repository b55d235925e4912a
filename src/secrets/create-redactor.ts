/** Makes the redactor: which secrets it knows stays in its closure. */

import type { Logger } from "../runtime.js";
import { compileAnchors } from "./compile-anchors.js";
import { expandSecret } from "./expand-secret.js";
import { type CompiledNeedle, createMatchFinder, type MatchFinder } from "./find-matches.js";
import { createNeedle } from "./needle.js";
import type { Redactor } from "./redactor.js";
import { replaceIntervals } from "./replace-intervals.js";
import { redactedMarker, type Secret } from "./secret.js";
import { stripInvisible } from "./strip-invisible.js";
import type { Interval } from "./view.js";

export interface RedactorOptions {
  /** The logger that is told once when a secret is short; it is told no value. */
  readonly logger?: Logger | undefined;
}

/**
 * Makes a redactor of these secrets. It replaces each stretch of text that stands for a whole secret by `[REDACTED]`,
 * in each of these forms: as it is; escaped for JSON (also JSON in JSON, `\u00XX`, `\/`), URLs and forms (also
 * twice, and every byte), HTML and XML (named and numeric), quoted-printable, with doubled quotes; in base64 and base64url
 * wherever its bytes fall; in hexadecimal; reversed; read in the wrong charset; with zero-width characters in between;
 * and any of the character-wise forms on top of each other or of the others. Percent and hex digits count in either case.
 *
 * A part of a secret is never replaced: whoever can make an API echo text could otherwise find the secret piece by piece.
 * Only of a structured secret (PEM, a service account's JSON) each line and string of 8 or more characters is a secret too.
 *
 * A secret of fewer than 8 characters stands inside ordinary words, so it is replaced only where it is an exact whole value:
 * the whole text, a quoted string (not a key), an element's text, what follows `name=`, `Name: `, `Bearer ` and the like,
 * the password in a URL; also when these stand in base64 or hex. A secret of letters alone (`admin`) is left standing in
 * fields whose values are ordinary words (`role`, `status`, `name`, …). The logger is warned of it once.
 * A secret of digits alone is not found inside a longer number. An empty or blank one is ignored.
 *
 * What begins like a JSON document stays valid JSON: a number that is a secret becomes the string `"[REDACTED]"`.
 * A text without any secret is returned as it is. The cost is linear in the text.
 */
export function createRedactor(secrets: readonly Secret[], options: RedactorOptions = {}): Redactor {
  let warned = false;
  const warnOnce = (): void => {
    if (warned) return;
    warned = true;
    options.logger?.warn(
      "A credential has fewer than 8 characters. It is redacted only where it is a whole value; use a longer one.",
    );
  };
  return extendRedactor(new Map(), secrets, warnOnce);
}

type CompiledSecrets = ReadonlyMap<string, readonly CompiledNeedle[]>;

function extendRedactor(known: CompiledSecrets, added: readonly Secret[], warnOnce: () => void): Redactor {
  const compiled = new Map(known);
  for (const secret of added) {
    const value = secret.reveal();
    if (!compiled.has(value)) compiled.set(value, compileSecret(value));
  }
  const needles = new Map([...compiled.values()].flat().map((entry) => [entry.needle.text, entry]));
  if ([...needles.values()].some((entry) => entry.needle.whole)) warnOnce();
  return createFrom(compiled, [...needles.values()], warnOnce);
}

function createFrom(
  compiled: CompiledSecrets,
  needles: readonly CompiledNeedle[],
  warnOnce: () => void,
): Redactor {
  const find = createMatchFinder(needles);
  // No form of a character is shorter than one character.
  const shortest = Math.min(...needles.map((entry) => entry.needle.codePoints.length));
  const rounds = needles.some((entry) => touchesMarker(entry.needle.text)) ? 3 : 1;
  const redact = (text: string): string => {
    // Most names and values of headers; without any needle every text.
    if (text.length < shortest) return text;
    let result = text;
    for (let round = 0; round < rounds; round++) {
      const replaced = redactOnce(result, find);
      if (replaced === result) break;
      result = replaced;
    }
    return result;
  };
  const redactor: Redactor = {
    redact,
    with: (secrets) =>
      secrets.every((secret) => compiled.has(secret.reveal()))
        ? redactor
        : extendRedactor(compiled, secrets, warnOnce),
  };
  return Object.freeze(redactor);
}

function compileSecret(value: string): readonly CompiledNeedle[] {
  return expandSecret(value).map((text) => {
    const needle = createNeedle(text);
    return { needle, anchors: compileAnchors(needle) };
  });
}

function redactOnce(text: string, find: MatchFinder): string {
  const matches = [...find(text), ...findBetweenInvisible(text, find)];
  const outside = matches.filter((match) => !liesInMarker(text, match));
  return outside.length === 0 ? text : replaceIntervals(text, outside);
}

function findBetweenInvisible(text: string, find: MatchFinder): readonly Interval[] {
  const stripped = stripInvisible(text);
  if (stripped === undefined) return [];
  return find(stripped.text).map(({ from, to }) => ({
    from: stripped.locate(from),
    to: stripped.locate(to - 1) + 1,
  }));
}

/** Whether the match is the marker of an earlier pass or a part of it, as for the secret `REDACTED`. */
function liesInMarker(text: string, { from, to }: Interval): boolean {
  if (to - from > redactedMarker.length) return false;
  for (let at = to - redactedMarker.length; at <= from; at++) {
    if (at >= 0 && text.startsWith(redactedMarker, at)) return true;
  }
  return false;
}

/** Whether a marker next to other text could complete the secret, so that the result must be searched again. */
function touchesMarker(text: string): boolean {
  return /^[REDACT]*\]|\[[REDACT]*$/.test(text) || text.includes(redactedMarker);
}
