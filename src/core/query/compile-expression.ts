/** Refuses an expression before it costs a request, and shows what is wrong and an example that works. */

import { ApiSourceError } from "../base/errors.js";
import type { JsonValue } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { clipText } from "../base/text.js";
import { checkCall } from "./functions.js";

type Library = typeof import("@jmespath-community/jmespath");

/** A node of the library's tree: a union that the library exports under no name. */
export type SyntaxNode = ReturnType<Library["compile"]>;
export type NodeOf<Type extends SyntaxNode["type"]> = Extract<SyntaxNode, { readonly type: Type }>;
/** Projections, and the others that have two sides. */
export type TwoSided = Extract<
  SyntaxNode,
  { readonly left: SyntaxNode; readonly right: SyntaxNode }
>;

/** The part of the library that is used: its grammar. */
export type Grammar = Pick<Library, "compile" | "tokenize">;

const maxCharacters = 4_000;
const maxNesting = 50;
/** Members that are a condition (`errorWhen`, `until`), not a part of a document. */
const conditionName = /when$|^until$/i;
/** Brackets, quoted parts with the library's escapes, and a quote that nothing closes. */
const marks =
  /"(?:\\[\\"]|[^"\\]|\\(?![\\"]))*"|'(?:\\[\\']|[^'\\]|\\(?![\\']))*'|`(?:\\[\\`]|[^`\\]|\\(?![\\`]))*`|[[({\])}"'`]/g;
/** Replaces a literal of the expression while the library parses it. */
const literalMark = "\u0080literal:";

/** The member that has an expression, for errors. */
interface Holder {
  /** Whether its expression is a condition. */
  readonly isCondition: boolean;
  /** An expression that works there. */
  readonly example: string;
  /** Makes the error of its expression; the text follows the name of the member. */
  readonly refuse: (what: string, hint: string) => ApiSourceError;
}

function describeHolder(name: string): Holder {
  const isCondition = conditionName.test(name);
  const rows = name === "select" ? "items[?state=='open'].{id:id,title:title}" : "data.items[0].id";
  return {
    isCondition,
    example: isCondition ? "ok == `false`" : rows,
    refuse: (what, hint) => refuseQuery(`${name} ${what}`, hint),
  };
}

export function refuseQuery(
  message: string,
  hint: string,
  code = "invalid_select",
): ApiSourceError {
  return new ApiSourceError({ message, category: "invalid_input", code, hint });
}

/**
 * Compiles an expression; numbers in its literals keep all of their digits.
 *
 * @param name - Of the member that has the expression, for errors. @default "select"
 * @throws ApiSourceError `invalid_input` for one that is not JMESPath, calls an unknown function, or
 * that JMESPath would take for something else than was surely meant (`[?state='open']` binds a variable and keeps every row).
 */
export function parseExpression(grammar: Grammar, expression: string, name = "select"): SyntaxNode {
  const holder = describeHolder(name);
  const { refuse, example } = holder;
  if (expression.trim() === "") throw refuse("is empty.", `Write a JMESPath such as ${example}.`);
  if (expression.length > maxCharacters)
    throw refuse(`is longer than ${maxCharacters} characters.`, "Write a shorter expression.");
  const literals: JsonValue[] = [];
  const prepared = readMarks(expression, literals, holder);
  let tree: SyntaxNode;
  try {
    tree = grammar.compile(prepared);
  } catch (error) {
    throw error instanceof RangeError
      ? refuseNesting(refuse)
      : explainSyntax(expression, error, holder);
  }
  refuseSingleEquals(grammar, expression, holder);
  for (const node of listNodes(tree)) {
    if (node.type === "Comparator" && name !== "select") refuseBareWord(node, holder);
    if (node.type === "Function") checkCall(node.name, node.children.length, refuse);
    if (node.type !== "Literal" || typeof node.value !== "string") continue;
    const [, index] = node.value.split(literalMark);
    if (index !== undefined) Object.assign(node, { value: literals[Number(index)] ?? null });
  }
  return tree;
}

/** Every node of a tree, each before its children. */
export function* listNodes(tree: SyntaxNode): Generator<SyntaxNode> {
  const open: unknown[] = [tree];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...next);
    else if (typeof next === "object" && next !== null) {
      const node = next as SyntaxNode;
      yield node;
      if (node.type !== "Literal") open.push(...Object.values(node));
    }
  }
}

/** One pass that costs the same for any text: nesting, what is not closed, and JSON, whose numbers the library would round. */
function readMarks(expression: string, literals: JsonValue[], holder: Holder): string {
  const { refuse, example } = holder;
  let nesting = 0;
  return expression.replace(marks, (mark, at: number) => {
    if (/^["'`]$/.test(mark))
      throw refuse(
        `is not a JMESPath expression; ${mark} at character ${at + 1} is not closed.`,
        `An expression that works: ${example}`,
      );
    if ("[({".includes(mark)) nesting += 1;
    if ("])}".includes(mark)) nesting -= 1;
    if (nesting > maxNesting) throw refuseNesting(refuse);
    if (!mark.startsWith("`")) return mark;
    try {
      literals.push(parseJson(mark.slice(1, -1)));
      return `\`"${literalMark}${literals.length - 1}"\``;
    } catch {
      return mark;
    }
  });
}

function refuseNesting(refuse: Holder["refuse"]): ApiSourceError {
  return refuse(
    "is nested too deeply.",
    "Take one step after the other with |, such as a.b | [?c].",
  );
}

function explainSyntax(
  expression: string,
  error: unknown,
  { refuse, example }: Holder,
): ApiSourceError {
  const message = error instanceof Error ? error.message : "";
  const hint = `${suggest(expression, message)} An expression that works: ${example}`;
  return refuse(`is not a JMESPath expression. ${clipText(message, 200)}.`, hint);
}

const literalAdvice = "true, false and numbers in backticks, strings in single quotes";

/** The mistakes that models make. */
function suggest(expression: string, message: string): string {
  const bare = /`\s*(?!(?:true|false|null)\s*`)([a-z][^`"]{0,80})`/i.exec(expression)?.[1];
  if (bare !== undefined)
    return `Put strings in single quotes: '${bare.trim()}'; backticks are for JSON.`;
  if (/\.\[-?\d/.test(expression)) return "Write an index without a dot: items[*][0] or items[0].";
  const number = /\(Number\).*?(-?\d+)/.exec(message)?.[1];
  if (number !== undefined) return `Put a number to compare with in backticks: \`${number}\`.`;
  if (/[[(]\s*\?\(|\$\.\./.test(expression)) return "This is JMESPath, not JSONPath.";
  if (/EOF/.test(message)) return "Something is not closed: a bracket, brace or quote.";
  return "Put strings in single quotes, numbers and true/false/null in backticks, unusual keys in double quotes.";
}

/** `[?a=b]` is, to the library, a variable that is bound: every row matches. */
function refuseSingleEquals(
  grammar: Grammar,
  expression: string,
  { isCondition, example, refuse }: Holder,
): void {
  const tokens = grammar.tokenize(expression);
  const wrong = tokens.find(
    ({ type }, index) => type === "Assign" && tokens[index - 1]?.type !== "Variable",
  );
  if (wrong === undefined) return;
  const what = `compares with a single = at character ${wrong.start + 1}`;
  throw isCondition
    ? refuse(`${what}, which is no comparison.`, `Write ==, ${literalAdvice}: ${example}`)
    : refuse(
        `${what}, which keeps every row.`,
        `Write == and the string in single quotes: ${example}`,
      );
}

/** `ok == false` is, to the library, a comparison with a member called `false`: a body that fails would pass as a success. */
function refuseBareWord({ left, right }: NodeOf<"Comparator">, { refuse, example }: Holder): void {
  for (const side of [left, right])
    if (side.type === "Field" && /^(?:true|false)$/.test(side.name))
      throw refuse(
        `compares with a member called ${side.name}.`,
        `Write ${literalAdvice}: ${example}`,
      );
}
