/** Reads YAML in pieces, so that the process does other work between them, and not beyond a number of pieces or the first error. */

import type { CST, Document, YAMLParseError } from "yaml";

/** The most values, marks, spaces and line breaks: each takes about five microseconds, whatever the document. */
export const maxPieces = 1_000_000;
/** The process does other work after so many of them. */
const piecesAtOnce = 10_000;

/**
 * @param text - Of any content: the time is bounded by the number of pieces.
 * @returns the document, the place of its first error, or `"large"`. All errors are not found: each takes as long as ten values.
 */
export async function readYaml(
  text: string,
): Promise<{ readonly document: Document } | { readonly at: number } | "large"> {
  const { Composer, Lexer, Parser } = await import("yaml");
  const composer = new Composer({ logLevel: "error", uniqueKeys: false, prettyErrors: false });
  let at: number | undefined;
  const refuse = (error: Pick<YAMLParseError, "pos">): never => {
    at ??= error.pos[0];
    throw new SyntaxError("not YAML");
  };
  // It keeps each error in this list, where the first one ends the reading.
  Object.assign(composer, { errors: Object.assign([], { push: refuse }) });
  const parser = new Parser();
  const documents: Document[] = [];
  let isBegun = false;
  const take = (tokens: Iterable<CST.Token>): void => {
    for (const token of tokens) {
      if (token.type === "document" && isBegun) refuse({ pos: [token.offset, token.offset] });
      isBegun ||= token.type === "document";
      documents.push(...composer.next(token));
    }
  };
  let pieces = 0;
  try {
    for (const piece of new Lexer().lex(text)) {
      pieces += 1;
      if (pieces > maxPieces) return "large";
      if (pieces % piecesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
      take(parser.next(piece));
    }
    take(parser.end());
    documents.push(...composer.end(true, text.length));
  } catch (error) {
    if (at === undefined) throw error;
  }
  const [document] = documents;
  const place = at ?? document?.errors[0]?.pos[0];
  return place !== undefined || document === undefined ? { at: place ?? 0 } : { document };
}
