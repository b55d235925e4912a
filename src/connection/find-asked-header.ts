/** Which header an API complains of when it says that one is missing or wrong. */

/** A field name that can be told from an ordinary word: it has a hyphen, or is one of the few that have none. */
const hyphenated = "[A-Za-z][A-Za-z0-9]{0,40}(?:[-_][A-Za-z0-9]{1,40}){1,6}";
const plain = "accept|authorization|origin|referer|apikey|version|tenant|prefer|cookie|date|from|token";
const name = `(${hyphenated}|${plain})`;
const quote = "[\"'`\u2018\u2019\u201c\u201d[(]?";

const complaint =
  /missing|requir|must|need|includ|provid|should|without|specif|absent|invalid|expect|validation|make sure|undefined|unsupported|not (?:set|present|found|sent|supplied|given|acceptable)|\bno\b|empty|\bset\b|\bsend\b|\bpass\b|\buse\b|format/i;

/** From the most telling form to the least; each takes a name as its first group. */
const patterns: readonly RegExp[] = [
  // Pydantic and kin: {"loc":["header","x-token"]}, and the same as a joined field name.
  new RegExp(`"headers?" ?, ?"${name}"`, "i"),
  new RegExp(`\\bheaders?\\.${name}`, "i"),
  new RegExp(`\\bheaders?(?: field)?(?: named| called| name| is| are)?[:=]? ?${quote}${name}`, "i"),
  new RegExp(
    `${quote}${name}["'\`\u2019\u201d\\])]?:?(?: http)?(?: request)? (?:header|is (?:a )?(?:required|mandatory) (?:http |request )?header)`,
    "i",
  ),
  new RegExp(`${quote}${name}: header`, "i"),
  new RegExp(
    `(?:missing|requires?|required|must (?:send|include|provide|have|set|specify)|provide|specify|without|no)(?: [a-z]{1,20}){0,3}:? ${quote}(${hyphenated})`,
    "i",
  ),
  new RegExp(
    `(${hyphenated})["'\`\u2019\u201d\\])]?:? (?:is|was|must be|should be|can ?not be|not) (?:not )?(?:a )?(?:required|missing|set|present|provided|specified|sent|empty|found|defined|supplied|mandatory)`,
    "i",
  ),
];

/** Words with a hyphen or underscore that are no header, and headers that only answers have. */
const noHeader =
  /^(?:content[-_]length|retry[-_]after|www[-_]authenticate|set[-_]cookie|x[-_]request[-_]id|request[-_]id|rate[-_]limit|read[-_]only|e[-_]mail|status[-_]code|error[-_](?:code|message|type)|documentation[-_]url|request[-_](?:header|headers)|missing[-_].*|invalid[-_].*|.*[-_]required|bad[-_]request|not[-_]found|.*[-_]header|.*[-_]headers|http[-_]?[0-9].*|non[-_].*|api[-_]version|utf[-_]8)$/i;

/** The header as the API spells it; undefined when none is asked for. */
export function findAskedHeader(words: string): string | undefined {
  if (
    /\bno user[ -]?agent\b|\buser[ -]agent (?:is |was )?(?:missing|required|not)|(?:missing|require[sd]?|valid|provide|specify|set|send|use|add|include|with|descriptive|unique|own)(?: [a-z]{1,15}){0,3} user[ -]agent\b/i.test(
      words,
    )
  ) {
    return "User-Agent";
  }
  if (!complaint.test(words) || !/header|-/i.test(words)) return undefined;
  const speaksOfHeaders = /header/i.test(words);
  for (const [index, pattern] of patterns.entries()) {
    // Without the word "header" near it, only a name in the form of an own header (`X-Tenant`) is one.
    const found = pattern.exec(words)?.[1];
    if (found === undefined || noHeader.test(found)) continue;
    if (index >= 5 && (found.includes("_") || !(speaksOfHeaders || /^x-/i.test(found)))) continue;
    return found;
  }
  return undefined;
}

/** Whether a header by its name carries a credential. */
export function isCredentialHeader(header: string): boolean {
  if (/csrf|xsrf|idempoten/i.test(header)) return false;
  return /^(?:proxy-)?authorization$|(?:^|[-_])(?:api[-_]?key|apikey|token|auth|access[-_]key|secret|secret[-_]key|app[-_]?key|application[-_]key|subscription[-_]key|key)$|^apikey$|api[-_]?key|auth[-_]token/i.test(
    header,
  );
}
