/** How early each place of a document is shown: every place has a kind, and every kind a rank. */

import type { Kind, Place } from "./places.js";

/** The rank of each kind, and how many characters of a string are shown at it; each further rank doubles them. */
export const kinds: Readonly<Record<Kind, { readonly rank: number; readonly room: number }>> = {
  identity: { rank: 0, room: 80 },
  reference: { rank: 0.4, room: 80 },
  fact: { rank: 0.4, room: 60 },
  time: { rank: 0.9, room: 60 },
  text: { rank: 2.5, room: 80 },
  prose: { rank: 4.5, room: 60 },
  same: { rank: 4.5, room: 60 },
  link: { rank: 8, room: 200 },
  blob: { rank: 8.5, room: 100 },
};
export const emptyRank = 9;
/** What a nested container adds. A row adds the logarithm of its number. */
export const nesting = 1.2;
/** A fact of more characters than these, its key included, comes later: of twice as many, as much as a row of twice the number. */
const cheap = 16;
/** Fields of one kind come in their order: the last of many up to this much later. */
const latest = 0.3;
/** How far inside a row its identity is looked for: `{kind, data: {id}}`, `{node: {title: {rendered}}}`. */
const reach = 3;

/** What APIs call an identity by. */
const identityNames: ReadonlySet<string> = new Set(
  "id key slug number name title uuid guid iid sku code login username handle fullname displayname label subject symbol sha identifier gid filename pk no".split(
    " ",
  ),
);
/** What says once more who a row is: ids of GraphQL relays, and ids as a string beside the number. */
const secondIdentities: ReadonlySet<string> = new Set(["nodeid", "idstr"]);
const referenceName = /(?:[_-]ids?|[a-z]I[dD]s?|[_-](?:uu|gu)id|[a-z](?:UU|Uu|GU|Gu)[Ii][Dd])$/;
/** A prefix that tells the type (`cus_9s6XKzkNRiz8i3`), a UUID, an ObjectId. */
const referenceValue =
  /^(?:[a-z]{2,8}_[A-Za-z0-9]{6,40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})$/;
const timeValue =
  /^(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)|\d\d:\d\d(?::\d\d)?$|[A-Z][a-z]{2},? (?:\d\d? )?[A-Z][a-z]{2} \d)/;
const epochValue = /^1\d{9}(?:\d{3})?(?:\.\d+)?$/;
const linkValue = /^(?:[a-z][a-z0-9+.-]{1,11}:\/\/\S|\/[\w.-]+\/[\w./{-]|www\.)/i;
const pictureValue = /\.(?:png|jpe?g|gif|svg|webp|avif|ico)(?:$|\?)/i;

/** Gives every place of the tree its rank. */
export function resolveRanks(place: Place, position = 0): void {
  place.kind = findKind(place);
  place.rank = kinds[place.kind].rank + findCost(place) + (latest * position) / (position + 20);
  let index = 0;
  for (const field of place.fields.values()) resolveRanks(field, index++);
  if (place.element !== undefined) resolveRanks(place.element);
  if (place.parent?.element === place && place.records > 0) markEssentials(place);
  place.floor = findFloor(place);
}

/** Nothing for what is shown with its row, and for long strings, which are clipped. */
function findCost({ key, kind, samples, characters, seen, empty }: Place): number {
  if (samples.length === 0 || !["fact", "time", "same"].includes(kind)) return 0;
  const cost = key.length + 4 + characters / (seen - empty);
  return Math.log2(Math.max(1, cost / cheap));
}

function findKind(place: Place): Kind {
  const { key, samples, types, distinct, seen, empty, characters } = place;
  if (samples.length === 0) return "fact";
  const average = characters / (seen - empty);
  const name = key.replace(/[\W_]/g, "").toLowerCase();
  const isMostly = (test: (text: string) => boolean): boolean =>
    samples.filter(test).length * 2 > samples.length;
  const isLike = (pattern: RegExp): boolean => isMostly((text) => pattern.test(text));
  // A short path of the same API is what a further call needs; that of a picture isn't.
  if (isLike(linkValue))
    return average <= 40 && isLike(/^\//) && !isLike(pictureValue) ? "reference" : "link";
  if (place.isInTable && seen >= 4 && empty === 0 && distinct.size === 1)
    return average > 80 ? "blob" : "same";
  if (identityNames.has(name) && !types.has("boolean") && average <= 200) return "identity";
  const isReference = referenceName.test(key) || isLike(referenceValue);
  if (isReference && average <= 80 && !secondIdentities.has(name)) return "reference";
  const isTimeName = /at$|time|date|utc|ts$|created|updated|expires|since/i.test(key);
  if (isLike(timeValue) || (isTimeName && isLike(epochValue))) return "time";
  if (isMostly(isOpaque) || isRendering(place)) return "blob";
  if (average > 160) return "prose";
  return average > 24 && isLike(/\s/) ? "text" : "fact";
}

/** Markup of what stands beside it: `body_html` of Reddit and GitHub, `description_html` of GitLab. */
function isRendering(place: Place): boolean {
  const source = /^(.+?)_?html$/i.exec(place.key)?.[1];
  const beside = source === undefined ? [] : [...(place.parent?.fields.values() ?? [])];
  return beside.some(
    (field) => field !== place && field.key.startsWith(source ?? "") && field.samples.length > 0,
  );
}

/** A hash, a token or a blob: long, without a space, letters and digits in turn. */
function isOpaque(text: string): boolean {
  if (!/^[\w+/=.:-]{16,}$/.test(text)) return text.length >= 160 && !/[\s\u0080-\uffff]/.test(text);
  const turns = text.match(/[a-z][A-Z0-9]|[A-Z][0-9]|[0-9][A-Za-z]/g)?.length ?? 0;
  return turns * 5 >= text.length || (text.length >= 32 && turns > 2 && !/[a-z]{5}/.test(text));
}

/**
 * Marks what identifies a row and what it refers to: the outermost identities, and those inside of a wrapper that the row consists of
 * (`{id, properties: {name}}`); where nothing is named like one, the first field that no two rows share.
 */
function markEssentials(row: Place): void {
  const isCommon = (field: Place): boolean => (field.seen - field.empty) * 2 >= row.records;
  const references: Place[] = [];
  const identities: Place[] = [];
  let unique: Place | undefined;
  let level = [row];
  for (let depth = 0, isBare = true; depth < reach && isBare; depth += 1) {
    const fields = level.flatMap((place) => [...place.fields.values()]);
    const scalars = fields.filter(({ samples, element }) => samples.length > 0 && element === undefined);
    if (identities.length === 0) references.push(...scalars.filter(({ kind }) => kind === "reference"));
    identities.push(...scalars.filter((field) => isCommon(field) && field.kind === "identity"));
    unique ??= scalars.find((field) => isCommon(field) && isUnique(field));
    const others = scalars.filter(({ kind }) => kinds[kind].rank > 0 && kinds[kind].rank < kinds.prose.rank);
    isBare = identities.length === 0 || others.length <= 1;
    level = fields.filter((field) => field.records > 0 && isCommon(field));
  }
  if (identities.length === 0 && unique !== undefined) identities.push(unique);
  row.leadsToEssential = identities.length > 0;
  for (const place of [...identities, ...references]) {
    place.isEssential = true;
    for (let at = place.parent; at !== undefined && at !== row; at = at.parent) at.leadsToEssential = true;
  }
}

function isUnique({ kind, longest, samples, distinct, seen, types }: Place): boolean {
  const isShort = longest <= 80 && (kind === "fact" || kind === "text") && !types.has("boolean");
  return (
    isShort &&
    seen >= 3 &&
    Math.max(...distinct.values()) === 1 &&
    !samples.some((text) => /\d\.\d/.test(text))
  );
}

/** A row with an identity is shown at its own rank; anything else when the first of what most of it have is. */
function findFloor(place: Place): number {
  const { element, fields, samples, records, leadsToEssential, parent } = place;
  if (leadsToEssential && parent?.element === place) return 0;
  const floors = [samples.length > 0 ? place.rank : emptyRank];
  if (element !== undefined) floors.push(element.floor + (element.element === undefined ? 0 : nesting));
  for (const field of fields.values()) {
    if ((field.seen - field.empty) * 2 >= records)
      floors.push(field.floor + (field.samples.length > 0 ? 0 : nesting));
  }
  return Math.min(...floors);
}
