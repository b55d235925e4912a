/** The second request of a test that succeeded: an endpoint that answers anyone proves nothing about a credential. */

import { type ProbeAnswer, prepareProbe, sendProbe, startProbeDeadline } from "../client/probe-source.js";
import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { clipText } from "../text.js";
import { describeOrigin } from "./describe-credential.js";
import { findCredentialFlaws } from "./find-credential-flaws.js";
import type { Finding, Subject } from "./finding.js";
import { withoutQuery } from "./reading.js";
import { type TestBench, toProbeOptions } from "./test-bench.js";

export async function checkAnonymously(
  bench: TestBench,
  subject: Subject,
  answer: ProbeAnswer,
): Promise<Finding> {
  const notes = [...noteRedirect(subject, answer), ...noteCut(answer), ...notePage(answer)];
  const answered = `GET ${withoutQuery(subject.url)} answered ${answer.reply.exchange.status}`;
  if (!carriesSecret(subject.source)) {
    return { verdict: "ok", message: `${answered}; the record has no credential to check.`, fix: "", notes };
  }
  const outcome = await askAnonymously(bench);
  const what = subject.source.api.authType === undefined ? "its secrets" : "the credential";
  switch (outcome.kind) {
    case "refused":
      return {
        verdict: "ok",
        message: `${answered} with ${what}, and ${outcome.how} without: the credential is right.`,
        fix: "",
        credentialVerified: true,
        notes,
      };
    case "answered":
      return {
        verdict: "anonymous_ok",
        message: `${answered}, but answers the same request without ${what}, too${isSame(answer, outcome.answer) ? "" : " (with another body)"}: this proves nothing about ${what}.`,
        fix: "Set `api.testEndpoint` to a path that needs the credential, such as /user or /me.",
        notes: [...notes, ...noteFlaws(subject)],
      };
    case "unknown":
      return {
        verdict: "ok",
        message: `${answered} with ${what}. Whether it answers without, too, could not be found out.`,
        fix: "",
        notes: [
          ...notes,
          `The credential is not verified: the second request, without ${what}, brought no verdict (${outcome.why}). Test again later.`,
          ...noteFlaws(subject),
        ],
      };
  }
}

type Outcome =
  | { readonly kind: "answered"; readonly answer: ProbeAnswer }
  | { readonly kind: "refused"; readonly how: string }
  | { readonly kind: "unknown"; readonly why: string };

async function askAnonymously(bench: TestBench): Promise<Outcome> {
  const { source, runtime, sender, signal } = bench;
  const deadline = startProbeDeadline(source, runtime, signal);
  try {
    const probe = await deadline.race(
      prepareProbe(source, runtime, { ...toProbeOptions(bench), anonymous: true }),
    );
    return judge(await sendProbe(source, sender, probe, deadline));
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ApiSourceError)) throw error;
    return { kind: "unknown", why: clipText(error.message, 160) };
  } finally {
    deadline.close();
  }
}

/** Failures that would come with a credential just as well: they refuse nobody. */
const passing: ReadonlySet<string> = new Set([
  "rate_limited",
  "server_error",
  "timeout",
  "network",
  "too_large",
]);

function judge(answer: ProbeAnswer): Outcome {
  const { error } = answer;
  const { status } = answer.reply.exchange;
  if (error === undefined) return { kind: "answered", answer };
  if (passing.has(error.category)) return { kind: "unknown", why: `it answered ${status}` };
  const how = status < 300 ? "not" : `${status}`;
  return { kind: "refused", how };
}

/** Whether there is anything that an anonymous request would leave out. */
function carriesSecret({ api }: ApiSource): boolean {
  const constants = [...Object.values(api.headers), ...Object.values(api.query)];
  return api.authType !== undefined || constants.some((value) => /\$\{[A-Za-z_]/.test(value));
}

function isSame(left: ProbeAnswer, right: ProbeAnswer): boolean {
  return left.reply.body.text === right.reply.body.text;
}

function noteRedirect({ testEndpoint }: Subject, { reply }: ProbeAnswer): string[] {
  if (reply.exchange.attempts < 2) return [];
  const to = withoutQuery(reply.exchange.url);
  return [
    `The answer came after a redirect to ${to}: write \`api.testEndpoint\` so (it is ${withoutQuery(testEndpoint)}), which saves a request each time.`,
  ];
}

/** A record that asks for HTML, or a test endpoint that ends in `.html`, gets what it asks for; seldom is that an API. */
function notePage({ page }: ProbeAnswer): string[] {
  if (page === undefined) return [];
  const title = page.message === undefined ? "" : ` ("${clipText(page.message, 120)}")`;
  return [
    `The answer is a web page${title}, which says little of an API: unless the source is meant to read pages, set \`api.testEndpoint\` to a path that answers with data (JSON), such as /user.`,
  ];
}

function noteCut({ reply }: ProbeAnswer): string[] {
  if (reply.exchange.cut === undefined) return [];
  return [
    `The answer was not read whole (${reply.exchange.cut.why}): choose an \`api.testEndpoint\` with a shorter one.`,
  ];
}

/** What may be wrong with a credential that nobody has judged. */
function noteFlaws({ source, credential, origin }: Subject): string[] {
  return findCredentialFlaws(source, credential)
    .filter(({ isGuess }) => isGuess !== true)
    .map(({ what, fix }) => `The credential, from ${describeOrigin(source, origin)}, ${what}. ${fix}`);
}
