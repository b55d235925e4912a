/** What a reply says beside its document. */

import { isLimited, presentRateLimit, shouldShowRateLimit } from "../limits/rate-limit.js";
import type { Answer } from "./answer.js";
import type { BuiltRequest } from "./build-request.js";
import type { Reply } from "./create-sender.js";
import { toPath } from "./find-next-call.js";
import { readAnswerHeaders } from "./read-answer-headers.js";
import type { Page } from "./read-pages.js";
import type { RunningCall } from "./running-call.js";

/** The parts of the answer that the first response alone decides. */
export function describeReply(
  call: RunningCall,
  {
    reply,
    built,
    status,
    total,
  }: Pick<Page, "status" | "total"> & { readonly reply: Reply; readonly built: BuiltRequest },
  error: Answer["error"],
): Answer {
  const { exchange, body, rateLimit, waited } = reply;
  const limited = isLimited(exchange.status, rateLimit) || error?.category === "rate_limited";
  return {
    status,
    error,
    contentType: body.kind === "json" || body.kind === "empty" ? undefined : body.contentType,
    headers: readAnswerHeaders(exchange.headers, (link) => toPath(link, call.prepared, built)),
    rateLimit:
      rateLimit !== undefined && shouldShowRateLimit(rateLimit, { limited })
        ? presentRateLimit(rateLimit)
        : undefined,
    total,
    partial: body.partial,
    waited,
  };
}
