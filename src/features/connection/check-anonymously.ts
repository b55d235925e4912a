/** The second request of a test that succeeded: an endpoint that answers anyone proves nothing about a credential. */

import { ApiSourceError } from "../../core/base/errors.js";
import { clipText } from "../../core/base/text.js";
import { type ProbeAnswer, prepareProbe, sendProbe } from "../../core/call/probe-source.js";
import { describeOrigin } from "../../core/failure/credential-facts.js";
import { readPage } from "../../core/failure/page.js";
import { dropQuery } from "../../core/failure/request-address.js";
import type { ApiSource } from "../../core/record/api-source.js";
import type { Finding } from "./connection-report.js";
import { applyDeadline, type TestContext, type TestSubject } from "./test-context.js";

/** Failures that happen with a credential just as well: they refuse no credential. */
const passing: ReadonlySet<string> = new Set([
  "rate_limited",
  "server_error",
  "timeout",
  "network",
  "too_large",
]);

/** Sends the request once more without credential and secrets, and concludes what that means for them. */
export async function checkAnonymously(
  context: TestContext,
  subject: TestSubject,
  { reply }: ProbeAnswer,
): Promise<Finding> {
  const { source, request } = subject;
  const notes = listNotes(subject, reply);
  const answered = `GET ${dropQuery(request.url)} answered ${reply.exchange.status}`;
  const ok = { verdict: "ok", fix: "", notes } as const;
  const isSigned = subject.credential.madeBy === "sign";
  if (!hasSecret(source) && !isSigned)
    return { ...ok, message: `${answered}; the record has no credential to check.` };
  const what = source.api.authType === undefined && !isSigned ? "its secrets" : "the credential";
  const answer = await applyDeadline(context, async (deadline) => {
    const options = { ...context.probeOptions, anonymous: true };
    const probe = await deadline.race(prepareProbe(source, context.services, options));
    return sendProbe(source, context.sender, probe, deadline, subject);
  });
  const { error, reply: other } =
    answer instanceof ApiSourceError ? { error: answer, reply: undefined } : answer;
  const status = other?.exchange.status ?? 0;
  if (error !== undefined && other !== undefined && !passing.has(error.category)) {
    const message = `${answered} with ${what}, and ${status < 300 ? "not" : status} without: the credential is right.`;
    return { ...ok, message, credentialVerified: true };
  }
  const { problem } = subject.credential;
  if (problem !== undefined)
    notes.push(`The credential, from ${describeOrigin(subject)}, ${problem.what}. ${problem.fix}`);
  if (error === undefined) {
    const differs = other?.body.text === reply.body.text ? "" : " (with another body)";
    return {
      verdict: "anonymous_ok",
      message: `${answered}, but answers the same request without ${what}, too${differs}: this proves nothing about ${what}.`,
      fix: "Set `api.testEndpoint` to a path that needs the credential, such as /user or /me.",
      notes,
    };
  }
  const why = other === undefined ? clipText(error.message, 160) : `it answered ${status}`;
  notes.push(
    `The credential is not verified: the second request, without ${what}, gave no result (${why}). Test again later.`,
  );
  return {
    ...ok,
    message: `${answered} with ${what}. It is unknown whether it answers without ${what}, too.`,
  };
}

/** Whether there is anything that an anonymous request would leave out. */
function hasSecret({ api }: ApiSource): boolean {
  const constants = [...Object.values(api.headers), ...Object.values(api.query)];
  return api.authType !== undefined || constants.some((value) => /\$\{[A-Za-z_]/.test(value));
}

function listNotes({ testEndpoint }: TestSubject, { exchange, body }: ProbeAnswer["reply"]): string[] {
  const { attempts, url, incomplete } = exchange;
  const page = readPage(body);
  const title = page?.title === undefined ? "" : ` ("${clipText(page.title, 120)}")`;
  const notes = [
    attempts > 1 &&
      `The answer came after a redirect to ${dropQuery(url)}: write that path as \`api.testEndpoint\` (it is ${dropQuery(testEndpoint)}) to save a request each time.`,
    incomplete !== undefined &&
      `The response is incomplete (${incomplete.why}): choose an \`api.testEndpoint\` with a shorter one.`,
    page !== undefined &&
      `The response is a web page${title}, which shows little about an API: unless the source is meant to read pages, set \`api.testEndpoint\` to a path that answers with data (JSON), such as /user.`,
  ];
  return notes.filter((note) => note !== false);
}
