/** The members that a write sent: they come first in the record that answers it, for its reader looks for what changed. */

import { isPlainObject, readPlainJson } from "../base/input.js";
import type { Place } from "./places.js";

const mostMembers = 40;
const longestBody = 20_000;
/** How far inside the body: `{"order":{"shipping":{"city":…}}}`. */
const mostDepth = 3;

/** Takes a request that was built. Returns the names of the values in its JSON body, each once; none for a read. */
export function listSentMembers(request: {
  readonly isRead: boolean;
  readonly method: string;
  readonly wire: { readonly body?: Uint8Array };
}): string[] {
  const { body } = request.wire;
  const isWrite = !request.isRead && request.method !== "GET";
  if (!isWrite || body === undefined || body.length > longestBody) return [];
  const names = listNames(readPlainJson(Buffer.from(body).toString("utf8")), mostDepth);
  return [...new Set(names)].slice(0, mostMembers);
}

function listNames(value: unknown, depth: number): string[] {
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    isPlainObject(member) && depth > 1 ? listNames(member, depth - 1) : [key],
  );
}

/** Puts the members of these names before all others, outside of rows. */
export function rankSentMembers(place: Place, names: ReadonlySet<string>): void {
  if (place.tables > 0) return;
  for (const field of place.fields.values()) {
    if (names.has(field.key)) Object.assign(field, { isEssential: true, rank: 0 });
    rankSentMembers(field, names);
  }
}
