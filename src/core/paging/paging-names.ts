/** Has the names of paging members in answers, and the names under which requests take them, best first: data, no rules. */

/** A member that holds the cursor of the next page. */
export interface CursorRow {
  /** The end of its normalised path. */
  readonly stated: string;
  /** A member that must be beside it somewhere in the answer; `+more`: the answer must report that there is more, or a cursor was sent; `+token`: its text must not be a plain word. */
  readonly beside?: string;
  /** A name with `_` is written as the answer writes its own names; `=` is the member's own name; `header:` is one of a header. */
  readonly send: readonly string[];
}

/** Best first: the first row that fits an answer decides. */
export const cursorRows: readonly CursorRow[] = [
  "nextcursor,object: start_cursor cursor =", // Notion
  "nextcursor: cursor start_cursor =", // Slack, Crossref
  "nextpagetoken,islast: = page_token", // Jira
  "meta.nexttoken: pagination_token =", // X
  "nexttoken: = pagination_token page_token", // AWS
  "nextcontinuationtoken: continuation-token = continuation_token", // S3
  "xmscontinuation: header:x-ms-continuation", // Cosmos DB
  "xmscontinuationtoken: continuationToken", // Azure DevOps
  "continuationtoken paginationtoken pagetoken resumptiontoken: =", // Azure DevOps, BigQuery, OAI-PMH
  "continuation: = continuation_token",
  "aftercursor: after cursor =", // Zendesk
  "cursors.next cursor.next pagination.next paging.next links.next: cursor next after",
  "lastevaluatedkey: exclusive_start_key = start_key", // DynamoDB
  "meta.cursors.after data.after page.after paging.after pagination.after meta.after: after", // GoCardless, Reddit
  "^after: after cursor",
  "continue: continue", // Kubernetes
  "bookmark: bookmark", // CouchDB, Pinterest
  "pagination.cursor: after cursor", // Twitch
  "paging.cursor meta.cursor ^cursor: cursor after start_cursor", // Square
  "^nextpage: page cursor =", // Stripe
  "^offset: offset", // Airtable
  "vidoffset,+more: vidOffset =", // HubSpot
  "end,chunk: from", // Matrix
  "paging.cursors.after pageinfo.endcursor,+more: after cursor", // Facebook, Relay
  "next,hasnext: offset cursor next", // Lever
  "^next,+more: cursor next after",
  "^next,+token: cursor next after",
  "cursor,+token: cursor after",
].flatMap((row) => {
  const [members = "", send = ""] = row.split(": ");
  const [stated = "", beside] = members.split(",");
  return stated.split(" ").map((each) => ({ stated: each, beside, send: send.split(" ") }));
});

/**
 * A word in the name of each member of that table, and of those below. Few answers have one: the rows of names are not compared for the
 * others, and a record of plain values without one is not looked at.
 */
export const signOfCursor: RegExp =
  /next|after|cursor|token|continu|marker|bookmark|offset|evaluated/i;

/** The members that link to the next page and are nothing else (`@odata.nextLink`, `next_page_url`, `more_topics_url`). */
export const linkKey: RegExp =
  /^(?:odata|hydra)?(?:next(?:page|records|results)?|after)(?:link|url|uri|href)$|^nextresults$|^more\w{0,20}ur[li]$/;

/** A word in the name of each of those links without a word of `signOfCursor`; and an escape, which may spell any name. */
export const signOfLink: RegExp = /more|\\u/i;

/** A word in the name of each header that leads to a next page, or counts rows or pages. */
export const signInHeaders: RegExp = /link|continu|next|total|range|hits|count/;

/** Any other member that is named for a next page, such as `nextPageKey`: sent without `next`, without `page`, or as it is called. */
export const otherCursor: RegExp =
  /(?:^|\.)next(?:page)?(?:cursor(?:mark)?|token|marker|key|bookmark|offset|start|continuation|id|anchor)$/;

/** Parameters that are a cursor whatever they hold: when one was sent, the next cursor is sent there again. */
export const cursorParameter: RegExp =
  /^(?:next|page|start|after)?(?:cursor(?:mark)?|marker|bookmark|continuation)$|^(?:next|after|cursor|(?:next)?(?:page|start|skip|continuation|pagination))token$|^(?:starting|page)?after$|^nextpagekey$|^xmscontinuation$|^(?:resumption|exclusivestart)(?:token|key)$/;

const words = (text: string): readonly string[] => text.split(" ");

/** Normalised names of parameters that hold a page's number, and of those that hold a number of rows to skip. */
export const pageParameters: readonly string[] = words(
  "page currentpage pagenumber pageno pageindex pagenum p pg",
);
export const offsetParameters: readonly string[] = words(
  "offset startat startindex start skip from pageoffset sysparmoffset retstart resultoffset startrow firstresult",
);
export const bodyPageNames: readonly string[] = [...pageParameters, "current"];
export const bodyOffsetNames: readonly string[] = offsetParameters.filter(
  (name) => name !== "from" && name !== "pageoffset",
);
export const nextPageNames: readonly string[] = words(
  "nextpage nextpagenumber pagination.next paging.next info.next",
);
export const pageCountNames: readonly string[] = words(
  "totalpages nbpages pagecount numpages lastpage totalpagecount pages",
);
export const pageCountHeaders: readonly string[] = words("x-total-pages x-wp-totalpages");
export const bodySizeNames: readonly string[] = words(
  "perpage pagesize limit maxresults itemsperpage hitsperpage size",
);
export const totalHeaders: readonly string[] = words(
  "x-total-count x-total x-wp-total total-count",
);
export const totalNames: readonly string[] = words(
  "total totalcount totalresults totalitems totalelements totalhits totalrecords totalrows totalsize totalentries nbhits hits numfound recordstotal odatacount resulttotal rowcount",
);
/** Elsewhere these count the rows of the page. */
export const pageOrTotalNames: readonly string[] = words("count resultcount found");

/** Which parameters go with a size that was sent, where the request has none and these are not the usual ones. */
export const besideSize: Readonly<Record<string, readonly string[]>> = {
  limit: ["offset", "page", "skip"],
  count: ["offset", "page", "start"],
  size: ["page", "from", "offset"],
  top: ["skip"],
  take: ["skip"],
  rows: ["start", "page", "offset"],
  ps: ["p", "page"],
  maxresults: ["startAt", "page", "offset"],
  retmax: ["retstart"],
  sysparmlimit: ["sysparm_offset"],
  resultrecordcount: ["resultOffset"],
};
export const usualNames: readonly string[] = ["page", "offset"];
export const sentSizeNames: readonly string[] = [
  ...new Set([...bodySizeNames, ...Object.keys(besideSize), ...words("pagelimit rpp pagecount")]),
];

/** Holders of paging parameters (`page[size]`, `{"options":{"count":5}}`), and the name of the page's number in each. */
export const holders: Readonly<Record<string, string>> = {
  page: "number",
  paging: "page",
  pagination: "page",
  searchcriteria: "current_page", // Magento
  options: "page", // Plaid
};

/** Numbers in an answer whose page is sent under another name than that of its own number. */
export const pageNames: readonly (readonly [at: RegExp, send: string])[] = [
  [/^meta\.pagination\.pagecount$/, "pagination[page]"], // Strapi
  [/^paging\.pageindex$/, "p"], // SonarQube
  [/(?:^|\.)(?:currentpage|current|number|pageable\.pagenumber)$/, "page"],
];

/** Lists whose rows are skipped by a name that the answer does not say: the members that show it, and the name. */
export const offsetNames: readonly (readonly [members: readonly string[], send: string])[] = [
  [["totalrows", "offset"], "skip"], // CouchDB
  [["hits.total", "hits.hits"], "from"], // Elasticsearch
];
