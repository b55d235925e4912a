/** Which later calls a decision with `always` covers, and why it can't last for some. */

import { splitWords } from "../../core/base/header-kinds.js";
import { type CallToApprove, listSources, type Mark } from "../../core/call/slots.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { readBodyFormat } from "../../core/request/check-content-type.js";
import {
  choosesOperation,
  listJsonMembers,
  listParameters,
  toLetters,
} from "../../core/request/check-parameters.js";
import { isGraphqlDocument } from "../../core/request/is-read.js";
import type { QueryPair } from "../../core/request/query-style.js";
import { type BuiltRequest, findHeader } from "../../core/request/wire-request.js";
import { hasUnseenText, listTenant } from "./describe-request.js";
import type { LastingApprovals, LastingSubject } from "./lasting-approvals.js";

/** The calls that a decision with `always` would cover, also in words, or the reason why it counts once. */
export type Coverage =
  | {
      readonly subjects: readonly LastingSubject[];
      readonly words: string;
      readonly why?: undefined;
    }
  | { readonly subjects?: undefined; readonly words?: undefined; readonly why: string };

export interface CoverageOptions {
  readonly lasting: LastingApprovals;
  /** Gives the name of a source's tool. */
  readonly nameTool: (source: ApiSource) => string;
  /** Gives the path template of the operation in the API's description. */
  readonly findTemplate: (
    source: ApiSource,
    method: string,
    path: string,
  ) => Promise<string | undefined>;
}

export async function findCoverage(
  call: CallToApprove,
  options: CoverageOptions,
): Promise<Coverage> {
  const { lasting, nameTool, findTemplate } = options;
  const { source, built, redactor, flows = [] } = call;
  if (flows.length > 0) return coverFlows(call, flows, options);
  const why = findHindrance(call) ?? lasting.findHindrance(call.context);
  if (why !== undefined) return { why };
  const { method, url } = built;
  const template = await findTemplate(source, method, url.path);
  const path = template !== undefined && isPlainlyOf(template, url.path) ? template : url.path;
  const subject = {
    source: nameTool(source),
    method,
    path: redactor.redact(path),
    identity: JSON.stringify([source.slug, listTenant(call), method, path]),
  };
  const every = path === url.path ? [] : listEvery(path);
  const place = `${method} ${subject.path} of ${source.name} in this conversation`;
  return {
    subjects: [subject],
    words: `every later ${place}${every.length === 0 ? "" : `: ${every.join(", ")}`}`,
  };
}

/** A decision about flows opens them, and covers no path. */
function coverFlows(
  { source, context }: CallToApprove,
  flows: readonly Mark[],
  { lasting, nameTool }: CoverageOptions,
): Coverage {
  const isUnknown = flows.some((flow) => flow.source === "*");
  const why = isUnknown ? "the store of marks failed" : lasting.findHindrance(context);
  if (why !== undefined) return { why };
  const name = nameTool(source);
  return {
    subjects: flows.map((flow) => toFlow(source, flow, nameTool)),
    words: `every later request to ${name} that may carry content of ${listSources(flows).join(", ")} in this conversation`,
  };
}

/** The flow from a confidential source to another one, as what a decision with `always` is about. */
export function toFlow(
  target: ApiSource,
  mark: Mark,
  nameTool: CoverageOptions["nameTool"],
): LastingSubject {
  const to = [target.slug, target.api.baseUrl];
  return {
    ...{ source: nameTool(target), from: mark.source, method: "*", path: "*" },
    // The word is kept in the stores of applications.
    identity: JSON.stringify(["way", mark, to]),
  };
}

/** Judged for the call that is approved, and for each later one. */
function findHindrance(call: CallToApprove): string | undefined {
  const { args, built } = call;
  if (args["headers"] !== undefined) return "the request has headers of its own";
  if (built.query.length > 0) return "the request has a query string";
  if ((built.encoded?.files ?? []).length > 0) return "the request sends a file";
  if (hasUnseenText(call)) return "a part of its body is not shown";
  const members = listBodyMembers(built);
  if (members === undefined) return "its body is neither a JSON object nor a form";
  if (graphqlPath.test(built.url.basePath + built.url.path) || members.some(isGraphql))
    return "it is a GraphQL request";
  if (members.some(([name]) => choosesOperation(name)))
    return "a member of its body chooses what it does";
  return undefined;
}

/** The top-level members of the bytes that are sent, one that is given twice included; undefined for a body that may contain anything. */
function listBodyMembers({ wire, encoded }: BuiltRequest): readonly QueryPair[] | undefined {
  if (encoded !== undefined) return encoded.fields;
  if (wire.body === undefined) return [];
  const format = readBodyFormat(findHeader(wire.headers, "content-type") ?? "");
  const text = new TextDecoder().decode(wire.body);
  if (format === "form") return listParameters(text);
  return format === "json" && /^\s*\{/.test(text) ? listJsonMembers(text) : undefined;
}

const graphqlPath = /graphi?ql|(?:^|\/)gql(?:\/|$)/i;
/** Members that have the id of a stored document in place of its text. */
const storedDocument = new Set(["extensions", "documentid", "docid", "queryid"]);

function isGraphql([name, value]: QueryPair): boolean {
  const letters = toLetters(name);
  return storedDocument.has(letters) || (letters === "query" && isGraphqlDocument(value));
}

/** Not `_all`, `all`, `1,2`, `7:cancel` or `%2F`: a value that names one thing. */
const plainValue = /^(?!all$)[A-Za-z0-9][\w-]*(?:\.[\w-]+)*$/i;
/** The name of a parameter. The question shows it: a description could write a whole sentence there. */
const plainParameter = /^\{([\w.$-]{1,64})\}$/;

/** Whether the path is surely this template with a value for each parameter, and no parameter chooses an operation: alone, or as all of them do. */
function isPlainlyOf(template: string, path: string): boolean {
  const values = path.split("/");
  const names = template.split("/");
  return (
    names.length === values.length &&
    names.some((name) => /^[^{]/.test(name)) &&
    names.every((name, at) => {
      const value = values[at] ?? "";
      const [, parameter] = plainParameter.exec(name) ?? [];
      if (parameter === undefined) return name === value;
      return plainValue.test(value) && !splitWords(parameter).some(choosesOperation);
    })
  );
}

/** The words in place of the parameters: `every order` of `/orders/{id}`, `/orders/{orderId}` and `/{order}`. */
function listEvery(template: string): string[] {
  const segments = template.split("/");
  return segments.flatMap((segment, at) => {
    const [, name] = plainParameter.exec(segment) ?? [];
    if (name === undefined) return [];
    const noun = name.replace(/(?:^|[._-])ids?$|(?<=[a-z])I[dD]s?$/, "");
    const before = /^[\w-]+$/.exec(segments[at - 1] ?? "")?.[0];
    return [`every ${noun || (before && toSingular(before)) || name}`];
  });
}

function toSingular(noun: string): string {
  return noun.replace(/ies$/, "y").replace(/(?<=ss|x|[cs]h)es$|(?<!s)s$/, "");
}
