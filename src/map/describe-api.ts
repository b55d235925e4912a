/** Tells of one API what a model asks: the map, a branch, an operation, what fits some words, a part of the guide. */

import type { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { clipText, quoteText } from "../text.js";
import { describeOperation, stripMarkdown } from "./describe-operation.js";
import {
  createMissing,
  describeGuide,
  describeGuideFrame,
  describeUndescribed,
  type Telling,
  type Told,
} from "./describe-undescribed.js";
import type { Description, ListedRoute } from "./description.js";
import { type Knowledge, loadKnowledge } from "./knowledge.js";
import { findNearestRoutes } from "./nearest-route.js";
import { cleanSegment, listBranch, writePathTree } from "./path-tree.js";
import { toDocumentPaths } from "./place-paths.js";
import type { Shown } from "./shown.js";
import { cleanName } from "./write-type.js";

export type { Told } from "./describe-undescribed.js";

/** What is asked; each member may be absent or `null`, and then nothing of it is. */
export interface DescribeInput {
  /** A path of the map: its branch, or with `method` one operation. */
  readonly path?: string | null;
  readonly method?: string | null;
  /** Words to find operations by. */
  readonly find?: string | null;
  /** A heading of the guide. */
  readonly guide?: string | null;
}

export interface DescribeOptions {
  /** The budget of an answer, in tokens; the map of the whole API may take three times as many. @default 2000 */
  readonly maxTokens?: number;
  /** @default four characters a token */
  readonly countTokens?: (text: string) => number;
  /** What is known already; else it is loaded. */
  readonly knowledge?: Knowledge;
  /** Calls that worked, for an API without a description. */
  readonly shown?: readonly Shown[];
}

const defaultMaxTokens = 2_000;
/** A map of some thousand operations is worth more than three answers: without it each of them is a search. */
const mapShare = 3;
const maxFound = 12;

/**
 * Describes a source by its `api.openapi` and `api.guide`; one with neither by its `endpoints` and what calls have shown.
 *
 * @param input - `{}` the map, `{ path }` a branch of it, `{ path, method }` one operation, `{ find }` operations by words, `{ guide }` a
 * part of the guide.
 * @returns Plain JSON data within the budget.
 * @throws ApiSourceError `invalid_input` for what isn't there, with what is; `not_configured` for a document that can't be read.
 *
 * @example
 * await describeApi(source, { path: "/orders", method: "POST" }); // { operation: "POST /orders", body: "{customer: string, …}", … }
 */
export async function describeApi(
  source: ApiSource,
  input: DescribeInput,
  options: DescribeOptions = {},
): Promise<Told> {
  const { maxTokens = defaultMaxTokens, countTokens = estimate, shown = [] } = options;
  const { description, guide } = options.knowledge ?? (await loadKnowledge(source));
  const telling: Telling = {
    source,
    maxTokens,
    countTokens,
    shown,
    ...(description === undefined ? {} : { description }),
    ...(guide === undefined ? {} : { guide }),
  };
  const path = readText("path", input.path);
  const method = readText("method", input.method)?.toUpperCase();
  const find = readText("find", input.find);
  const heading = readText("guide", input.guide);
  if (heading !== undefined) return describeGuide(telling, heading);
  if (find !== undefined) return tellFound(telling, find);
  if (description === undefined) return describeUndescribed(telling);
  if (path === undefined) return tellMap(telling, description);
  return method === undefined
    ? tellBranch(telling, description, path)
    : tellOperation(telling, description, path, method);
}

function estimate(text: string): number {
  return Math.ceil(text.length / 4);
}

function readText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  throw createMissing(`${name} is not a string.`, `Give ${name} as a string, or leave it out.`);
}

function tellMap(telling: Telling, description: Description): Told {
  const { source, maxTokens, countTokens } = telling;
  const { info } = description.document.head as { readonly info?: { readonly version?: unknown } };
  const version = typeof info?.version === "string" ? ` ${cleanName(info.version, 20)}` : "";
  const frame = {
    ...describeGuideFrame(telling),
    api: `${source.name}${version}`,
    operations: description.listed.length,
  };
  const left = Math.max(50, maxTokens * mapShare - countTokens(JSON.stringify(frame)) - 20);
  const fits = (text: string): boolean =>
    text.length <= left * 12 && countTokens(JSON.stringify(text)) <= left;
  const map = writePathTree(description.listed, fits);
  const isWhole = !/ \+\d+(?:\n|$)/.test(map);
  return {
    ...frame,
    map,
    ...(isWhole
      ? {}
      : { more: "+ is how many operations are below: ask with path for a branch, or with find." }),
    ...tellServers(description),
  };
}

/** References that were not followed leave holes that a model should know of. */
function tellServers({ document }: Description): Record<string, unknown> {
  const { unfollowed } = document;
  if (unfollowed.length === 0) return {};
  return { incomplete: `Not followed: ${clipText(unfollowed.join(", "), 200)}` };
}

function tellBranch(telling: Telling, description: Description, path: string): Told {
  const branch = findBranch(description, path);
  if (branch.length === 0) throw unknownPath(telling, description, path, "GET");
  const { maxTokens, countTokens } = telling;
  const fits = (text: string): boolean =>
    text.length <= maxTokens * 12 && countTokens(JSON.stringify(text)) <= maxTokens - 30;
  // A short branch with what its operations are for, else as a tree.
  const lines =
    branch.length > 150 ? undefined : branch.map((each) => describeLine(description, each)).join("\n");
  const map = lines !== undefined && fits(lines) ? lines : writePathTree(branch, fits);
  return { branch: clipText(path, 200), operations: branch.length, map };
}

function findBranch({ listed }: Description, path: string): ListedRoute[] {
  const found = new Set(listBranch(listed, path.startsWith("/") ? path : `/${path}`));
  return listed.filter((each) => found.has(each));
}

/** `GET /orders: List orders` */
function describeLine(description: Description, { route, path, method, isDeprecated }: ListedRoute): string {
  const { summary, description: words } = description.readOperation(route);
  const about = clipText(stripMarkdown(summary ?? words ?? ""), 70);
  const name = path.split("/").map(cleanSegment).join("/");
  return `${method} ${name}${isDeprecated ? " (deprecated)" : ""}${about === "" ? "" : `: ${about}`}`;
}

function tellOperation(telling: Telling, description: Description, path: string, method: string): Told {
  const { listed, routes, placement } = description;
  const bare = (path.split(/[?#]/, 1)[0] ?? path).replace(/^(?!\/)/, "/");
  const exact = listed.find((each) => each.method === method && each.path === bare);
  const matched = toDocumentPaths(placement, bare)
    .flatMap((each) => routes.match(each))
    .flatMap((match) => match.routes)
    .find((route) => route.method === method && listed.some((each) => each.route === route));
  const route = exact?.route ?? matched;
  if (route === undefined) throw unknownPath(telling, description, path, method);
  return describeOperation(description, description.readOperation(route), telling);
}

function unknownPath(
  telling: Telling,
  description: Description,
  path: string,
  method: string,
): ApiSourceError {
  const here = findBranch(description, path).filter(
    (each) => each.path.split("/").length === path.replace(/\/$/, "").split("/").length,
  );
  if (here.length > 0) {
    const methods = [...new Set(here.map((each) => each.method))].join(", ");
    return createMissing(`${quoteText(path, 200)} has no ${clipText(method, 10)}.`, `It has ${methods}.`);
  }
  const wanted = { method: "GET" as const, path: path.startsWith("/") ? path : `/${path}` };
  const near = findNearestRoutes(description, wanted).map((route) =>
    description.listed.find((each) => each.route === route),
  );
  const names = near.flatMap((each) => (each === undefined ? [] : [`${each.method} ${each.path}`]));
  return createMissing(
    `${quoteText(path, 200)} is no path of ${telling.source.name}.`,
    names.length === 0 ? "Leave path out to get the map." : `The nearest: ${names.join(", ")}.`,
  );
}

function tellFound(telling: Telling, words: string): Told {
  const { description, source } = telling;
  if (description === undefined) return describeUndescribed(telling);
  const found = description.search(words, maxFound);
  if (found.length === 0)
    throw createMissing(
      `Nothing in the description of ${source.name} has one of these words.`,
      "Use words of the API, or leave find out to get the map.",
    );
  const lines = found.map((each) => describeLine(description, each));
  while (lines.length > 1 && telling.countTokens(JSON.stringify(lines)) > telling.maxTokens - 20) lines.pop();
  return { found: lines };
}
