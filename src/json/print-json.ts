/** Writes JSON text of a value of any depth, without recursion. */

import type { JsonValue } from "./json-document.js";

interface Frame {
  readonly keys: readonly string[] | undefined;
  readonly items: readonly JsonValue[];
  next: number;
}

/** Takes a JSON value. Returns the same text as `JSON.stringify`, however deep the value is. */
export function printJson(root: JsonValue): string {
  const pieces: string[] = [];
  const open: Frame[] = [];
  enter(root, open, pieces);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    if (frame.next === frame.items.length) {
      pieces.push(frame.keys === undefined ? "]" : "}");
      open.pop();
      continue;
    }
    if (frame.next > 0) pieces.push(",");
    const key = frame.keys?.[frame.next];
    if (key !== undefined) pieces.push(JSON.stringify(key), ":");
    const item = frame.items[frame.next];
    frame.next += 1;
    enter(item ?? null, open, pieces);
  }
  return pieces.join("");
}

function enter(value: JsonValue, open: Frame[], pieces: string[]): void {
  if (value === null || typeof value !== "object") {
    pieces.push(JSON.stringify(value));
  } else if (Array.isArray(value)) {
    pieces.push("[");
    open.push({ keys: undefined, items: value, next: 0 });
  } else {
    pieces.push("{");
    open.push({ keys: Object.keys(value), items: Object.values(value), next: 0 });
  }
}
