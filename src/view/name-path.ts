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

/** The rows of a list, or the values of a map. */
export function nameRows(path: string, isMap: boolean): string {
  const start = path === wholePath ? "" : path;
  if (isMap) return start === "" ? "*" : `${start}.*`;
  return `${start}[]`;
}

/** Something in brackets behind a list, such as a filter, an index or a slice. */
export function nameWithin(path: string, inside: string): string {
  return `${path === wholePath ? "" : path}[${inside}]`;
}

/** A string as a JMESPath literal. */
export function quoteText(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}
