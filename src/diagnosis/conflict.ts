/** What is in the way of a call that meets another state than it expects (409, 412, 423 to 425, 428). */

import type { ConflictKind, SaidByApi } from "./cause.js";
import type { AnswerFacts } from "./facts.js";

const existsText =
  /already[ _-]?(?:exist|in[ _-]use|taken|registered|been|used|present)|exists[ _-]?already|file[ _-]?exists|\b(?:is|been|name[ _-]?)[ _-]?taken\b|duplicate|must be unique|unique[ _-]?(?:constraint|violation)|(?:not|n't) unique/i;
/** Words that only an API with revisions has. */
const revisionText =
  /\b_?revs?\b|\brevision|\betag|if-match|lock[ _]?version|resource[ _]?version|seq_?no|optimistic/i;
/** Words that fit both; a text that something exists decides before them. */
const outdatedText =
  /(?:update|version|edit|write)[ _-]?conflict|version[ _]mismatch|\bstale|out of date|outdated|modified (?:since|by)|been modified/i;
const sentRevision = /["?&](?:_rev|rev|revision|lock_version|resourceVersion|etag)"?\s*[:=]/;
const conflictsByStatus: Readonly<Record<number, ConflictKind>> = {
  428: "condition_wanted",
  423: "lock",
  424: "step",
  425: "early",
};

/** Takes an answer of the category `conflict` and what it says. */
export function findConflict({ request }: AnswerFacts, { status, codes, message }: SaidByApi): ConflictKind {
  const byStatus = conflictsByStatus[status];
  if (byStatus !== undefined) return byStatus;
  // `If-None-Match: *` means: only if there is none (RFC 9110, section 13.1.2).
  if (request.condition !== undefined)
    return /^if-none-match$/i.test(request.condition) ? "exists" : "condition";
  const text = `${codes.join(" ")} ${message}`;
  if (revisionText.test(text)) return "revision";
  if (existsText.test(text)) return "exists";
  const isOld = outdatedText.test(text) || sentRevision.test(`${request.bodyText ?? ""} ${request.url}`);
  if (isOld) return "revision";
  return status === 412 ? "precondition" : "state";
}
