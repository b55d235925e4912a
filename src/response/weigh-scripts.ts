/** What a UTF-16 unit beyond Latin letters costs in tokens, script by script, as measured on running text. */

/** Last code of a stretch, and the tokens each of its units costs. */
const stretches: ReadonlyArray<readonly [number, number]> = [
  [0xbf, 0.9], // Latin-1 signs
  [0x24f, 0.5], // Latin letters with accents
  [0x36f, 0.9], // phonetic letters, combining marks
  [0x3ff, 0.45], // Greek
  [0x52f, 0.27], // Cyrillic
  [0x58f, 0.4], // Armenian
  [0x5ff, 0.46], // Hebrew
  [0x7ff, 0.35], // Arabic
  [0xdff, 0.38], // the scripts of India
  [0xeff, 0.4], // Thai, Lao
  [0xfff, 1.2], // Tibetan
  [0x109f, 0.57], // Myanmar
  [0x10ff, 0.4], // Georgian
  [0x11ff, 1], // old Hangul
  [0x139f, 2.2], // Ethiopic
  [0x177f, 1.6],
  [0x17ff, 0.66], // Khmer
  [0x1dff, 1.6],
  [0x1eff, 0.5],
  [0x1fff, 1.5],
  [0x206f, 0.9], // dashes, quotation marks
  [0x2fff, 1.4], // signs, arrows, boxes
  [0x303f, 0.85], // CJK marks
  [0x30ff, 0.66], // kana
  [0x33ff, 1.4],
  [0x4dbf, 2.9],
  [0x9fff, 0.72], // Han
  [0xabff, 2.2],
  [0xd7ff, 0.64], // Hangul
  [0xdfff, 1], // half of a pair: emoji, mostly
  [0xf8ff, 2.9], // private use
  [0xfaff, 2.5],
  [0xfe0f, 0.6], // presentation forms
  [0xffff, 0.8], // full-width forms
];

const costs: Float32Array = layOut();

function layOut(): Float32Array {
  const table = new Float32Array(0x10000 >> 4);
  let from = 0;
  for (const [last, cost] of stretches) {
    for (let code = from; code <= last; code += 16) table[code >> 4] = cost;
    from = last + 1;
  }
  return table;
}

/** Tells the tokens that one UTF-16 unit adds. */
export function otherScriptCost(code: number): number {
  return costs[code >> 4] ?? 1;
}
