/** What the search for the next page takes, what one answer is to each way of paging, and what is found. */

import type { JsonValue } from "../base/exact-number.js";
import type { ResponseHeaders } from "../http/limits/rate-limit.js";
import type { PagingRule } from "../record/api-source.js";
import { maxUrlLength } from "../request/resolve-url.js";
import type { NextKind, PageShown } from "./judge-complete.js";
import type { NextPage, PagedRequest, Parameters } from "./paged-request.js";
import type { Envelope } from "./read-envelope.js";

/** A rule of the record, and what its expressions found in the answer. */
export interface AppliedRule {
  readonly rule: PagingRule;
  readonly next?: JsonValue | undefined;
  /** Whether the answer has the member that `next` names, be it null. */
  readonly hasNext?: boolean;
  readonly total?: JsonValue | undefined;
}

/** What was read before this page, while pages are read from the beginning of the list. */
export interface RowsBefore {
  readonly rows: number;
  /** How many rows the largest page had. */
  readonly largest: number;
  /** Where they were; none where the document is the list. */
  readonly rowsPath: readonly string[];
  /** How this page was requested; absent for the first one. */
  readonly by?: NextKind;
}

export interface FindNextPageInput {
  readonly request: PagedRequest;
  /** The absolute URL that was sent, without the credential. */
  readonly url: string;
  readonly baseUrl: string;
  readonly headers: ResponseHeaders;
  readonly document?: JsonValue;
  /** Query names of the credential and the constants: dropped from any URL. */
  readonly reservedQueryNames: readonly string[];
  /** Whether the request changes nothing, whatever its method. A GET never does. */
  readonly isRead?: boolean;
  /** The record's rule for this path; "none" where the API does not page. */
  readonly rule?: AppliedRule | "none";
  /** The names of the operation's query parameters in the API's OpenAPI document. */
  readonly described?: readonly string[];
  /** Given while pages are read from the first one on. */
  readonly before?: RowsBefore;
}

/** One answer, as each way of paging looks at it. */
export interface AnsweredPage extends FindNextPageInput {
  readonly sent: Parameters;
  readonly envelope: Envelope;
  readonly rowCount: number;
  readonly described: readonly string[];
}

/** A way to the next page. */
export interface Candidate {
  readonly next: NextPage;
  readonly kind: NextKind;
  /** The parameter that is set, as a reader writes it; absent for a link. */
  readonly parameter?: string;
  /**
   * Of a guess, since the API did not give the name, or the host: what the answer calls it, normalised. Its page must have new rows, and what is
   * learned about the name is learned for this.
   */
  readonly guessOf?: string;
  /** Why its page would not show that the list is whole. */
  readonly doubt?: string;
}

/** What one way of paging finds. */
export interface WayFound {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** Whether the API states that this is the last page. */
  readonly isEnd?: boolean;
  /** Why a next page that exists can't be requested. */
  readonly unreachable?: string;
  /** The parameter by which the request began after the beginning of the list, as far as only this way knows it. */
  readonly startsAt?: string;
}

export interface Paging {
  /** By the best candidate; absent on the last page. */
  readonly next?: NextPage;
  /** Best first; none on the last page, and where nothing shows how the next page is requested. */
  readonly candidates: readonly Candidate[];
  /** Where in the document the list of rows is, as keys from its root; none when the document is the list. */
  readonly rows?: readonly string[];
  /** Whether the rows are the answer's own list, and not one inside of a single record. */
  readonly isOwnList?: boolean;
  /** Without a list, where the object is whose members are the rows. */
  readonly dictionary?: readonly string[] | undefined;
  /** Where every list is that may be meant by the rows. */
  readonly lists?: readonly (readonly string[])[];
  /** What the page is evidence of. */
  readonly shown: PageShown;
  /** Whether a member of the answer is named for more, though its way is a guess. */
  readonly isOpen?: boolean;
  /** Whether the answer states by a flag that there are more rows. */
  readonly hasMore?: boolean;
  /** Where another list is that may be the rows as well: neither is joined. */
  readonly otherList?: readonly string[];
  /** The parameter by which the request began after the beginning of the list. */
  readonly startsAt?: string;
}

/** For a model, which cannot change the record. */
export const readNoFurther = "this list cannot be read further; its operator can set `api.paging`";

/** Parameters to set for the next page. */
export interface Change extends Pick<Candidate, "guessOf" | "doubt"> {
  /** By name, or by a place such as `query:NAME`. */
  readonly set: Readonly<Record<string, JsonValue>>;
  /** Whether the other parameters of the request are left out. @default false */
  readonly isAlone?: boolean;
}

/** As many names that the API did not give are tried, one request each. */
const maxGuesses = 3;
/** A longer link or cursor would fill the answer, and no request could hold it. */
export const maxLength: number = maxUrlLength;
export const tooLong = "there is a next page, but its link or cursor is too long to be sent";

/** The next page as the same request with other parameters. @param changes - Best first. */
export function changeParameters(
  changes: readonly Change[],
  kind: NextKind,
  sent: Parameters,
): WayFound {
  if (JSON.stringify(changes[0]?.set ?? {}).length > maxLength)
    return { candidates: [], unreachable: tooLong };
  const candidates = changes.slice(0, maxGuesses).map(({ set, isAlone, ...change }) => {
    const parameter = Object.keys(set)[0]?.replace(/^(?:query|body):/, "") ?? "";
    return { next: sent.change(set, isAlone), kind, parameter, ...change };
  });
  return { candidates };
}
