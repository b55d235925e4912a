/** The headers that no record can let an agent send, by the name that lenient servers read. */

import { foldHeaderName } from "../base/header-kinds.js";
import { isFramingHeader } from "./field-syntax.js";

/** Besides those that delimit a message: what only a client's own machinery may write, and axios's names for groups of defaults. */
const neverNames = new Set(
  [
    "accept-encoding accept-transfer-encoding content-encoding content-transfer-encoding trailers alt-used alt-svc max-forwards",
    "early-data upgrade-insecure-requests authorization cookie cookie2 set-cookie set-cookie2 common delete get head patch post put",
    "query constructor prototype",
  ].flatMap((names) => names.split(" ")),
);
const neverPrefixes = ["proxy-", "sec-", "access-control-", "-proto-"];

/** Whether no record can let the agent set the header: hop by hop, framing, a browser's, or the HTTP client's own. */
export function isNeverSent(name: string): boolean {
  const folded = foldHeaderName(name).replace(/^-/, "");
  return (
    isFramingHeader(folded) ||
    neverNames.has(folded) ||
    neverPrefixes.some((prefix) => folded.startsWith(prefix))
  );
}
