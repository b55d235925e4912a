/** Refuses an expression before it costs a request, and shows the place and an example that works. */

import { ApiSourceError } from "../errors.js";
import type { JmespathLibrary, SyntaxNode, SyntaxToken } from "./jmespath-library.js";

const maxCharacters = 4_000;
const example = "items[?state=='open'].{id:id,title:title}";

/**
 * Compiles an expression.
 *
 * @throws ApiSourceError `invalid_input` with the place of the mistake, for one that is no JMESPath, or that JMESPath would
 * take for something else than was surely meant (`[?state='open']` binds a variable and keeps every row).
 */
export function compileExpression(library: JmespathLibrary, expression: string): SyntaxNode {
  if (expression.trim() === "") throw refuse("select is empty.", `Write a JMESPath such as ${example}.`);
  if (expression.length > maxCharacters) {
    throw refuse(`select is longer than ${maxCharacters} characters.`, "Ask for less at once.");
  }
  let tree: SyntaxNode;
  try {
    tree = library.compile(expression);
  } catch (error) {
    throw explainSyntax(library, expression, error);
  }
  refuseSingleEquals(library.tokenize(expression), expression);
  return tree;
}

function explainSyntax(library: JmespathLibrary, expression: string, error: unknown): ApiSourceError {
  const at = findMistake(library, expression);
  const shown = `${expression.slice(Math.max(0, at - 40), at)}⟨here⟩${expression.slice(at, at + 40)}`;
  return refuse(
    `select is not a JMESPath expression; the mistake is at character ${at + 1}: ${shown}`,
    `${suggest(expression, error)} An expression that works: ${example}`,
  );
}

/** The start of the first token with which no continuation could be right; the end when something is missing there. */
function findMistake(library: JmespathLibrary, expression: string): number {
  const tokens = readTokens(library, expression);
  if (typeof tokens === "number") return tokens;
  for (const [index, token] of tokens.entries()) {
    const end = tokens[index + 1]?.start ?? expression.length;
    if (!canContinue(library, expression.slice(0, end))) return token.start;
  }
  return expression.length;
}

/** The tokens; or, when the text can't even be cut into tokens, where that ends. */
function readTokens(library: JmespathLibrary, expression: string): SyntaxToken[] | number {
  try {
    return library.tokenize(expression);
  } catch {
    for (let end = expression.length - 1; end > 0; end -= 1) {
      try {
        const last = library.tokenize(expression.slice(0, end)).at(-1);
        return last === undefined ? 0 : end;
      } catch {
        // Shorter.
      }
    }
    return 0;
  }
}

function canContinue(library: JmespathLibrary, prefix: string): boolean {
  try {
    library.compile(prefix);
    return true;
  } catch (error) {
    return error instanceof Error && /EOF/.test(error.message);
  }
}

/** The mistakes that models make. */
function suggest(expression: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/\.\[-?\d/.test(expression)) return "An index stands without a dot: items[*][0] or items[0].";
  if (/\(Number\)/.test(message)) {
    const number = /"?(-?\d+)"?/.exec(message.slice(message.lastIndexOf(":")))?.[1] ?? "5";
    return `A number to compare with stands in backticks: \`${number}\`.`;
  }
  if (/[[(]\s*\?\(/.test(expression) || /\$\.\./.test(expression)) return "This is JMESPath, not JSONPath.";
  if (/["']$/.test(expression.trimEnd()) || /EOF/.test(message))
    return "Something is not closed: a bracket, brace or quote.";
  return "Texts stand in single quotes, numbers and true/false/null in backticks, odd keys in double quotes.";
}

/** `[?a=b]` is, to the library, a variable that is bound: every row matches. */
function refuseSingleEquals(tokens: readonly SyntaxToken[], expression: string): void {
  const at = tokens.findIndex(
    ({ type }, index) => type === "Assign" && tokens[index - 1]?.type !== "Variable",
  );
  const start = tokens[at]?.start;
  if (start === undefined) return;
  const corrected = `${expression.slice(0, start)}==${expression.slice(start + 1)}`;
  throw refuse(
    `select compares with a single = at character ${start + 1}, which keeps every row.`,
    `Write == and the text in single quotes: ${quoteComparedNames(corrected)}`,
  );
}

/** `==open` and `=="open"` name fields; the example shows the text that was surely meant. */
export function quoteComparedNames(expression: string): string {
  return expression.replace(
    /([=!]=)\s*(?:"([^"'\\]{1,80})"|([A-Za-z_]\w{0,79})(?![\w.(]))/g,
    (_all, operator, quoted, bare) =>
      ["true", "false", "null"].includes(bare) ? `${operator}\`${bare}\`` : `${operator}'${quoted ?? bare}'`,
  );
}

function refuse(message: string, hint: string): ApiSourceError {
  return new ApiSourceError({ message, category: "invalid_input", code: "invalid_select", hint });
}
