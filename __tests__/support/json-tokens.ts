/** Splits JSON text into tokens with one regular expression: the judge of what a reader that changes no value must give back. */

const token =
  /[ \t\r\n]+|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{}:,]/gy;

/** Returns valid JSON text without white space, every number in one spelling of its value, every string as `JSON.stringify` writes it. */
export function compactJson(text: string): string {
  const tokens = text.match(token) ?? [];
  if (tokens.join("").length !== text.length) throw new Error("not tokenized to its end");
  return tokens
    .filter((piece) => piece.trim() !== "")
    .map(writePiece)
    .join("");
}

/** `-0012.30e4` is `-123e3`: no double in between, but for a decimal that a double with as many digits is written as. */
function writePiece(piece: string): string {
  if (piece.startsWith('"')) return JSON.stringify(JSON.parse(piece));
  const isDecimal = /\d[.eE]/.test(piece);
  return writeDigits(isDecimal && isDouble(piece) ? String(Number(piece)) : piece);
}

function isDouble(decimal: string): boolean {
  const digits = findDigits(decimal);
  const isLong = digits.length > 17;
  return (
    digits !== "" && !isLong && findDigits(Number(decimal).toPrecision(digits.length)) === digits
  );
}

/** The significant digits, without the zeros at both ends. */
function findDigits(decimal: string): string {
  const [mantissa = ""] = decimal.split(/[eE]/);
  return mantissa.replace(/[-.]/g, "").replace(/^0+|0+$/g, "");
}

function writeDigits(piece: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(piece) ?? [];
  if (whole === "") return piece;
  const digits = (whole + fraction).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  return short === ""
    ? "0"
    : `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}

/** Returns every leaf of valid JSON text, each in one spelling. */
export function leavesOf(text: string): string[] {
  const tokens = (text.match(token) ?? []).filter((piece) => piece.trim() !== "");
  return tokens
    .filter(
      (piece, index) =>
        !/^[[\]{}:,]$/.test(piece) && !(piece.startsWith('"') && tokens[index + 1] === ":"),
    )
    .map(writePiece);
}
