/** Reads what a person would see of an HTML page: its title and its text. */

import type { TokenizerCallbacks } from "htmlparser2";
import type { JsonValue } from "../json/exact-number.js";

/** Elements whose content nobody sees. */
const unseen = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "svg",
  "iframe",
  "object",
  "select",
  "datalist",
]);
/** Elements that stand in a line of text; all others begin and end a line. */
const inline = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr button".split(
    " ",
  ),
);
const cells = new Set(["td", "th"]);

interface Page {
  title: string | undefined;
  inTitle: boolean;
  /** Name of the outermost unseen element, and how many of that name are open. */
  hidden: string | undefined;
  hiddenDepth: number;
  readonly pieces: string[];
}

/**
 * Takes HTML text. Returns `{title, text}`: scripts, styles and other unseen parts dropped, block elements as lines, cells
 * of a table row in one line, white space collapsed, character references decoded. `title` is absent when there is none. Links are
 * not kept: the whole page stays in the kept text.
 */
export async function parseHtml(text: string): Promise<JsonValue> {
  const { Tokenizer } = await import("htmlparser2");
  const page: Page = { title: undefined, inTitle: false, hidden: undefined, hiddenDepth: 0, pieces: [] };
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, createCallbacks(text, page));
  tokenizer.write(text);
  tokenizer.end();
  const title = page.title === undefined ? "" : collapse(page.title).trim();
  return { ...(title === "" ? {} : { title }), text: toLines(page.pieces) };
}

function createCallbacks(text: string, page: Page): TokenizerCallbacks {
  const addText = (piece: string): void => {
    if (page.inTitle) page.title = (page.title ?? "") + piece;
    else if (page.hidden === undefined) page.pieces.push(piece);
  };
  return {
    onopentagname: (start, end) => openTag(page, text.slice(start, end).toLowerCase()),
    onclosetag: (start, end) => closeTag(page, text.slice(start, end).toLowerCase()),
    onopentagend: () => {},
    onselfclosingtag: () => {},
    onattribname: () => {},
    onattribdata: () => {},
    onattribentity: () => {},
    onattribend: () => {},
    ontext: (start, end) => addText(text.slice(start, end)),
    ontextentity: (code) => addText(String.fromCodePoint(code)),
    oncdata: () => {},
    oncomment: () => {},
    ondeclaration: () => {},
    onprocessinginstruction: () => {},
    onend: () => {},
  };
}

function openTag(page: Page, name: string): void {
  if (page.hidden !== undefined) {
    if (page.hidden === name) page.hiddenDepth += 1;
    return;
  }
  if (name === "title") {
    page.inTitle = page.title === undefined;
    return;
  }
  if (unseen.has(name)) {
    page.hidden = name;
    page.hiddenDepth = 1;
  } else {
    addBreak(page, name);
  }
}

function closeTag(page: Page, name: string): void {
  if (page.hidden !== undefined) {
    if (page.hidden === name) page.hiddenDepth -= 1;
    if (page.hiddenDepth === 0) page.hidden = undefined;
    return;
  }
  if (name === "title") page.inTitle = false;
  else addBreak(page, name);
}

/** A line break is written as U+0000, which no text holds after tokenizing, until white space is collapsed. */
function addBreak(page: Page, name: string): void {
  if (cells.has(name)) page.pieces.push("\t");
  else if (!inline.has(name)) page.pieces.push("\0");
}

function toLines(pieces: readonly string[]): string {
  const lines = pieces
    .join("")
    .toWellFormed()
    .split("\0")
    .map((line) => collapse(line).trim());
  return lines.filter((line) => line !== "").join("\n");
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ");
}
