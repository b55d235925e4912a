/** Keeps the `+` of a time with an offset, which a query takes for a space. */

/** A time of ISO 8601, extended or basic (section 5.3.1.2 of ISO 8601-1); its colons may be escaped. */
const time =
  "\\d\\d(?::|%3A)\\d\\d(?:(?::|%3A)\\d\\d(?:\\.\\d{1,9})?)?|T\\d{4}(?:\\d\\d(?:\\.\\d{1,9})?)?";
/** Characters that end a time in a list, a range, or quotes: commas, slashes and the like, which may be escaped. */
const timeEnd = "[&,;/|)\\]}\"']|%(?:2[027CF9]|3B|5D|7D)|$";
/** A time with an offset to the east of Greenwich, in a query. */
const offset = new RegExp(`(${time})\\+(?=\\d\\d(?:(?::|%3A)?\\d\\d)?(?:${timeEnd}))`, "gi");

/** In a query `+` means a space (WHATWG URL, section 5.1); the one of a time means itself, for no time has a space there and two digits after it. */
export function keepOffset<Given>(text: Given): Given | string {
  return typeof text === "string" ? text.replace(offset, "$1%2B") : text;
}
