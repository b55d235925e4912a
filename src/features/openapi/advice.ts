/** The words for what a document has against a call. */

import { suggest } from "../../core/base/suggest.js";
import { quoteText } from "../../core/base/text.js";

export interface Advice {
  readonly kind:
    | "unknown_path"
    | "unknown_parameter"
    | "unknown_member"
    | "missing"
    | "type"
    | "enum"
    | "limit";
  /** Where: a segment of the path, `{id}`, a parameter's name, or a place in the body such as `body.lines[0].amount`. */
  readonly at: string;
  readonly message: string;
  /** The names that exist instead. */
  readonly hint: string;
  /** An unknown name, with the nearest that the call lacks, and the one that it surely is. */
  readonly name?: string;
  readonly nearest?: string;
  readonly instead?: string;
}

/** The most names that are compared, and shown, of a hostile document or call. */
const maxGiven = 20;
const maxShown = 20;

/** Where names are compared. */
interface NamesPlace {
  readonly kind: "unknown_parameter" | "unknown_member";
  /** The object that has the members, such as `body.lines[0]`; absent for parameters. */
  readonly at?: string;
  /** Names that are right although they are not described. */
  readonly known?: ReadonlySet<string>;
}

export function compareNames(
  { kind, at: object, known = new Set() }: NamesPlace,
  given: readonly string[],
  described: readonly string[],
): Advice[] {
  const bases = new Set(given.map(findBase));
  const right = new Set([...described, ...known].map(findBase));
  const bare = new Set(given.filter((name) => isListWithBrackets(name, described)));
  const isSent = (name: string): boolean => {
    const base = findBase(name);
    return (bases.has(base) && !bare.has(base)) || known.has(name);
  };
  const others = described.filter((name) => !isSent(name));
  const unknown = [...bases].filter(
    (each) => !right.has(each) || (bare.has(each) && !known.has(each)),
  );
  return unknown.slice(0, maxGiven).map((name) => {
    const at = object === undefined ? name : `${object}.${name}`;
    const subject = object === undefined ? "query parameter " : "";
    const meant = suggest(name, others.map(findBase));
    const nearest = others.find((other) => findBase(other) === meant?.name);
    const likeliest =
      nearest === undefined ? "" : `The nearest to ${quoteText(name, 80)} is \`${nearest}\`. `;
    const choices =
      described.length === 0
        ? "It takes none."
        : `There are ${described.slice(0, maxShown).join(", ")}.`;
    const message = `There is no ${subject}${showName(at)}.`;
    const instead = meant?.isSure ? nearest : undefined;
    return { kind, at, message, hint: likeliest + choices, name, nearest, instead };
  });
}

/** A document that names `status[]` and no `status`: PHP and Rails read them as two parameters. */
function isListWithBrackets(name: string, described: readonly string[]): boolean {
  return described.includes(`${name}[]`) && !described.includes(name);
}

/** `ids[]`, `ids[0]` and `filter[state]` are written for `ids` and `filter`. */
export function findBase(name: string): string {
  const bracket = name.indexOf("[");
  return bracket > 0 ? name.slice(0, bracket) : name;
}

export function describeMissing(at: string, subject: string, types: readonly string[]): Advice {
  const type = types.length === 0 ? "" : `, of type ${types.join(" or ")}`;
  const hint = `Add ${showName(at)}${type}.`;
  return { kind: "missing", at, message: `${subject} is missing.`, hint };
}

/** A name in code marks, whatever characters it has. */
export function showName(name: string): string {
  return `\`${quoteText(name, 200).slice(1, -1)}\``;
}
