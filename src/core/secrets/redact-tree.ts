/** Redaction of what has a structure: a JSON tree, and JSON text, which stays valid. */

import { ExactNumber, type JsonObject, type JsonValue, writeMember } from "../base/exact-number.js";
import type { Interval } from "./intervals.js";
import { redactedMarker } from "./secret.js";

/** Separates two texts: no credential holds it, since no header can carry it. */
const separator = "\x1f";

type Redact = (text: string) => string;

/**
 * The tree with each string, key and number redacted; the same object when nothing changes. Walks without recursion, so
 * that any depth will do. What is neither an array nor a plain object is left alone.
 */
export function redactTree(tree: unknown, redact: Redact): unknown {
  const texts = listTexts(tree);
  // The separator before it keeps it from being taken for a document.
  const joined = separator + texts.join(separator);
  const redacted = redact(joined);
  if (redacted === joined) return tree;
  const parts = redacted.slice(1).split(separator);
  const isAligned = parts.length === texts.length;
  return copyTree(tree, isAligned ? parts : texts.map((text) => redact(text)));
}

/** All texts in the order of the document, a key before its value. */
function listTexts(tree: unknown): string[] {
  const texts: string[] = [];
  const open = [tree];
  while (open.length > 0) {
    const value = open.pop();
    const text = typeof value === "string" ? value : textOf(value);
    if (text !== undefined) texts.push(text);
    else if (Array.isArray(value))
      for (let at = value.length - 1; at >= 0; at--) open.push(value[at]);
    else if (isPlainObject(value))
      for (const key of Object.keys(value).reverse()) open.push(value[key], key);
  }
  return texts;
}

/** Takes the texts in the order in which they were listed. */
function copyTree(tree: unknown, texts: readonly string[]): unknown {
  const root: unknown[] = [];
  const open: { readonly parent: unknown[] | Record<string, unknown>; readonly value: unknown }[] =
    [];
  open.push({ parent: root, value: tree });
  let next = 0;
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    const { parent, value } = task;
    const key = Array.isArray(parent) ? "" : (texts[next++] ?? "");
    const text = textOf(value);
    let made = value;
    if (text !== undefined) {
      const redacted = texts[next++];
      if (redacted !== text) made = redacted;
    } else if (Array.isArray(value) || isPlainObject(value)) {
      const copy = Array.isArray(value) ? [] : {};
      made = copy;
      for (const member of Object.values(value).reverse())
        open.push({ parent: copy, value: member });
    }
    if (Array.isArray(parent)) parent.push(made);
    else writeMember(parent as JsonObject, key, made as JsonValue);
  }
  return root[0];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  return value instanceof ExactNumber ? value.text : undefined;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A quote, an escape in a string, and a number or a word. */
const part = /"|\\(?:u[\da-f]{4}|[\s\S])|[\w+.-]+/gi;

/**
 * In a string the stretch is replaced with the whole escapes that it touches; outside of strings a number, by the marker as a string. The
 * quotes around a string stay: as spellings go, one may look like the first or the last character of a secret.
 *
 * @returns the text; undefined where a stretch reaches beyond one string or number.
 */
export function replaceInJson(text: string, found: readonly Interval[]): string | undefined {
  const pieces: string[] = [];
  let done = 0;
  let isInString = false;
  const parts = text.matchAll(part);
  let next = parts.next().value;
  for (const { from, to } of found) {
    if (to <= done) continue;
    for (; next !== undefined && endOf(next) <= from; next = parts.next().value) {
      if (next[0] === '"') isInString = !isInString;
    }
    let [start, end] = [from, to];
    if (!isInString && next?.[0] === '"' && next.index === from) {
      isInString = true;
      start += 1;
      next = parts.next().value;
    }
    if (
      !isInString &&
      (next === undefined || next[0] === '"' || next.index > from || endOf(next) < to)
    )
      return undefined;
    for (; next !== undefined && next.index < to; next = parts.next().value) {
      if (next[0] === '"') {
        if (next.index !== to - 1) return undefined;
        end = next.index;
        break;
      }
      if (!isInString || next[0].startsWith("\\")) {
        start = Math.min(start, next.index);
        end = Math.max(end, endOf(next));
      }
      if (endOf(next) > to) break;
    }
    pieces.push(text.slice(done, start), isInString ? redactedMarker : `"${redactedMarker}"`);
    done = end;
  }
  return pieces.join("") + text.slice(done);
}

function endOf(found: RegExpExecArray): number {
  return found.index + found[0].length;
}
