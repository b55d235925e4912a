/** The two kinds of gap a value may have: `${NAME}`, filled with a secret, and `{name}`, filled with a variable. */

/** A name that a shell can export (POSIX XBD 8.1, lower case allowed too). */
export const environmentNamePattern: RegExp = /^[A-Za-z_][A-Za-z0-9_]*$/;

const secretPattern = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const placeholderPattern = /\{([A-Za-z_][A-Za-z0-9_.-]*)\}/g;

/** The NAMEs of every `${NAME}` in a text, in order. */
export function findSecretNames(text: string): string[] {
  return [...text.matchAll(secretPattern)].map(([, name = ""]) => name);
}

/** The names of every `{name}` in a text, in order. */
export function findPlaceholderNames(text: string): string[] {
  return [...text.matchAll(placeholderPattern)].map(([, name = ""]) => name);
}

/** Fills each `${NAME}` in one pass: a value that itself looks like a placeholder stays as it is. */
export function fillSecrets(text: string, toValue: (name: string) => string): string {
  return text.replace(secretPattern, (_whole, name: string) => toValue(name));
}

/** Fills each `{name}` in one pass: a value that itself looks like a placeholder stays as it is. */
export function fillPlaceholders(text: string, toValue: (name: string) => string): string {
  return text.replace(placeholderPattern, (_whole, name: string) => toValue(name));
}

/** Whether a `${` is left that begins no `${NAME}`, such as `${}`, `${my-key}` or an unclosed one. */
export function hasBrokenSecret(text: string): boolean {
  return fillSecrets(text, () => "").includes("${");
}
