/** Collects what a response contains about paging: the members around its rows, the rows, and whether there is more. */

import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listKeys,
} from "../base/exact-number.js";
import { isTrue, type Shape, toShape } from "../base/shape.js";
import { type ResponseHeaders, readHeader } from "../http/limits/rate-limit.js";
import {
  findOtherList,
  isDictionary,
  isOwn,
  isRecord,
  isSingleRow,
  type Rows,
  rankLists,
} from "./find-rows.js";

export interface Member {
  /** As the response spells it, an XML attribute without its `@`. */
  readonly key: string;
  /** Normalised keys from the root, such as `paging.next.after`. */
  readonly at: string;
  /** The normalised key. */
  readonly name: string;
  /** The keys of the objects around it, from the root. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** Whether it belongs to an object with an id: that is a record, whose `next` is its neighbour. */
  readonly isOfRecord: boolean;
  /** Whether it belongs to an object whose numbers and flags are about the list. */
  readonly isOfPaging: boolean;
}

export interface Envelope {
  /** By path, shallow ones first; lists are not looked into. */
  readonly members: ReadonlyMap<string, Member>;
  /**
   * The list the page consists of: the array of records with a usual name (`data`, `items`, `edges` …) or called like the end of the
   * request's path, else the longest one, anywhere around the document's top (`_embedded.orders`, `data.repositories.nodes`, `feed.entry`);
   * undefined without a list.
   */
  readonly rows: Rows | undefined;
  /** The one object of records by their ids, where there is no list: its members are the rows. */
  readonly dictionary: Rows | undefined;
  /** Where every list is that may be meant by the rows. */
  readonly lists: readonly Rows["path"][];
  /** Another list of records beside the rows, where neither has a usual name or is called like the path. */
  readonly otherList: readonly string[] | undefined;
  /** Whether the document is one record and no list. */
  readonly isRecord: boolean;
  /** Whether the rows are the answer's own list, and not one inside of a single record: flags and totals count beside that alone. */
  readonly isOwnList: boolean;
  /** Whether the response reports that there is more (`true`) or that this was all (`false`). */
  readonly more: boolean | undefined;
  /** The members about paging that hold a whole number, 0 or more. */
  readonly counts: readonly Count[];
}

export interface Count extends Pick<Member, "key" | "at"> {
  readonly count: number;
}

/** Deeper than any documented list is (`data.viewer.repositories.edges`), and as many members as no envelope has. */
const maxDepth = 6;
const maxMembers = 1_000;

interface Opened {
  readonly object: JsonObject;
  readonly at: string;
  readonly depth: number;
  readonly path: readonly string[];
  /** Whether it is the links of a record. */
  readonly isLinks: boolean;
}

/** The members of a document's objects, and what may be its list. */
interface Walked {
  readonly members: Map<string, Member>;
  readonly lists: Rows[];
  readonly singles: Rows[];
  readonly dictionaries: Rows[];
  /** The object at the top, below its wrappers; absent where the document is none. */
  readonly root: JsonObject | undefined;
}

/** @param requestPath - Its last segment names the list, where one is called so (`/tickets`). */
export function readEnvelope(document: JsonValue | undefined, requestPath = ""): Envelope {
  const { members, lists, singles, dictionaries, root } = walkObjects(document);
  const ranked = rankLists(lists, requestPath);
  const rows = ranked[0] ?? singles[0];
  const isOwnList = rows !== undefined && isOwn(document, rows, requestPath);
  return {
    members,
    rows,
    dictionary: rows === undefined && dictionaries.length === 1 ? dictionaries[0] : undefined,
    lists: [...lists, ...singles, ...dictionaries].map(({ path }) => path),
    otherList: findOtherList(ranked, requestPath),
    isRecord: root !== undefined && isRecord(root),
    isOwnList,
    more: isOwnList ? findMore(members) : undefined,
    counts: listCounts(members),
  };
}

/** Walks the objects of a document from the top, as wide as it is deep, never into a list. */
function walkObjects(document: JsonValue | undefined): Walked {
  const root = isJsonObject(document) ? openRoot(document, []) : undefined;
  const walked: Walked = {
    members: new Map(),
    lists: Array.isArray(document) ? [{ path: [], items: document }] : [],
    singles: [],
    dictionaries: [],
    root: root?.object,
  };
  const open = root === undefined ? [] : [root];
  for (const opened of open) {
    if (walked.members.size >= maxMembers) break;
    open.push(...walkObject(opened, walked));
  }
  return walked;
}

/** Notes the members of one object. @returns the objects in it that are walked, too. */
function walkObject({ object, at, depth, path, isLinks }: Opened, walked: Walked): Opened[] {
  const { members, lists, singles, dictionaries } = walked;
  const shape = toShape(object);
  const isOfRecord = isLinks || isRecord(object);
  const isOfPaging = depth === 0 || isPaging(at, shape);
  // The lists inside of its records are not the answer's.
  const isOfRecords = isDictionary(object);
  if (isOfRecords) dictionaries.push({ path, items: Object.values(object) });
  const inner: Opened[] = [];
  for (const [name, { key, value }] of shape) {
    const below = depth === 0 ? name : `${at}.${name}`;
    const own = [...path, key];
    const text = readText(name, value);
    if (!members.has(below)) {
      const plain = key.replace(/^@/, "");
      members.set(below, {
        key: plain,
        at: below,
        name,
        path,
        value: text,
        isOfRecord,
        isOfPaging,
      });
    }
    if (Array.isArray(value)) lists.push({ path: own, items: value });
    if (!isJsonObject(value) || !isJsonObject(text)) continue;
    if (isSingleRow(path, key)) singles.push({ path: own, items: [value] });
    if (depth + 1 >= maxDepth || isOfRecords) continue;
    const isInnerLinks = isOfRecord && name === "links";
    inner.push({ object: value, at: below, depth: depth + 1, path: own, isLinks: isInnerLinks });
  }
  return inner;
}

/** The text of an element of XML that has attributes, too: `<token size="3">b7</token>`, also of an empty token. */
function readText(name: string, value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const isElement = listKeys(value).every((key) => key === "#text" || key.startsWith("@"));
  const text = value["#text"] ?? (name.endsWith("token") ? "" : undefined);
  return isElement && text !== undefined ? text : value;
}

/** Goes through wrappers with nothing beside them (`{"response":{…}}`, XML's root element), so that paths begin alike. */
function openRoot(object: JsonObject, path: readonly string[]): Opened {
  const keys = [...toShape(object).values()].map(({ key }) => key);
  const [only = "", ...others] = keys.filter((key) => !/^@(?:xmlns|xsi)/.test(key));
  const value = object[only];
  const isWrapper = others.length === 0 && keys.length <= 10 && path.length < maxDepth;
  return isWrapper && isJsonObject(value) && !isSingleRow(path, only)
    ? openRoot(value, [...path, only])
    : { object, at: "", depth: 0, path, isLinks: false };
}

const pagingHolder =
  /meta|pag(?:e|ing|ination|er)|info|result|response|list|summary|search|links|cursors?$/;
const pagingName =
  /^(?:(?:current|total)?pages?|pagenumber|perpage|pagesize|offset|start|limit|size|total|totalcount)$/;

/** By its name, by a list in it, or by two members about pages; `rate_limit: { limit, remaining }` is not an envelope. */
function isPaging(at: string, shape: Shape): boolean {
  const entries = [...shape];
  const named = entries.filter(
    ([name, { value }]) => pagingName.test(name) && !isJsonObject(value),
  );
  return (
    pagingHolder.test(at.slice(at.lastIndexOf(".") + 1)) ||
    named.length > 1 ||
    entries.some(([, { value }]) => Array.isArray(value))
  );
}

/** A whole number of 0 or more, of at most 15 digits. */
export function parseCount(value: JsonValue | undefined): number | undefined {
  // The value of a number counts, not how it is written: `1.0` is a page, too.
  const number = isJsonNumber(value) ? String(Number(value)) : value;
  const text = typeof number === "string" ? number.trim() : "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** A response header that holds such a number. */
export function readCount(headers: ResponseHeaders, name: string): number | undefined {
  return parseCount(readHeader(headers, name));
}

/** Elasticsearch wraps its total (`{"value":30}`). */
function listCounts(members: ReadonlyMap<string, Member>): Count[] {
  return [...members.values()].flatMap(({ key, at, value, isOfPaging }) => {
    const plain = isJsonObject(value) ? value["value"] : value;
    const count = isOfPaging ? parseCount(plain) : undefined;
    return count === undefined ? [] : [{ key, at, count }];
  });
}

/** The first count whose path ends in one of these, best end first. */
export function findCount({ counts }: Envelope, ends: readonly string[]): Count | undefined {
  for (const end of counts.length === 0 ? [] : ends) {
    const found = counts.find(({ at }) => at === end || at.endsWith(`.${end}`));
    if (found !== undefined) return found;
  }
  return undefined;
}

const moreName =
  /^(?:has|exists)?(?:more|next|nextpage)(?:items|records|results?|pages?|itemsincollection)?(?:available)?(?:exists)?$|^istruncated$|^exceededtransferlimit$/;
const endName = /^(?:is)?last(?:page)?$|^done$|^endof(?:list|stream|results)$/;

function findMore(members: ReadonlyMap<string, Member>): boolean | undefined {
  const flag = [...members.values()].find(
    ({ name, value, isOfPaging, isOfRecord }) =>
      (isOfPaging || /more/.test(name)) &&
      !isOfRecord &&
      (moreName.test(name) || endName.test(name)) &&
      (isTrue(value) || value === false || value === "false"),
  );
  return flag && moreName.test(flag.name) === isTrue(flag.value);
}
