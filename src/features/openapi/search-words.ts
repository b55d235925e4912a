/** The words of a text as a search compares them. */

/** Words that say nothing of an endpoint. */
const stopWords = new Set(
  "a an and are as at be by for from how i in is it me my of on or that the this to want what which with you".split(
    " ",
  ),
);

/** Words in lower case, `camelCase` and `snake_case` taken apart, without the endings of the plural and of verbs. */
export function readSearchWords(text: string): string[] {
  const words = text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})|(\p{L})(?=\p{N})/gu, "$1$3 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,40}/gu);
  return (words ?? []).filter((word) => !stopWords.has(word)).map(stem);
}

function stem(word: string): string {
  if (word.length <= 3) return word;
  return word
    .replace(/(?:ies)$/, "y")
    .replace(/(?:sses)$/, "ss")
    .replace(/(?<=[^s])s$/, "")
    .replace(/(?<=\w{4})(?:ing|ed|e)$/, "");
}
