/** What UTF-8 looks like where it is read as Windows-1252, as browsers and spreadsheets do. */

/** The code unit of each byte that Latin-1 has a control character for. */
export const windows1252Characters: ReadonlyMap<number, number> = new Map(
  [..."€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"].map(
    (character, index) => [0x80 + index, character.charCodeAt(0)] as const,
  ),
);

/** The bytes as Windows-1252 text. Node's own `TextDecoder("windows-1252")` reads Latin-1 in several releases. */
export function readAsWindows1252(bytes: Uint8Array): string {
  return [...bytes].map((byte) => String.fromCharCode(windows1252Characters.get(byte) ?? byte)).join("");
}
