/** Step 3 of a call: the request that is sent, judged by the request policy and by the slots before sending. */

import { applyWhenReady } from "../base/apply-when-ready.js";
import { showLine } from "../request/wire-request.js";
import { buildRequest, findOperation, type Known } from "./build-request.js";
import { type ParsedCall, parseCall } from "./call-request.js";
import { checkFailing } from "./count-failures.js";
import { encodeFiles } from "./encode-files.js";
import type { BuiltCall, BuiltFact, RunningCall } from "./running-call.js";
import { asksOnlyAboutFlows, listSources, type Mark } from "./slots.js";

/**
 * Step 3, build: the request policy judges every part, then its names are compared with the API's document, and then comes the approval check.
 *
 * @param origin - A person is asked about what was asked for: not about what they wrote themselves, nor about what an answer leads to,
 * which is sent only if it is a read.
 * @param answered - The data flows that a person was asked about already, where they wrote the request.
 */
export function buildCall(
  call: RunningCall,
  request: ParsedCall,
  origin: Origin,
  answered: readonly Mark[] = [],
): BuiltCall | Promise<BuiltCall> {
  const { source, services, prepared, log } = call;
  const { redactor, resolved } = prepared;
  const isFollowed = origin === "followed";
  const known = findKnown(call, request, isFollowed);
  return applyWhenReady(known, (found) => {
    const built = buildRequest(source, resolved, request, { isFollowed, ...found });
    const line = showLine(built, redactor);
    const isPoll = request.wait !== undefined || request.until !== undefined;
    const isCounted = !isFollowed && call.isFromModel === true && !isPoll;
    const fact: BuiltFact = { kind: "built", line, built, prepared, isCounted };
    log.facts.push(fact);
    if (isCounted && origin === "asked" && services.failing.isAny) checkFailing(call, log, fact);
    const passed: BuiltCall = { request, built, line, notes: [], undescribed: [] };
    return mayBeHeld(call, origin) ? askBeforeSend(call, passed, origin, answered) : passed;
  });
}

/** The origin of a request: the caller, a person who edited it, or an answer that leads to it. */
export type Origin = "asked" | "edited" | "followed";

/** The operation of the API's document that a call means, and its body where it has files. */
function findKnown(
  call: RunningCall,
  request: ParsedCall,
  isFollowed: boolean,
): Pick<Known, "operation" | "body"> | Promise<Pick<Known, "operation" | "body">> {
  const hasBody = request.method !== "GET" && request.body !== undefined && request.body !== null;
  const isDescribed = call.source.api.openapi !== undefined;
  return hasBody || isDescribed ? loadKnown(call, request, { hasBody, isFollowed }) : {};
}

async function loadKnown(
  call: RunningCall,
  request: ParsedCall,
  { hasBody, isFollowed }: { readonly hasBody: boolean; readonly isFollowed: boolean },
): Promise<Pick<Known, "operation" | "body">> {
  const { source, services, prepared, deadline } = call;
  const { document } = services.slots;
  const operation =
    source.api.openapi === undefined
      ? undefined
      : await deadline.race(
          findOperation(source, prepared.resolved, request, { document, isFollowed }),
        );
  const body = hasBody ? await encodeFiles(call, request, operation) : undefined;
  return { operation, body };
}

/** Whether a slot before sending has something to say about a call. */
function mayBeHeld({ source, services, checkApproval }: RunningCall, origin: Origin): boolean {
  if (origin === "followed") return false;
  const isCompared = origin === "asked" && source.api.openapi !== undefined;
  return isCompared || services.slots.beforeSend.confidential.isOn || checkApproval !== undefined;
}

/** Has the slots before sending judge a call: the document's names, the data flows, the person who approves. */
async function askBeforeSend(
  call: RunningCall,
  { request, built, line }: BuiltCall,
  origin: Origin,
  answered: readonly Mark[],
): Promise<BuiltCall> {
  const { source, services, log, prepared, context, deadline, inputSlug: slug } = call;
  const { compareNames, confidential, openApproval } = services.slots.beforeSend;
  const args = slug === undefined ? { ...request } : { source: slug, ...request };
  const toApprove = { source, args, built, redactor: prepared.redactor, context, deadline };
  const isCompared = origin === "asked" && source.api.openapi !== undefined;
  const undescribed = isCompared ? await compareNames?.(toApprove, request.body) : undefined;
  const flows = confidential.isOn ? await judgeFlows(call, answered) : [];
  const held = flows.length > 0 ? openApproval(asksOnlyAboutFlows) : undefined;
  const check = call.checkApproval ?? held;
  const result = await check?.({ ...toApprove, flows, isEdited: origin === "edited" });
  const { input, built: passed = built, notes = [], approval } = result ?? {};
  if (approval !== undefined) log.facts.push({ kind: "decided", approval });
  if (input === undefined)
    return { request, built: passed, line, notes, undescribed: undescribed ?? [] };
  // A call that a person wrote instead is judged like any other; they are asked only about a data flow that they were not shown.
  log.facts.push({ kind: "replaced" });
  const another = await parseCall(input, slug);
  const edited = await buildCall(call, another, "edited", [...answered, ...flows]);
  return { ...edited, notes: [...notes, ...edited.notes] };
}

/**
 * The confidential sources whose content a request may carry and must not: looked up when its bytes are made and its files were read. What was
 * made before a mark cannot contain the answer.
 *
 * @param answered - Those that a person was asked about before.
 * @throws ApiSourceError `refused_by_policy` with the option `flow: "refuse"`
 */
async function judgeFlows(
  { source, services, context, log }: RunningCall,
  answered: readonly Mark[],
): Promise<readonly Mark[]> {
  const known = new Set(answered.map((flow) => JSON.stringify(flow)));
  const found = await services.slots.beforeSend.confidential.judge(source, context);
  const flows = found.filter((flow) => !known.has(JSON.stringify(flow)));
  if (flows.length > 0) log.facts.push({ kind: "carries", confidential: listSources(flows) });
  return flows;
}
