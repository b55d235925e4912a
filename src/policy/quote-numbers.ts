/** Turns the numbers of a JSON text into strings, so that reading it changes none of their digits. */

/**
 * The same JSON text with each number literal in quotes: `{"a":19.90}` becomes `{"a":"19.90"}`.
 *
 * @param json valid JSON text
 */
export function quoteNumbers(json: string): string {
  const tokenStart = /"|-?\d[\d.eE+-]*/g;
  let quoted = "";
  let copied = 0;
  for (let found = tokenStart.exec(json); found !== null; found = tokenStart.exec(json)) {
    const [token] = found;
    if (token === '"') {
      // Stepped over by hand: one expression for a whole string overflows V8's stack at some megabytes.
      tokenStart.lastIndex = findStringEnd(json, found.index + 1);
      continue;
    }
    quoted += `${json.slice(copied, found.index)}"${token}"`;
    copied = found.index + token.length;
  }
  return quoted + json.slice(copied);
}

/** The index after the closing quote of a string whose text starts at `from`. */
function findStringEnd(json: string, from: number): number {
  const stop = /["\\]/g;
  stop.lastIndex = from;
  for (let found = stop.exec(json); found !== null; found = stop.exec(json)) {
    if (found[0] === '"') return stop.lastIndex;
    stop.lastIndex += 1;
  }
  return json.length;
}
