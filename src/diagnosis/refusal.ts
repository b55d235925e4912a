/** Whether an answer means what whoever configures the source can change: a header, a permission, or the credential. */

import { findAskedHeader, findPlacement, isCredentialHeader, parseChallenges, readScopes } from "./asked.js";
import { saysBadCredential, saysNoCredential } from "./category.js";
import type { AnswerCause, SaidByApi } from "./cause.js";
import type { AnswerFacts } from "./facts.js";

/** Statuses that are about the credential, whatever is said; 419, 440, 498 and 499 are those of frameworks. */
export const credentialStatuses: readonly number[] = [401, 419, 440, 498, 499];

/** A header, a permission or the credential: what whoever configures the source can change. */
export function findCallersFault(
  facts: AnswerFacts,
  said: SaidByApi,
  words: string,
): AnswerCause | undefined {
  const { status, category } = said;
  const header = category === "not_found" ? undefined : findHeader(facts, said, words);
  if (header !== undefined) return header;
  const isPermission = permissionWords.test(words) || hasScopeChallenge(facts);
  const isCredential = speaksOfCredential(said, words);
  if (credentialStatuses.includes(status)) {
    const lacksScope =
      facts.source.api.authType !== undefined && (scopeWords.test(words) || hasScopeChallenge(facts));
    return lacksScope ? findPermission(facts, said) : findRefusal(facts, said, words);
  }
  if (status === 403) {
    // Where the words name nothing, a credential that can't be right by its look is likelier than a permission.
    const { flaw, expiry } = facts.credential;
    const isFlawed = !isPermission && (flaw !== undefined || expiry !== undefined);
    const isRefused = category === "unauthorized" || isFlawed || (isCredential && !isPermission);
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
  const isPage = body.kind === "html";
  return { ...said, kind: "permission_missing", scopes: readScopes(headers), isPage };
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
const scopeWords =
  /insufficient[ _-](?:scope|permission)|missing[ _-](?:required[ _-])?scope|(?:not|n't) have (?:the )?(?:required |necessary )?(?:scope|permission)/i;

function hasScopeChallenge({ headers }: AnswerFacts): boolean {
  return parseChallenges(headers["www-authenticate"]).some(
    ({ params }) => params.get("error") === "insufficient_scope",
  );
}

/** A header that is not the credential's. */
export function findHeader(
  { source, request }: AnswerFacts,
  said: SaidByApi,
  words: string,
): AnswerCause | undefined {
  const name = findAskedHeader(words);
  if (
    name === undefined ||
    isCredentialHeader(name) ||
    name.toLowerCase() === source.api.headerName?.toLowerCase()
  )
    return undefined;
  const value = guessValue(name, words);
  const wasSent = request.headerNames?.includes(name.toLowerCase()) === true;
  return { ...said, kind: "header_wanted", name, wasSent, value };
}

/** A value that the answer itself names. */
export function guessValue(header: string, words: string): string | undefined {
  if (/^(?:accept|content-type)$/i.test(header))
    return /\b(?:application|text)\/[a-z0-9.+-]{1,80}/i.exec(words)?.[0];
  return /version/i.test(header) ? /\b20\d\d-[01]\d-[0-3]\d\b/.exec(words)?.[0] : undefined;
}
