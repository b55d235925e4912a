/** Runs htmlparser2's tokenizer over a text, in steps between which others get their turn. */

import type { TokenizerCallbacks } from "htmlparser2";

const ignored: TokenizerCallbacks = {
  onattribdata: () => {},
  onattribend: () => {},
  onattribentity: () => {},
  onattribname: () => {},
  oncdata: () => {},
  onclosetag: () => {},
  oncomment: () => {},
  ondeclaration: () => {},
  onend: () => {},
  onopentagend: () => {},
  onopentagname: () => {},
  onprocessinginstruction: () => {},
  onselfclosingtag: () => {},
  ontext: () => {},
  ontextentity: () => {},
};
/** Characters of one step: some milliseconds. */
const stepLength = 262_144;

/** What a callback throws to end the reading: `message` says what there is too much of. */
export class TooLargeError extends Error {}

/**
 * Calls back for each part of the text, by its place. The tokenizer is linear where parsers that know elements take minutes for
 * 100,000 levels.
 *
 * @throws what a callback throws
 */
export async function readMarkup(
  text: string,
  { isXml }: { readonly isXml: boolean },
  callbacks: Partial<TokenizerCallbacks>,
): Promise<void> {
  const { Tokenizer } = await import("htmlparser2");
  const tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: true }, { ...ignored, ...callbacks });
  for (let start = 0; start < text.length; start += stepLength) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    tokenizer.write(text.slice(start, start + stepLength));
  }
  tokenizer.end();
}
