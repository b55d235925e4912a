/** Reads a whole number from a text of a request or a response. */

/** Digits only, at most 15 of them. */
export function toCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
