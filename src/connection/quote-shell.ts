/** Writes words for a POSIX shell (XCU 2.2), some of whose parts are variables. */

/** A literal text, or a variable that the shell fills in. */
export type ShellPart = string | { readonly variable: string };

/** One word, which the shell reads as exactly these parts: nothing else in it is expanded. */
export function quoteShell(parts: readonly ShellPart[]): string {
  const merged = mergeLiterals(parts);
  if (merged.some((part) => typeof part !== "string") && merged.every(isPlainInDoubleQuotes)) {
    return `"${merged.map((part, index) => (typeof part === "string" ? part : expand(part.variable, merged[index + 1]))).join("")}"`;
  }
  const written = merged.map((part) =>
    typeof part === "string" ? quoteLiteral(part) : `"$${part.variable}"`,
  );
  return written.join("") || "''";
}

function mergeLiterals(parts: readonly ShellPart[]): ShellPart[] {
  const merged: ShellPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === "string" && typeof last === "string") merged[merged.length - 1] = last + part;
    else if (part !== "") merged.push(part);
  }
  return merged;
}

/** `!` is history expansion in an interactive bash, even within double quotes. */
function isPlainInDoubleQuotes(part: ShellPart): boolean {
  return typeof part !== "string" || /^[\x20\x21-\x7e]*$/.test(part.replace(/["$`\\!]/g, "\n"));
}

function expand(variable: string, next: ShellPart | undefined): string {
  return typeof next === "string" && /^[A-Za-z0-9_]/.test(next) ? `\${${variable}}` : `$${variable}`;
}

/** Single quotes keep everything but themselves. */
function quoteLiteral(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A header's value, whose bytes are Latin-1 on the wire while a terminal writes UTF-8: bytes above ASCII are printed by
 * `printf`, in octal.
 */
export function quoteHeader(parts: readonly ShellPart[]): string {
  if (parts.every((part) => typeof part !== "string" || !/[\x80-\xff]/.test(part))) return quoteShell(parts);
  return parts
    .flatMap((part): ShellPart[] | string[] =>
      typeof part === "string" ? part.split(/([\x80-\xff]+)/) : [part],
    )
    .map((part) => {
      if (typeof part !== "string") return `"$${part.variable}"`;
      if (/^[\x80-\xff]+$/.test(part)) return `"$(printf '${toOctal(part)}')"`;
      return part === "" ? "" : quoteLiteral(part);
    })
    .join("");
}

function toOctal(text: string): string {
  return [...text].map((character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`).join("");
}
