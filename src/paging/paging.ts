/** What the search for the next page takes, and what it finds. */

import type { JsonValue } from "../json/exact-number.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import type { AppliedRule } from "./apply-rule.js";
import type { DescribedParameter } from "./find-next-cursor.js";
import type { RowsBefore } from "./find-next-number.js";
import type { NextKind, PageShown } from "./judge-complete.js";
import type { NextPage, PagedRequest } from "./paged-request.js";

export interface FindNextPageInput {
  readonly request: PagedRequest;
  /** The absolute URL that was sent, without the credential. */
  readonly url: string;
  readonly baseUrl: string;
  readonly headers: ResponseHeaders;
  readonly document?: JsonValue | undefined;
  /** Query names of the credential and the constants: dropped from any URL. */
  readonly reservedQueryNames: readonly string[];
  /** Whether the request changes nothing, whatever its method. A GET never does. */
  readonly isRead?: boolean;
  /** The record's rule for this path; "none" where the API does not page. */
  readonly rule?: AppliedRule | "none" | undefined;
  /** The query parameters of the operation in the API's OpenAPI document. */
  readonly described?: readonly DescribedParameter[] | undefined;
  /** Where the rows of the pages before were; none where the document is the list. */
  readonly rowsPath?: readonly string[] | undefined;
  /** Given while pages are read from the first one on. */
  readonly before?: RowsBefore | undefined;
}

/** A way to the next page. */
export interface Candidate {
  readonly next: NextPage;
  readonly kind: NextKind;
  /** A guess is verified: its page must have new rows. */
  readonly isGuess: boolean;
  /** The parameter that is set, as a reader writes it; absent for a link. */
  readonly parameter?: string;
}

export interface Paging {
  /** By the best candidate; absent on the last page. */
  readonly next?: NextPage;
  /** Best first; none on the last page, and where nothing shows how the next page is requested. */
  readonly candidates: readonly Candidate[];
  /** Where in the document the list of rows is, as keys from its root; none when the document is the list. */
  readonly rows?: readonly string[];
  /** What the page is evidence of. */
  readonly shown: PageShown;
  /** Where other lists are that may be the rows. */
  readonly otherPaths: readonly (readonly string[])[];
  /** The parameter by which the request began after the beginning of the list. */
  readonly startsAt?: string;
}
