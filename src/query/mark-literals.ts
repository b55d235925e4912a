/** Compiles an expression whose numbers keep their digits, so that they compare exactly with those of the body. */

import { applyToScalars, ExactNumber, type JsonValue } from "../json/exact-number.js";
import { parseJson } from "../json/parse-json.js";
import type { JmespathLibrary, SyntaxNode } from "./jmespath-library.js";

const longNumber = /\d{16}/;

/** Stands before such a number while the library compiles it as a string. */
const mark = "\u0080exact:";

/** `` `12345678901234567890` `` becomes an `ExactNumber`; other literals stay as they are. */
export function compileExactly(library: JmespathLibrary, expression: string): SyntaxNode {
  if (!longNumber.test(expression)) return library.compile(expression);
  const tree = library.compile(markLiterals(library, expression)) as unknown as JsonValue;
  return applyToScalars(tree, (scalar) =>
    typeof scalar === "string" && scalar.startsWith(mark)
      ? new ExactNumber(scalar.slice(mark.length))
      : scalar,
  ) as unknown as SyntaxNode;
}

function markLiterals(library: JmespathLibrary, expression: string): string {
  const tokens = library.tokenize(expression);
  let written = "";
  let read = 0;
  for (const token of tokens) {
    if (token.type !== "Literal" || typeof token.value !== "number" || expression[token.start] !== "`")
      continue;
    const end = expression.indexOf("`", token.start + 1);
    const text = expression.slice(token.start + 1, end).trim();
    if (!(parseJson(text) instanceof ExactNumber)) continue;
    written += `${expression.slice(read, token.start)}\`"${mark}${text}"\``;
    read = end + 1;
  }
  return written + expression.slice(read);
}
