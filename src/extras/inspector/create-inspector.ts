/** The door `langchain-api-sources/inspector`: a page on this machine that shows an application's calls to its developer. */

import { type ApiSourceError, notConfigured } from "../../core/base/errors.js";
import { aBoolean, aText, atLeast, checkOwnOptions } from "../../core/base/option-rules.js";
import { type Clock, systemClock } from "../../core/base/runtime.js";
import type { CallEvent } from "../../core/call/call-event.js";
import type { Approver } from "../../core/call/slots.js";
import { readProcessEnvironment } from "../../core/credentials/credential-variables.js";
import type { ApiSourceToolkit } from "../../toolkit/api-source-toolkit.js";
import { followJournal } from "../../toolkit/journal/journal.js";
import { createCallLog } from "./call-log.js";
import { createChanges } from "./changes.js";
import { createPageAnswers } from "./page-answers.js";
import { openPageServer } from "./page-server.js";
import { createQuestions } from "./questions.js";

export interface InspectorOptions {
  /**
   * Whether calls that wait for a person can be decided on the page. Who opens the page's address first can then decide: a coding agent that reads
   * the terminal could approve its own calls. @default false
   */
  readonly approve?: boolean | undefined;
  /** Whether calls can be made on the page, with the credentials of the sources. @default false */
  readonly calls?: boolean | undefined;
  /** A file that `journalTo` writes: its calls are listed, and those that are appended. @default none */
  readonly journal?: string | undefined;
  /** The port of the page. @default one that is free */
  readonly port?: number | undefined;
}

export interface Inspector {
  /** For the option `approver`: a call that waits is shown on the page, and decided there with `approve: true`. */
  readonly approver: Approver;
  /** For the option `onCall`. It keeps the calls in memory, their inputs and answers up to 50,000,000 characters. */
  readonly onCall: (event: CallEvent) => void;
  /**
   * Opens the page at 127.0.0.1. The process does not end before it is closed. A call that must wait is refused before the page is open.
   *
   * @param toolkit - Its sources are called, where calls are made on the page.
   * @throws ApiSourceError `not_configured` where it was started before; the system's error for a port that is taken.
   */
  start(toolkit: ApiSourceToolkit): Promise<StartedInspector>;
}

export interface StartedInspector {
  /** The address of the page, for one browser: it carries a token that counts once. Who opens it first sees what the page shows. */
  readonly url: string;
  /** Closes the page. A call that waits for a decision is answered `approval_required`. */
  close(): Promise<void>;
}

/**
 * Makes an inspector, for development: it shows inputs, requests and answers, without secrets, to the person at this machine.
 *
 * @throws ApiSourceError `not_configured` for a wrong option, and when `NODE_ENV` is `production`.
 * @example
 * const inspector = createInspector();
 * const toolkit = await ApiSourceToolkit.fromDirectory("sources", { onCall: inspector.onCall });
 * const { url } = await inspector.start(toolkit);
 */
export function createInspector(
  options: InspectorOptions = {},
  clock: Clock = systemClock,
): Inspector {
  checkOptions(options);
  const changes = createChanges();
  const log = createCallLog(changes.announce);
  const takesDecisions = options.approve === true;
  const questions = createQuestions(takesDecisions, changes.announce, clock);
  let isStarted = false;
  return {
    approver: questions.approver,
    onCall: (event) => log.add(event),
    async start(toolkit) {
      if (isStarted) throw startedBefore();
      isStarted = true;
      const clients = toolkit.listClients();
      const takesCalls = options.calls === true;
      const answers = createPageAnswers({ clients, takesCalls, log, questions, changes });
      const server = await openPageServer(options.port ?? 0, answers);
      questions.open();
      const closed = new AbortController();
      const { journal } = options;
      const following =
        journal === undefined ? undefined : followJournal(journal, log.addLine, closed.signal);
      return {
        url: server.url,
        async close() {
          closed.abort();
          questions.close();
          await Promise.all([server.close(), following]);
        },
      };
    },
  };
}

function checkOptions(options: InspectorOptions): void {
  checkOwnOptions("createInspector", options, {
    approve: aBoolean,
    calls: aBoolean,
    journal: aText,
    port: atLeast(0),
  });
  if (readProcessEnvironment("NODE_ENV") === "production")
    throw notConfigured(
      "inspector_in_production",
      "The inspector does not run with NODE_ENV=production.",
      "It shows the answers of APIs: create it in development only.",
    );
}

function startedBefore(): ApiSourceError {
  return notConfigured("inspector_started", "The inspector was started before.", "Start it once.");
}
