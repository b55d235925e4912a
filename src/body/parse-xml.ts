/** Reads XML as JSON: no entity of the document is expanded, nothing is fetched, any depth, broken documents too. */

import type { TokenizerCallbacks } from "htmlparser2";
import type { JsonValue } from "../json/exact-number.js";

export interface XmlReading {
  readonly document: JsonValue;
  /** Why the document does not hold the whole text. */
  readonly missing?: string;
}

type XmlObject = { [key: string]: JsonValue };

interface OpenElement {
  readonly name: string;
  readonly members: XmlObject;
  text: string;
  hasElements: boolean;
}

interface Building {
  readonly open: OpenElement[];
  /** How many elements of each name are open. */
  readonly openNames: Map<string, number>;
  attribute: string;
  value: string;
}

/**
 * Takes XML text. Returns `{root: …}`: an element with neither attributes nor elements is its text (`""` when empty);
 * any other is an object of its attributes (`@name`), its elements (an array when a name repeats) and its text (`#text`).
 * Names keep their namespace prefix; numbers stay text, as written. Comments, processing instructions and the DOCTYPE go.
 * `undefined` when there is no element. The package's XML reader is htmlparser2's tokenizer: linear where others
 * take minutes for 100,000 levels.
 */
export async function parseXml(text: string): Promise<XmlReading | undefined> {
  const { Tokenizer } = await import("htmlparser2");
  const root: OpenElement = { name: "", members: {}, text: "", hasElements: false };
  const building: Building = { open: [root], openNames: new Map(), attribute: "", value: "" };
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, createCallbacks(text, building));
  tokenizer.write(text);
  tokenizer.end();
  const unclosed = building.open.length > 1 ? building.open.at(-1)?.name : undefined;
  while (building.open.length > 1) closeElement(building);
  if (!root.hasElements) return undefined;
  const document = root.members;
  if (unclosed === undefined) return { document };
  return {
    document,
    missing: `The XML ends before <${unclosed.slice(0, 60)}> is closed; what came before that is shown.`,
  };
}

function createCallbacks(text: string, building: Building): TokenizerCallbacks {
  const addText = (piece: string): void => {
    const element = building.open.at(-1);
    if (element !== undefined) element.text += piece;
  };
  return {
    onopentagname: (start, end) => openElement(building, text.slice(start, end)),
    onopentagend: () => {},
    onselfclosingtag: () => closeElement(building),
    onclosetag: (start, end) => closeNamed(building, text.slice(start, end)),
    onattribname: (start, end) => {
      building.attribute = `@${text.slice(start, end)}`;
      building.value = "";
    },
    onattribdata: (start, end) => {
      building.value += text.slice(start, end);
    },
    onattribentity: (code) => {
      building.value += String.fromCodePoint(code);
    },
    onattribend: () => {
      const element = building.open.at(-1);
      if (element !== undefined)
        addMember(element.members, building.attribute, building.value.toWellFormed());
    },
    ontext: (start, end) => addText(text.slice(start, end)),
    ontextentity: (code) => addText(String.fromCodePoint(code)),
    oncdata: (start, end, offset) => addText(text.slice(start, end - offset)),
    oncomment: () => {},
    ondeclaration: () => {},
    onprocessinginstruction: () => {},
    onend: () => {},
  };
}

function openElement(building: Building, name: string): void {
  building.open.push({ name, members: {}, text: "", hasElements: false });
  building.openNames.set(name, (building.openNames.get(name) ?? 0) + 1);
}

/** Closes everything up to the element of that name; a closing tag without an open one is ignored. */
function closeNamed(building: Building, name: string): void {
  if ((building.openNames.get(name) ?? 0) === 0) return;
  while (building.open.at(-1)?.name !== name) closeElement(building);
  closeElement(building);
}

function closeElement(building: Building): void {
  const element = building.open.pop();
  const parent = building.open.at(-1);
  if (element === undefined || parent === undefined) return;
  building.openNames.set(element.name, (building.openNames.get(element.name) ?? 1) - 1);
  parent.hasElements = true;
  addMember(parent.members, element.name, toValue(element));
}

function toValue(element: OpenElement): JsonValue {
  const text = element.text.trim().toWellFormed();
  if (Object.keys(element.members).length === 0) return text;
  if (text !== "") addMember(element.members, "#text", text);
  return element.members;
}

/** Adds a member; a second one of the same name makes an array. */
function addMember(members: XmlObject, name: string, value: JsonValue): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined;
  if (Array.isArray(before)) {
    before.push(value);
    return;
  }
  const joined = before === undefined ? value : [before, value];
  // Not an assignment: that would set the prototype when the name is `__proto__`.
  Object.defineProperty(members, name, {
    value: joined,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
