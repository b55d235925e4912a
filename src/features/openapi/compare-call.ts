/** A call beside its API's document: a misspelt name is answered unsent once, and a failure is explained by what the document knows. */

import { ApiSourceError, type CallError } from "../../core/base/errors.js";
import { readPlainJson } from "../../core/base/input.js";
import { findThread } from "../../core/base/runtime.js";
import { hashText, quoteText } from "../../core/base/text.js";
import type { AdvisedCall, CallToApprove } from "../../core/call/slots.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { isJsonType } from "../../core/request/operation-form.js";
import type { QueryPair } from "../../core/request/query-style.js";
import { findHeader } from "../../core/request/wire-request.js";
import { redactMembers } from "../../core/secrets/redactor.js";
import { type Advice, showName } from "./advice.js";
import { type ComparedCall, compareCall } from "./advise-call.js";
import { maxAdvice } from "./compare-schema.js";
import type { Description } from "./knowledge.js";
import type { KnowledgeBase } from "./knowledge-base.js";
import { adviseRoute } from "./nearest.js";
import type { PlacedRoute } from "./paths.js";

/** The services that a comparison needs. */
export interface ComparedWith {
  readonly knowledge: KnowledgeBase;
  /** Whether the model has `describe_api`, so that an answer may name it. */
  readonly hasDescribeTool: boolean;
  /** Whether a person was asked about this very call before its run went on. */
  wasAsked(call: CallToApprove): Promise<boolean>;
  /** The misspelt names that were answered in this process. */
  readonly answeredNames: Set<string>;
}

/** Notes are truncated with the other notes of an answer; more than these add nothing. */
const maxNotes = 3;
/** A larger body would take longer to look at than a mistake in it costs. */
const maxBodyCharacters = 1_000_000;
/** How many names this process remembers as answered; the oldest go. */
const maxAnswered = 10_000;

/** A name that the document doesn't have, and the right one. */
interface MisspeltName extends Advice {
  readonly name: string;
  readonly instead: string;
}

/** Counts only the top-level members of a body. */
function isMisspelt(advice: Advice): advice is MisspeltName {
  const { kind, at, name, instead } = advice;
  return instead !== undefined && (kind !== "unknown_member" || at === `body.${name}`);
}

/**
 * Compares the names that a model or code wrote with those of the document.
 *
 * @returns Notes for a success: the query parameters, and values of an enumeration, that the operation doesn't have.
 * @throws ApiSourceError `invalid_input`, code `misspelt_name`: nothing was sent. The same name is sent the next time.
 */
export async function checkNames(
  call: CallToApprove,
  body: unknown,
  known: ComparedWith,
): Promise<readonly string[]> {
  const { source, context } = call;
  const { description } = await call.deadline.race(known.knowledge.load(call.source));
  if (description === undefined) return [];
  const isJson = typeof body === "string" && body.length <= maxBodyCharacters;
  const compared = toCompared(call, known, isJson ? readPlainJson(body) : body);
  const { method, path } = compared;
  const request = `${method} ${path}`;
  const { route, advice } = compare(description, compared);
  const threadId = findThread(context) ?? null;
  // Another value in the place of a parameter does not make it another operation.
  const nameOf = ({ at, instead }: MisspeltName): string =>
    hashText(
      JSON.stringify([
        threadId,
        source.slug,
        source.api.baseUrl,
        `${method} ${route?.path ?? instead} ${at}`,
      ]),
    );
  const open = advice
    .filter(isMisspelt)
    .filter((each) => !compared.known.has(each.name) && !known.answeredNames.has(nameOf(each)));
  // A person was asked about this very call: its names were compared before, perhaps by another process.
  if (open.length > 0 && !(await known.wasAsked(call))) {
    for (const each of open) remember(known.answeredNames, nameOf(each));
    throw refuse(source, known, request, open.slice(0, maxAdvice));
  }
  const sent = new Set(compared.query.map(([name]) => name));
  const ofQuery = advice.filter(({ kind, at }) => kind === "unknown_parameter" || sent.has(at));
  return ofQuery.flatMap((each) => describeQuery(each, request) ?? []).slice(0, maxNotes);
}

/** The note of a success on what the document has against a query: many APIs answer an unknown value with no rows. */
function describeQuery(
  { kind, name = "", nearest, message, hint }: Advice,
  request: string,
): string | undefined {
  if (kind === "enum") return `${message} The API's document says: ${hint}`;
  if (kind !== "unknown_parameter") return undefined;
  const near = nearest === undefined ? "" : ` Nearest: ${showName(nearest)}.`;
  return `${request} has no query parameter ${showName(name)}; the API may have ignored it.${near}`;
}

/** Finds the operation that a call means, and the document's objections. */
function compare(
  description: Description,
  call: ComparedCall,
): { readonly route?: PlacedRoute; readonly advice: readonly Advice[] } {
  const { method, path, query } = call;
  const [found, ...others] = description
    .match(path, query)
    .filter(({ route }) => route.method === method);
  if (found === undefined) return { advice: [adviseRoute(description, call)] };
  const { route } = found;
  // Operations that only a fragment distinguishes have one path on the wire: which of them was meant is not known.
  const isOneOfSeveral =
    route.suffix.startsWith("#") &&
    others.some((each) => each.route.segments.join("/") === route.segments.join("/"));
  return { route, advice: isOneOfSeveral ? [] : compareCall(description, found, call) };
}

/** Redacted first: a message truncates what it quotes, and half a secret would not be found in it. */
function toCompared(
  { source, built, redactor }: Omit<AdvisedCall, "status">,
  { knowledge }: ComparedWith,
  body: unknown,
): ComparedCall {
  return redactMembers(
    {
      method: built.method,
      path: built.url.path,
      query: built.query,
      headers: Object.keys(built.wire.headers),
      body,
      // Names that the record sets, and that the API itself named in a next page, are right without being described.
      known: new Set([
        ...built.reservedQueryNames,
        ...Object.keys(source.api.query),
        ...knowledge.listLinked(source),
      ]),
    },
    redactor,
  );
}

/** The value of the JSON that was sent; null for another body, and undefined without one. */
function readSentBody({ built: { wire } }: AdvisedCall): unknown {
  if (wire.body === undefined) return undefined;
  const type = findHeader(wire.headers, "content-type") ?? "application/json";
  if (!isJsonType(type) || wire.body.length > maxBodyCharacters) return null;
  return readPlainJson(new TextDecoder().decode(wire.body)) ?? null;
}

const formType = "application/x-www-form-urlencoded";

/** The fields of the form or the multipart body that was sent; none of another body. */
function readSentFields({ built: { wire, encoded } }: AdvisedCall): readonly QueryPair[] {
  const type = findHeader(wire.headers, "content-type") ?? "";
  const isForm = type.startsWith(formType) && (wire.body?.length ?? 0) <= maxBodyCharacters;
  if (isForm) return [...new URLSearchParams(new TextDecoder().decode(wire.body))];
  return encoded?.fields ?? [];
}

function remember(names: Set<string>, name: string): void {
  const [oldest = ""] = names;
  if (names.size >= maxAnswered) names.delete(oldest);
  names.add(name);
}

/** @param request - Method and path. */
function refuse(
  source: ApiSource,
  known: ComparedWith,
  request: string,
  misspelt: readonly MisspeltName[],
): ApiSourceError {
  const what = misspelt.map(({ kind, name }) => `${subjects[kind]} ${showName(name)}`);
  const instead = misspelt.map(
    (each) => `${showName(each.instead)} instead of ${showName(each.name)}`,
  );
  const isPath = misspelt.some(({ kind }) => kind === "unknown_path");
  return new ApiSourceError({
    message: `Not sent: in the API's document, ${isPath ? "there is" : `${request} has`} no ${what.join(", no ")}.`,
    category: "invalid_input",
    code: "misspelt_name",
    details: misspelt.map(({ kind, name, instead }) => ({
      kind,
      given: name,
      expected: [instead],
    })),
    hint: `Write ${instead.join(", ")}. If it is right, send the call again as it is: the document may be old, and a name is answered once.${describeMore(source, known, isPath ? undefined : request)}`,
  });
}

const subjects: Partial<Record<Advice["kind"], string>> = {
  unknown_path: "path",
  unknown_parameter: "query parameter",
  unknown_member: "body member",
};

/** @param request - Method and path of an operation that the document has. */
function describeMore(
  source: ApiSource,
  { hasDescribeTool }: ComparedWith,
  request: string | undefined,
): string {
  const [method, path] = request?.split(/ (.*)/s) ?? [];
  const input = JSON.stringify({ source: source.slug, path, method });
  const subject = request === undefined ? "the paths" : "this operation";
  return hasDescribeTool ? ` describe_api ${input} describes ${subject}.` : "";
}

/**
 * @param error - Of a call that the API refused.
 * @returns the same with what the document knows about the call in its hint; where it knows nothing against it, as it is.
 */
export async function explainByDocument(
  call: AdvisedCall,
  error: CallError,
  known: ComparedWith,
): Promise<CallError> {
  const { description } = await call.deadline.race(known.knowledge.load(call.source));
  if (description === undefined) return error;
  const fields = call.redactor.redact(readSentFields(call));
  const compared = { ...toCompared(call, known, readSentBody(call)), fields };
  const { route, advice } = compare(description, compared);
  const types = route === undefined ? [] : describeTypes(description, route, call);
  const found = advice.slice(0, maxAdvice).map(({ message, hint }) => `${message} ${hint}`);
  const shown = [...types, ...found];
  if (shown.length === 0) return error;
  const more = describeMore(call.source, known, route && `${compared.method} ${compared.path}`);
  return {
    ...error,
    hint: `${error.hint} Compare it with the API's document: ${shown.join(" ")}${more}`,
  };
}

/** More media types than these help no one. */
const maxTypes = 10;

/** Names the media types of an operation, for an API that does not take the one that was sent, or has none that was accepted. */
function describeTypes(
  { readOperation }: Description,
  route: PlacedRoute,
  { status, built: { wire } }: AdvisedCall,
): string[] {
  if (status !== 406 && status !== 415) return [];
  const { answers, body } = readOperation(route);
  if (status === 406) {
    const answered = answers.filter((answer) => /^2|^default$/.test(answer.status));
    const types = new Set(answered.flatMap((answer) => answer.media.map(({ type }) => type)));
    const named = [...types].slice(0, maxTypes).map((type) => quoteText(type, 80));
    return named.length === 0 ? [] : [`The operation answers with ${named.join(", ")}.`];
  }
  const media = body?.media ?? [];
  if (media.length === 0) return [];
  const types = media.slice(0, maxTypes).map(({ type }) => quoteText(type, 80));
  const sent = findHeader(wire.headers, "content-type");
  const what = sent === undefined ? "no Content-Type" : quoteText(sent, 80);
  return [`The operation takes ${types.join(", ")}; ${what} was sent.`];
}
