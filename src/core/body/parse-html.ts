/** Reads what a person would see of an HTML page: its title and its text. */

import type { JsonObject } from "../base/exact-number.js";
import { readMarkup } from "./read-markup.js";
import { checkTreeSize } from "./tree-limits.js";

/** Elements whose content a browser does not display. */
const unseen = new Set("script style template noscript svg iframe object select datalist".split(" "));
/** Elements within a line of text; all others begin and end a line. */
const inline = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr button".split(
    " ",
  ),
);
const cells = new Set(["td", "th"]);

interface Page {
  /** Of the first title. */
  title: string | undefined;
  inTitle: boolean;
  /** Name of the last element that was opened. */
  opened: string;
  /** Name of the outermost unseen element, and how many of that name are open. */
  hidden: string;
  hiddenDepth: number;
  text: string;
  /** Whether the text ends with a line break: to look at its end would copy it each time. */
  isBroken: boolean;
  elements: number;
}

/**
 * Takes HTML text. Returns `{title, text}`: scripts, styles and other unseen parts dropped, block elements as lines, cells
 * of a table row in one line, white space collapsed, character references decoded. `title` is absent when the page has no title. Links are
 * not kept: the whole page stays in the kept text.
 *
 * @throws TooLargeError for what is larger than `treeLimits`
 */
export async function parseHtml(text: string): Promise<JsonObject> {
  const hidden = { opened: "", hidden: "", hiddenDepth: 0 };
  const page: Page = { title: undefined, inTitle: false, ...hidden, text: "", isBroken: false, elements: 0 };
  // Pieces that follow each other are one: there may be one for each character.
  let [from, to] = [0, 0];
  const addText = (piece = text.slice(from, to)): void => {
    from = to;
    if (piece === "") return;
    if (page.inTitle) page.title += piece;
    else if (page.hiddenDepth === 0) {
      page.text += piece;
      page.isBroken = false;
    }
  };
  const nameAt = (start: number, end: number): string => {
    addText();
    return text.slice(start, end).toLowerCase();
  };
  await readMarkup(
    text,
    { isXml: false },
    {
      onopentagname: (start, end) => openTag(page, nameAt(start, end)),
      // Of XHTML: what is open and has no content is closed.
      onselfclosingtag: () => closeTag(page, page.opened),
      onclosetag: (start, end) => closeTag(page, nameAt(start, end)),
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
  const title = collapse(page.title ?? "");
  return { ...(title === "" ? {} : { title }), text: toLines(page.text) };
}

function openTag(page: Page, name: string): void {
  page.opened = name;
  page.elements += 1;
  checkTreeSize({ values: page.elements });
  if (page.hiddenDepth > 0) page.hiddenDepth += page.hidden === name ? 1 : 0;
  else if (name === "title") {
    page.inTitle = page.title === undefined;
    page.title ??= "";
  } else if (unseen.has(name)) {
    page.hidden = name;
    page.hiddenDepth = 1;
  } else addBreak(page, name);
}

function closeTag(page: Page, name: string): void {
  if (page.hiddenDepth > 0) page.hiddenDepth -= page.hidden === name ? 1 : 0;
  else if (name === "title") page.inTitle = false;
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
