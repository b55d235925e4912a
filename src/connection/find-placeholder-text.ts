/** Tells a text that stands where a credential should be, from a credential. */

/** Whole values that nobody is given as a key. */
const fillers: ReadonlySet<string> = new Set([
  ...[
    "changeme",
    "change_me",
    "change-me",
    "todo",
    "tbd",
    "fixme",
    "none",
    "null",
    "undefined",
    "nil",
    "n/a",
  ],
  ...["token", "apikey", "api_key", "api-key", "key", "secret", "password", "placeholder", "redacted"],
  ...["[redacted]", "example", "yourkey", "yourtoken", "insert_key_here", "...", "…", "true", "false"],
]);

const wrapped = /^(?:<[^<>]*>|\{[^{}]*\}|\[[^[\]]*\])$/;
const filledWithOneLetter = /^([x*.#_-])\1{2,}$/i;
const wordsForYours =
  /(?:^|[^a-z])(?:your|my|insert|enter|replace|paste|put|add)[-_ ]*(?:own|actual|real|personal|secret|private|access|api|auth|bearer)?[-_ ]*(?:api|access|auth|secret)?[-_ ]*(?:key|token|secret|password|username|credential)/i;

/** What shells, templates and programs replace by a value. */
const unexpanded: readonly RegExp[] = [
  /^\$\{[^{}]{1,100}\}$/,
  /^\$[A-Z_][A-Z0-9_]{1,100}$/,
  /^%[A-Za-z_][A-Za-z0-9_]{0,100}%$/,
  /^\{\{[^{}]{1,100}\}\}$/,
  /^(?:process\.env|os\.environ|import\.meta\.env)\b/,
];

/** Why the text is no credential; undefined when it may be one. */
export function findPlaceholderText(text: string): string | undefined {
  const value = text.trim();
  if (unexpanded.some((pattern) => pattern.test(value)))
    return "is the name of a variable that was never replaced by its value";
  if (
    fillers.has(value.toLowerCase()) ||
    wrapped.test(value) ||
    filledWithOneLetter.test(value) ||
    (value.length < 60 && wordsForYours.test(value))
  ) {
    return "is a placeholder of an example and not a credential";
  }
  if (value.length > 6 && /\*{3,}|\.{3}$|…$/.test(value)) {
    return "is a shortened display of a credential (it was masked or cut where it was copied)";
  }
  return undefined;
}
