/** Joins the texts of an error body into one message without saying anything twice. */

import { reasonPhrases } from "./key-roles.js";

export interface SaidText {
  readonly text: string;
  /** How deep in the body it stands. */
  readonly depth: number;
}

const maxTexts = 5;

/** What a deeper text explains is followed by a colon, texts side by side by a semicolon; from the sixth on they are counted. */
export function joinTexts(texts: readonly SaidText[]): string {
  const distinct = withoutRepeats(withoutReasonPhrases(texts));
  const shown = distinct.slice(0, maxTexts);
  let joined = "";
  for (const [index, { text, depth }] of shown.entries()) {
    const before = shown[index - 1];
    if (before === undefined) joined = text;
    else if (index === 1 && depth > before.depth) joined = `${joined.replace(/[.:]$/, "")}: ${text}`;
    else joined = `${joined.replace(/(?<!\.)\.$/, "")}; ${text}`;
  }
  return distinct.length > maxTexts
    ? `${joined.replace(/(?<!\.)\.$/, "")} (and ${distinct.length - maxTexts} more)`
    : joined;
}

/** `Bad Request` beside a text that says what was bad. */
function withoutReasonPhrases(texts: readonly SaidText[]): readonly SaidText[] {
  const telling = texts.filter(({ text }) => !reasonPhrases.has(text.toLowerCase().replace(/\.$/, "")));
  return telling.length > 0 ? telling : texts;
}

function withoutRepeats(texts: readonly SaidText[]): SaidText[] {
  const kept: SaidText[] = [];
  for (const said of texts) {
    const lower = said.text.toLowerCase();
    if (kept.some(({ text }) => text.toLowerCase().includes(lower))) continue;
    const narrower = kept.findIndex(({ text }) => lower.includes(text.toLowerCase()));
    if (narrower >= 0) kept[narrower] = said;
    else kept.push(said);
  }
  return kept;
}
