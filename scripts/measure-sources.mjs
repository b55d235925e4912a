/** What a reader of the sources has to take in, file by file, in units that packing cannot improve: for `npm run ruler`, and for a test. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";
import jsTokens from "js-tokens";

/** The package is CommonJS with a default export. */
const { default: tokenPattern } = jsTokens;

const functionTypes = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "MethodProperty",
  "ClassMethod",
  "PrivateMethod",
  "Constructor",
  "GetterProperty",
]);
const collectionTypes = new Set(["Map", "Set", "WeakMap", "WeakSet"]);

const leadingComments = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/.*)*/;
const inferredType = /^(?:export )?type \w+(?:<[^=]*>)? =\s*(?:Awaited<)?ReturnType</gm;
/** A comment whose first words are not its subject. A question may begin so. */
const invertedComment =
  /^\s*(?:\/\/|\/\*\*?|\*)\s*(?:Of|With|Without|Who|What|Whose|That|Those|Whom|Where it|For whom)\b(?!.*\?(?: \*\/)?$)/;

/** @returns the measures of each TypeScript file below a folder, in the order of their names */
export function measureSources(root) {
  return readdirSync(root, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((name) => measureText(name, readFileSync(join(root, name), "utf8")));
}

/** @returns the measures of one text, as those of a file of the given name */
export function measureText(file, text) {
  const lines = text.split("\n");
  const code = lines.filter(isCode);
  return {
    file,
    tokens: countTokens(text),
    lines: code.length,
    characters: code.reduce((sum, line) => sum + line.length, 0),
    longestLine: Math.max(...lines.map((line) => line.length)),
    inferredTypes: [...text.matchAll(inferredType)].length,
    invertedComments: listNumbered(lines, (line) => invertedComment.test(line)),
    ...readSyntax(file, text),
  };
}

/** A line with more than white space and a comment. */
const isCode = (line) => !/^\s*(\/\/.*|\/?\*.*)?$/.test(line);

function countTokens(text) {
  const tokens = text.match(tokenPattern) ?? [];
  return tokens.filter((token) => token.trim() !== "" && !/^\/[/*]/.test(token)).length;
}

function listNumbered(lines, isListed) {
  return lines
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter(({ text }) => isListed(text));
}

/** The measures that need the syntax tree. */
function readSyntax(file, text) {
  const module = parseSync(text, {
    syntax: "typescript",
    tsx: file.endsWith("x"),
    target: "es2022",
  });
  const toLine = createLineFinder(text, module.span.start);
  const lines = text.split("\n");
  const found = { functions: [], regularExpressions: 0, nestedConditionals: [] };
  visit(module.body, {}, (node, { name, isInConditional }) => {
    if (node.type === "RegExpLiteral") found.regularExpressions += 1;
    if (node.type === "ConditionalExpression" && isInConditional)
      found.nestedConditionals.push({ line: toLine(node.span.start) });
    if (!functionTypes.has(node.type)) return;
    const span = node.function?.span ?? node.span;
    const line = toLine(span.start);
    const size = lines.slice(line - 1, toLine(span.end)).filter(isCode).length;
    found.functions.push({ name: name ?? "(anonymous)", line, lines: size });
  });
  return { ...found, state: listState(module.body) };
}

/** Positions are counted in bytes, and begin at the first statement. */
function createLineFinder(text, start) {
  const lead = Buffer.byteLength(leadingComments.exec(text)?.[0] ?? "");
  const ends = [];
  let bytes = 0;
  for (const line of text.split("\n")) {
    bytes += Buffer.byteLength(line) + 1;
    ends.push(bytes);
  }
  return (position) => ends.findIndex((end) => position - start + lead < end) + 1;
}

/** Calls a function for each node, with the name that it has there, and whether it is part of a conditional. */
function visit(node, place, see) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const each of node) visit(each, place, see);
    return;
  }
  const name = nameOf(node) ?? place.name;
  see(node, { ...place, name });
  const isInConditional =
    node.type === "ConditionalExpression" ||
    (place.isInConditional && !functionTypes.has(node.type));
  for (const [key, value] of Object.entries(node))
    if (key !== "span") visit(value, { name, isInConditional }, see);
}

function nameOf(node) {
  switch (node.type) {
    case "VariableDeclarator":
      return node.id.value;
    case "FunctionDeclaration":
      return node.identifier.value;
    case "KeyValueProperty":
    case "MethodProperty":
    case "ClassMethod":
    case "PrivateMethod":
      return node.key.value ?? node.key.id?.value;
  }
}

/** Names of the variables of a module that a call can change: those with `let`, and collections that begin empty. */
function listState(body) {
  return body
    .map((item) => (item.type === "ExportDeclaration" ? item.declaration : item))
    .filter(({ type }) => type === "VariableDeclaration")
    .flatMap(({ kind, declarations }) =>
      declarations.filter(({ init }) => kind === "let" || isEmptyCollection(init)),
    )
    .map(({ id }) => id.value);
}

function isEmptyCollection(node) {
  if (node?.type !== "NewExpression") return false;
  return collectionTypes.has(node.callee.value) && (node.arguments ?? []).length === 0;
}
