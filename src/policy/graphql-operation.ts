/** Which operation of a GraphQL document a request selects. */

/** Comments, strings, punctuation and names (GraphQL, section 2.1); what fits none of them is an error. */
const token =
  /#[^\n\r]*|"""(?:\\"""|[^"]|"(?!""))*"""|"(?:\\.|[^"\\\n\r])*"|\.\.\.|[{}()[\]!$&:=@|]|[_A-Za-z]\w*|-?\d[\d.eE+-]*|[\s,\ufeff]+/y;
const maxTokens = 20_000;

interface Operation {
  readonly type: string;
  readonly name: string | undefined;
}

/**
 * Whether a document parses as definitions with balanced brackets and the operation that is selected is a query.
 *
 * @param operationName - Needed where the document has several operations.
 */
export function isGraphqlQuery(document: string, operationName?: unknown): boolean {
  const operations = readOperations(document);
  if (operations === undefined) return false;
  const isNamed = typeof operationName === "string" && operationName !== "";
  const selected = isNamed ? operations.filter(({ name }) => name === operationName) : operations;
  return selected.length === 1 && selected[0]?.type === "query";
}

/** Whether a text is a document with a mutation or a subscription, whichever operation is selected. */
export function hasGraphqlWrite(text: string): boolean {
  if (!/mutation|subscription/.test(text)) return false;
  return readOperations(text)?.some(({ type }) => type !== "query") === true;
}

/** Undefined for a text that is not an executable document. */
function readOperations(document: string): Operation[] | undefined {
  const words = readTokens(document);
  if (words === undefined) return undefined;
  const operations: Operation[] = [];
  const open: string[] = [];
  let definition: string[] = [];
  for (const word of words) {
    const closes = { "}": "{", ")": "(", "]": "[" }[word];
    if (closes !== undefined && open.pop() !== closes) return undefined;
    if (open.length === 0 && closes === undefined && word !== "(") definition.push(word);
    if ("{([".includes(word)) open.push(word);
    if (word !== "}" || open.length > 0) continue;
    const [type = "", name = ""] = definition;
    if (!/^(?:\{|query|mutation|subscription|fragment)$/.test(type)) return undefined;
    const isShort = type === "{";
    if (type !== "fragment")
      operations.push({ type: isShort ? "query" : type, name: /^\w/.test(name) ? name : undefined });
    definition = [];
  }
  return open.length > 0 || definition.length > 0 || operations.length === 0 ? undefined : operations;
}

function readTokens(document: string): string[] | undefined {
  const words: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < document.length) {
    const found = token.exec(document)?.[0];
    if (found === undefined || words.length > maxTokens) return undefined;
    if (!/^[\s,#\ufeff]/.test(found)) words.push(found);
  }
  return words;
}
