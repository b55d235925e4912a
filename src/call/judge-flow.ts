/** Values of confidential sources: what a request repeats of them, and what an answer shows. */

import type { Answer } from "../answer/answer.js";
import { listShownParts } from "../answer/shown-parts.js";
import type { ApprovalCheck } from "../approval/approval.js";
import { describeFlow, refuseFlow } from "../flow/describe-flow.js";
import type { FlowValue } from "../flow/flow.js";
import type { BuiltRequest } from "../policy/wire-request.js";
import type { RunningCall } from "./running-call.js";

/** Whom a call has to pass, and why. */
export interface JudgedFlow {
  readonly checkApproval?: ApprovalCheck | undefined;
  readonly flow?: readonly FlowValue[];
  readonly notes: readonly string[];
}

/** @throws ApiSourceError `refused_by_policy` with the option `flow: "refuse"` */
export async function judgeFlow(call: RunningCall, built: BuiltRequest): Promise<JudgedFlow> {
  const { source, runtime, checkApproval, prepared, context, progress } = call;
  const unheld = { checkApproval, notes: [] };
  const { baseUrl, headers, query } = prepared.resolved;
  const repeated = await runtime.flow?.check({
    source,
    built,
    configured: { baseUrl, headers, query },
    context,
  });
  if (runtime.flow === undefined || repeated === undefined) return unheld;
  progress.repeated = repeated;
  const { values } = repeated;
  if (values.length === 0) return unheld;
  const { rule } = runtime.flow;
  if (rule === "refuse") throw refuseFlow(values);
  if (rule === "hold") {
    const asked = checkApproval ?? runtime.openApprovalCheck(() => false);
    return { checkApproval: asked, flow: values, notes: [] };
  }
  runtime.logger.warn("A request repeats values of a confidential source.", {
    source: source.slug,
    flow: values,
  });
  return { checkApproval, notes: [`The request repeated ${describeFlow(values)}.`] };
}

/** Whether a GET may be redirected to this URL of a host for downloads. */
export async function judgeDownload({ runtime, progress }: RunningCall, url: string): Promise<boolean> {
  return runtime.flow?.rule === "report" || progress.repeated?.repeatsMore(url) !== true;
}

/** @throws ApiSourceError where what a confidential source answered cannot be remembered: then it is not shown. */
export async function rememberShown(
  { source, runtime, context }: RunningCall,
  answer: Answer,
): Promise<void> {
  const { slug, api } = source;
  const whose = { slug, isConfidential: api.confidential === true };
  await runtime.flow?.remember(whose, () => listShownParts(answer), context);
}
