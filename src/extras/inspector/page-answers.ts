/** The requests of the page, and their answers: the list of calls, one call, a decision, a call of the page's own. */

import type { ApiSource } from "../../core/record/api-source.js";
import type { UntypedClient } from "../../toolkit/client/source-client.js";
import type { CallLog } from "./call-log.js";
import type { Changes } from "./changes.js";
import type { CallableSource, PageChange } from "./page-change.js";
import type { PageAnswers } from "./page-server.js";
import type { Questions } from "./questions.js";

export interface PageSubject {
  readonly clients: readonly UntypedClient[];
  /** Whether calls can be made on the page. */
  readonly takesCalls: boolean;
  readonly log: CallLog;
  readonly questions: Questions;
  readonly changes: Changes;
}

export function createPageAnswers(subject: PageSubject): PageAnswers {
  const { log, questions, changes } = subject;
  return {
    async get(path, query) {
      const id = Number(query.get("id"));
      if (path === "call") return showListedCall(subject, id);
      if (path === "whole") return showListedAnswer(log, id, query.get("select") ?? "");
      return undefined;
    },
    async post(path, { source, nonce, input, ...decision }) {
      if (path === "decide")
        return questions.decide(nonce, { ...decision, input }) ? {} : undefined;
      if (path === "send") return sendCall(subject, source, input);
      return undefined;
    },
    follow(write) {
      let last = 0;
      const send = (): void => {
        const change = describeChange(subject, last);
        last = change.calls.at(-1)?.id ?? last;
        write(change);
      };
      const end = changes.follow(send);
      send();
      return end;
    },
  };
}

async function showListedCall({ log, clients }: PageSubject, id: number): Promise<unknown> {
  const found = log.find(id);
  if (found === undefined) return undefined;
  const { showCall } = await import("./show-call.js");
  const client = findClient(clients, found.call.source);
  return showCall(found.call, found.details, client?.source);
}

async function showListedAnswer(log: CallLog, id: number, select: string): Promise<unknown> {
  const details = log.find(id)?.details;
  if (details === undefined) return undefined;
  const { showWhole } = await import("./show-call.js");
  return showWhole(details, select);
}

/** @returns the number of the call in the list, when it has ended; undefined where the page may not call this source */
async function sendCall(
  { clients, takesCalls, log }: PageSubject,
  slug: unknown,
  input: unknown,
): Promise<unknown> {
  const client = takesCalls ? findClient(clients, slug) : undefined;
  if (client === undefined) return undefined;
  // The event of this call has the same object, by which the log finds it.
  const context = {};
  await client.call(input, { context, threadId: "inspector" }).catch(() => undefined);
  return { id: log.findId(context) };
}

/** @param after - The last call that the page has. */
function describeChange(
  { clients, takesCalls, log, questions }: PageSubject,
  after: number,
): PageChange {
  return {
    sources: takesCalls ? clients.map(({ source }) => toCallable(source)) : [],
    calls: log.listAfter(after),
    running: log.listRunning(),
    questions: questions.list(),
  };
}

function toCallable({ slug, api: { methods, paths } }: ApiSource): CallableSource {
  return { slug, methods, paths };
}

function findClient(clients: readonly UntypedClient[], slug: unknown): UntypedClient | undefined {
  return clients.find(({ source }) => source.slug === slug);
}
