/** Splits JSON text into tokens with one regular expression: the judge of what a lossless reader must give back. */

const token = /[ \t\r\n]+|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{}:,]/gy;

/** Returns valid JSON text without white space, every number as written, every string as `JSON.stringify` writes it. */
export function compactJson(text: string): string {
  const tokens = text.match(token) ?? [];
  if (tokens.join("").length !== text.length) throw new Error("not tokenized to its end");
  return tokens
    .filter((piece) => piece.trim() !== "")
    .map((piece) => (piece.startsWith('"') ? JSON.stringify(JSON.parse(piece)) : piece))
    .join("");
}

/** Returns every leaf of valid JSON text, numbers as written, strings as `JSON.stringify` writes them. */
export function leavesOf(text: string): string[] {
  const tokens = (text.match(token) ?? []).filter((piece) => piece.trim() !== "");
  return tokens
    .filter(
      (piece, index) => !/^[[\]{}:,]$/.test(piece) && !(piece.startsWith('"') && tokens[index + 1] === ":"),
    )
    .map((piece) => (piece.startsWith('"') ? JSON.stringify(JSON.parse(piece)) : piece));
}
