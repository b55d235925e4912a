/** Picks the part of a known text that is best to scan for. */

export interface Window {
  readonly text: string;
  /** Where it stands in the text, in UTF-16 code units. */
  readonly index: number;
}

/**
 * The first longest stretch of letters, digits and `-._`, at most `maxLength` of it: what no encoder changes (base64url
 * writes the other two base64 characters differently, and JSON and URLs escape them).
 */
export function chooseWindow(text: string, maxLength: number): Window {
  let longest = { text: "", index: 0 };
  for (const match of text.matchAll(/[\w.-]+/g)) {
    if (match[0].length > longest.text.length) longest = { text: match[0], index: match.index };
  }
  return { text: longest.text.slice(0, maxLength), index: longest.index };
}
