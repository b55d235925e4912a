/** The second request of a test that succeeded: an endpoint that answers anyone proves nothing about a credential. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { Sender } from "../client/create-sender.js";
import {
  type ProbeAnswer,
  type ProbeOptions,
  prepareProbe,
  sendProbe,
  startProbeDeadline,
} from "../client/probe-source.js";
import { readPage } from "../diagnosis/page.js";
import { dropQuery, type SubjectFacts, where } from "../diagnosis/verdict-words.js";
import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { clipText } from "../text.js";
import type { Finding } from "./connection-report.js";

/** What every request of one source's test shares. */
export interface TestBench {
  readonly source: ApiSource;
  readonly runtime: ClientRuntime;
  readonly sender: Sender;
  readonly signal: AbortSignal | undefined;
  readonly probeOptions: ProbeOptions;
}

/** Asks once more without credential and secrets, and says what that tells of them. */
export async function checkAnonymously(
  bench: TestBench,
  subject: SubjectFacts,
  answer: ProbeAnswer,
): Promise<Finding> {
  const notes = listNotes(subject, answer);
  const { source } = subject;
  const answered = `GET ${dropQuery(subject.url)} answered ${answer.reply.exchange.status}`;
  if (!hasSecret(source)) {
    return { verdict: "ok", message: `${answered}; the record has no credential to check.`, fix: "", notes };
  }
  const what = source.api.authType === undefined ? "its secrets" : "the credential";
  const outcome = await askAnonymously(bench, subject);
  if ("refusal" in outcome) {
    const message = `${answered} with ${what}, and ${outcome.refusal} without: the credential is right.`;
    return { verdict: "ok", message, fix: "", credentialVerified: true, notes };
  }
  if ("text" in outcome) {
    const other = outcome.text === answer.reply.body.text ? "" : " (with another body)";
    return {
      verdict: "anonymous_ok",
      message: `${answered}, but answers the same request without ${what}, too${other}: this proves nothing about ${what}.`,
      fix: "Set `api.testEndpoint` to a path that needs the credential, such as /user or /me.",
      notes: [...notes, ...listFlawNotes(subject)],
    };
  }
  const unverified = `The credential is not verified: the second request, without ${what}, brought no verdict (${outcome.why}). Test again later.`;
  return {
    verdict: "ok",
    message: `${answered} with ${what}. Whether it answers without, too, could not be found out.`,
    fix: "",
    notes: [...notes, unverified, ...listFlawNotes(subject)],
  };
}

type Outcome = { readonly text: string } | { readonly refusal: string } | { readonly why: string };

/** Failures that would come with a credential just as well: they refuse nobody. */
const passing: ReadonlySet<string> = new Set([
  "rate_limited",
  "server_error",
  "timeout",
  "network",
  "too_large",
]);

async function askAnonymously(bench: TestBench, { credential }: SubjectFacts): Promise<Outcome> {
  const { source, runtime, sender, signal } = bench;
  const deadline = startProbeDeadline(source, runtime, signal);
  try {
    const probe = await deadline.race(
      prepareProbe(source, runtime, { ...bench.probeOptions, anonymous: true }),
    );
    const { error, reply } = await sendProbe(source, sender, probe, deadline, credential);
    const { status } = reply.exchange;
    if (error === undefined) return { text: reply.body.text };
    return passing.has(error.category)
      ? { why: `it answered ${status}` }
      : { refusal: status < 300 ? "not" : `${status}` };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ApiSourceError)) throw error;
    return { why: clipText(error.message, 160) };
  } finally {
    deadline.close();
  }
}

/** Whether there is anything that an anonymous request would leave out. */
function hasSecret({ api }: ApiSource): boolean {
  const constants = [...Object.values(api.headers), ...Object.values(api.query)];
  return api.authType !== undefined || constants.some((value) => /\$\{[A-Za-z_]/.test(value));
}

function listNotes({ testEndpoint }: SubjectFacts, { reply }: ProbeAnswer): string[] {
  const { attempts, url, cut } = reply.exchange;
  const page = readPage(reply.body);
  const title = page?.title === undefined ? "" : ` ("${clipText(page.title, 120)}")`;
  return [
    ...(attempts < 2
      ? []
      : [
          `The answer came after a redirect to ${dropQuery(url)}: write \`api.testEndpoint\` so (it is ${dropQuery(testEndpoint)}), which saves a request each time.`,
        ]),
    ...(cut === undefined
      ? []
      : [`The answer was not read whole (${cut.why}): choose an \`api.testEndpoint\` with a shorter one.`]),
    ...(page === undefined
      ? []
      : [
          `The answer is a web page${title}, which says little of an API: unless the source is meant to read pages, set \`api.testEndpoint\` to a path that answers with data (JSON), such as /user.`,
        ]),
  ];
}

/** What may be wrong with a credential that nobody has judged. */
function listFlawNotes(subject: SubjectFacts): string[] {
  const { flaw } = subject.credential;
  return flaw === undefined ? [] : [`The credential, from ${where(subject)}, ${flaw.what}. ${flaw.fix}`];
}
