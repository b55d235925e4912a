/** Reads what a person would see of an HTML page: its title and its text. */

import type { JsonObject } from "../json/exact-number.js";
import { readMarkup, TooLargeError } from "./read-markup.js";
import { findExcess } from "./tree-limits.js";

/** Elements whose content nobody sees. */
const unseen = new Set("script style template noscript svg iframe object select datalist".split(" "));
/** Elements that stand in a line of text; all others begin and end a line. */
const inline = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr button".split(
    " ",
  ),
);
const cells = new Set(["td", "th"]);

interface Page {
  title: string;
  hasTitle: boolean;
  inTitle: boolean;
  /** Name of the outermost unseen element, and how many of that name are open. */
  hidden: string | undefined;
  hiddenDepth: number;
  text: string;
  /** Whether the text ends with a line break. */
  isBroken: boolean;
  elements: number;
}

/**
 * Takes HTML text. Returns `{title, text}`: scripts, styles and other unseen parts dropped, block elements as lines, cells
 * of a table row in one line, white space collapsed, character references decoded. `title` is absent when there is none. Links are
 * not kept: the whole page stays in the kept text.
 *
 * @throws TooLargeError for what is larger than `treeLimits`
 */
export async function parseHtml(text: string): Promise<JsonObject> {
  const page: Page = {
    title: "",
    hasTitle: false,
    inTitle: false,
    hidden: undefined,
    hiddenDepth: 0,
    text: "",
    isBroken: false,
    elements: 0,
  };
  // Pieces that follow each other are one: there may be one for each character.
  let [from, to] = [0, 0];
  const addText = (piece = text.slice(from, to)): void => {
    from = to;
    if (piece === "") return;
    if (page.inTitle) page.title += piece;
    else if (page.hidden === undefined) {
      page.text += piece;
      page.isBroken = false;
    }
  };
  await readMarkup(
    text,
    { isXml: false },
    {
      onopentagname: (start, end) => {
        addText();
        openTag(page, text.slice(start, end).toLowerCase());
      },
      onclosetag: (start, end) => {
        addText();
        closeTag(page, text.slice(start, end).toLowerCase());
      },
      ontext: (start, end) => {
        if (start !== to) {
          addText();
          from = start;
        }
        to = end;
      },
      ontextentity: (code) => {
        addText();
        addText(String.fromCodePoint(code));
      },
    },
  );
  addText();
  const title = collapse(page.title);
  return { ...(title === "" ? {} : { title }), text: toLines(page.text) };
}

function openTag(page: Page, name: string): void {
  page.elements += 1;
  const excess = findExcess({ values: page.elements });
  if (excess !== undefined) throw new TooLargeError(excess);
  if (page.hidden !== undefined) {
    if (page.hidden === name) page.hiddenDepth += 1;
  } else if (name === "title") {
    page.inTitle = !page.hasTitle;
    page.hasTitle = true;
  } else if (unseen.has(name)) {
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
  } else if (name === "title") page.inTitle = false;
  else addBreak(page, name);
}

/** A line break is written as U+0000, which no text holds after tokenizing, until white space is collapsed. */
function addBreak(page: Page, name: string): void {
  if (cells.has(name)) page.text += "\t";
  else if (!inline.has(name) && !page.isBroken) page.text += "\0";
  page.isBroken = !cells.has(name) && (page.isBroken || !inline.has(name));
}

function toLines(text: string): string {
  const lines = text.toWellFormed().split("\0").map(collapse);
  return lines.filter((line) => line !== "").join("\n");
}

function collapse(text: string): string {
  // A single space stays where it is: to put each of millions anew takes a second.
  return text.replace(/[^\S ]\s*| \s+/g, " ").trim();
}
