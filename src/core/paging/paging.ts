/** Knows what the styles of paging look at, and what one of them finds. */

import { type JsonValue, writeJson } from "../base/exact-number.js";
import type { ResponseHeaders } from "../http/limits/rate-limit.js";
import type { PagingRule } from "../record/api-source.js";
import type { DescribedParameter } from "../request/operation-form.js";
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

/** The pages before this one, while pages are read from the beginning of the list. */
export interface RowsBefore {
  readonly rows: number;
  /** How many rows the largest page had. */
  readonly largest: number;
  /** Where they were; none where the document is the list. */
  readonly rowsPath: readonly string[];
  /** How this page was requested; absent for the first one. */
  readonly by?: NextKind;
  /** The number of all rows, as the page before this one states it. */
  readonly total?: number | undefined;
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
  /** The operation's parameters in the API's OpenAPI document. */
  readonly described?: readonly DescribedParameter[] | undefined;
  /** Given while pages are read from the first one on. */
  readonly before?: RowsBefore;
}

/** One answer, with what was sent for it. */
export interface Answered extends FindNextPageInput {
  readonly described: readonly DescribedParameter[];
  readonly sent: Parameters;
  readonly envelope: Envelope;
  readonly rowCount: number;
}

/** Where the next page is, as the request or the answer numbers it. */
export interface Position {
  /** Names to send it as, best first. */
  readonly names: readonly string[];
  /** Whether the request has the parameter. */
  readonly isSent: boolean;
  /** Whether the answer states such a number, too: it shows that the API read the parameter. */
  readonly isEchoed: boolean;
  readonly kind: "page" | "offset";
  readonly value: number;
  /** How many rows of the list come before the end of this page, where that is known. */
  readonly seen?: number;
  /** Whether the API gives the number itself. */
  readonly isGiven?: boolean;
  /** Whether the number of pages states that this is the last page. */
  readonly isLastPage?: boolean;
  readonly pageCount?: number | undefined;
  /** Whether the API states that it does not know how many rows there are. */
  readonly isOpen?: boolean | undefined;
}

/** The numbers of request and answer. */
export interface Numbers {
  /** How many rows a page has, as the answer reports it. */
  readonly size: number | undefined;
  /** How many rows were requested for a page. */
  readonly sentSize: number | undefined;
  /** The parameter that requested so many. */
  readonly sentSizeName: string | undefined;
  /** Where the next page is; absent where neither request nor answer number the pages, or the rows. */
  readonly position: Position | undefined;
}

/** One answer, as each style looks at it. */
export interface AnsweredPage extends Answered {
  readonly numbers: Numbers;
  /** The links to the next page, the header's first, absolute or relative. */
  readonly links: readonly string[];
  /** How many rows the API reports. */
  readonly total: number | undefined;
}

/** A way to the next page. */
export interface Candidate {
  readonly next: NextPage;
  readonly kind: NextKind;
  /** The parameter that is set, as a reader writes it; absent for a link. */
  readonly parameter?: string;
  /** The value that is sent for it, as JSON; absent for a link. */
  readonly value?: string;
  /** The subject of a guess, since the API did not give the name, or the host: one page that verifies it makes it a fact for the others. */
  readonly guessOf?: string;
  /** Why the API's link to the next page can't be followed, in whose place a guess is tried. */
  readonly insteadOf?: string | undefined;
}

/** Evidence of a list besides the way on. */
export interface Evidence {
  /** Whether the API states that this is the last page. */
  readonly isEnd?: boolean;
  /** Why a next page that exists can't be requested. */
  readonly unreachable?: string | undefined;
  /** Why the next page may be one of another list. */
  readonly doubt?: string | undefined;
  /** The parameter by which the request began after the beginning of the list, as far as only this style knows it. */
  readonly startsAt?: string | undefined;
}

/** The result of a style on a page that is of its kind. */
export interface Found {
  /** The way to the next page; of guesses several, best first; none on the last page. */
  readonly next: readonly Candidate[];
  readonly evidence: Evidence;
}

/** A style of paging. It finds nothing on a page that is not of its kind. */
export type Style = (page: AnsweredPage) => Found | undefined;

/** The pages of a list, as one answer shows them. */
export interface Paging {
  /** Ways to the next page, best first; none on the last page, and where nothing shows how the next page is requested. */
  readonly candidates: readonly Candidate[];
  /** Where in the document the list of rows is, as keys from its root; none when the document is the list. */
  readonly rows?: readonly string[];
  /** Whether the rows are the answer's own list, and not one inside of a single record. */
  readonly isOwnList?: boolean;
  /** The place of the object whose members are the rows, where there is no list. */
  readonly dictionary?: readonly string[] | undefined;
  /** Where every list is that may be meant by the rows. */
  readonly lists?: readonly (readonly string[])[];
  /** The evidence of the page. */
  readonly shown: PageShown;
  /** Where another list is that may be the rows as well: neither is joined. */
  readonly otherList?: readonly string[];
}

/** Parameters to set for the next page. */
export interface Change extends Pick<Candidate, "guessOf"> {
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
): Found {
  if (JSON.stringify(changes[0]?.set ?? {}).length > maxLength)
    return { next: [], evidence: { unreachable: tooLong } };
  const next = changes.slice(0, maxGuesses).map(({ set, isAlone, ...change }) => {
    const [[place, given] = ["", ""]] = Object.entries(set);
    const parameter = place.replace(/^(?:query|body):/, "");
    const value = writeJson(given);
    return { next: sent.change(set, isAlone), kind, parameter, value, ...change };
  });
  return { next, evidence: {} };
}

/** A style that knows its kind of page, and found the last one. */
export const lastPage: Found = { next: [], evidence: { isEnd: true } };

/** A style that knows its kind of page, which shows neither a next page nor the end. */
export const openPage: Found = { next: [], evidence: {} };
