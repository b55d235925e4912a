/** Says in words where in a text something is. */

/** Takes a text and an index in it. Returns `character 1,234 (line 3, column 5)`, counted from 1. */
export function describePosition(text: string, index: number): string {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let found = before.indexOf("\n"); found >= 0; found = before.indexOf("\n", found + 1)) line += 1;
  return `character ${(index + 1).toLocaleString("en-US")} (line ${line}, column ${index - lineStart + 1})`;
}
