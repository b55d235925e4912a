/** How an API pages, as far as its document names it: the parameter of the page, and the member that has the next cursor. */

import type { PagingRule } from "../../core/record/paging-rule.js";
import type { ApiDocument } from "../../features/openapi/api-document.js";
import { findJson, type Operation, type Parameter } from "../../features/openapi/operation.js";
import { asObject } from "../../features/openapi/parse-document.js";

/** As many as a person reads; an API with more pages in too many ways. */
const maxRules = 10;
const maxPaths = 100;

/** One rule for each way to page, with the paths that page so. */
export function readPaging(document: ApiDocument, operations: readonly Operation[]): PagingRule[] {
  const found = new Map<string, string[]>();
  for (const operation of operations) {
    const rule = operation.method === "GET" ? findRule(document, operation) : undefined;
    if (rule === undefined) continue;
    const key = JSON.stringify(rule);
    const path = operation.path.split("?", 1)[0]?.replace(/[^/]*\{[^/]*/g, "*") ?? "";
    found.set(key, [...new Set([...(found.get(key) ?? []), path])]);
  }
  const rules = [...found].map(([key, paths]): PagingRule => ({ paths, ...JSON.parse(key) }));
  return rules
    .filter(({ paths = [] }) => paths.length <= maxPaths && paths.every(isPattern))
    .slice(0, maxRules);
}

function isPattern(path: string): boolean {
  return /^(?:\/(?:\*|[^*/?#{}\\\s]*))+$/.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path);
}

/** A cursor comes first: where a document has both, a page number is often for a few pages only. */
function findRule(document: ApiDocument, operation: Operation): PagingRule | undefined {
  const query = operation.parameters.filter(({ place }) => place === "query");
  return findCursor(document, operation, query) ?? findNumber(document, query);
}

/** The parameter `cursor` and a member `next_cursor` of the answer name each other: the same word, with "next" before it. */
function findCursor(
  document: ApiDocument,
  { answers }: Operation,
  query: readonly Parameter[],
): PagingRule | undefined {
  const answer = answers.find(({ status }) => /^2/.test(status));
  const schema = document.follow(findJson(answer?.media ?? [])?.schema);
  const members = [["", schema] as const, ...listMembers(document, schema)].flatMap(([holder, inner]) =>
    listMembers(document, inner).map(([name]) => ({
      name,
      next: holder === "" ? name : `${holder}.${name}`,
    })),
  );
  for (const { name } of query) {
    const wanted = `next${fold(name)}`;
    const member = members.find((each) => fold(each.name) === wanted && /^[\w.]+$/.test(each.next));
    if (member !== undefined) return { next: member.next, send: `query:${name}` };
  }
  return undefined;
}

function listMembers(document: ApiDocument, schema: unknown): [name: string, schema: unknown][] {
  const { properties } = document.follow(schema);
  return Object.entries(asObject(properties)).slice(0, 100);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** A page number, or a number of rows, by a parameter that is a number and has that name. */
function findNumber(document: ApiDocument, query: readonly Parameter[]): PagingRule | undefined {
  const find = (names: RegExp) =>
    query.find(
      ({ name, schema }) =>
        names.test(name) && /^(?:integer|number)$/.test(String(document.follow(schema)["type"])),
    );
  const page = find(/^(?:page|page_?(?:number|no|index)|page\[number\])$/i);
  if (page !== undefined) {
    const { minimum, default: preset } = document.follow(page.schema);
    return { page: `query:${page.name}`, ...(minimum === 0 || preset === 0 ? { first: 0 } : {}) };
  }
  const offset = find(/^(?:offset|skip|start_?at|page\[offset\])$/i);
  return offset === undefined ? undefined : { offset: `query:${offset.name}` };
}
