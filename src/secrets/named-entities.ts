/** The named character references that HTML and XML encoders write for characters a secret may hold. */

const punctuation: Readonly<Record<string, string>> = {
  quot: '"',
  amp: "&",
  apos: "'",
  lt: "<",
  gt: ">",
  nbsp: "\u00a0",
  Tab: "\t",
  NewLine: "\n",
  excl: "!",
  num: "#",
  dollar: "$",
  percnt: "%",
  lpar: "(",
  rpar: ")",
  ast: "*",
  midast: "*",
  plus: "+",
  comma: ",",
  period: ".",
  sol: "/",
  colon: ":",
  semi: ";",
  equals: "=",
  quest: "?",
  commat: "@",
  lsqb: "[",
  lbrack: "[",
  bsol: "\\",
  rsqb: "]",
  rbrack: "]",
  Hat: "^",
  lowbar: "_",
  grave: "`",
  lcub: "{",
  lbrace: "{",
  verbar: "|",
  vert: "|",
  rcub: "}",
  rbrace: "}",
  euro: "€",
};

/** HTML 4's Latin-1 names in code point order, from U+00A1. */
const latin1 =
  "iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute " +
  "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring " +
  "AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml " +
  "times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil " +
  "egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash " +
  "ugrave uacute ucirc uuml yacute thorn yuml";

/** Code point by name, without `&` and `;`. Names are case-sensitive, except that `QUOT`, `AMP`, `LT`, `GT` exist. */
export const namedEntities: ReadonlyMap<string, number> = new Map([
  ...Object.entries(punctuation).map(([name, character]) => [name, character.charCodeAt(0)] as const),
  ...["quot", "amp", "lt", "gt"].map(
    (name) => [name.toUpperCase(), (punctuation[name] ?? "").charCodeAt(0)] as const,
  ),
  ...latin1.split(" ").map((name, index) => [name, 0xa1 + index] as const),
]);

/** The longest name in the table, in characters. */
export const longestEntityName = 7;
