/** How early each place of a document is shown: every place has a kind, and every kind a rank. */

import type { Place } from "./places.js";

interface Kind {
  /** Best is 0. A nested container adds `nesting`, a row the logarithm of its number. */
  readonly rank: number;
  /** How many characters of a string are shown at that rank; each further rank doubles them. */
  readonly room: number;
}

export const kinds = {
  identity: { rank: 0, room: 80 },
  reference: { rank: 0.4, room: 80 },
  fact: { rank: 0.6, room: 60 },
  time: { rank: 0.9, room: 60 },
  text: { rank: 2, room: 80 },
  prose: { rank: 4.5, room: 60 },
  same: { rank: 6.5, room: 60 },
  link: { rank: 8, room: 200 },
  blob: { rank: 8.5, room: 100 },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof kinds;

export const emptyRank = 9;
export const nesting = 1.2;
/** Fields of one kind come in their order: the last of many up to this much later. */
const latest = 0.3;

export interface Ranked {
  /** The kind of the scalars of a place. */
  readonly kind: KindName;
  readonly rank: number;
  /** Identities and references of a row are shown as soon as the row is. */
  isEssential: boolean;
  /** Whether an essential of the same row stands somewhere inside. */
  leadsToEssential: boolean;
  /** What must be added to the rank of what it is in until something of it is shown; a row with an identity: 0. */
  floor: number;
}

export type Ranks = ReadonlyMap<Place, Ranked>;

/** Words, and their usual abbreviations, that APIs call an identity by. */
const identityNames: ReadonlySet<string> = new Set(
  "id key slug number name title uuid guid iid sku code login username handle fullname displayname label subject symbol sha identifier gid filename pk no".split(
    " ",
  ),
);
const referenceName = /(?:[_-]ids?|[a-z]I[dD]s?|[_-](?:uu|gu)id|[a-z](?:UU|Uu|GU|Gu)[Ii][Dd])$/;
/** What says once more who a row is: GitHub and GraphQL relays, and ids as text beside the number. */
const secondIdentities: ReadonlySet<string> = new Set(["nodeid", "idstr"]);
/** A prefix that tells the type (`cus_9s6XKzkNRiz8i3`), a UUID, an ObjectId. */
const referenceValue =
  /^(?:[a-z]{2,8}_[A-Za-z0-9]{6,40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})$/;
const timeValue =
  /^(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)|\d\d:\d\d(?::\d\d)?$|[A-Z][a-z]{2},? (?:\d\d? )?[A-Z][a-z]{2} \d)/;
const epochValue = /^1\d{9}(?:\d{3})?(?:\.\d+)?$/;
const linkValue = /^(?:[a-z][a-z0-9+.-]{1,11}:\/\/\S|\/[\w.-]+\/[\w./{-]|www\.)/i;
const opaqueValue = /^[\w+/=.:-]{16,}$/;

/** Gives every place of the tree its rank. */
export function resolveRanks(root: Place): Ranks {
  const ranks = new Map<Place, Ranked>();
  const rankInside = (place: Place, position: number): void => {
    const kind = findKind(place);
    const rank = kinds[kind].rank + (latest * position) / (position + 20);
    ranks.set(place, { kind, rank, isEssential: false, leadsToEssential: false, floor: 0 });
    let index = 0;
    for (const field of place.fields.values()) rankInside(field, index++);
    if (place.element !== undefined) {
      rankInside(place.element, 0);
      markEssentials(place.element, ranks);
    }
  };
  rankInside(root, 0);
  resolveFloor(root, ranks);
  return ranks;
}

/** Of what kind the scalars of a place are. */
export function findKind(place: Place): KindName {
  const { key, samples, distinct, seen, empty, characters } = place;
  if (samples.length === 0) return "fact";
  const average = characters / Math.max(1, seen - empty);
  const name = key.replace(/[\W_]/g, "").toLowerCase();
  const isMostly = (pattern: RegExp): boolean =>
    samples.filter((text) => pattern.test(text)).length * 2 > samples.length;
  if (isMostly(linkValue)) return average <= 60 && isMostly(/^\//) ? "reference" : "link";
  if (place.isInTable && seen >= 4 && empty === 0 && distinct.size === 1)
    return average > 80 ? "blob" : "same";
  if (identityNames.has(name) && !place.types.has("boolean") && average <= 200) return "identity";
  const isSecond = secondIdentities.has(name);
  if (!isSecond && average <= 80 && (referenceName.test(key) || isMostly(referenceValue))) return "reference";
  if (
    isMostly(timeValue) ||
    (isMostly(epochValue) && /at$|time|date|utc|ts$|created|updated|expires|since/i.test(key))
  )
    return "time";
  if (samples.filter(isOpaque).length * 2 > samples.length) return "blob";
  if (average > 160) return "prose";
  return average > 24 && isMostly(/\s/) ? "text" : "fact";
}

/** A hash, a token or a blob: long, without a space, letters and digits in turn. */
function isOpaque(text: string): boolean {
  if (!opaqueValue.test(text)) return text.length >= 160 && !/[\s\u0080-\uffff]/.test(text);
  const turns = text.match(/[a-z][A-Z0-9]|[A-Z][0-9]|[0-9][A-Za-z]/g)?.length ?? 0;
  return turns * 5 >= text.length || (text.length >= 32 && turns > 2 && !/[a-z]{5}/.test(text));
}

/** How far inside a row its identity is looked for: `{kind, data: {id}}`, `{node: {title: {rendered}}}`. */
const reach = 3;

/** Marks what identifies a row and what it refers to. The outermost identities count; without a name for one, the first field that no two rows share. */
function markEssentials(row: Place, ranks: Map<Place, Ranked>): void {
  let level = [row];
  const references: Place[] = [];
  let unique: Place[] = [];
  let identities: Place[] = [];
  for (let depth = 0; depth < reach && identities.length === 0; depth += 1) {
    const fields = level.flatMap((place) => [...place.fields.values()]);
    const scalars = fields.filter((field) => field.samples.length > 0 && field.element === undefined);
    const isCommon = (field: Place): boolean => field.seen - field.empty >= row.records / 2;
    references.push(...scalars.filter((field) => ranks.get(field)?.kind === "reference"));
    identities = scalars.filter((field) => isCommon(field) && ranks.get(field)?.kind === "identity");
    if (unique.length === 0)
      unique = scalars.filter((field) => isCommon(field) && isUnique(field, ranks)).slice(0, 1);
    level = fields.filter((field) => field.records > 0 && isCommon(field));
  }
  for (const place of identities.length > 0 ? [...identities, ...references] : [...unique, ...references]) {
    const ranked = ranks.get(place);
    if (ranked !== undefined) ranked.isEssential = true;
    for (let at = place.parent; at !== undefined && at !== row; at = at.parent) {
      const around = ranks.get(at);
      if (around !== undefined) around.leadsToEssential = true;
    }
  }
  const own = ranks.get(row);
  if (own !== undefined && identities.length + unique.length > 0) own.leadsToEssential = true;
}

function isUnique(field: Place, ranks: Ranks): boolean {
  const kind = ranks.get(field)?.kind;
  const isShort = field.longest <= 80 && (kind === "fact" || kind === "text" || kind === "reference");
  const isWhole = !field.samples.some((text) => /^-?\d+\.\d+$/.test(text));
  const most = Math.max(...field.distinct.values());
  return isShort && isWhole && field.seen >= 3 && most === 1 && !field.types.has("boolean");
}

/** Fills in the floors, from the inside out. */
function resolveFloor(place: Place, ranks: Ranks): number {
  const ranked = ranks.get(place);
  if (ranked === undefined) return Number.POSITIVE_INFINITY;
  const floors = [place.samples.length > 0 ? ranked.rank : emptyRank];
  if (place.element !== undefined) {
    const inner = resolveFloor(place.element, ranks);
    floors.push(place.element.element === undefined ? inner : inner + nesting);
  }
  for (const field of place.fields.values()) {
    const inner = resolveFloor(field, ranks) + (field.samples.length > 0 ? 0 : nesting);
    if (field.seen - field.empty >= place.records / 2) floors.push(inner);
  }
  if (ranked.leadsToEssential && place.parent?.element === place) floors.push(0);
  ranked.floor = Math.min(...floors);
  return ranked.floor;
}
