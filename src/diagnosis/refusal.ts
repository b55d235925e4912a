/** Whether an answer means what whoever configures the source can change: a header, a permission, or the credential. */

import { findAskedHeader, findPlacement, isCredentialHeader, parseChallenges, readScopes } from "./asked.js";
import type { AnswerCause, SaidByApi } from "./cause.js";
import type { AnswerFacts } from "./facts.js";

/** About what a credential may do, and not about the credential itself. */
const permissionWords =
  /permission|privilege|\bscopes?\b|missing_scope|insufficient[ _-](?:right|access|scope)|(?:not|n't) (?:authori[sz]ed|allowed|permitted|entitled) to\b|unauthori[sz]ed to\b/i;

/** A header, a permission or the credential; undefined when the answer speaks of none of them. */
export function findCallersFault(
  facts: AnswerFacts,
  said: SaidByApi,
  words: string,
): AnswerCause | undefined {
  const header = findHeader(facts, said, words);
  if (header !== undefined) return header;
  const hasChallenge = parseChallenges(facts.headers["www-authenticate"]).some(
    ({ params }) => params.get("error") === "insufficient_scope",
  );
  const isPermission = hasChallenge || permissionWords.test(words);
  if (said.category === "unauthorized") {
    const mayLack = isPermission && said.status !== 403 && facts.source.api.authType !== undefined;
    return mayLack ? findPermission(facts, said) : findRefusal(facts, said, words);
  }
  if (said.category !== "forbidden") return undefined;
  // Where the words name nothing, a credential that can't be right by its look is likelier than a permission.
  const { flaw, expiry } = facts.credential;
  const isFlawed = flaw !== undefined || expiry !== undefined;
  return isFlawed && !isPermission ? findRefusal(facts, said, words) : findPermission(facts, said);
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

/** A header that is not the credential's. */
export function findHeader({ source }: AnswerFacts, said: SaidByApi, words: string): AnswerCause | undefined {
  const name = findAskedHeader(words) ?? "";
  const isOwn = name.toLowerCase() === source.api.headerName?.toLowerCase();
  if (name === "" || isOwn || isCredentialHeader(name)) return undefined;
  return { ...said, kind: "header_wanted", name };
}
