/** Makes what a stranger wrote fit to be shown in an error: one line, nothing invisible, no stack, bounded, and said when it is clipped. */

import { ExactNumber, type JsonValue } from "../json/exact-number.js";
import { normalizeKey } from "../json/shape.js";
import { clipText } from "../text.js";
import { traceKeys } from "./error-words.js";

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
  const budget = { left: maxCharacters, truncated: false };
  const copied = copyJson(value, budget);
  return { value: copied ?? null, truncated: budget.truncated };
}

interface Budget {
  left: number;
  truncated: boolean;
}

/** Undefined from the first value on that does not fit. */
function copyJson(item: JsonValue, budget: Budget): JsonValue | undefined {
  if (typeof item === "string" || item instanceof ExactNumber) {
    const whole = dropStack(typeof item === "string" ? item : item.text);
    const kept = cleanText(whole, Math.min(maxStringCharacters, Math.max(1, budget.left)));
    const fits = spend(budget, JSON.stringify(kept).length + 1);
    if (kept.endsWith("…") && !whole.endsWith("…")) budget.truncated = true;
    return fits ? kept : undefined;
  }
  if (item === null || typeof item !== "object")
    return spend(budget, String(item).length + 1) ? item : undefined;
  if (!spend(budget, 2)) return undefined;
  if (Array.isArray(item)) {
    const kept: JsonValue[] = [];
    for (const each of item) {
      const copied = budget.truncated ? undefined : copyJson(each, budget);
      if (copied === undefined) break;
      kept.push(copied);
    }
    return kept;
  }
  const kept: [string, JsonValue][] = [];
  for (const [key, each] of Object.entries(item)) {
    if (budget.truncated) break;
    const name = cleanText(key, 120);
    const isKept = !isTrace(key, each) && spend(budget, JSON.stringify(name).length + 1);
    const copied = isKept ? copyJson(each, budget) : undefined;
    if (copied !== undefined) kept.push([name, copied]);
  }
  return Object.fromEntries(kept);
}

function spend(budget: Budget, characters: number): boolean {
  if (budget.left < characters) budget.truncated = true;
  else budget.left -= characters;
  return !budget.truncated;
}

/** A stack under a name of its own; a short text is the id of a trace. */
function isTrace(key: string, value: JsonValue): boolean {
  if (!traceKeys.has(normalizeKey(key))) return false;
  return typeof value === "string" ? value.length > 80 || value.includes("\n") : typeof value === "object";
}
