/** Which later calls a decision with `always` covers, and why it can't last for some. */

import type { Mark } from "../confidential/marks.js";
import { choosesOperation, findHiddenPurpose } from "../policy/find-hidden-purpose.js";
import { splitWords } from "../policy/read-header-kinds.js";
import type { ApiSource } from "../source/api-source.js";
import type { CallToApprove, Coverage, LastingApprovals, LastingSubject } from "./approval.js";
import { listSources, listTenant } from "./describe-request.js";

export interface CoverageOptions {
  readonly lasting: LastingApprovals;
  /** Gives the name of a source's tool. */
  readonly nameTool: (source: ApiSource) => string;
  /** Gives the path template of the operation in the API's description. */
  readonly findTemplate: (source: ApiSource, method: string, path: string) => Promise<string | undefined>;
}

export async function findCoverage(
  call: CallToApprove,
  { lasting, nameTool, findTemplate }: CoverageOptions,
): Promise<Coverage> {
  const { source, built, redactor, ways = [] } = call;
  if (ways.length > 0) return coverWays(call, ways, { lasting, nameTool });
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
  return { subjects: [subject], words: `${method} ${subject.path}` };
}

/** A decision about ways opens them, and covers no path. */
function coverWays(
  { source, context }: CallToApprove,
  ways: readonly Mark[],
  { lasting, nameTool }: Pick<CoverageOptions, "lasting" | "nameTool">,
): Coverage {
  const isUnknown = ways.some((way) => way.source === "*");
  const why = isUnknown ? "the store of marks failed" : lasting.findHindrance(context);
  if (why !== undefined) return { why };
  const name = nameTool(source);
  return {
    subjects: ways.map((way) => toWay(source, way, nameTool)),
    words: `every later request to ${name} that may carry content of ${listSources(ways).join(", ")}`,
  };
}

/** The way from a confidential source to another one, as what a decision with `always` is about. */
export function toWay(target: ApiSource, mark: Mark, nameTool: CoverageOptions["nameTool"]): LastingSubject {
  const to = [target.slug, target.api.baseUrl];
  return {
    ...{ source: nameTool(target), from: mark.source, method: "*", path: "*" },
    identity: JSON.stringify(["way", mark, to]),
  };
}

/** Not `_all`, `all`, `1,2`, `7:cancel` or `%2F`: a value that names one thing. */
const plainValue = /^(?!all$)[A-Za-z0-9][\w-]*(?:\.[\w-]+)*$/i;

function findHindrance({ args, built }: CallToApprove): string | undefined {
  if (args["headers"] !== undefined) return "the request has headers of its own";
  if ((built.encoded?.files ?? []).length > 0) return "the request sends a file";
  return findHiddenPurpose(built);
}

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
