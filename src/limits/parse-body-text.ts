/** Turns the text of a body into data, where that is cheap. */

/** A longer text is not parsed just to look for a hint. */
const maxParsedLength = 100_000;

/** The JSON value of the text; the text itself when it is no JSON or too long. */
export function parseBodyText(text: string | undefined): unknown {
  if (text === undefined || text.length > maxParsedLength || !/^\s{0,100}[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
