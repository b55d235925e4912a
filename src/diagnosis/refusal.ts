/** Whether an answer means what whoever configures the source can change: a header, a permission, or the credential. */

import { findAskedHeader, findPlacement, isCredentialHeader, parseChallenges, readScopes } from "./asked.js";
import { credentialStatuses, saysBadCredential, saysNoCredential } from "./category.js";
import type { AnswerCause, SaidByApi } from "./cause.js";
import type { AnswerFacts } from "./facts.js";

/** A header, a permission or the credential; undefined when the answer speaks of none of them. */
export function findCallersFault(
  facts: AnswerFacts,
  said: SaidByApi,
  words: string,
): AnswerCause | undefined {
  const { status, category } = said;
  const header = category === "not_found" ? undefined : findHeader(facts, said, words);
  if (header !== undefined) return header;
  const hasChallenge = parseChallenges(facts.headers["www-authenticate"]).some(
    ({ params }) => params.get("error") === "insufficient_scope",
  );
  const isPermission = hasChallenge || permissionWords.test(words);
  const isCredential = speaksOfCredential(said, words);
  if (credentialStatuses.includes(status)) {
    return isPermission && facts.source.api.authType !== undefined
      ? findPermission(facts, said)
      : findRefusal(facts, said, words);
  }
  if (status === 403) {
    // Where the words name nothing, a credential that can't be right by its look is likelier than a permission.
    const { flaw, expiry } = facts.credential;
    const isFlawed = isCredential || flaw !== undefined || expiry !== undefined;
    const isRefused = category === "unauthorized" || (isFlawed && !isPermission);
    return isRefused ? findRefusal(facts, said, words) : findPermission(facts, said);
  }
  if (category === "forbidden" || (status < 300 && isCredential && isPermission))
    return findPermission(facts, said);
  return isCredential ? findRefusal(facts, said, words) : undefined;
}

/** The credential was refused, or is wanted. */
export function findRefusal(facts: AnswerFacts, said: SaidByApi, words: string): AnswerCause {
  const placement = findPlacement(facts, words);
  const kind = facts.source.api.authType === undefined ? "credential_wanted" : "credential_refused";
  return { ...said, kind, ...(placement === undefined ? {} : { placement }) };
}

/** The credential may not do this. */
export function findPermission({ headers, body }: AnswerFacts, said: SaidByApi): AnswerCause {
  return { ...said, kind: "permission_missing", scopes: readScopes(headers), isPage: body.kind === "html" };
}

function speaksOfCredential(said: SaidByApi, words: string): boolean {
  const { status, category, fields } = said;
  if (category === "unauthorized" || saysBadCredential(said)) return true;
  const header = status < 400 || status === 404 ? undefined : findAskedHeader(words);
  if (header !== undefined && isCredentialHeader(header)) return true;
  if (status === 403) return noIdentity.test(words);
  return fields.length === 0 && saysNoCredential(said);
}

/** What a 403 says to somebody whom the API does not know. */
const noIdentity =
  /not authenticated|unauthenticated|missing authentication token|system:anonymous|credentials were not provided/i;
/** About what a credential may do, and not about the credential itself. */
const permissionWords =
  /permission|privilege|\bscopes?\b|missing_scope|insufficient[ _-](?:right|access)|(?:not|n't) (?:authori[sz]ed|allowed|permitted|entitled) to\b|unauthori[sz]ed to\b/i;
/** A header that is not the credential's. */
export function findHeader(
  { source, request }: AnswerFacts,
  said: SaidByApi,
  words: string,
): AnswerCause | undefined {
  const name = findAskedHeader(words) ?? "";
  const isOwn = name.toLowerCase() === source.api.headerName?.toLowerCase();
  if (name === "" || isOwn || isCredentialHeader(name)) return undefined;
  const wasSent = request.headerNames?.includes(name.toLowerCase()) === true;
  return { ...said, kind: "header_wanted", name, wasSent };
}
