/** Decides what a text is, by what was declared and by what it plainly is, and reads it as that. */

import { hasSeparatorLine, parseCsv } from "./parse-csv.js";
import { parseHtml } from "./parse-html.js";
import { parseXml } from "./parse-xml.js";
import { isBatchType, readBatch } from "./read-batch.js";
import { readJsonText, readSmallJson, readSoundJson, stripGuard } from "./read-json-text.js";
import { readLines } from "./read-sequence.js";
import type { BodyKind, MediaType, Reading, TextReading } from "./response-body.js";
import { stepLength, TooLargeError, toNextTurn } from "./response-body.js";

/** Types whose values are between tabs. */
const tabbed = /\/(?:x-)?(?:tab-separated-values|tsv)$/;

/**
 * Takes text that is redacted and not blank, and what was declared. Never throws. What is larger than `treeLimits` stays text, with a
 * warning.
 */
export function interpretText(text: string, type: MediaType): TextReading | Promise<TextReading> {
  const json = type.promises === "json" ? readSmallJson(text) : undefined;
  return json === undefined ? interpretInSteps(text, type) : { kind: "json", ...json };
}

/** Lets others have their turn before a large text is read, and after it. */
async function interpretInSteps(text: string, type: MediaType): Promise<TextReading> {
  const reading = await orText(text, async () => {
    const markup = findMarkup(text);
    const json = markup === undefined ? await findJson(text, type) : undefined;
    return json === undefined
      ? readKind(chooseKind(text, type, markup), text, type)
      : { kind: "json", ...json };
  });
  if (text.length > stepLength) await toNextTurn();
  const isOther = type.promises === "json" && reading.kind === "text";
  const warning = isOther ? describeTextBefore(text) : undefined;
  return warning === undefined
    ? reading
    : { ...reading, warnings: [...(reading.warnings ?? []), warning] };
}

/** A warning of PHP before the JSON that was declared. */
function describeTextBefore(text: string): string | undefined {
  const [before] =
    /^[^[{][\s\S]{0,10000}?(?:\n|<br ?\/?>|<\/div>)\s{0,100}(?=[[{])/.exec(text) ?? [];
  if (before === undefined || readSmallJson(text.slice(before.length)) === undefined)
    return undefined;
  return `The body is declared as JSON, but ${before.length} characters of other text precede it, so it is shown as text.`;
}

/** Reads text as a known kind, as the first reading did, when kept text is read again. Never throws. */
export async function readAs(kind: BodyKind, text: string, type: MediaType): Promise<TextReading> {
  return orText(text, () => readKind(kind, text, type));
}

async function orText(text: string, read: () => Promise<TextReading>): Promise<TextReading> {
  try {
    if (text.length > stepLength) await toNextTurn();
    return await read();
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const warnings = [`The body is ${error.message}: it is shown as text.`];
    return { kind: "text", document: text.toWellFormed(), warnings, isTooLarge: true };
  }
}

/** A body that does not parse as its declared type is read as text. */
async function readKind(kind: BodyKind, text: string, type: MediaType): Promise<TextReading> {
  const { name = "" } = type;
  const readers: Partial<Record<BodyKind, () => Promise<Reading | undefined>>> = {
    json: async () => readJson(text, type),
    html: () => parseHtml(text),
    xml: () => parseXml(text),
    csv: () => parseCsv(text, tabbed.test(name)),
  };
  const reading = await readers[kind]?.();
  return reading === undefined
    ? { kind: "text", document: text.toWellFormed() }
    : { kind, ...reading };
}

function chooseKind(
  text: string,
  { promises }: MediaType,
  markup: "html" | "xml" | undefined,
): BodyKind {
  if (promises === "html") return markup ?? promises;
  // Any element may have the name of one of HTML: `<table>`, `<title>`.
  if (promises === "xml") return page.test(findElement(text)) ? "html" : "xml";
  // A first line that names the separator says that it is a CSV, whatever its type says.
  if (promises === "csv" || hasSeparatorLine(text)) return markup === "html" ? "html" : "csv";
  // A body that is declared as text may mention markup; a whole page or document is markup.
  const isCertain =
    promises !== "text" || /^\s*<(?:!doctype|html|\?xml\s)/i.test(text.slice(0, 2000));
  return isCertain ? (markup ?? "text") : "text";
}

/** Types that have a document in each line. */
const lined = /(?:nd-?json|jsonl|json-?lines)$/;

async function readJson(text: string, type: MediaType): Promise<Reading | undefined> {
  if (isBatchType(type)) return readBatch(text);
  const reading = await readJsonText(text);
  return reading === undefined && lined.test(type.name ?? "") ? readLines(text) : reading;
}

/** JSON under another type, or none: only an object, an array, or several of them. */
async function findJson(text: string, type: MediaType): Promise<Reading | undefined> {
  const { promises } = type;
  if (isBatchType(type) || promises === "json") return readJson(text, type);
  return /^[[{]/.test(stripGuard(text.slice(0, 2000))) ? readSoundJson(text) : undefined;
}

const page = /^<(?:!doctype\s+html|html)\b/i;

/** The beginning of a text, behind the comments and declarations that precede the first element. */
function findElement(text: string): string {
  const head = text.slice(0, 2000).replace(/^[\ufeff\s]+/, "");
  return head.replace(/<!--[\s\S]{0,1000}?-->|<\?[^>]{0,500}>/g, "").trimStart();
}

/** Takes text. Returns `html` or `xml` when its beginning leaves no doubt. */
function findMarkup(text: string): "html" | "xml" | undefined {
  const head = text.slice(0, 2000).replace(/^[\ufeff\s]+/, "");
  if (!head.startsWith("<")) return undefined;
  const element = findElement(text);
  if (
    /^<(?:!doctype\s+html|html|head|body|title|meta|h[1-6]|div|p|center|script|style|table)\b/i.test(
      element,
    )
  )
    return "html";
  if (/^<\?xml\s/.test(head) || /^<!DOCTYPE\s/.test(element)) return "xml";
  const begins = /^<[A-Za-z_][\w:.-]*(?:\s[^<>]*)?>/.test(element);
  return begins && /(?:<\/[\w:.-]+\s{0,50}|\/)>$/.test(text.slice(-200).trimEnd())
    ? "xml"
    : undefined;
}
