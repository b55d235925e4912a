/** Hints for a state in the way: something exists already, a revision is out of date, a lock, a precondition. */

import type { HintInput } from "./hint-input.js";

const existsText =
  /already[ _-]?(?:exist|in[ _-]use|taken|registered|been (?:taken|used|registered|created)|used|present)|exists[ _-]?already|file[ _-]?exists|\b(?:is|been|name[ _-]?)[ _-]?taken\b|duplicate|must be unique|unique[ _-]?(?:constraint|violation)|violates unique|uniqueness|(?:not|n't) unique|\bEEXIST\b/i;
/** Words that only an API with revisions has. */
const revisionText =
  /\b_?revs?\b|\brevision|\betag|if-match|lock[ _]?version|resource[ _]?version|seq_?no|optimistic/i;
/** Words that fit both; a text that something exists decides before them. */
const outdatedText =
  /(?:update|version|edit|write)[ _-]?conflict|version[ _]mismatch|\bstale|out of date|outdated|modified (?:since|by)|been modified/i;
const sentRevision = /["?&](?:_rev|rev|revision|lock_version|resourceVersion|etag)"?\s*[:=]/;

const look = "GET the current state first";
const refetch =
  "What was sent is not based on the current revision: GET the thing, put its current revision (_rev, version or ETag, as this API calls it) into the call, and send it again.";
const exists =
  "It exists already: GET it and update that one if it is what you want, or choose another name or id. Unchanged the call fails again.";

export function hintForConflict(input: HintInput): string {
  const { status } = input;
  if (status === 428)
    return `The API takes this write only with a condition: ${look} and send its ETag in the If-Match header.`;
  if (status === 423) return "It is locked by someone else: wait until the lock is gone, or unlock it.";
  if (status === 424) return "A step this call depends on failed: look at that one first.";
  if (status === 425)
    return "The server wants the call again later, once the connection is established: repeat it.";
  return hintForCondition(input) ?? hintForWords(input) ?? hintForSilence(input);
}

/** What was sent as a condition is what did not hold. `If-None-Match: *` means: only if there is none (RFC 9110, section 13.1.2). */
function hintForCondition({ request: { condition } }: HintInput): string | undefined {
  if (condition === undefined) return undefined;
  if (/^if-none-match$/i.test(condition)) return exists;
  return `It changed since it was read, so the condition in ${condition} doesn't hold: ${look}, then send the call with its current ETag or date.`;
}

function hintForWords({ codes, message, request }: HintInput): string | undefined {
  const text = `${codes.join(" ")} ${message}`;
  if (revisionText.test(text)) return refetch;
  if (existsText.test(text)) return exists;
  const isOutdated =
    outdatedText.test(text) || sentRevision.test(request.bodyText ?? "") || sentRevision.test(request.url);
  return isOutdated ? refetch : undefined;
}

function hintForSilence({ status, request }: HintInput): string {
  if (status === 412)
    return `A precondition of the API doesn't hold: ${look} and adapt the call to it; if the API works with ETags, send the current one in If-Match.`;
  const mayExist =
    request.method === "POST" ? " It may exist already: update that one instead of creating another." : "";
  return `The call conflicts with the present state: ${look}, then adapt the call (identifier, version or revision).${mayExist}`;
}
