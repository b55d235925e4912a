/** Characters that no reader sees: they can hide an order to a model from a person who reviews a document. */

/** Characters without a glyph, and those that turn the direction of writing. */
const invisible = /[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu;
const hasInvisible: RegExp = new RegExp(invisible, "u");
/** A JSON text with such a character has the character itself, or an escape. */
const sign = /\\u|[^\P{C}\n\t\r]|\p{Default_Ignorable_Code_Point}/u;

/** Whether the values of a JSON text may have such a character. */
export function mayHaveInvisible(json: string): boolean {
  return sign.test(json);
}

export function dropInvisible(text: string): string {
  return text.replace(invisible, "");
}

/** @param value - Is changed: a large document is not copied. */
export function cleanValue(value: unknown, name: string = ""): unknown {
  if (typeof value === "string") return hasInvisible.test(value) ? cleanText(value, name) : value;
  if (typeof value !== "object" || value === null) return value;
  const members = value as Record<string, unknown>;
  const keys = Object.keys(members);
  const isList = Array.isArray(value);
  for (const key of keys) members[key] = cleanValue(members[key], isList ? name : key);
  if (isList || !keys.some((key) => hasInvisible.test(key))) return members;
  return Object.fromEntries(keys.map((key) => [cleanText(key), members[key]]));
}

/** A path or URL without such a character would be another one: there it is percent-encoded, as it is sent, but in the name of a parameter. */
function cleanText(text: string, name: string = ""): string {
  const isAddress = /^\/|^[a-z][\w+.-]*:\/\//i.test(text) || /^(?:raw|url|path|host)$/.test(name);
  if (!isAddress) return dropInvisible(text);
  return text
    .toWellFormed()
    .replace(/\{[^{}]*\}/g, dropInvisible)
    .replace(invisible, encodeURIComponent);
}
