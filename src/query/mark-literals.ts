/** Numbers in an expression that a double would change are marked as those of the body are, so that they compare exactly. */

import { parseJson } from "../json/parse-json.js";
import type { JmespathLibrary } from "./jmespath-library.js";

const longNumber = /\d{16}/;

/** `` `12345678901234567890` `` becomes the document's own marked literal; other literals stay as they are. */
export function markLiterals(library: JmespathLibrary, expression: string, numberMark: string): string {
  if (numberMark === "" || !longNumber.test(expression)) return expression;
  const tokens = library.tokenize(expression);
  let written = "";
  let read = 0;
  for (const token of tokens) {
    if (token.type !== "Literal" || typeof token.value !== "number" || expression[token.start] !== "`")
      continue;
    const end = expression.indexOf("`", token.start + 1);
    const text = expression.slice(token.start + 1, end).trim();
    if (parseJson(text).numberMark === "") continue;
    written += `${expression.slice(read, token.start)}\`"${numberMark}${text}"\``;
    read = end + 1;
  }
  return written + expression.slice(read);
}
