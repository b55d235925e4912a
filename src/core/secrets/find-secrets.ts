/** Finds every stretch of a text that gives away one of the secrets. */

import { type Interval, mergeIntervals } from "./intervals.js";
import { createScan } from "./scan-forms.js";
import { type Form, listForms, listTexts } from "./secret-forms.js";
import { findUndone, listSpellings, type Spelling } from "./spellings.js";

/** What is found: stretches in order, apart from each other. */
export type SecretFinder = (text: string) => readonly Interval[];

const nothing: readonly Interval[] = [];

/** JSON inside of JSON, and a URL inside of a URL (`?next=https%3A%2F%2F…`). */
const mostLayers = 2;

/** Each text is searched as it is and, where it shows a sign of other spellings, with these undone. */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const texts = [...new Set(secrets.flatMap(listTexts))];
  if (texts.length === 0) return () => nothing;
  const scan = createScan(texts.flatMap(listForms));
  const spellings = listSpellings(texts);
  const findAll = (text: string, layers: number): Interval[] => {
    const found: Interval[] = [];
    scan(text, (form, at) => {
      const interval = toInterval(text, form, at);
      if (interval !== undefined) found.push(interval);
    });
    if (layers === 0) return found;
    for (const spelling of spellings) {
      if (!showsSpelling(text, spelling)) continue;
      const undone = findUndone(spelling, text, (plain) => findAll(plain, layers - 1));
      // One by one: a long text has more of them than a function takes arguments.
      for (const interval of undone) found.push(interval);
    }
    return found;
  };
  return (text) => {
    const found = findAll(text, mostLayers);
    return found.length === 0 ? nothing : mergeIntervals(found);
  };
}

function showsSpelling(text: string, { signs, confirm }: Spelling): boolean {
  for (const sign of signs) if (!text.includes(sign)) return false;
  return confirm === undefined || confirm.test(text);
}

/** The stretch of a form that begins at this place, or undefined when a neighbouring character belongs to another value. */
function toInterval(text: string, form: Form, at: number): Interval | undefined {
  const end = at + form.text.length;
  const before = text.charAt(at - 1);
  const after = text.charAt(end);
  const { notBeside } = form;
  if (notBeside?.test(before) === true || notBeside?.test(after) === true) return undefined;
  if (!isOneOf(form.before, before) || !isOneOf(form.after, after)) return undefined;
  const from = form.before === undefined ? at : at - 1;
  return { from, to: form.after === undefined ? end : skipPadding(text, end + 1) };
}

/** Whether a character is one of those that must be there, if any must. */
function isOneOf(characters: string | undefined, character: string): boolean {
  return characters === undefined || (character !== "" && characters.includes(character));
}

/** The place behind the padding of base64. */
function skipPadding(text: string, from: number): number {
  let to = from;
  while (text.charAt(to) === "=") to += 1;
  return to;
}
