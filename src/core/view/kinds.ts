/** Finds what the plain values of a place are good for: their name and a sample show it. */

import type { Kind, Place } from "./places.js";

/** The rank of each kind, and how many characters of a string are shown at it; each further rank doubles them. */
export const kinds: Readonly<
  Record<Kind, { readonly rank: number; readonly maxCharacters: number }>
> = {
  identity: { rank: 0, maxCharacters: 80 },
  reference: { rank: 0.4, maxCharacters: 80 },
  fact: { rank: 0.4, maxCharacters: 60 },
  time: { rank: 0.9, maxCharacters: 60 },
  text: { rank: 2.5, maxCharacters: 80 },
  prose: { rank: 4.5, maxCharacters: 60 },
  same: { rank: 4.5, maxCharacters: 60 },
  link: { rank: 8, maxCharacters: 200 },
  blob: { rank: 8.5, maxCharacters: 100 },
};

/** Members in which APIs have the name of a row. */
const humanNames =
  "name title fullname displayname label username login symbol handle filename subject summary";
/** Members in which APIs have the identifier of a row. */
const machineNames = "id key slug number uuid guid iid sku code sha identifier gid pk no";
const listNames = (names: string): ReadonlySet<string> => new Set(names.split(" "));
const isHuman = listNames(humanNames);
const identityNames = listNames(`${humanNames} ${machineNames}`);
const referenceName = /(?:[_-]ids?|[a-z]I[dD]s?|[_-](?:uu|gu)id|[a-z](?:UU|Uu|GU|Gu)[Ii][Dd])$/;
/** A prefix that names the type (`cus_9s6XKzkNRiz8i3`), a UUID, an ObjectId. */
const referenceValue =
  /^(?:[a-z]{2,8}_[A-Za-z0-9]{6,40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})$/;
const timeName = /at$|time|date|utc|ts$|created|updated|expires|since/i;
const timeValue =
  /^(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)|\d\d:\d\d(?::\d\d)?$|[A-Z][a-z]{2},? (?:\d\d? )?[A-Z][a-z]{2} \d)/;
const epochValue = /^1\d{9}(?:\d{3})?(?:\.\d+)?$/;
const linkValue = /^(?:[a-z][a-z0-9+.-]{1,11}:\/\/\S|\/[\w.-]+\/[\w./{-]|www\.)/i;
const pictureValue = /\.(?:png|jpe?g|gif|svg|webp|avif|ico)(?:$|\?)/i;
/** A validator, a digest or the second identifier of a GraphQL relay, whatever it looks like. */
const digestName = /^(?:etag|hash|checksum|digest|signature|md5|sha\d+|nodeid)$/;

/** The letters and digits of a key, in lower case: `display_name` and `displayName` are one name. */
export const simplify = (key: string): string => key.replace(/[\W_]/g, "").toLowerCase();

/** Whether the values are meant to be read as the name of something. */
export const isHumanName = ({ key, samples }: Place): boolean =>
  isHuman.has(simplify(key)) && !isMostly(samples, isOpaque);

export function isMostly(samples: readonly string[], test: (text: string) => boolean): boolean {
  return samples.filter(test).length * 2 > samples.length;
}

export function findKind(place: Place): Kind {
  const { key, samples, types, distinct, seen, empty, characters } = place;
  if (samples.length === 0) return "fact";
  const average = characters / (seen - empty);
  const name = simplify(key);
  const isLike = (pattern: RegExp): boolean => isMostly(samples, (text) => pattern.test(text));
  if (isLike(linkValue)) {
    // A short path of the same API is what a further call needs; that of a picture is not.
    return average <= 40 && isLike(/^\//) && !isLike(pictureValue) ? "reference" : "link";
  }
  if (place.tables > 0 && seen >= 4 && empty === 0 && distinct.size === 1)
    return average > 80 ? "blob" : "same";
  if (digestName.test(name)) return "blob";
  if (identityNames.has(name) && !types.has("boolean") && average <= 200) return "identity";
  const isReference = referenceName.test(key) || isLike(referenceValue);
  if (isReference && average <= 80) return "reference";
  if (isLike(timeValue) || (timeName.test(key) && isLike(epochValue))) return "time";
  if (isMostly(samples, isOpaque)) return "blob";
  if (average > 160) return "prose";
  return average > 24 && isLike(/\s/) ? "text" : "fact";
}

/** A hash, a token or a blob: long, without a space, with letters and digits in turn. */
export function isOpaque(given: string): boolean {
  // Base64 of a file has a line break after every 60 or 76 characters.
  const text = /^(?:\S{40,}\s+)+\S*$/.test(given) ? given.replace(/\s+/g, "") : given;
  if (!/^[\w+/=.:-]{16,}$/.test(text)) return text.length >= 160 && !/[\s\u0080-\uffff]/.test(text);
  const turns = text.match(/[a-z][A-Z0-9]|[A-Z][0-9]|[0-9][A-Za-z]/g)?.length ?? 0;
  return turns * 5 >= text.length || (text.length >= 32 && turns > 2 && !/[a-z]{5}/.test(text));
}
