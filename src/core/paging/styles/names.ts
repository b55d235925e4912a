/** Guesses: a cursor or a number under the names that are usual for it. Only `pages` tries them, and a page must verify the name. */

import type { JsonValue } from "../../base/exact-number.js";
import { normalizeKey } from "../../base/shape.js";
import { findHeaderTotal } from "../find-signs.js";
import { findStatedCursor, isEndCursor, type StatedCursor } from "../find-stated-cursor.js";
import type { NextKind } from "../judge-complete.js";
import { writeLike } from "../paged-request.js";
import {
  type AnsweredPage,
  type Change,
  changeParameters,
  type Found,
  type Position,
} from "../paging.js";
import {
  besideSize,
  cursorParameter,
  offsetNames,
  offsetParameters,
  pageParameters,
  sentSizeNames,
  usualNames,
} from "../paging-names.js";
import { isDeclared } from "../told-names.js";
import { listUsualNames, toCursor } from "./cursor.js";
import { findUnreachable, followLink } from "./link.js";
import { findOpenPosition, findTold, isCounted, listValues } from "./number.js";

export function findByNames(page: AnsweredPage): Found | undefined {
  const link = findLinkElsewhere(page);
  if (link !== undefined) return link;
  const found = findByParameters(page);
  // A link that can't be followed is stated all the same: a guess in its place stays a guess.
  const lost = findUnreachable(page);
  if (found === undefined || lost === undefined) return found;
  return { ...found, next: found.next.map((way) => ({ ...way, insteadOf: lost })) };
}

function findByParameters(page: AnsweredPage): Found | undefined {
  const stated = findStatedCursor(page);
  if (stated !== undefined && !isEndCursor(stated, page))
    return tryNames(listCursors(stated, page), "cursor", page);
  const numbers = listNumbers(page) ?? (statesMore(page) ? listSecondPages(page) : []);
  return tryNames(numbers, "number", page);
}

/** The names of the API's document come first: it may leave one out, but hardly any that it has is made up. */
function tryNames(
  changes: readonly Change[],
  kind: NextKind,
  page: AnsweredPage,
): Found | undefined {
  const isTold = ({ set }: Change): boolean =>
    Object.keys(set).every((name) => isDeclared(page, name));
  const ordered = changes.toSorted((one, other) => Number(isTold(other)) - Number(isTold(one)));
  return ordered.length === 0 ? undefined : changeParameters(ordered, kind, page.sent);
}

/** An API behind a gateway may write its internal host into a link: the same path at the base URL is a guess. */
function findLinkElsewhere(page: AnsweredPage): Found | undefined {
  const ways = page.links.flatMap((link) => followLink(link, page).way ?? []);
  return ways[0] && { next: ways.slice(0, 1), evidence: {} };
}

function listCursors(stated: StatedCursor, page: AnsweredPage): Change[] {
  const cursor = toCursor(stated);
  if (stated.name === "resumptiontoken") return [resume(cursor, page)];
  return listUsualNames(stated).map((name) => ({ set: { [name]: cursor }, guessOf: stated.name }));
}

/** OAI-PMH 2.0, section 3.5: `resumptionToken` is an exclusive argument beside `verb`. */
function resume(resumptionToken: JsonValue, { sent }: AnsweredPage): Change {
  const verb = sent.read("query:verb");
  const set = { ...(verb === undefined ? {} : { verb }), resumptionToken };
  return { set, isAlone: true, guessOf: "resumptiontoken" };
}

/** Elsewhere a `start` or `from` is that of a time. */
function isOffset({ names: [name = ""] }: Position): boolean {
  return /^(?:offset|skip)$/i.test(name);
}

/** Nothing in the answer shows whether there are more rows: a request that names its page, and a full page, may have a page after it. */
export function findUnshown(page: AnsweredPage): Found | undefined {
  const { numbers, rowCount, before, total } = page;
  const { position, size, sentSize } = numbers;
  const isShown = rowCount === 0 || before !== undefined || total !== undefined;
  if (isShown || !isCounted(page)) return undefined;
  const isNamed = position?.isSent === true && (position.kind === "page" || isOffset(position));
  if (isNamed && size === undefined && sentSize === undefined)
    return tryNames(listPlaces(position, page), "number", page);
  const isFull = position === undefined && rowCount === sentSize;
  return isFull ? tryNames(listSecondPages(page), "number", page) : undefined;
}

function listNumbers(page: AnsweredPage): Change[] | undefined {
  const position = findOpenPosition(page);
  return position && listPlaces(position, page);
}

function listPlaces(position: Position, page: AnsweredPage): Change[] {
  const { names, kind, value, isSent } = position;
  if (isSent)
    return listValues(position).map((each) => ({
      set: { [names[0] ?? kind]: each },
      guessOf: names[0],
    }));
  const guessOf = normalizeKey(names.find((each) => each !== kind) ?? kind);
  const usual = guessOf === "startindex" ? ["start", kind] : [kind];
  // A prefix is of XML: `opensearch:startIndex`.
  const plain = names.map((name) => name.replace(/^\w+:/, ""));
  const changes = [...new Set([...plain, ...usual])].map((name) => ({
    set: { [name]: value },
    guessOf,
  }));
  // An API that tells where its first row is may still take the number of a page, and then counts from 0 (Auth0).
  const isFirst = kind === "offset" && value === page.rowCount;
  return isFirst ? [...changes, { set: { page: 1 }, guessOf: "page" }] : changes;
}

/** Whether a flag or a count states that there are more rows than were read. */
function statesMore(page: AnsweredPage): boolean {
  const { envelope, before, rowCount, total = 0 } = page;
  const isCountedOn = (before?.rows ?? 0) + rowCount < total;
  return envelope.more === true || isCountedOn || findHeaderTotal(page) !== undefined;
}

/** Ways to the second page of a list: by the size that was sent, else by what is usual. */
function listSecondPages(page: AnsweredPage): Change[] {
  const { sent, rowCount, before, numbers } = page;
  if (rowCount === 0 || numbers.position !== undefined || !isCounted(page)) return [];
  // Keys that were asked for are a filter, and a request with a cursor continues by cursors.
  const isOther =
    sent.findLike(/^(?:ids?|(?:start|end)?keys?|endingbefore)$/) ?? sent.findLike(cursorParameter);
  const isSorted = Object.hasOwn(sent.body ?? {}, "search_after");
  if (isOther !== undefined || isSorted || before?.by !== undefined) return [];
  const told = findTold([...pageParameters, ...offsetParameters], page);
  if (told !== undefined) {
    const { folded, place } = told;
    if (folded.some((name) => pageParameters.includes(name))) return listSecondNumbers(place);
    // Elsewhere it is the beginning of a time.
    const isVague = folded.some((name) => name === "from" || name === "start");
    return [{ set: { [place]: rowCount }, guessOf: isVague ? place : undefined }];
  }
  const size = sent.findCount(sentSizeNames)?.name ?? "";
  return listUsualPlaces(page, size).flatMap((name): Change[] => {
    // Socrata: `$limit` goes with `$offset`.
    const parameter = size.startsWith("$") ? `$${name}` : writeLike(name, size);
    if (pageParameters.includes(normalizeKey(name))) return listSecondNumbers(parameter);
    return [{ set: { [parameter]: rowCount }, guessOf: parameter }];
  });
}

/** Counted from 1, page 1 is the page that was read; it shows that page 2 is the one after it. */
function listSecondNumbers(parameter: string): Change[] {
  return [1, 2].map((number) => ({ set: { [parameter]: number }, guessOf: parameter }));
}

/** Names of a page's number and of the rows to skip, best first. */
function listUsualPlaces({ envelope }: AnsweredPage, size: string): readonly string[] {
  const known = offsetNames.find(([members]) =>
    members.every((at) => envelope.members.has(at)),
  )?.[1];
  if (known !== undefined) return [known];
  return besideSize[normalizeKey(size.replace(/^.*[[.]|\]$/g, ""))] ?? usualNames;
}
