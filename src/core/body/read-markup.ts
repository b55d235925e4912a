/** Reads markup piece by piece, in linear time, with turns for other work. */

import type { TokenizerCallbacks } from "htmlparser2";
import { stepLength, toNextTurn } from "./response-body.js";

/** All that a tokenizer may report; the parts that a caller does not name are ignored. */
const ignored = Object.fromEntries(
  "attribdata attribend attribentity attribname cdata closetag comment declaration end opentagend opentagname processinginstruction selfclosingtag text textentity"
    .split(" ")
    .map((name) => [`on${name}`, () => {}]),
) as unknown as TokenizerCallbacks;

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
  const tokenizer = new Tokenizer(
    { xmlMode: isXml, decodeEntities: true },
    { ...ignored, ...callbacks },
  );
  for (let start = 0; start < text.length; start += stepLength) {
    if (start > 0) await toNextTurn();
    tokenizer.write(text.slice(start, start + stepLength));
  }
  tokenizer.end();
}
