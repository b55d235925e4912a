/** Reads XML as JSON: no entity of the document is expanded, nothing is fetched, broken documents too. */

import { type JsonObject, type JsonValue, writeMember } from "../base/exact-number.js";
import { readMarkup } from "./read-markup.js";
import { checkTreeSize } from "./tree-limits.js";

export interface XmlReading {
  readonly document: JsonObject;
  /** Why the document does not hold the whole text. */
  readonly missing?: string;
}

interface OpenElement {
  readonly name: string;
  readonly members: JsonObject;
  text: string;
  hasElements: boolean;
  attributes: number;
}

interface Building {
  readonly open: OpenElement[];
  /** How many elements of each name are open. */
  readonly openNames: Map<string, number>;
  elements: number;
  values: number;
  attribute: string;
  value: string;
}

/**
 * Takes XML text. Returns `{root: …}`: an element with neither attributes nor elements is its text (`""` when empty);
 * any other is an object of its attributes (`@name`), its elements (an array when a name repeats) and its text (`#text`).
 * Names keep their namespace prefix; numbers stay text, as written. Comments, processing instructions and the DOCTYPE go.
 * `undefined` without an element.
 *
 * @throws TooLargeError for what is larger than `treeLimits`
 */
export async function parseXml(text: string): Promise<XmlReading | undefined> {
  const root: OpenElement = { name: "", members: {}, text: "", hasElements: false, attributes: 0 };
  const counts = { openNames: new Map<string, number>(), elements: 0, values: 0 };
  const building: Building = { open: [root], ...counts, attribute: "", value: "" };
  await build(text, building);
  const unclosed = building.open.length > 1 ? building.open.at(-1)?.name : undefined;
  while (building.open.length > 1) closeElement(building);
  if (!root.hasElements) return undefined;
  const document = root.members;
  if (unclosed === undefined) return { document };
  const missing = `The XML ends before <${unclosed.slice(0, 60)}> is closed; the part before that is shown.`;
  return { document, missing };
}

function build(text: string, building: Building): Promise<void> {
  const addText = (piece: string): void => {
    const element = building.open.at(-1);
    if (element !== undefined) element.text += piece;
  };
  return readMarkup(
    text,
    { isXml: true },
    {
      onopentagname: (start, end) => openElement(building, text.slice(start, end)),
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
      onattribend: () => closeAttribute(building),
      ontext: (start, end) => addText(text.slice(start, end)),
      ontextentity: (code) => addText(String.fromCodePoint(code)),
      oncdata: (start, end, offset) => addText(text.slice(start, end - offset)),
    },
  );
}

function openElement(building: Building, name: string): void {
  building.open.push({ name, members: {}, text: "", hasElements: false, attributes: 0 });
  building.openNames.set(name, (building.openNames.get(name) ?? 0) + 1);
  building.elements += 1;
  countValue(building, 0);
}

function closeAttribute(building: Building): void {
  const element = building.open.at(-1);
  if (element === undefined) return;
  element.attributes += 1;
  countValue(building, element.attributes);
  addMember(element.members, building.attribute, building.value.toWellFormed());
}

function countValue(building: Building, columns: number): void {
  building.values += 1;
  const { open, openNames, elements, values } = building;
  checkTreeSize({ depth: open.length - 1, containers: elements, values, names: openNames.size, columns });
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

function toValue({ attributes, hasElements, members, text }: OpenElement): JsonValue {
  const shown = text.trim().toWellFormed();
  if (attributes === 0 && !hasElements) return shown;
  if (shown !== "") addMember(members, "#text", shown);
  return members;
}

/** Adds a member; a second one of the same name makes an array. */
function addMember(members: JsonObject, name: string, value: JsonValue): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined;
  if (Array.isArray(before)) before.push(value);
  else writeMember(members, name, before === undefined ? value : [before, value]);
}
