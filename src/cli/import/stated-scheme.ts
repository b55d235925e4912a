/** The word before a key in `Authorization`, where a document states it. */

/** A value that stands for a key: `<token>`, `{token}`, `[token]`, `YOUR_KEY`, or the letters and digits of one; no link and no markup with an attribute. */
const someKey =
  /(?:<+[^<>\n:/@="]{1,80}>|\{[^{}\n]{1,80}\}|\[[^[\]\n]{1,80}\](?![([])|(?:YOUR|your)[_-]\w+|(?=[\w.-]*\d)[\w.-]{16,})/
    .source;
const wordAndKey = `([A-Z][\\w-]{1,30})\\s+(?:[a-z_]+=)?["']?${someKey}`;

const forms: readonly RegExp[] = [
  // In quotes, or behind a colon: `Bearer <token>`, `Token token=<API_KEY>`, Authorization: SSWS {API Token}
  new RegExp(`(?:["'\`]|:\\s*)${wordAndKey}`),
  // A line of its own: Bearer <token>. A sentence may have a word before a link or a key, too: See <https://…>
  new RegExp(`^${wordAndKey}["']?$`, "m"),
  // The prefix "Token", which drf-spectacular writes; `the 'Key ' prefix`
  /\bprefix(?:ed)?(?: with)?:?\s*["'`\u201c]([A-Za-z][\w-]{1,30}) ?["'`\u201d]/i,
  /["'`\u201c]([A-Za-z][\w-]{1,30}):? ?["'`\u201d]\s+prefix\b/i,
  // Most have this word before the key.
  /\b(bearer)\b/i,
];

/** Schemes are written as RFC 6750 and RFC 7617 have them. */
const commonWords = new Map([
  ["bearer", "Bearer"],
  ["basic", "Basic"],
]);

/** Words that a sentence has before a key. */
const plainWord = /^(?:the|your|a|an|use|header|value|key|with|authorization|example|format)$/i;

/**
 * Reads the word from what describes a key: the description of a scheme, the default of a parameter.
 *
 * @returns undefined where none is stated.
 */
export function readStatedScheme(texts: readonly (string | undefined)[]): string | undefined {
  for (const form of forms)
    for (const text of texts) {
      const [, word] = form.exec(text?.slice(0, 2_000) ?? "") ?? [];
      if (word === undefined || plainWord.test(word)) continue;
      return commonWords.get(word.toLowerCase()) ?? word;
    }
  return undefined;
}
