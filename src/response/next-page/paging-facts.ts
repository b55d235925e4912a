/** Collects what a response says about paging: the members of its envelope that may hold it, and its rows. */

import { isObject, type JsonObject, normalizeKey, toShape, toText } from "../error/shape.js";
import type { JsonDocument, JsonValue } from "../json-document.js";
import { toCount } from "./to-count.js";

export interface PagingMember {
  readonly key: string;
  /** Normalised keys from the root, such as `paging.next.after`. */
  readonly at: string;
  readonly value: JsonValue;
}

export interface PagingFacts {
  readonly numberMark: string;
  /** Normalised path to the member; only envelope objects are looked into, never rows. */
  readonly members: ReadonlyMap<string, PagingMember>;
  /** The list the page consists of; undefined when none can be told. */
  readonly rows: readonly JsonValue[] | undefined;
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
export function readPagingFacts(document: JsonDocument | undefined): PagingFacts {
  const members = new Map<string, PagingMember>();
  const root = document?.value;

  const visit = (object: JsonObject, prefix: string, depth: number): void => {
    const shape = toShape(object);
    const isWrapper = depth === 0 && shape.size === 1;
    for (const [name, { key, value }] of shape) {
      if (members.size >= maxMembers) return;
      const at = prefix === "" ? name : `${prefix}.${name}`;
      members.set(at, { key, at, value });
      if (isObject(value) && depth < maxDepth && (containers.has(name) || isWrapper))
        visit(value, at, depth + 1);
    }
  };

  if (isObject(root)) visit(root, "", 0);
  return { numberMark: document?.numberMark ?? "", members, rows: findRows(root, members) };
}

function findRows(
  root: JsonValue | undefined,
  members: ReadonlyMap<string, PagingMember>,
): JsonValue[] | undefined {
  if (Array.isArray(root)) return root;
  const lists = [...members.values()].filter(({ value }) => Array.isArray(value));
  for (const key of rowKeys) {
    const named = lists.find(({ key: own }) => normalizeKey(own) === key)?.value;
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
    const exact = facts.members.get(key);
    if (exact !== undefined) return exact;
    for (const member of facts.members.values()) if (member.at.endsWith(`.${key}`)) return member;
  }
  return undefined;
}

/** A whole number of the response, 0 or more. */
export function findNumber(
  facts: PagingFacts,
  keys: readonly string[],
): { key: string; at: string; count: number } | undefined {
  for (const key of keys) {
    const member = findMember(facts, [key]);
    const count = member === undefined ? undefined : toCount(toText(member.value, facts.numberMark));
    if (member !== undefined && count !== undefined) return { key: member.key, at: member.at, count };
  }
  return undefined;
}

const moreKeys = [
  ..."hasmore hasnext hasnextpage hasmoreitems hasmorerecords hasmoreresults more morerecords".split(" "),
  ..."moreitemsincollection istruncated nextpageexists".split(" "),
];
const endKeys = ["islast", "islastpage", "last", "done", "lastpage", "endoflist"];

/** Whether the response says in so many words that there is more (`true`) or that this was all (`false`). */
export function saysMore(facts: PagingFacts): boolean | undefined {
  for (const member of facts.members.values()) {
    const name = normalizeKey(member.key);
    const flag = toFlag(member.value);
    if (flag === undefined) continue;
    if (moreKeys.includes(name)) return flag;
    if (endKeys.includes(name)) return !flag;
  }
  return undefined;
}

/** XML has its booleans as text. */
function toFlag(value: JsonValue): boolean | undefined {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : undefined;
}
