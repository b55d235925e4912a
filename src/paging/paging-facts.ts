/** Collects what a response says about paging: the members of its envelope that may hold it, and its rows. */

import type { JsonValue } from "../json/exact-number.js";
import { isObject, type JsonObject, toShape, toText } from "../json/shape.js";
import { toCount } from "./to-count.js";

export interface PagingMember {
  readonly key: string;
  /** The normalised key. */
  readonly name: string;
  /** Normalised keys from the root, such as `paging.next.after`. */
  readonly at: string;
  readonly value: JsonValue;
}

export interface PagingFacts {
  /** Normalised path to the member; only envelope objects are looked into, never rows. */
  readonly members: ReadonlyMap<string, PagingMember>;
  /** The normalised keys of all members: most of the names that are looked for are not among them. */
  readonly names: ReadonlySet<string>;
  /** The list the page consists of; undefined when none can be told. */
  readonly rows: readonly JsonValue[] | undefined;
  /** Whether the response says in so many words that there is more (`true`) or that this was all (`false`). */
  readonly more: boolean | undefined;
}

const containers: ReadonlySet<string> = new Set([
  ..."meta metadata paging pagination page pages pageinfo info resultinfo responsemetadata additionaldata".split(
    " ",
  ),
  ..."links cursors cursor next nextpage d data result results response list listinfo searchmetadata continue".split(
    " ",
  ),
  ..."listbucketresult pager paginginfo pagingmetadata collection hits feed body href".split(" "),
]);
const rowKeys: readonly string[] = [
  ..."data items results records rows value values entries list content hits documents docs elements members".split(
    " ",
  ),
  ..."objects resources nodes edges children tables contents".split(" "),
];
const maxDepth = 4;
const maxMembers = 400;

/** Walks the envelope objects, at most four deep. */
export function readPagingFacts(document: JsonValue | undefined): PagingFacts {
  const members = new Map<string, PagingMember>();
  const root = document;

  const visit = (object: JsonObject, prefix: string, depth: number): void => {
    const shape = toShape(object);
    const isWrapper = depth === 0 && shape.size === 1;
    for (const [name, { key, value }] of shape) {
      if (members.size >= maxMembers) return;
      const at = prefix === "" ? name : `${prefix}.${name}`;
      members.set(at, { key, name, at, value });
      if (isObject(value) && depth < maxDepth && (containers.has(name) || isWrapper))
        visit(value, at, depth + 1);
    }
  };

  if (isObject(root)) visit(root, "", 0);
  return {
    members,
    names: new Set([...members.values()].map(({ name }) => name)),
    rows: findRows(root, members),
    more: findMore(members),
  };
}

function findRows(
  root: JsonValue | undefined,
  members: ReadonlyMap<string, PagingMember>,
): JsonValue[] | undefined {
  if (Array.isArray(root)) return root;
  const lists = [...members.values()].filter(({ value }) => Array.isArray(value));
  for (const key of rowKeys) {
    const named = lists.find(({ name }) => name === key)?.value;
    if (Array.isArray(named)) return named;
  }
  let longest: JsonValue[] | undefined;
  for (const { value } of lists) {
    if (Array.isArray(value) && (longest === undefined || value.length > longest.length)) longest = value;
  }
  return longest;
}

/** The first member whose last key is one of these, best key first; shallower ones win. */
export function findMember(facts: PagingFacts, keys: readonly string[]): PagingMember | undefined {
  for (const key of keys) {
    const member = findOne(facts, key);
    if (member !== undefined) return member;
  }
  return undefined;
}

function findOne({ members, names }: PagingFacts, key: string): PagingMember | undefined {
  if (!names.has(lastNameOf(key))) return undefined;
  const exact = members.get(key);
  if (exact !== undefined) return exact;
  const ending = `.${key}`;
  for (const member of members.values()) if (member.at.endsWith(ending)) return member;
  return undefined;
}

/** The member's own name in the end of a path. */
export function lastNameOf(at: string): string {
  return at.slice(at.lastIndexOf(".") + 1);
}

/** A whole number of the response, 0 or more. */
export function findNumber(
  facts: PagingFacts,
  keys: readonly string[],
): { key: string; at: string; count: number } | undefined {
  for (const key of keys) {
    const member = findOne(facts, key);
    const count = member === undefined ? undefined : toCount(toText(member.value));
    if (member !== undefined && count !== undefined) return { key: member.key, at: member.at, count };
  }
  return undefined;
}

const moreKeys: ReadonlySet<string> = new Set([
  ..."hasmore hasnext hasnextpage hasmoreitems hasmorerecords hasmoreresults more morerecords".split(" "),
  ..."moreitemsincollection istruncated nextpageexists".split(" "),
]);
const endKeys: ReadonlySet<string> = new Set([
  "islast",
  "islastpage",
  "last",
  "done",
  "lastpage",
  "endoflist",
]);

function findMore(members: ReadonlyMap<string, PagingMember>): boolean | undefined {
  for (const { name, value } of members.values()) {
    const flag = toFlag(value);
    if (flag === undefined) continue;
    if (moreKeys.has(name)) return flag;
    if (endKeys.has(name)) return !flag;
  }
  return undefined;
}

/** XML has its booleans as text. */
function toFlag(value: JsonValue): boolean | undefined {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : undefined;
}

/** A part of a document as it can be sent: an integer beyond 2^53 as its digits. Null when it is nested too deeply. */
export function toPlainJson(value: JsonValue): JsonValue {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return null;
  }
}
