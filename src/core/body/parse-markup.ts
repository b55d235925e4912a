/** Reads markup: XML as JSON, with no entity of the document expanded and nothing fetched; of HTML what a person would see. */

import type { TokenizerCallbacks } from "htmlparser2";
import { type JsonObject, type JsonValue, writeMember } from "../base/exact-number.js";
import { checkTreeSize, type Reading, stepLength, toNextTurn } from "./response-body.js";

/** All that a tokenizer may say; what is not asked for is not listened to. */
const ignored = Object.fromEntries(
  "attribdata attribend attribentity attribname cdata closetag comment declaration end opentagend opentagname processinginstruction selfclosingtag text textentity"
    .split(" ")
    .map((name) => [`on${name}`, () => {}]),
) as unknown as TokenizerCallbacks;

/**
 * Calls back for each part of the text, by its place. The tokenizer is linear where parsers that know elements take minutes for
 * 100,000 levels.
 *
 * @throws what a callback throws
 */
async function readMarkup(
  text: string,
  { isXml }: { readonly isXml: boolean },
  callbacks: Partial<TokenizerCallbacks>,
): Promise<void> {
  const { Tokenizer } = await import("htmlparser2");
  const tokenizer = new Tokenizer(
    { xmlMode: isXml, decodeEntities: true },
    { ...ignored, ...callbacks },
  );
  for (let start = 0; start < text.length; start += stepLength) {
    if (start > 0) await toNextTurn();
    tokenizer.write(text.slice(start, start + stepLength));
  }
  tokenizer.end();
}

interface OpenElement {
  readonly name: string;
  readonly members: JsonObject;
  text: string;
  /** Its attributes and elements. */
  parts: number;
}

/**
 * Takes XML text. Returns `{root: …}`: an element with neither attributes nor elements is its text (`""` when empty);
 * any other is an object of its attributes (`@name`), its elements (an array when a name repeats) and its text (`#text`).
 * Names keep their namespace prefix; numbers stay text, as written. Comments, processing instructions and the DOCTYPE go.
 * `undefined` without an element.
 *
 * @throws TooLargeError for what is larger than `treeLimits`
 */
export async function parseXml(text: string): Promise<Reading | undefined> {
  const root: OpenElement = { name: "", members: {}, text: "", parts: 0 };
  const open = [root];
  /** The innermost element that is open; around all of it the document, which has no name. */
  const last = (): OpenElement => open.at(-1) ?? root;
  /** How many elements of each name are open. */
  const openNames = new Map<string, number>();
  let [elements, values, attribute, value] = [0, 0, "", ""];
  const countOpen = (name: string, more: 1 | -1): void => {
    openNames.set(name, (openNames.get(name) ?? 0) + more);
  };
  const countValue = (columns: number): void => {
    values += 1;
    checkTreeSize({ depth: open.length - 1, containers: elements, values, columns });
  };
  const closeLast = (): void => {
    const element = last();
    if (element === root) return;
    open.pop();
    countOpen(element.name, -1);
    last().parts += 1;
    addMember(last().members, element.name, toValue(element));
  };
  await readMarkup(
    text,
    { isXml: true },
    {
      onopentagname: (start, end) => {
        const name = text.slice(start, end);
        open.push({ name, members: {}, text: "", parts: 0 });
        countOpen(name, 1);
        elements += 1;
        countValue(0);
      },
      onselfclosingtag: closeLast,
      // Closes everything up to the element of that name; a closing tag without an open one is ignored.
      onclosetag: (start, end) => {
        const name = text.slice(start, end);
        const left = (openNames.get(name) ?? 0) - 1;
        while (left >= 0 && openNames.get(name) !== left) closeLast();
      },
      onattribname: (start, end) => {
        [attribute, value] = [`@${text.slice(start, end)}`, ""];
      },
      onattribdata: (start, end) => {
        value += text.slice(start, end);
      },
      onattribentity: (code) => {
        value += String.fromCodePoint(code);
      },
      onattribend: () => {
        last().parts += 1;
        countValue(last().parts);
        addMember(last().members, attribute, value.toWellFormed());
      },
      ontext: (start, end) => {
        last().text += text.slice(start, end);
      },
      ontextentity: (code) => {
        last().text += String.fromCodePoint(code);
      },
      oncdata: (start, end, offset) => {
        last().text += text.slice(start, end - offset);
      },
    },
  );
  const unclosed = open.length > 1 ? last().name : undefined;
  while (open.length > 1) closeLast();
  if (root.parts === 0) return undefined;
  const document = root.members;
  if (unclosed === undefined) return { document };
  const missing = `The XML ends before <${unclosed.slice(0, 60)}> is closed; the part before that is shown.`;
  return { document, missing };
}

function toValue({ parts, members, text }: OpenElement): JsonValue {
  const shown = text.trim().toWellFormed();
  if (parts === 0) return shown;
  if (shown !== "") addMember(members, "#text", shown);
  return members;
}

/** Adds a member; a second one of the same name makes an array. */
function addMember(members: JsonObject, name: string, value: JsonValue): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined;
  if (Array.isArray(before)) before.push(value);
  else writeMember(members, name, before === undefined ? value : [before, value]);
}

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
  /** Of the first title. */
  let title: string | undefined;
  let isInTitle = false;
  let shown = "";
  /** The last element that was opened; the outermost unseen one, and how many of that name are open. */
  let [opened, hidden, hiddenDepth, elements] = ["", "", 0, 0];
  // Pieces that follow each other are one: there may be one for each character.
  let [from, to] = [0, 0];
  const addText = (piece = text.slice(from, to)): void => {
    from = to;
    if (isInTitle) title += piece;
    else if (hiddenDepth === 0) shown += piece;
  };
  const nameAt = (start: number, end: number): string => {
    addText();
    return text.slice(start, end).toLowerCase();
  };
  const open = (name: string): void => {
    opened = name;
    elements += 1;
    checkTreeSize({ values: elements });
    if (hiddenDepth > 0) hiddenDepth += hidden === name ? 1 : 0;
    else if (name === "title") {
      isInTitle = title === undefined;
      title ??= "";
    } else if (unseen.has(name)) [hidden, hiddenDepth] = [name, 1];
    else addText(findBreak(name));
  };
  const close = (name: string): void => {
    if (hiddenDepth > 0) hiddenDepth -= hidden === name ? 1 : 0;
    else if (name === "title") isInTitle = false;
    else addText(findBreak(name));
  };
  await readMarkup(
    text,
    { isXml: false },
    {
      onopentagname: (start, end) => open(nameAt(start, end)),
      // Of XHTML: what is open and has no content is closed.
      onselfclosingtag: () => close(opened),
      onclosetag: (start, end) => close(nameAt(start, end)),
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
  const name = collapse(title ?? "");
  const lines = shown.toWellFormed().split("\0").map(collapse);
  const seen = lines.filter((line) => line !== "").join("\n");
  return { document: name === "" ? { text: seen } : { title: name, text: seen } };
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
