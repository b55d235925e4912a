/** Finds every stretch of a text that gives away one of the secrets. */

import { type Interval, mergeIntervals } from "./intervals.js";
import { type Form, listForms, listTexts } from "./secret-forms.js";
import { findUndone, listSpellings, type Spelling } from "./spellings.js";

/** Finds the stretches in order, apart from each other. */
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
  const firstSigns = [...new Set(spellings.map(({ signs: [first = ""] }) => first))];
  // Most texts have none of these, and are searched as they are.
  const mayBeSpelled = (text: string): boolean => {
    for (const sign of firstSigns) if (text.includes(sign)) return true;
    return false;
  };
  const findAll = (text: string, layers: number): Interval[] => {
    const found: Interval[] = [];
    scan(text, (form, at) => {
      const interval = toInterval(text, form, at);
      if (interval !== undefined) found.push(interval);
    });
    if (layers === 0) return found;
    if (!mayBeSpelled(text)) return found;
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

/** Visits every place where one of the forms occurs. */
type Scan = (text: string, visit: (form: Form, at: number) => void) => void;

/** How many characters are looked at together. */
const blockLength = 3;
/** Short ones would make the steps for all others short: they have a pass of their own. Longer steps are not faster. */
const [shortestStep, longestStep] = [6, 16];

/** Makes a search for these forms. */
function createScan(forms: readonly Form[]): Scan {
  const between = (least: number, below: number): readonly Form[] =>
    forms.filter(({ text: { length } }) => length >= least && length < below);
  const tiny = between(1, blockLength);
  const passes = [
    between(blockLength, shortestStep),
    between(shortestStep, Number.POSITIVE_INFINITY),
  ]
    .filter((some) => some.length > 0)
    .map(createPass);
  return (text, visit) => {
    for (const pass of passes) pass(text, visit);
    for (const form of tiny)
      for (let at = text.indexOf(form.text); at >= 0; at = text.indexOf(form.text, at + 1))
        visit(form, at);
  };
}

/**
 * The scan of Wu and Manber (1994): it looks at three characters at a time and steps by as many as no text can end within, so that its
 * cost is a fraction of the text and hardly grows with the number of texts.
 */
function createPass(forms: readonly Form[]): Scan {
  const width = Math.min(longestStep, ...forms.map((form) => form.text.length));
  const steps = new Uint8Array(2 ** 16).fill(width - blockLength + 1);
  const endings = new Map<number, Form[]>();
  for (const form of forms) {
    // The last characters of a secret are the ones that differ from another's.
    const start = form.text.length - width;
    for (let last = blockLength - 1; last < width; last++) {
      const block = hashBlock(form.text, start + last);
      steps[block] = Math.min(steps[block] ?? 0, width - 1 - last);
      if (last === width - 1) endings.set(block, [...(endings.get(block) ?? []), form]);
    }
  }
  return (text, visit) => {
    let last = width - 1;
    while (last < text.length) {
      const block = hashBlock(text, last);
      const step = steps[block] ?? 0;
      if (step === 0) {
        for (const form of endings.get(block) ?? []) {
          const at = last + 1 - form.text.length;
          if (at >= 0 && text.startsWith(form.text, at)) visit(form, at);
        }
      }
      last += Math.max(1, step);
    }
  };
}

function hashBlock(text: string, last: number): number {
  return (
    ((text.charCodeAt(last - 2) << 10) ^ (text.charCodeAt(last - 1) << 5) ^ text.charCodeAt(last)) &
    0xffff
  );
}
