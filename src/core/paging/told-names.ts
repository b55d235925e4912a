/** Knows the parameters that an API itself names for the next page: in its document, and in URLs of an answer. */

import { normalizeKey } from "../base/shape.js";
import { clipText } from "../base/text.js";
import type { DescribedParameter } from "../request/operation-form.js";
import type { StatedCursor } from "./find-stated-cursor.js";
import { foldNames } from "./paged-request.js";
import type { Answered } from "./paging.js";
import { sentSizeNames } from "./paging-names.js";
import { listUrlNames } from "./read-links.js";

/** A parameter that the API names. */
export interface ToldName {
  /** As the API spells it. */
  readonly name: string;
  /** The place where it is set: `query:NAME`, `body:NAME`, or the name alone where a URL has it. */
  readonly place: string;
  /** Its normalised name, whole and without its holder. */
  readonly folded: readonly string[];
}

/** Parameters of the document come first. */
export function listTold(page: Answered): ToldName[] {
  const described = page.described.map(({ place, name }) => ({
    name,
    place: `${place}:${name}`,
  }));
  const linked = listUrlNames(page).map((name) => ({ name, place: name }));
  return [...described, ...linked].map((told) => ({ ...told, folded: foldNames(told.name) }));
}

/** Whether a parameter may hold a cursor: a request may leave it out, and it is no size of a page. */
function mayHoldCursor({ name, isRequired }: DescribedParameter): boolean {
  return !isRequired && !foldNames(name).some((each) => sentSizeNames.includes(each));
}

/**
 * The one parameter whose description names the member that holds the cursor: "meta.continuation of the page before". The description of
 * a size does so, too: "if there are more, the answer has a `nextToken`".
 */
export function findDescribed(stated: StatedCursor, { described }: Answered): string | undefined {
  const fitting = described.filter(
    (parameter) => mayHoldCursor(parameter) && mentions(parameter.description ?? "", stated),
  );
  const [only, ...others] = fitting;
  return only !== undefined && others.length === 0 ? `${only.place}:${only.name}` : undefined;
}

/** Whether a text names a member by its path, or by a name that is not a plain word, as `next` is. */
function mentions(description: string, { at, name }: StatedCursor): boolean {
  return description.split(/[\s"'(),;]+/).some((word) => {
    const keys = word.split(".").map(normalizeKey).filter(Boolean);
    const isPath = keys.length > 1 && `.${keys.join(".")}`.endsWith(`.${at}`);
    const isName = /`|\w[_-]\w|[a-z][A-Z]/.test(word) && keys.at(-1) === name;
    return isPath || isName;
  });
}

/** Whether the API's document has a parameter of that name. */
export function isDeclared({ described }: Answered, name: string): boolean {
  return described.some((each) => each.name === name);
}

const maxNamed = 8;

/** How a reader who knows more than the answer shows may go on. */
export function describeOwnWay({ described, sent }: Answered): string {
  const isFree = (parameter: DescribedParameter): boolean =>
    mayHoldCursor(parameter) && sent.find(foldNames(parameter.name)) === undefined;
  const free = described.filter(isFree).slice(0, maxNamed);
  const names = free.map(({ name }) => `\`${clipText(name, 60)}\``).join(", ");
  if (names === "")
    return "if you know it, send it yourself; the operator can set `api.paging` for it";
  return `if it is one of ${names}, send it yourself`;
}
