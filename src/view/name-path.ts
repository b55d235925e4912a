/** Spells JMESPath expressions for places in a body, quoted where the language asks for it. */

/** The whole body. */
export const wholePath = "@";
/** Words that a parser could take for its own. */
const reserved: ReadonlySet<string> = new Set(["let", "in", "true", "false", "null"]);

/** A key as JMESPath: bare where it is an identifier, else in double quotes. */
export function nameKey(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && !reserved.has(key) ? key : JSON.stringify(key);
}

export function nameField(path: string, key: string): string {
  return path === wholePath ? nameKey(key) : `${path}.${nameKey(key)}`;
}

export function nameChain(keys: readonly string[]): string {
  return keys.map(nameKey).join(".");
}

/** The rows of an array, or the values of a map. Rows that are arrays are not flattened. */
export function nameRows(
  path: string,
  kind: { readonly isMap: boolean; readonly holdsArrays: boolean },
): string {
  const start = path === wholePath ? "" : path;
  if (kind.isMap) return start === "" ? "*" : `${start}.*`;
  return `${start}${kind.holdsArrays ? "[*]" : "[]"}`;
}

/** Something in brackets behind an array, such as a filter, an index or a slice. */
export function nameWithin(path: string, inside: string): string {
  return `${path === wholePath ? "" : path}[${inside}]`;
}

/** A string as a JMESPath literal. */
export function quoteText(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}
