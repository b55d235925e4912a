/** Makes what a stranger wrote fit to be shown in an error: one line, nothing invisible, no stack, bounded, and said when it is clipped. */

import { ExactNumber, type JsonValue } from "../json/exact-number.js";
import { normalizeKey } from "../json/shape.js";
import { clipText } from "../text.js";
import { traceKeys } from "./error-keys.js";

/** Zero-width joiners are part of words and emoji; every other format character (bidi, tags, BOM) only hides things. */
const invisible = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu;

/** Returns the text on one line without control, bidi or other invisible characters, at most `maxCharacters` long; `…` says that it goes on. */
export function cleanText(text: string, maxCharacters: number): string {
  return clipText(text, maxCharacters).replace(invisible, "").trim();
}

const maxStackCharacters = 20_000;

/** A file with a line number, such as `/srv/app/x.js:1:2`, `D.java:1`, `C:\x.cs:line 3`. */
const place = String.raw`[^\s()]{1,300}\.[A-Za-z]{1,5}(?::\d+|:line \d+|\(\d+\))`;
/** Where the frames of a stack begin, in JavaScript, Java, .NET, PHP and Ruby: on a line of their own or behind a space. */
const frame = new RegExp(
  String.raw`\s(?:at [\w$.<>/[\] ]{1,200} ?\((?:${place}|node:|<anonymous>|native|Unknown Source)|at (?:file://)?(?:/|[A-Z]:\\)${place}|at node:|at [\w$.<>]{1,200}[.#][\w$<>]{1,100} ?\(|#0 |Stack ?trace:|(?:/|[A-Z]:\\)\S{1,300}:\d+:in )`,
  "i",
);
const pythonFrames = "Traceback (most recent call last):";
const pythonError = /\s([\w.]{1,80}(?:Error|Exception|Warning|Exit)\b[^\n]*)$/;
/** A source file with a line, named in passing: ` in /srv/app/x.php:12`, ` (/srv/app/x.js:1:2)`. */
const sourcePlace =
  /(?: (?:in|at))? \(?(?:\/|[A-Z]:\\)[^\s()'":]{1,300}\.[a-z]{1,5}(?::\d+(?::\d+)?|:line \d+| on line \d+|\(\d+\))\)?/g;

/** The text up to its stack; Python's ends with the error, which is kept. What is left of one that was nothing else is `""`. */
export function dropStack(text: string): string {
  const head = text.slice(0, maxStackCharacters).trimEnd();
  const python = head.indexOf(pythonFrames);
  if (python >= 0) return `${head.slice(0, python)}${pythonError.exec(head.slice(python))?.[1] ?? ""}`.trim();
  if (!/\bat |#0|:\d|stack/i.test(head)) return text;
  const found = frame.exec(head);
  const kept = (found === null ? head : head.slice(0, found.index)).replace(sourcePlace, "").trimEnd();
  return kept === head ? text : kept;
}

export interface BoundedJson {
  readonly value: JsonValue;
  /** Whether something was left out. */
  readonly truncated: boolean;
}

const maxStringCharacters = 300;

/** Copies a value until its JSON text is about `maxCharacters` long, keeping its shape; the budget bounds its depth too. Stacks are left out without a word. */
export function clipJson(value: JsonValue, maxCharacters: number): BoundedJson {
  let left = maxCharacters;
  let truncated = false;
  const spend = (characters: number): boolean => {
    if (left < characters) truncated = true;
    else left -= characters;
    return left >= 0 && !truncated;
  };
  const copyString = (text: string): string | undefined => {
    const whole = dropStack(text);
    const kept = cleanText(whole, Math.min(maxStringCharacters, Math.max(1, left)));
    const fits = spend(JSON.stringify(kept).length + 1);
    if (kept.endsWith("…") && !whole.endsWith("…")) truncated = true;
    return fits ? kept : undefined;
  };
  const copyList = (items: readonly JsonValue[]): JsonValue[] => {
    const kept: JsonValue[] = [];
    for (const item of items) {
      const copied = truncated ? undefined : copy(item);
      if (copied === undefined) break;
      kept.push(copied);
    }
    return kept;
  };
  const copyObject = (object: { [key: string]: JsonValue }): JsonValue => {
    const kept: [string, JsonValue][] = [];
    for (const [key, item] of Object.entries(object)) {
      if (isTrace(key, item)) continue;
      const name = cleanText(key, 120);
      const copied = truncated || !spend(JSON.stringify(name).length + 1) ? undefined : copy(item);
      if (copied !== undefined) kept.push([name, copied]);
    }
    return Object.fromEntries(kept);
  };
  const copy = (item: JsonValue): JsonValue | undefined => {
    if (typeof item === "string") return copyString(item);
    if (item instanceof ExactNumber) return copyString(item.text);
    if (item === null || typeof item !== "object") return spend(String(item).length + 1) ? item : undefined;
    if (!spend(2)) return undefined;
    return Array.isArray(item) ? copyList(item) : copyObject(item);
  };
  const copied = copy(value);
  return { value: copied ?? null, truncated };
}

/** A stack under a name of its own; a short text is the id of a trace. */
function isTrace(key: string, value: JsonValue): boolean {
  if (!traceKeys.has(normalizeKey(key))) return false;
  return typeof value === "string" ? value.length > 80 || value.includes("\n") : typeof value === "object";
}
