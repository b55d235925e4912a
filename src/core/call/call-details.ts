/** One call in full, for a page that shows it to a developer. It travels with the event of the call, and a log that writes the event does not write it. */

import type { Answer } from "../answer/answer.js";
import { writeContent, writeInput } from "../answer/outcome.js";
import type { BuiltRequest } from "../request/wire-request.js";
import type { Redactor } from "../secrets/redactor.js";
import type { KeptResponse } from "../store/keep-response.js";
import type { CallEvent } from "./call-event.js";
import type { CallServices } from "./call-services.js";
import type { CallProgress, SentRequest } from "./running-call.js";

/** Every text is redacted. */
export interface CallDetails {
  /** The input as the caller gave it, as JSON text; `""` where it is not JSON. */
  readonly input: string;
  /** The first request as it was sent, without the credential. Absent where nothing was sent. */
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Whether `body` describes a file or a multipart body, whose bytes are not shown. */
    readonly isDescribed: boolean;
  };
  /** Every request that was sent: pages, polls, and a second attempt with another token. */
  readonly requests: readonly SentRequest[];
  /** The answer as one JSON document. */
  readonly answer: string;
  /** Loads the whole body for the caller whose call it was; absent where it was not kept. */
  readonly loadWhole?: () => Promise<KeptResponse | undefined>;
}

/** Beside the events: neither JSON nor a copy of an event has them. */
const details = new WeakMap<CallEvent, () => CallDetails>();

/** @param describe - Called only where the details are read. */
export function addDetails(event: CallEvent, describe: () => CallDetails): void {
  details.set(event, describe);
}

/** Undefined for a copy of an event, and for an event that is not the end of a call. */
export function readDetails(event: CallEvent): CallDetails | undefined {
  return details.get(event)?.();
}

/** What is known of a call that is over. */
interface EndedCall {
  readonly answer: Answer;
  /** The answer as it was written for a model. */
  readonly content: string | undefined;
  readonly redactor: Redactor;
  /** Of the kept body. */
  readonly id: string | undefined;
}

export function describeCall(
  { kept }: Pick<CallServices, "kept">,
  { input, context, sent, exchanges = [] }: CallProgress,
  { answer, content, redactor, id }: EndedCall,
): CallDetails {
  const redact = (text: string): string => redactor.redact(text);
  const { signal: _over, ...caller } = context;
  return {
    input: redact(writeInput(input)),
    request: sent && describeSent(sent, redactor),
    requests: exchanges,
    answer: content ?? writeContent(answer, redact),
    loadWhole: id === undefined ? undefined : () => kept.load(id, caller, "application"),
  };
}

function describeSent({ wire, encoded }: BuiltRequest, redactor: Redactor): CallDetails["request"] {
  const { method, url, headers, body } = wire;
  const text = encoded?.shown ?? (body && new TextDecoder().decode(body));
  return {
    method,
    url: redactor.redact(url),
    headers: redactor.redactValue(headers),
    body: text && redactor.redact(text),
    isDescribed: encoded !== undefined,
  };
}
