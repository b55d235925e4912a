/** A call beside its API's document: a misspelt name is answered unsent once, and a failure is explained by what the document knows. */

import { ApiSourceError, type CallError } from "../../core/base/errors.js";
import { readPlainJson } from "../../core/base/input.js";
import { findThread } from "../../core/base/runtime.js";
import { hashText } from "../../core/base/text.js";
import type { AdvisedCall, CallToApprove } from "../../core/call/slots.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { findHeader } from "../../core/request/wire-request.js";
import { type Advice, type ComparedCall, compareCall, maxAdvice, showName } from "./advise-call.js";
import type { Description } from "./knowledge.js";
import type { KnowledgeBase } from "./knowledge-base.js";
import { adviseRoute, findMisspeltPath } from "./nearest.js";
import { isJsonType } from "./operation.js";

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
/** A larger body would take longer to look at than a mistake in it costs. */
const maxBodyCharacters = 1_000_000;
/** How many names this process remembers as answered; the oldest go. */
const maxAnswered = 10_000;

/** One for all toolkits: an application may make one for each request. */
export const answered: Set<string> = new Set();

/** A name that the document doesn't have, and the right one. */
interface MisspeltName {
  readonly kind: "unknown_path" | "unknown_parameter" | "unknown_member";
  readonly name: string;
  readonly instead: string;
  /** The same for the same name of the same operation. */
  readonly key: string;
}

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
  const { source, context } = call;
  const description = await loadDescription(call, known);
  if (description === undefined) return [];
  const isJson = typeof body === "string" && body.length <= maxBodyCharacters;
  const compared = toCompared(call, known, isJson ? readPlainJson(body) : body);
  const request = `${compared.method} ${compared.path}`;
  const { misspelt, unknown } = compareNames(description, compared);
  const threadId = findThread(context) ?? null;
  const nameOf = ({ key }: MisspeltName): string =>
    hashText(JSON.stringify([threadId, source.slug, source.api.baseUrl, key]));
  const open = misspelt.filter((each) => !answered.has(nameOf(each)));
  // A person was asked about this very call: its names were compared before, perhaps by another process.
  if (open.length > 0 && !(await known.wasAsked(call))) {
    for (const each of open) remember(nameOf(each));
    throw refuse(source, known, request, open.slice(0, maxAdvice));
  }
  return unknown.slice(0, maxNotes).map(({ name = "", nearest }) => {
    const near = nearest === undefined ? "" : ` Nearest: ${showName(nearest)}.`;
    return `${request} has no query parameter ${showName(name)}; the API may have ignored it.${near}`;
  });
}

/** The misspelt names of a call, and the query parameters that its operation doesn't have. */
function compareNames(
  description: Description,
  call: ComparedCall,
): { readonly misspelt: readonly MisspeltName[]; readonly unknown: readonly Advice[] } {
  const { method, path, known } = call;
  const found = description.find(method, path);
  if (found === undefined) {
    const isKnown = known.has(path) || description.match(path).length > 0;
    const near = isKnown ? undefined : findMisspeltPath(description.listed, path);
    if (near === undefined) return { misspelt: [], unknown: [] };
    const { template, segment } = near;
    // Another value in the place of a parameter does not make it another operation.
    const key = `${method} ${template} ${segment}`;
    return { misspelt: [{ kind: "unknown_path", name: path, instead: template, key }], unknown: [] };
  }
  const advice = compareCall(description, found, call);
  const misspelt = advice.flatMap(({ kind, at, name = "", instead }): MisspeltName[] => {
    const isName = kind === "unknown_parameter" || (kind === "unknown_member" && at === `body.${name}`);
    if (!isName || instead === undefined) return [];
    return [{ kind, name, instead, key: `${method} ${found.route.path} ${name}` }];
  });
  return { misspelt, unknown: advice.filter(({ kind }) => kind === "unknown_parameter") };
}

/** Redacted first: a message truncates what it quotes, and half a secret would not be found in it. */
function toCompared(
  { source, built, redactor }: AdvisedCall,
  { knowledge }: ComparedWith,
  body: unknown,
): ComparedCall {
  return redactor.redact({
    method: built.method,
    path: built.url.path,
    query: built.query,
    body,
    // What is right without being described: what the record sets, and what the API itself named in a next page.
    known: new Set([
      ...built.reservedQueryNames,
      ...Object.keys(source.api.query),
      ...knowledge.listLinked(source),
    ]),
  });
}

/** The value of the JSON that was sent; null for another body, and undefined without one. */
function readSentBody({ built: { wire } }: AdvisedCall): unknown {
  if (wire.body === undefined) return undefined;
  const type = findHeader(wire.headers, "content-type") ?? "application/json";
  if (!isJsonType(type) || wire.body.length > maxBodyCharacters) return null;
  return readPlainJson(new TextDecoder().decode(wire.body)) ?? null;
}

function remember(name: string): void {
  const [oldest = ""] = answered;
  if (answered.size >= maxAnswered) answered.delete(oldest);
  answered.add(name);
}

/** @param request - Method and path. */
function refuse(
  source: ApiSource,
  known: ComparedWith,
  request: string,
  misspelt: readonly MisspeltName[],
): ApiSourceError {
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

const subjects: Readonly<Record<MisspeltName["kind"], string>> = {
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
  const description = await loadDescription(call, known);
  if (description === undefined) return error;
  const compared = toCompared(call, known, readSentBody(call));
  const { method, path } = compared;
  const found = description.find(method, path);
  const advice =
    found === undefined
      ? [adviseRoute(description, compared)]
      : compareCall(description, found, compared).slice(0, maxAdvice);
  if (advice.length === 0) return error;
  const texts = advice.map(({ message, hint }) => `${message} ${hint}`).join(" ");
  const more = describeMore(call.source, known, found && `${method} ${path}`);
  return { ...error, hint: `${error.hint} Compare it with the API's document: ${texts}${more}` };
}

async function loadDescription(
  { source, deadline }: AdvisedCall,
  { knowledge }: ComparedWith,
): Promise<Description | undefined> {
  return (await deadline.race(knowledge.load(source))).description;
}
