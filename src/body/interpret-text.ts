/** Decides what a text is, by what was declared and by what it plainly is, and reads it as that. */

import { parseCsv } from "./parse-csv.js";
import { parseHtml } from "./parse-html.js";
import { parseXml } from "./parse-xml.js";
import {
  type JsonReading,
  readJsonText,
  readSoundJson,
  readUnsoundJson,
  stripGuard,
} from "./read-json-text.js";
import { TooLargeError } from "./read-markup.js";
import type { MediaType } from "./read-media-type.js";
import type { BodyKind, TextReading } from "./response-body.js";

export interface TextInput {
  /** Redacted, and not blank. */
  readonly text: string;
  /** What was declared. */
  readonly type: MediaType;
  readonly isTruncated: boolean;
}

/** Never throws. What is larger than `treeLimits` is a text, and a warning says why. */
export async function interpretText(input: TextInput): Promise<TextReading> {
  const { text, type, isTruncated } = input;
  return orText(text, async () => {
    if (type.promises === "json") return interpretJson(input);
    const markup = findMarkup(text);
    const mayBeBroken = isTruncated && type.promises === undefined;
    const json = markup === undefined ? await findPlainJson(text, mayBeBroken) : undefined;
    if (json !== undefined) return present(json, type, warnOfOther(type, "json"));
    const kind = chooseKind(text, type, markup);
    return readKind(kind, text, warnOfOther(type, kind));
  });
}

/** Reads text as a known kind, as the first reading did, when kept text is read again. Never throws. */
export async function readAs(kind: BodyKind, text: string): Promise<TextReading> {
  return orText(text, () => readKind(kind, text, []));
}

async function orText(text: string, read: () => TextReading | Promise<TextReading>): Promise<TextReading> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const warning = `The body is ${error.message}: it is shown as text.`;
    return { ...readPlain(text, [warning]), isTooLarge: true };
  }
}

async function readKind(kind: BodyKind, text: string, warnings: readonly string[]): Promise<TextReading> {
  switch (kind) {
    case "json": {
      const reading = await readJsonText(text);
      return reading === undefined ? readPlain(text, warnings) : present(reading, {}, warnings);
    }
    case "html":
      return { kind, document: await parseHtml(text), warnings };
    case "xml": {
      const reading = await parseXml(text);
      return reading === undefined
        ? readPlain(text, [...warnings, "Declared XML but holds no element."])
        : { kind, ...reading, warnings };
    }
    case "csv": {
      const reading = await parseCsv(text);
      return { kind, document: reading.document, warnings: [...warnings, ...reading.warnings] };
    }
    default:
      return readPlain(text, warnings);
  }
}

function chooseKind(text: string, { promises }: MediaType, markup: "html" | "xml" | undefined): BodyKind {
  if (promises === "html") return markup ?? "html";
  if (promises === "xml") return markup ?? "xml";
  if (promises === "csv") return markup === "html" ? "html" : "csv";
  // What is declared as text may speak of markup; a whole page or document is one.
  const isCertain = promises !== "text" || /^\s*<(?:!doctype|html|\?xml\s)/i.test(text.slice(0, 2000));
  return isCertain ? (markup ?? "text") : "text";
}

/** A truncated text is hardly ever sound: its two readings would cost twice. */
async function interpretJson({ text, type, isTruncated }: TextInput): Promise<TextReading> {
  const markup = findMarkup(text);
  if (markup !== undefined) return readKind(markup, text, warnOfOther(type, markup));
  const sound = isTruncated ? undefined : readSoundJson(text);
  if (sound !== undefined) return present(sound, type, []);
  const unsound = (await readUnsoundJson(text)) ?? (isTruncated ? readSoundJson(text) : undefined);
  if (unsound === undefined) return readPlain(text, warnOfOther(type, "text"));
  const isBroken = unsound.missing !== undefined && !isTruncated;
  return present(unsound, type, isBroken ? ["Declared as JSON but not valid JSON."] : []);
}

/** JSON under another type, or none: only an object, an array, or several of them. */
async function findPlainJson(text: string, mayBeBroken: boolean): Promise<JsonReading | undefined> {
  const start = stripGuard(text.slice(0, 2000));
  if (!/^[[{]/.test(start)) return undefined;
  return (
    readSoundJson(text) ??
    (mayBeBroken && /^[[{]\s*["{[]/.test(start) ? await readUnsoundJson(text) : undefined)
  );
}

function present(reading: JsonReading, type: MediaType, warnings: readonly string[]): TextReading {
  const { document, missing, several } = reading;
  const isOdd = several !== undefined && type.name === "application/json";
  const count = isOdd ? [`The body is ${several} JSON documents, shown as one array.`] : [];
  return {
    kind: "json",
    document,
    ...(missing === undefined ? {} : { missing }),
    warnings: [...warnings, ...count, ...reading.warnings],
  };
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
  if (name === undefined || promises === kind || (kind === "text" && promises !== "json")) return [];
  return [`Declared ${name} but is ${kindNames[kind]}.`];
}

/** Takes text. Returns `html` or `xml` when its beginning leaves no doubt. */
function findMarkup(text: string): "html" | "xml" | undefined {
  const head = text.slice(0, 2000).replace(/^[\ufeff\s]+/, "");
  if (!head.startsWith("<")) return undefined;
  // Comments and declarations stand before the first element.
  const element = head.replace(/<!--[\s\S]{0,1000}?-->|<\?[^>]{0,500}>/g, "").trimStart();
  if (
    /^<(?:!doctype\s+html|html|head|body|title|meta|h[1-6]|div|p|center|script|style|table)\b/i.test(element)
  )
    return "html";
  if (/^<\?xml\s/.test(head) || /^<!DOCTYPE\s/.test(element)) return "xml";
  const begins = /^<[A-Za-z_][\w:.-]*(?:\s[^<>]*)?>/.test(element);
  return begins && /(?:<\/[\w:.-]+\s{0,50}|\/)>$/.test(text.slice(-200).trimEnd()) ? "xml" : undefined;
}
