/** Finds every stretch of a text that gives away one of the secrets. */

import { type Form, listForms, listTexts } from "./secret-forms.js";

/** A half-open stretch of a text, in UTF-16 code units. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** What is found: stretches in order, apart from each other. */
export type SecretFinder = (text: string) => readonly Interval[];

/** What may be another spelling of an ordinary character, in JSON or percent-encoded. */
const usualEscape = /\\u00[2-7]|\\\/|%[2-7][0-9a-f]/i;

/** A character as a string of JSON (RFC 8259, section 7) may spell it, and percent-encoded UTF-8 (RFC 3986, section 2.1). */
const inJson = /\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi;
const inUrl = /%(?:[0-7][0-9a-f]|[c-f][0-9a-f](?:%[89ab][0-9a-f])+)/gi;
/** A quote in a value of CSV (RFC 4180, section 2). */
const inCsv = /""/g;
/** The references that markup needs (XML 1.0, section 4.6), and numeric ones. */
const inMarkup = /&(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-f]{1,5});/gi;
const inEither = new RegExp(`${inJson.source}|${inUrl.source}`, "gi");

/** Each text is searched as it is and, where it shows a sign of other spellings, with these undone. */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const texts = [...new Set(secrets.flatMap(listTexts))];
  if (texts.length === 0) return () => [];
  const scan = createScan(texts.flatMap(listForms));
  const find = (text: string): Interval[] => {
    const found: Interval[] = [];
    scan(text, (form, at) => {
      const interval = toInterval(text, form, at);
      if (interval !== undefined) found.push(interval);
    });
    return found;
  };
  // Any escape may spell a character that JSON or URLs can't contain.
  const isUsual = texts.every((text) => /^[\w .~+/=:;,@-]*$/.test(text));
  const hasSign = (text: string): boolean => {
    // A search for one character is many times faster than a pattern.
    const isEscaped = text.includes("\\") || text.includes("%");
    return isUsual
      ? isEscaped && usualEscape.test(text)
      : isEscaped || text.includes("&") || text.includes('""');
  };
  // A secret with `%41`, a backslash or a quote in it may be spelled in one of them alone.
  const spellings = isUsual ? [inEither] : [inJson, inUrl, inEither, inCsv, inMarkup];
  const findAll = (text: string, layers: number): Interval[] => [
    ...find(text),
    ...(layers > 0 && hasSign(text)
      ? spellings.flatMap((spelling) =>
          findWithout(spelling, text, (plain) => findAll(plain, layers - 1)),
        )
      : []),
  ];
  return (text) => mergeIntervals(findAll(text, mostLayers));
}

/** JSON inside of JSON, and a URL inside of a URL (`?next=https%3A%2F%2F…`). */
const mostLayers = 2;

function findWithout(
  spelling: RegExp,
  text: string,
  find: (text: string) => Interval[],
): readonly Interval[] {
  const plain = text.replace(spelling, readSpelling);
  const found = plain === text ? [] : mergeIntervals(find(plain));
  if (found.length === 0) return [];
  const spellings = text.matchAll(spelling);
  let next = spellings.next();
  let shift = 0;
  // How much longer the text is before a place than what it spells.
  const locate = (place: number): number => {
    for (; next.done !== true; next = spellings.next()) {
      const [whole] = next.value;
      const { length } = readSpelling(whole);
      if (next.value.index - shift + length > place) break;
      shift += whole.length - length;
    }
    return place + shift;
  };
  return found.map(({ from, to }) => ({ from: locate(from), to: locate(to) }));
}

const shortEscapes = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));

function readSpelling(whole: string): string {
  // The usual one: of a body that is all percent-encoded, bytes for each would take seconds.
  if (whole.length === 3)
    return String.fromCharCode(16 * readDigit(whole, 1) + readDigit(whole, 2));
  if (whole.startsWith("%")) return Buffer.from(whole.replaceAll("%", ""), "hex").toString("utf8");
  if (whole.startsWith("&")) return readReference(whole.slice(1, -1).toLowerCase());
  const second = whole.charAt(1);
  if (whole.length > 2) return String.fromCharCode(Number.parseInt(whole.slice(2), 16));
  return shortEscapes.get(second) ?? second;
}

/** The value of a hexadecimal digit, in either case. */
function readDigit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= 57 ? code - 48 : (code | 32) - 87;
}

const references = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));

function readReference(name: string): string {
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return references.get(name) ?? String.fromCodePoint(code);
}

/** The stretch of a form that begins at this place; undefined where what is beside it makes it something else. */
function toInterval(text: string, form: Form, at: number): Interval | undefined {
  const end = at + form.text.length;
  const [before, after] = [text.charAt(at - 1), text.charAt(end)];
  if (form.notBeside?.test(before) === true || form.notBeside?.test(after) === true)
    return undefined;
  if (form.before !== undefined && (before === "" || !form.before.includes(before)))
    return undefined;
  if (form.after !== undefined && (after === "" || !form.after.includes(after))) return undefined;
  let to = form.after === undefined ? end : end + 1;
  while (form.after !== undefined && text.charAt(to) === "=") to++;
  return { from: form.before === undefined ? at : at - 1, to };
}

/** The stretches in order, joined where they overlap or touch: the end of one secret can't be left inside another. */
export function mergeIntervals(intervals: readonly Interval[]): readonly Interval[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...intervals].sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last === undefined || from > last.to) merged.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return merged;
}

type Scan = (text: string, visit: (form: Form, at: number) => void) => void;

/** How many characters are looked at together. */
const blockLength = 3;
/** Short ones would make the steps for all others short: they have a pass of their own. Longer steps are not faster. */
const [shortestStep, longestStep] = [6, 16];

/** Makes a search that visits every place where one of the forms occurs. */
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
