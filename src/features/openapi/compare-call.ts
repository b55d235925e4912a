/** A call beside its API's document: a misspelt name is answered unsent once, and a failure is explained by what the document knows. */

import { ApiSourceError, type CallError } from "../../core/base/errors.js";
import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import { hashText } from "../../core/base/text.js";
import type { AdvisedCall, CallToApprove } from "../../core/call/slots.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { findHeader } from "../../core/request/wire-request.js";
import { adviseCall, showName } from "./advise-call.js";
import type { Description } from "./knowledge.js";
import type { KnowledgeBase } from "./knowledge-base.js";
import { splitPath } from "./routes.js";
import { findUnknownNames, type MisspeltName, type UnknownName, writeNote } from "./unknown-names.js";

/** What a call is compared with. */
export interface ComparedWith {
  readonly knowledge: KnowledgeBase;
  /** Whether the model has `describe_api`, so that an answer may name it. */
  readonly hasDescribeTool: boolean;
  /** Whether a person was asked about this very call before its run went on. */
  wasAsked(call: CallToApprove): Promise<boolean>;
}

/** Notes are truncated with the other notes of an answer; more than these add nothing. */
const maxNotes = 3;
/** More are not listed: the first ones lead to the others. */
const maxMisspelt = 6;
/** Of a longer JSON text the names are not read. */
const maxBodyCharacters = 1_000_000;
/** How many names this process remembers as answered; the oldest go. */
const maxAnswered = 10_000;

/** One for all toolkits: an application may make one for each request. */
export const answered: Set<string> = new Set();

/**
 * Compares the names that a model or code wrote with those of the document.
 *
 * @returns Notes for a success: the query parameters that the operation doesn't have.
 * @throws ApiSourceError `invalid_input`, code `misspelt_name`: nothing was sent. The same name is sent the next time.
 */
export async function checkNames(
  call: CallToApprove,
  body: unknown,
  known: ComparedWith,
): Promise<readonly string[]> {
  const { source, context, redactor, built } = call;
  const description = await loadDescription(call, known);
  if (description === undefined) return [];
  // Redacted first: a message truncates what it quotes, and half a secret would not be found in it.
  const redact = (name: string): string => redactor.redact(name);
  const path = redact(built.url.path);
  const request = `${built.method} ${path}`;
  const { operation, unknown } = findUnknownNames(description, {
    method: built.method,
    path,
    query: built.query.map(([name]) => redact(name)),
    members: listMembers(body).map(redact),
    known: listKnown(call, known),
  });
  const { threadId = context.configurable?.["thread_id"] ?? null } = context;
  const nameOf = ({ kind, name }: UnknownName): string =>
    hashText(
      JSON.stringify([threadId, source.slug, source.api.baseUrl, operation, kind !== "unknown_path" && name]),
    );
  const misspelt = unknown.filter(
    (each): each is MisspeltName => each.instead !== undefined && !answered.has(nameOf(each)),
  );
  // A person was asked about this very call: its names were compared before, perhaps by another process.
  if (misspelt.length > 0 && !(await known.wasAsked(call))) {
    for (const each of misspelt) remember(nameOf(each));
    throw refuse({ source, request, known }, misspelt.slice(0, maxMisspelt));
  }
  const ignored = unknown.filter(({ kind }) => kind === "unknown_parameter");
  return ignored.slice(0, maxNotes).map((each) => writeNote(each, request));
}

function remember(name: string): void {
  const [oldest = ""] = answered;
  if (answered.size >= maxAnswered) answered.delete(oldest);
  answered.add(name);
}

interface Refused {
  readonly source: ApiSource;
  readonly known: ComparedWith;
  /** Method and path. */
  readonly request: string;
}

function refuse({ source, known, request }: Refused, misspelt: readonly MisspeltName[]): ApiSourceError {
  const what = misspelt.map(({ kind, name }) => `${subjects[kind]} ${showName(name)}`);
  const instead = misspelt.map((each) => `${showName(each.instead)} instead of ${showName(each.name)}`);
  const isPath = misspelt.some(({ kind }) => kind === "unknown_path");
  return new ApiSourceError({
    message: `Not sent: in the API's document, ${isPath ? "there is" : `${request} has`} no ${what.join(", no ")}.`,
    category: "invalid_input",
    code: "misspelt_name",
    details: misspelt.map(({ kind, name, instead }) => ({ kind, given: name, expected: [instead] })),
    hint: `Write ${instead.join(", ")}. If it is right, send the call again as it is: the document may be old, and a name is answered once.${describeMore(source, known, isPath ? undefined : request)}`,
  });
}

const subjects: Readonly<Record<UnknownName["kind"], string>> = {
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
  const { source, built, redactor } = call;
  const description = await loadDescription(call, known);
  if (description === undefined) return error;
  const { redact, redactBytes } = redactor;
  const { body, headers } = built.wire;
  const path = redact(built.url.path);
  const advice = adviseCall(description, {
    method: built.method,
    path,
    query: built.query.map(([name, value]) => [redact(name), redact(value)] as const),
    freeQuery: listKnown(call, known),
    body: body && redactBytes(body),
    contentType: findHeader(headers, "content-type"),
  });
  if (advice.length === 0) {
    const list = error.category === "not_found" ? findList(description, path) : undefined;
    const isNamed = list === undefined || error.hint.includes(`GET ${list} `);
    return isNamed
      ? error
      : { ...error, hint: `${error.hint} GET ${list} is described: it may list what exists.` };
  }
  const isKnown = advice.every(({ kind }) => kind !== "unknown_path" && kind !== "wrong_method");
  const texts = advice.map(({ message, hint }) => `${message} ${hint}`).join(" ");
  const more = describeMore(source, known, isKnown ? `${built.method} ${path}` : undefined);
  return { ...error, hint: `${error.hint} Compare it with the API's document: ${texts}${more}` };
}

/** The nearest path above that the document has with GET, where the last segment is a value. */
function findList({ match, listed }: Description, path: string): string | undefined {
  const segments = splitPath(path);
  if (!match(path).some(({ values }) => values.size > 0)) return undefined;
  const above = segments.map((_, length) => `/${segments.slice(0, length).join("/")}`).slice(1);
  return above.findLast((each) =>
    match(each).some(({ routes }) =>
      routes.some((route) => route.method === "GET" && listed.includes(route)),
    ),
  );
}

async function loadDescription(
  { source, deadline }: AdvisedCall,
  { knowledge }: ComparedWith,
): Promise<Description | undefined> {
  return (await deadline.race(knowledge.load(source))).description;
}

/** The top-level members of a body that is an object, or JSON text of one. */
function listMembers(body: unknown): string[] {
  const isText = typeof body === "string" && body.length <= maxBodyCharacters;
  const value = isText ? readPlainJson(body) : body;
  return isPlainObject(value) ? Object.keys(value) : [];
}

/** What is right without being described: what the record sets, and what the API itself named in a next page. */
function listKnown({ source, built }: AdvisedCall, { knowledge }: ComparedWith): ReadonlySet<string> {
  const linked = knowledge.listLinked(source);
  return new Set([...built.reservedQueryNames, ...Object.keys(source.api.query), ...linked]);
}
