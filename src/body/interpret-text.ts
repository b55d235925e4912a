/** Decides what a text is, by what was declared and by what it plainly is, and reads it as that. */

import type { JsonValue } from "../json/exact-number.js";
import { looksLikeMarkup } from "./looks-like-markup.js";
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
import type { MediaType } from "./read-media-type.js";
import type { BodyKind } from "./response-body.js";

export interface TextReading {
  readonly kind: BodyKind;
  readonly document?: JsonValue;
  readonly missing?: string;
  readonly oddities: readonly string[];
}

export interface TextInput {
  /** Redacted, and not blank. */
  readonly text: string;
  /** What was declared. */
  readonly type: MediaType;
  readonly wasCut: boolean;
}

/** Never throws. */
export async function interpretText(input: TextInput): Promise<TextReading> {
  const { text, type, wasCut } = input;
  if (type.promises === "json") return interpretJson(input);
  const markup = looksLikeMarkup(text);
  const json =
    markup === undefined ? findPlainJson(text, { wasCut: wasCut && type.promises === undefined }) : undefined;
  if (json !== undefined) return present(json, type, isTyped(type) ? [mismatch(type, "JSON")] : []);
  if (type.promises === "html" && markup !== "xml") return readAs("html", text, []);
  if (type.promises === "html") return readAs("xml", text, [mismatch(type, "XML")]);
  if (type.promises === "xml")
    return markup === "html" ? readAs("html", text, [mismatch(type, "HTML")]) : readAs("xml", text, []);
  if (type.promises === "csv")
    return markup === "html" ? readAs("html", text, [mismatch(type, "HTML")]) : readAs("csv", text, []);
  if (markup === "html" && type.promises !== "text")
    return readAs("html", text, isTyped(type) ? [mismatch(type, "HTML")] : []);
  if (markup === "html" && /^\s*<(?:!doctype|html)/i.test(text))
    return readAs("html", text, [mismatch(type, "HTML")]);
  if (markup === "xml" && type.promises !== "text")
    return readAs("xml", text, isTyped(type) ? [mismatch(type, "XML")] : []);
  if (markup === "xml" && /^\s*<\?xml\s/.test(text)) return readAs("xml", text, [mismatch(type, "XML")]);
  return readAs("text", text, []);
}

/** Reads text as a known kind: as the first reading did, and when kept text is read again. */
export async function readAs(
  kind: BodyKind,
  text: string,
  oddities: readonly string[],
): Promise<TextReading> {
  switch (kind) {
    case "json": {
      const reading = readJsonText(text);
      return reading === undefined ? plainText(text, oddities) : present(reading, {}, oddities);
    }
    case "html":
      return { kind, document: await parseHtml(text), oddities };
    case "xml": {
      const reading = await parseXml(text);
      return reading === undefined
        ? plainText(text, [...oddities, "Declared XML but holds no element."])
        : { kind, ...reading, oddities };
    }
    case "csv": {
      const reading = await parseCsv(text);
      if (reading === undefined)
        return plainText(text, [...oddities, "Declared CSV but can't be read as such."]);
      return {
        kind,
        document: reading.document,
        oddities: reading.oddity === undefined ? oddities : [...oddities, reading.oddity],
      };
    }
    default:
      return plainText(text, oddities);
  }
}

/** A text that was cut is hardly ever sound: its two readings would cost twice. */
async function interpretJson({ text, type, wasCut }: TextInput): Promise<TextReading> {
  const sound = wasCut ? undefined : readSoundJson(text);
  if (sound !== undefined) return present(sound, type, []);
  const markup = looksLikeMarkup(text);
  if (markup !== undefined) return readAs(markup, text, [mismatch(type, markup === "html" ? "HTML" : "XML")]);
  const unsound = wasCut ? (readUnsoundJson(text) ?? readSoundJson(text)) : readUnsoundJson(text);
  if (unsound === undefined) return plainText(text, [mismatch(type, "plain text")]);
  const isBroken = unsound.missing !== undefined && !wasCut;
  return present(unsound, type, isBroken ? ["Declared as JSON but not valid JSON."] : []);
}

/** JSON under another type, or none: only an object, an array, or several of them. */
function findPlainJson(text: string, { wasCut }: Pick<TextInput, "wasCut">): JsonReading | undefined {
  const stripped = stripGuard(text);
  const first = stripped.charCodeAt(0);
  if (first !== 123 && first !== 91) return undefined;
  const sound = readSoundJson(text);
  // A cut body of no declared type that begins like JSON.
  return sound ?? (wasCut && /^[[{]\s*["{[]/.test(stripped) ? readJsonText(text) : undefined);
}

function present(reading: JsonReading, type: MediaType, oddities: readonly string[]): TextReading {
  const { document, missing, several } = reading;
  const isOdd = several !== undefined && type.name === "application/json";
  const count = isOdd ? [`The body is ${several} JSON documents, shown as one array.`] : [];
  return {
    kind: "json",
    document,
    ...(missing === undefined ? {} : { missing }),
    oddities: [...oddities, ...count, ...reading.oddities],
  };
}

function plainText(text: string, oddities: readonly string[]): TextReading {
  return { kind: "text", document: text.toWellFormed(), oddities };
}

function isTyped(type: MediaType): boolean {
  return type.name !== undefined;
}

function mismatch(type: MediaType, found: string): string {
  return `Declared ${type.name ?? "nothing"} but is ${found}.`;
}
