/** Prepares foreign text for an error: one line, no invisible characters, no stack, bounded length; `…` marks truncated text. */

import { ExactNumber, type JsonObject, type JsonValue, listKeys } from "../base/exact-number.js";
import { clipText } from "../base/text.js";

/** Zero-width joiners are part of words and emoji; every other format character (bidi, tags, BOM) only hides things. */
const invisible = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu;

/** Returns the text on one line without control, bidi or other invisible characters, at most `maxCharacters` long; `…` marks truncated text. */
export function cleanText(text: string, maxCharacters: number): string {
  return clipText(text, maxCharacters).replace(invisible, "").trim();
}

const maxStackCharacters = 20_000;
/** Lines that follow an error in its stack: a line that is indented, or that begins with a source file or a number. */
const stackLine = /^(?:\s+\S|\/\S{1,300}:\d|#\d+ .*\(\d+\)|Stack trace:)/;

/**
 * The text up to the first line of its stack. Where only headings precede the stack (`Traceback (most recent call last):`), its last line is the
 * error.
 */
export function dropStack(text: string): string {
  const lines = text.slice(0, maxStackCharacters).trimEnd().split(/\r?\n/);
  const first = lines.findIndex((line, index) => index > 0 && stackLine.test(line));
  if (first < 0) return text;
  const head = lines.slice(0, first).filter((line) => !line.endsWith(":"));
  return head.length > 0 ? head.join("\n") : (lines.at(-1) ?? "");
}

const maxStringCharacters = 300;
const maxKeyCharacters = 120;

/** A copy of a value that may lack its end. */
export interface TruncatedJson {
  readonly value: JsonValue;
  /** Whether something was omitted. */
  readonly truncated: boolean;
}

/**
 * Copies a value until its JSON text is about `maxCharacters` long, keeping its shape; the budget bounds its depth and what is looked at, too.
 * Stacks are omitted without a mark.
 */
export function clipJson(value: JsonValue, maxCharacters: number): TruncatedJson {
  const clip = new JsonClip(maxCharacters);
  return { value: clip.copy(value) ?? null, truncated: clip.isTruncated };
}

class JsonClip {
  isTruncated = false;

  constructor(private left: number) {}

  /** Undefined from the first value on that does not fit. */
  copy(item: JsonValue): JsonValue | undefined {
    if (typeof item === "string") return this.#copyText(item);
    if (item instanceof ExactNumber) return this.#copyText(item.text);
    if (item === null || typeof item !== "object")
      return this.#spend(String(item).length + 1) ? item : undefined;
    if (!this.#spend(2)) return undefined;
    return Array.isArray(item) ? this.#copyList(item) : this.#copyMembers(item);
  }

  #copyText(text: string): string | undefined {
    const whole = dropStack(text);
    const most = Math.min(maxStringCharacters, Math.max(1, this.left));
    const kept = cleanText(whole, most);
    const fits = this.#spend(JSON.stringify(kept).length + 1);
    if (kept.endsWith("…") && !whole.endsWith("…")) this.isTruncated = true;
    return fits ? kept : undefined;
  }

  #copyList(list: readonly JsonValue[]): JsonValue[] {
    const copies: JsonValue[] = [];
    for (const item of list) {
      if (this.isTruncated) break;
      const copy = this.copy(item);
      if (copy === undefined) break;
      copies.push(copy);
    }
    return copies;
  }

  #copyMembers(object: JsonObject): JsonObject {
    const members: [string, JsonValue][] = [];
    for (const key of listKeys(object)) {
      if (this.isTruncated) break;
      const name = cleanText(key, maxKeyCharacters);
      const fits = this.#spend(JSON.stringify(name).length + 1);
      const copy = fits ? this.copy(object[key] ?? null) : undefined;
      if (copy === undefined) break;
      members.push([name, copy]);
    }
    return Object.fromEntries(members);
  }

  /** Whether so many characters are left. */
  #spend(characters: number): boolean {
    if (this.left < characters) this.isTruncated = true;
    this.left -= characters;
    return !this.isTruncated;
  }
}

/** A message has so many texts. */
export const maxTexts = 5;
/** HTTP reason phrases (RFC 9110, section 15): they add nothing beside another text. */
export const reasonPhrase: RegExp =
  /^(?:bad request|unauthorized|payment required|forbidden|not found|method not allowed|not acceptable|conflict|gone|precondition failed|(?:payload|content|request entity) too large|unsupported media type|unprocessable (?:entity|content)|too many requests|internal server error|bad gateway|service unavailable|gateway timeout)\.?$/i;

/** Texts without those that repeat another one, or only the status. */
export function listDistinctTexts(texts: readonly string[]): string[] {
  const specific = texts.filter((text) => !reasonPhrase.test(text));
  const all = [...new Set(specific.length > 0 ? specific : texts)];
  return all.filter(
    (text) =>
      !all.some((other) => other !== text && other.toLowerCase().includes(text.toLowerCase())),
  );
}

/** One message without repetition; from the sixth text on they are counted. `""` for none. */
export function joinTexts(texts: readonly string[]): string {
  const kept = listDistinctTexts(texts);
  const more = kept.length > maxTexts ? ` (and ${kept.length - maxTexts} more)` : "";
  const shown = kept.slice(0, maxTexts);
  return `${shown.map((text, at) => (at < shown.length - 1 || more ? text.replace(/(?<!\.)\.$/, "") : text)).join("; ")}${more}`;
}
