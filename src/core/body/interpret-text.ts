/** Decides what a text is, by what was declared and by what it plainly is, and reads it as that. */

import { parseCsv } from "./parse-csv.js";
import { parseHtml, parseXml } from "./parse-markup.js";
import { type JsonReading, readJsonText, readSoundJson, stripGuard } from "./read-json-text.js";
import type { MediaType } from "./read-media-type.js";
import type { BodyKind, TextReading } from "./response-body.js";
import { stepLength, TooLargeError, toNextTurn } from "./response-body.js";

/** Types whose values are between tabs. */
const tabbed = /\/(?:x-)?(?:tab-separated-values|tsv)$/;

export interface TextInput {
  /** Redacted, and not blank. */
  readonly text: string;
  /** What was declared. */
  readonly type: MediaType;
  readonly isTruncated: boolean;
}

/** Never throws. What is larger than `treeLimits` stays text, with a warning. */
export async function interpretText({ text, type, isTruncated }: TextInput): Promise<TextReading> {
  return orText(text, async () => {
    const markup = findMarkup(text);
    if (markup === undefined) {
      const json =
        type.promises === "json"
          ? await readJsonText(text)
          : await findPlainJson(text, isTruncated && type.promises === undefined);
      if (json !== undefined) return present(json, type, isTruncated);
    }
    const kind = chooseKind(text, type, markup);
    return readKind(kind, text, type, warnOfOther(type, kind));
  });
}

/** Reads text as a known kind, as the first reading did, when kept text is read again. Never throws. */
export async function readAs(kind: BodyKind, text: string, type: MediaType): Promise<TextReading> {
  return orText(text, async () => {
    const json = kind === "json" ? await readJsonText(text) : undefined;
    return json === undefined ? readKind(kind, text, type, []) : present(json, type, false);
  });
}

async function orText(text: string, read: () => Promise<TextReading>): Promise<TextReading> {
  try {
    if (text.length > stepLength) await toNextTurn();
    return await read();
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const warning = `The body is ${error.message}: it is shown as text.`;
    return { ...readPlain(text, [warning]), isTooLarge: true };
  }
}

async function readKind(
  kind: BodyKind,
  text: string,
  { name = "" }: MediaType,
  warnings: readonly string[],
): Promise<TextReading> {
  if (kind === "html") return { kind, document: await parseHtml(text), warnings };
  if (kind === "xml") {
    const reading = await parseXml(text);
    if (reading !== undefined) return { kind, ...reading, warnings };
    return readPlain(text, [...warnings, "Declared XML but holds no element."]);
  }
  if (kind !== "csv") return readPlain(text, warnings);
  const reading = await parseCsv(text, tabbed.test(name));
  if (reading === undefined)
    return readPlain(text, [...warnings, "A quote in the CSV is not closed correctly: it is shown as text."]);
  return { kind, document: reading.document, warnings: [...warnings, ...reading.warnings] };
}

function chooseKind(text: string, { promises }: MediaType, markup: "html" | "xml" | undefined): BodyKind {
  if (promises === "html" || promises === "xml") return markup ?? promises;
  if (promises === "csv") return markup === "html" ? "html" : "csv";
  // What is declared as text may mention markup; a whole page or document is one.
  const isCertain = promises !== "text" || /^\s*<(?:!doctype|html|\?xml\s)/i.test(text.slice(0, 2000));
  return isCertain ? (markup ?? "text") : "text";
}

/** JSON under another type, or none: only an object, an array, or several of them. */
async function findPlainJson(text: string, mayBeBroken: boolean): Promise<JsonReading | undefined> {
  const start = stripGuard(text.slice(0, 2000));
  if (!/^[[{]/.test(start)) return undefined;
  return mayBeBroken && /^[[{]\s*["{[]/.test(start) ? readJsonText(text) : readSoundJson(text);
}

function present({ document, missing }: JsonReading, type: MediaType, isTruncated: boolean): TextReading {
  const isBroken = missing !== undefined && !isTruncated && type.promises === "json";
  const broken = isBroken ? ["Declared as JSON but not valid JSON."] : [];
  return { kind: "json", document, missing, warnings: [...warnOfOther(type, "json"), ...broken] };
}

function readPlain(text: string, warnings: readonly string[]): TextReading {
  return { kind: "text", document: text.toWellFormed(), warnings };
}

const kindNames: Partial<Record<BodyKind, string>> = {
  html: "HTML",
  xml: "XML",
  json: "JSON",
  text: "plain text",
};

function warnOfOther({ name, promises }: MediaType, kind: BodyKind): string[] {
  if (
    name === undefined ||
    name === "application/octet-stream" ||
    promises === kind ||
    (kind === "text" && promises !== "json")
  )
    return [];
  return [`Declared ${name} but is ${kindNames[kind]}.`];
}

/** Takes text. Returns `html` or `xml` when its beginning leaves no doubt. */
function findMarkup(text: string): "html" | "xml" | undefined {
  const head = text.slice(0, 2000).replace(/^[\ufeff\s]+/, "");
  if (!head.startsWith("<")) return undefined;
  // Comments and declarations precede the first element.
  const element = head.replace(/<!--[\s\S]{0,1000}?-->|<\?[^>]{0,500}>/g, "").trimStart();
  if (
    /^<(?:!doctype\s+html|html|head|body|title|meta|h[1-6]|div|p|center|script|style|table)\b/i.test(element)
  )
    return "html";
  if (/^<\?xml\s/.test(head) || /^<!DOCTYPE\s/.test(element)) return "xml";
  const begins = /^<[A-Za-z_][\w:.-]*(?:\s[^<>]*)?>/.test(element);
  return begins && /(?:<\/[\w:.-]+\s{0,50}|\/)>$/.test(text.slice(-200).trimEnd()) ? "xml" : undefined;
}
