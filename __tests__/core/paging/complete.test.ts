import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { TransportFunction } from "langchain-api-sources";
import { sendJson } from "../../support/http-server.js";
import { isLongRun } from "../../support/long-run.js";
import { startShopTool } from "../../support/shop-tool.js";

const styles = [
  "Link header",
  "URL in the body",
  "cursor, null at the end",
  "token, absent at the end",
  "cursor and has_more",
  "the last row's id and has_more",
  "page, per_page and total",
  "page and total_pages",
  "offset, limit and total",
  "X-Total-Count, page requested",
  "pages requested, nothing reported",
  "offset requested, nothing reported",
  "all rows, total reported",
  "nextMarker, other names ignored",
  "offset and hasMore, offset is the next one",
  "a total, and a size that was sent",
  "has_more, pages from 0",
  "a link to an internal host",
  "two lists and a cursor",
  "a page of a list, nothing reported",
  "page and limit echoed",
  "cursor of a name that no one knows",
  "a page requested without a size, nothing reported",
  "a size requested, nothing reported",
] as const;
type Style = (typeof styles)[number];

/** What a client can notice; `none` is an honest API. */
const lies = [
  "none",
  "the parameter is ignored",
  "a wrong total",
  "a repeated page",
  "a cursor that never ends",
  "an empty page in the middle",
  "rows inserted at the beginning while reading",
  "fewer rows a page than requested",
  "an error with status 200 in the middle",
  "the first request begins in the middle",
  "a total of the page",
  "a search that gave up",
  "rows that change while reading",
  "a page without its list in the middle",
  "a cursor that leads back",
  "a short page in the middle",
] as const;
type Lie = (typeof lies)[number];

/** Rules of the record; most of them do not fit most styles. */
const rules = {
  none: undefined,
  "a cursor": { next: "next_cursor", send: "query:cursor" },
  "a cursor of another name": { next: "meta.at", send: "query:at" },
  "a member that no answer has": { next: "meta.continuation", send: "query:cursor" },
  "an expression over the rows": {
    next: "items[-1].id || data[-1].id",
    send: "query:starting_after",
  },
  "rows that no answer has": { rows: "result.list", page: "query:page" },
  "page numbers": { page: "query:page" },
  "pages from 0": { page: "query:page", first: 0 },
  "rows to skip": { offset: "query:offset" },
} as const;
type RuleName = keyof typeof rules;
const ruleNames = Object.keys(rules) as RuleName[];

/** The rule's paths begin with this. */
function toRulePath(name: RuleName): string {
  return `rule-${ruleNames.indexOf(name)}`;
}

/** Half of the servers are honest. */
const serverPlans = fc.record({
  style: fc.constantFrom(...styles),
  rule: fc.oneof(
    { weight: 4, arbitrary: fc.constant<RuleName>("none") },
    { weight: 1, arbitrary: fc.constantFrom<RuleName>(...ruleNames.slice(1)) },
  ),
  lie: fc.oneof(
    { weight: 8, arbitrary: fc.constant<Lie>("none") },
    { weight: 7, arbitrary: fc.constantFrom<Lie>(...lies.slice(1)) },
  ),
  count: fc.integer({ min: 0, max: 30 }),
  size: fc.integer({ min: 1, max: 8 }),
  /** Which page a lie is about. */
  at: fc.integer({ min: 1, max: 4 }),
  /** By how much a total is wrong. */
  off: fc.integer({ min: -6, max: 6 }),
  /** What a row has besides its name: only an `id` is an identity. */
  member: fc.constantFrom("id", "none", "paid", "valid", "user_id"),
});
type ServerPlan = typeof serverPlans extends fc.Arbitrary<infer Plan> ? Plan : never;

interface GeneratedPage {
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

const numberedStyles: ReadonlySet<Style> = new Set<Style>([
  "page, per_page and total",
  "page and total_pages",
  "offset, limit and total",
  "X-Total-Count, page requested",
  "pages requested, nothing reported",
  "offset requested, nothing reported",
  "page and limit echoed",
  "a page requested without a size, nothing reported",
  "a size requested, nothing reported",
]);

const firstQueries: Partial<Record<Style, (size: number) => string>> = {
  "a total, and a size that was sent": (size) => `?per_page=${size}`,
  "has_more, pages from 0": (size) => `?pagesize=${size}`,
  "X-Total-Count, page requested": (size) => `?page=1&per_page=${size}`,
  "pages requested, nothing reported": (size) => `?page=1&per_page=${size}`,
  "offset requested, nothing reported": (size) => `?offset=0&limit=${size}`,
  "page and limit echoed": (size) => `?limit=${size}`,
  "a page requested without a size, nothing reported": () => "?page=1",
  "a size requested, nothing reported": (size) => `?limit=${size}`,
};

/** A request whose answer does not have the first rows. */
const middleQueries: Partial<Record<Style, (size: number) => string>> = {
  "nextMarker, other names ignored": (size) => `?nextMarker=c${size}`,
  "a total, and a size that was sent": (size) => `?per_page=${size}&offset=${size}`,
  "offset and hasMore, offset is the next one": (size) => `?offset=${size}`,
  "has_more, pages from 0": (size) => `?pagesize=${size}&page=2`,
  "the last row's id and has_more": () => "?starting_after=r0",
  "token, absent at the end": (size) => `?pageToken=c${size}`,
  "page, per_page and total": () => "?page=2",
  "page and total_pages": () => "?page=2",
  "offset, limit and total": (size) => `?offset=${size}`,
  "X-Total-Count, page requested": (size) => `?page=2&per_page=${size}`,
  "pages requested, nothing reported": (size) => `?page=2&per_page=${size}`,
  "offset requested, nothing reported": (size) => `?offset=${size}&limit=${size}`,
  "page and limit echoed": (size) => `?page=2&limit=${size}`,
  "cursor of a name that no one knows": (size) => `?at=c${size}`,
  "a page requested without a size, nothing reported": () => "?page=2",
  "a size requested, nothing reported": (size) => `?limit=${size}&offset=${size}`,
};

/** @param name - The path without its first slash, so that servers share nothing. */
function createGeneratedServer(name: string, given: ServerPlan) {
  const { style, lie, size, member } = given;
  const hasIds = member === "id";
  const list = Array.from({ length: given.count }, (_, index) => `r${index}`);
  const rows = [...list];
  let requests = 0;
  // Without an id, no one knows a row again whose content has changed.
  const isChanging = lie === "rows that change while reading" && hasIds;
  const toRow = (id: string): object => ({
    ...writeMember(member, id),
    name: `Name ${id}`,
    ...(isChanging ? { views: requests } : {}),
  });
  const requested = lie === "fewer rows a page than requested" ? size * 3 : size;
  const total = (): number =>
    lie === "a wrong total" ? Math.max(0, findTotalOff(given)) : list.length;
  const readStart = (query: URLSearchParams): number => {
    if (lie === "the parameter is ignored") return 0;
    const page = query.get("page");
    const after =
      (style === "nextMarker, other names ignored"
        ? ["nextMarker"]
        : ["cursor", "pageToken", "offset", "at"]
      )
        .map((each) => query.get(each))
        .find(Boolean) ?? null;
    const last = query.get("starting_after");
    let start = 0;
    // A rule that counts from 1 for an API that counts from 0 skips a page, which no client can notice.
    const isZeroBased = style === "has_more, pages from 0";
    if (page !== null && isZeroBased) start = (Number(page) - (countsFromOne ? 1 : 0)) * size;
    else if (page !== null && numberedStyles.has(style)) start = (Number(page) - 1) * size;
    else if (last !== null) start = list.findIndex((id) => toIdOf(id, hasIds) === last) + 1;
    else if (after !== null) start = Number(after.replace(/^c/, ""));
    const isRepeated =
      lie === "a repeated page" && start >= size * given.at && requests === given.at + 1;
    return isRepeated ? Math.max(0, start - size) : start;
  };
  const rule = rules[given.rule] ?? {};
  const countsFromOne = "page" in rule && !("first" in rule);
  // An empty page is the end of numbered pages, and of rows that continue after the last one: no client can notice where it is not.
  const isEndedByEmptyPage =
    "page" in rule || "offset" in rule || given.rule === "an expression over the rows";
  // What neither the API nor the record names is a filter to a client.
  const isStartKnown =
    style !== "cursor of a name that no one knows" || given.rule === "a cursor of another name";
  const firstQuery = (asked: number): string =>
    lie === "the first request begins in the middle" && isStartKnown
      ? (middleQueries[style]?.(size) ?? `?cursor=c${size}`)
      : (firstQueries[style]?.(asked) ?? "");
  return {
    /** The path with the query of the first request. */
    path: `/${name}${firstQuery(requested)}`,
    /** The rows when reading begins. */
    rows,
    answer(query: URLSearchParams): GeneratedPage {
      requests += 1;
      if (lie === "an error with status 200 in the middle" && requests === given.at + 1)
        return { body: { problem: "slow down" }, headers: {} };
      const inserts =
        lie === "rows inserted at the beginning while reading" ||
        lie === "rows that change while reading";
      if (inserts && requests === given.at + 1) list.unshift("inserted");
      const start = readStart(query);
      const isEmpty =
        lie === "an empty page in the middle" &&
        !numberedStyles.has(style) &&
        !isEndedByEmptyPage &&
        requests === given.at + 1 &&
        start < list.length;
      // No client can notice it where pages are only counted.
      const isShort =
        lie === "a short page in the middle" &&
        style !== "has_more, pages from 0" &&
        !numberedStyles.has(style) &&
        !isEndedByEmptyPage &&
        requests === given.at + 1;
      const taken = isShort ? Math.ceil(size / 2) : size;
      const page = isEmpty ? [] : list.slice(start, start + taken);
      // Behind an empty page some APIs give another cursor, and some the same again.
      const end = isEmpty ? `${start}${given.off > 0 ? ".0" : ""}` : findEnd(given, start + taken);
      const isGivenUp = lie === "a search that gave up" && requests === given.at;
      const more = lie === "a cursor that never ends" || Number(end) < list.length;
      // No client can notice it without a size, nor in a number of pages.
      const isHidden = style === "all rows, total reported" || style === "page and total_pages";
      const isOfPage = lie === "a total of the page" && !isHidden;
      const written = write(given, {
        page: page.map(toRow),
        start,
        end,
        more,
        total: isOfPage ? page.length : total(),
        name,
        requests,
        limit: Number(query.get("limit") ?? size),
      });
      const { body } = written;
      if (lie === "a page without its list in the middle" && requests === given.at + 1)
        return { ...written, body: { ...dropLists(body), message: "busy" } };
      return isGivenUp && !Array.isArray(body)
        ? { ...written, body: { ...Object(body), timed_out: true } }
        : written;
    },
  };
}

/** Members whose names end like one of an identity. */
function writeMember(member: ServerPlan["member"], id: string): object {
  const number = Number(id.slice(1)) || 0;
  const members = { id, paid: number % 2 === 0, valid: number % 3, user_id: number % 2, none: 0 };
  return member === "none" ? {} : { [member]: members[member] };
}

/** Where the page after this one begins. */
function findEnd({ lie, at, size }: ServerPlan, end: number): number {
  return lie === "a cursor that leads back" && end > at * size ? size : end;
}

function dropLists(body: unknown): object {
  const entries = Object.entries(Object(body));
  return Object.fromEntries(entries.filter(([, value]) => !Array.isArray(value)));
}

function toIdOf(id: string, hasIds: boolean): string {
  return hasIds ? id : `Name ${id}`;
}

/** A total that is too low and equal to the rows of some pages, and a number of pages that is too low, no client can notice. */
function findTotalOff({ style, count, size, off }: ServerPlan): number {
  const wrong = count + (off === 0 ? 1 : off);
  const isCounted =
    style === "all rows, total reported" || style === "a total, and a size that was sent";
  const isAtPageEnd = wrong % size === 0 && (numberedStyles.has(style) || isCounted);
  const isHidden = wrong < count && (isAtPageEnd || style === "page and total_pages");
  return isHidden ? count + 1 : wrong;
}

interface Written {
  readonly page: readonly object[];
  readonly start: number;
  readonly end: number | string;
  readonly more: boolean;
  readonly total: number;
  readonly name: string;
  readonly requests: number;
  /** As requested. */
  readonly limit: number;
}

function write({ style, size, lie }: ServerPlan, shown: Written): GeneratedPage {
  const { page, start, end, more, total, name, requests, limit } = shown;
  const number = Math.floor(start / size) + 1;
  const cursor = `c${lie === "a cursor that never ends" ? Math.max(Number(end), requests * size) : end}`;
  const plain = (body: unknown, headers: Record<string, string> = {}): GeneratedPage => ({
    body,
    headers,
  });
  switch (style) {
    case "Link header":
      return plain(page, more ? { link: `</${name}?cursor=${cursor}>; rel="next"` } : {});
    case "URL in the body":
      return plain({
        results: page,
        next: more ? `/${name}?cursor=${cursor}` : null,
        count: total,
      });
    case "cursor, null at the end":
      return plain({ items: page, next_cursor: more ? cursor : null });
    case "token, absent at the end":
      return plain({ items: page, ...(more ? { nextPageToken: cursor } : {}) });
    case "cursor and has_more":
      return plain({ items: page, cursor, has_more: more });
    case "the last row's id and has_more":
      return plain({ object: "list", data: page, has_more: more });
    case "page, per_page and total":
      return plain({ data: page, meta: { page: number, per_page: size, total } });
    case "page and total_pages":
      return plain({ data: page, page: number, total_pages: Math.ceil(total / size) });
    case "offset, limit and total":
      return plain({ data: page, offset: start, limit: size, total });
    case "X-Total-Count, page requested":
      return plain(page, { "x-total-count": String(total) });
    case "page and limit echoed":
      return plain({ data: page, page: number, limit });
    case "cursor of a name that no one knows":
      return plain({ items: page, meta: more ? { at: cursor } : {} });
    case "nextMarker, other names ignored":
      return plain({ items: page, nextMarker: more ? cursor : null });
    case "offset and hasMore, offset is the next one":
      return plain({ items: page, offset: more ? end : 0, hasMore: more });
    case "a total, and a size that was sent":
      return plain({ data: page, total });
    case "has_more, pages from 0":
      return plain({ data: page, has_more: more });
    case "a link to an internal host":
      return plain({
        items: page,
        next: more ? `http://10.9.8.7:80/${name}?cursor=${cursor}` : null,
      });
    case "two lists and a cursor":
      return plain({ users: page, groups: [{ id: "g1" }], next_cursor: more ? cursor : null });
    case "all rows, total reported":
      return plain({ data: page, total });
    default:
      return plain(page);
  }
}

const servers = new Map<string, ReturnType<typeof createGeneratedServer>>();
let created = 0;

function answer(given: string): Partial<GeneratedPage> {
  const { pathname, searchParams } = new URL(given, "http://x");
  return { ...servers.get(pathname.slice(1))?.answer(searchParams) };
}

/** For twenty thousand lists, which take twice as long over HTTP. */
const transport: TransportFunction = async ({ url }) => {
  const { body = {}, headers } = answer(url);
  const type = { "content-type": "application/json" };
  return { status: 200, headers: { ...type, ...headers }, body: JSON.stringify(body) };
};

/** A tool for the lists of each rule: other rules would be compared with every path. */
const shops = new Map(
  await Promise.all(ruleNames.map(async (name) => [name, await openShop(name)] as const)),
);

function openShop(name: RuleName) {
  const rule = rules[name];
  return startShopTool(
    (request, response) => {
      const { body = {}, headers } = answer(request.url);
      sendJson(response, body, 200, headers);
    },
    {
      limits: { retries: 0, maxTokens: 1_000_000, maxPages: 60 },
      ...(rule === undefined ? {} : { paging: [{ paths: [`/${toRulePath(name)}/**`], ...rule }] }),
    },
    { maxTokens: 1_000_000, ...(isLongRun ? { transport } : {}) },
  );
}

/** What the answer says of its pages, and whether every row that was there at the beginning was delivered exactly once. */
async function readList(plan: ServerPlan) {
  created += 1;
  const name = `${toRulePath(plan.rule)}/list${created}`;
  const server = createGeneratedServer(name, plan);
  servers.set(name, server);
  const answer = await shops.get(plan.rule)?.ask({ method: "GET", path: server.path, pages: 60 });
  servers.delete(name);
  const rows = [...JSON.stringify(answer.data).matchAll(/"name":"Name (\w+)"/g)].map(
    ([, id = ""]) => id,
  );
  const own = rows.filter((id) => id !== "inserted");
  const isWhole =
    own.length === server.rows.length &&
    new Set(own).size === server.rows.length &&
    new Set(rows).size === rows.length;
  const { complete, why } = answer.pages;
  return { complete, why, isWhole };
}

describe("complete", () => {
  it("is true only when every row was delivered exactly once, and for at least 45 % of generated servers", async () => {
    let read = 0;
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(serverPlans, async (plan) => {
        const list = await readList(plan);
        read += 1;
        if (list.complete === true) {
          whole += 1;
          expect({ plan, isWhole: list.isWhole }).toEqual({ plan, isWhole: true });
        } else expect(typeof list.why).toBe("string");
      }),
      // The same servers in every run: a share near its limit would fail by chance.
      { numRuns: isLongRun ? 20_000 : 120, seed: 20_261_122, endOnFailure: true },
    );
    expect(whole / read).toBeGreaterThanOrEqual(0.45);
  }, 1_800_000);
});
