/** Reads XML as JSON; no entity of the document is expanded, and nothing is fetched. */

import { type JsonObject, type JsonValue, writeMember } from "../base/exact-number.js";
import { readMarkup } from "./read-markup.js";
import { checkTreeSize, type Reading } from "./response-body.js";

/**
 * Takes XML text. Returns `{root: …}`: an element with neither attributes nor elements is its text (`""` when empty);
 * any other is an object of its attributes (`@name`), its elements (an array when a name repeats) and its text (`#text`).
 * Names keep their namespace prefix; numbers stay text, as written. Comments, processing instructions and the DOCTYPE go.
 * `undefined` without an element.
 *
 * @throws TooLargeError for what is larger than `treeLimits`
 */
export async function parseXml(text: string): Promise<Reading | undefined> {
  const tree = createTree();
  let [attribute, value] = ["", ""];
  await readMarkup(
    text,
    { isXml: true },
    {
      onopentagname: (start, end) => tree.open(text.slice(start, end)),
      onselfclosingtag: () => tree.closeLast(),
      onclosetag: (start, end) => tree.close(text.slice(start, end)),
      onattribname: (start, end) => {
        attribute = `@${text.slice(start, end)}`;
        value = "";
      },
      onattribdata: (start, end) => {
        value += text.slice(start, end);
      },
      onattribentity: (code) => {
        value += String.fromCodePoint(code);
      },
      onattribend: () => tree.addAttribute(attribute, value.toWellFormed()),
      ontext: (start, end) => tree.addText(text.slice(start, end)),
      ontextentity: (code) => tree.addText(String.fromCodePoint(code)),
      oncdata: (start, end, offset) => tree.addText(text.slice(start, end - offset)),
    },
  );
  const unclosed = tree.findUnclosed();
  const document = tree.end();
  if (document === undefined) return undefined;
  if (unclosed === undefined) return { document };
  const missing = `The XML ends before <${unclosed.slice(0, 60)}> is closed; the part before that is shown.`;
  return { document, missing };
}

interface OpenElement {
  readonly name: string;
  readonly members: JsonObject;
  text: string;
  /** Its attributes and elements. */
  parts: number;
}

/** The document as far as it was read, and its elements that are open. */
interface Tree {
  open(name: string): void;
  /** Closes everything up to the innermost element of that name; a closing tag without an open one is ignored. */
  close(name: string): void;
  closeLast(): void;
  addAttribute(name: string, value: string): void;
  addText(text: string): void;
  /** The name of the innermost element that is open. */
  findUnclosed(): string | undefined;
  /** Closes all elements. @returns undefined where there was none */
  end(): JsonObject | undefined;
}

function createTree(): Tree {
  /** The document is around all elements, and has no name. */
  const root: OpenElement = { name: "", members: {}, text: "", parts: 0 };
  const open = [root];
  const last = (): OpenElement => open.at(-1) ?? root;
  const openNames = createNameCounts();
  let [elements, values] = [0, 0];
  const countValue = (columns: number): void => {
    values += 1;
    checkTreeSize({ depth: open.length - 1, containers: elements, values, columns });
  };
  const closeLast = (): void => {
    const element = last();
    if (element === root) return;
    open.pop();
    openNames.add(element.name, -1);
    last().parts += 1;
    addMember(last().members, element.name, toValue(element));
  };
  return {
    open(name) {
      open.push({ name, members: {}, text: "", parts: 0 });
      openNames.add(name, 1);
      elements += 1;
      countValue(0);
    },
    close(name) {
      const left = openNames.count(name) - 1;
      while (left >= 0 && openNames.count(name) !== left) closeLast();
    },
    closeLast,
    addAttribute(name, value) {
      last().parts += 1;
      countValue(last().parts);
      addMember(last().members, name, value);
    },
    addText(text) {
      last().text += text;
    },
    findUnclosed: () => (open.length > 1 ? last().name : undefined),
    end() {
      while (open.length > 1) closeLast();
      return root.parts === 0 ? undefined : root.members;
    },
  };
}

/** How many elements of each name are open. */
interface NameCounts {
  add(name: string, more: 1 | -1): void;
  count(name: string): number;
}

function createNameCounts(): NameCounts {
  const counts = new Map<string, number>();
  const count = (name: string): number => counts.get(name) ?? 0;
  return {
    add: (name, more) => counts.set(name, count(name) + more),
    count,
  };
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
