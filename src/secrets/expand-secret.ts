/** Which texts give a secret away besides itself: its parts when it is structured, and its well-known disguises. */

import { shortestAnywhere } from "./needle.js";
import { readAsWindows1252 } from "./windows-1252.js";

/**
 * The texts to look for. A short secret is only itself. A longer one is also what is sent of it (trimmed, unquoted),
 * each line of a PEM and each string of a JSON document from 8 characters on, its other Unicode normal form, its text
 * when UTF-8 was read in a Western charset or the other way round, and it reversed. An empty or blank secret gives none.
 */
export function expandSecret(value: string): readonly string[] {
  const trimmed = value.trim();
  if (trimmed === "") return [];
  const parts = [value, trimmed, trimmed.replace(/^(["'])(.*)\1$/s, "$2"), ...readLeaves(trimmed)];
  const whole = parts.flatMap((part) => [part, ...part.split(/[\r\n]+/).map((line) => line.trim())]);
  const long = [...new Set(whole)].filter(isLong);
  if (!isLong(trimmed)) return [...new Set([trimmed, ...long])];
  const disguises = [
    trimmed.normalize("NFC"),
    trimmed.normalize("NFD"),
    Buffer.from(trimmed, "utf8").toString("latin1"),
    readAsWindows1252(Buffer.from(trimmed, "utf8")),
    readAsUtf8(trimmed),
    reverse(trimmed),
  ];
  return [...new Set([...long, ...disguises])].filter(isLong);
}

function isLong(text: string): boolean {
  return [...text].length >= shortestAnywhere;
}

/** The strings in a JSON document such as a service account; none when the text isn't one. */
function readLeaves(text: string): string[] {
  if (!/^[{[]/.test(text)) return [];
  const leaves: string[] = [];
  const open = [parseOrNothing(text)];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") leaves.push(value);
    else if (typeof value === "object" && value !== null) {
      for (const child of Object.values(value)) open.push(child);
    }
  }
  return leaves;
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text itself when it isn't UTF-8 that was read as Latin-1. */
function readAsUtf8(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\0-\u00ff]/.test(text)) return text;
  const decoded = Buffer.from(text, "latin1").toString("utf8");
  return decoded.includes("\ufffd") ? text : decoded;
}

function reverse(text: string): string {
  return [...text].reverse().join("");
}
