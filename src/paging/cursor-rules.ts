/** Which request parameter a cursor in a response goes into, by the place the API keeps it. */

export interface CursorRule {
  /** The end of the member's normalised path. */
  readonly at: string;
  /** The parameter's name; `"="` is the name as the response spells it. */
  readonly to: string;
  /** Whether the cursor counts only when the response says that there is more, for such APIs send it always. */
  readonly needsMore?: boolean;
  /** Whether the path must be the whole path. */
  readonly whole?: boolean;
}

/** First match wins. Names in brackets: who is known to do it so. */
export const cursorRules: readonly CursorRule[] = [
  { at: "nextcursorstr", to: "cursor" }, // Twitter 1.1, beside a number that loses digits
  { at: "responsemetadata.nextcursor", to: "cursor" }, // Slack
  { at: "paging.next.after", to: "after" }, // HubSpot
  { at: "nextpage.offset", to: "offset" }, // Asana
  { at: "next.startingafter", to: "starting_after" }, // Intercom
  { at: "meta.page.after", to: "page[cursor]" }, // Datadog
  { at: "meta.aftercursor", to: "page[after]" }, // Zendesk
  { at: "info.nextpagetoken", to: "page_token" }, // Zoho
  { at: "pagination.nextpagetoken", to: "page_token" }, // Calendly
  { at: "meta.nexttoken", to: "pagination_token" }, // X (Twitter) 2
  { at: "nexttoken", to: "=" }, // AWS JSON services
  { at: "nextmarker", to: "marker" },
  { at: "nextcontinuationtoken", to: "continuation-token" }, // S3
  { at: "lastevaluatedkey", to: "ExclusiveStartKey" }, // DynamoDB
  { at: "lastevaluatedtablename", to: "ExclusiveStartTableName" },
  { at: "nextpagecursor", to: "cursor" },
  { at: "nextpagekey", to: "=" }, // Dynatrace
  { at: "nextpageid", to: "=" },
  { at: "nextcursor", to: "cursor" },
  { at: "resultinfo.cursors.after", to: "cursor" }, // Cloudflare
  { at: "paging.cursors.after", to: "after", needsMore: true }, // Facebook
  { at: "cursors.next", to: "cursor" },
  { at: "cursor.next", to: "cursor" },
  { at: "cursor.after", to: "after" },
  { at: "cursors.after", to: "after" },
  { at: "pageinfo.endcursor", to: "after", needsMore: true },
  { at: "aftercursor", to: "after" },
  { at: "metadata.continue", to: "continue" }, // Kubernetes
  { at: "continuationtoken", to: "=" },
  { at: "continuation", to: "=" },
  { at: "paginationtoken", to: "=" },
  { at: "data.after", to: "after" }, // Reddit
  { at: "paging.after", to: "after" },
  { at: "pagination.after", to: "after" },
  { at: "after", to: "after", whole: true },
  { at: "bookmark", to: "bookmark", whole: true }, // CouchDB _find, Pinterest
  { at: "nextoffset", to: "offset" },
  { at: "nextstart", to: "start" }, // Pipedrive
  { at: "nextpagestart", to: "start" }, // Bitbucket Server
  { at: "nextskip", to: "skip" },
  { at: "data.pagetoken", to: "=", needsMore: true }, // Lark
  { at: "marker", to: "Marker", needsMore: true, whole: true }, // AWS query services
  { at: "pagination.cursor", to: "cursor" },
  { at: "paging.cursor", to: "cursor" },
  { at: "meta.cursor", to: "cursor" },
  { at: "resultinfo.cursor", to: "cursor" }, // Cloudflare KV
  { at: "cursor", to: "cursor", whole: true }, // Square
];

/** Parameters that are a cursor whatever they hold: when one was sent, the next cursor goes there again. */
export const sentCursorNames: readonly string[] = [
  ..."cursor after startingafter startcursor pagetoken nextpagetoken paginationtoken nexttoken continuationtoken".split(
    " ",
  ),
  ..."continuation marker bookmark exclusivestartkey pagecursor pageafter nextcursor nextpagekey aftercursor".split(
    " ",
  ),
];
