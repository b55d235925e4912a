/** Reads HTML as the text that a person would see. */

import { readMarkup } from "./read-markup.js";
import { checkTreeSize, type Reading } from "./response-body.js";

/** Elements whose content a browser does not display. */
const unseen = new Set(
  "script style template noscript svg iframe object select datalist".split(" "),
);
/** Elements within a line of text; all others begin and end a line. */
const inline = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr button".split(
    " ",
  ),
);
const cells = new Set(["td", "th"]);

/**
 * Takes HTML text. Returns `{title, text}`: scripts, styles and other unseen parts dropped, block elements as lines, cells
 * of a table row in one line, white space collapsed, character references decoded. `title` is absent when the page has no title. Links are
 * not kept: the whole page stays in the kept text.
 *
 * @throws TooLargeError for what is larger than `treeLimits`
 */
export async function parseHtml(text: string): Promise<Reading> {
  const page = createPage();
  /** The last element that was opened. */
  let opened = "";
  // Pieces that follow each other are one: there may be one for each character.
  let [from, to] = [0, 0];
  const addPiece = (): void => {
    page.addText(text.slice(from, to));
    from = to;
  };
  const nameAt = (start: number, end: number): string => {
    addPiece();
    return text.slice(start, end).toLowerCase();
  };
  await readMarkup(
    text,
    { isXml: false },
    {
      onopentagname: (start, end) => {
        opened = nameAt(start, end);
        page.open(opened);
      },
      // An element of XHTML that is open and has no content is closed.
      onselfclosingtag: () => page.close(opened),
      onclosetag: (start, end) => page.close(nameAt(start, end)),
      ontext: (start, end) => {
        if (start !== to) {
          addPiece();
          from = start;
        }
        to = end;
      },
      ontextentity: (code) => {
        addPiece();
        page.addText(String.fromCodePoint(code));
      },
    },
  );
  addPiece();
  const { title, lines } = page.end();
  const seen = lines.join("\n");
  return { document: title === "" ? { text: seen } : { title, text: seen } };
}

/** The page as far as it was read. */
interface Page {
  open(name: string): void;
  close(name: string): void;
  addText(text: string): void;
  /** @returns the first title, `""` where there is none, and the lines that are not empty */
  end(): { readonly title: string; readonly lines: readonly string[] };
}

function createPage(): Page {
  let title: string | undefined;
  let isInTitle = false;
  let shown = "";
  /** The outermost unseen element that is open, and how many of its name are. */
  let [hidden, hiddenDepth, elements] = ["", 0, 0];
  const addText = (text: string): void => {
    if (isInTitle) title += text;
    else if (hiddenDepth === 0) shown += text;
  };
  return {
    open(name) {
      elements += 1;
      checkTreeSize({ values: elements });
      if (hiddenDepth > 0) hiddenDepth += hidden === name ? 1 : 0;
      else if (name === "title") {
        isInTitle = title === undefined;
        title ??= "";
      } else if (unseen.has(name)) {
        hidden = name;
        hiddenDepth = 1;
      } else addText(findBreak(name));
    },
    close(name) {
      if (hiddenDepth > 0) hiddenDepth -= hidden === name ? 1 : 0;
      else if (name === "title") isInTitle = false;
      else addText(findBreak(name));
    },
    addText,
    end() {
      const lines = shown.toWellFormed().split("\0").map(collapse);
      return { title: collapse(title ?? ""), lines: lines.filter((line) => line !== "") };
    },
  };
}

/** A line break is written as U+0000, which no text holds after tokenizing, until white space is collapsed. */
function findBreak(name: string): string {
  if (cells.has(name)) return "\t";
  return inline.has(name) ? "" : "\0";
}

function collapse(text: string): string {
  // A single space stays where it is: to put each of millions anew takes a second.
  return text.replace(/[^\S ]\s*| \s+/g, " ").trim();
}
