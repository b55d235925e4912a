import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";

/** What a response brings, where it has arrived: each file, and what it takes secrets out of. */
const received: Readonly<Record<string, string>> = {
  "core/body/read-response-body.ts": "headers, text, values and bytes of an answer",
  "core/http/follow-redirects.ts": "where an answer redirects to, before its query goes",
  "features/oauth/refusals.ts": "what a token or login answer says",
  "extras/testing/record-to.ts": "a recording, with what its answers issued",
  "extras/testing/recorded-entry.ts": "an attempt that a recorder observed",
};

/** What contains a request or an error, where it is written for someone. */
const leaving: Readonly<Record<string, string>> = {
  "core/answer/outcome.ts": "the final text, and an error before it is truncated",
  "core/answer/show-answer.ts":
    "the words that a request searched for, which rows are searched for as well",
  "core/request/wire-request.ts": "the address of a request, of which a part may be shown",
  "core/call/report-call.ts": "events, and the details of a call",
  "core/call/keep-file.ts": "a file: its name, and whether its bytes hold a secret",
  "core/call/follow-job.ts": "the place of a job",
  "toolkit/client/call-for-code.ts": "bytes that are fetched for the application",
  "toolkit/client/create-services.ts": "an error of the application in the log",
  "extras/code/answer-code.ts": "what came of a run before it is truncated or kept, and its answer",
  "extras/code/questions.ts": "an error in code",
  "extras/code/code-calls.ts": "the answer of a call in code",
  "features/approval/create-approval-check.ts": "the note about an edited request",
  "features/approval/describe-request.ts": "a question to a person",
  "features/approval/find-coverage.ts": "the path that a decision covers",
  "features/connection/connection-report.ts": "the report of a connection test",
  "features/connection/write-curl.ts": "a preview",
  "features/openapi/describe-api.ts": "the answer of describe_api",
  "features/openapi/compare-call.ts": "names and values of a call in advice",
};

/** Who redacts a body, as text or as bytes: what was received, and of what is sent the body alone. */
const bodies = [
  "core/body/read-response-body.ts",
  "core/call/keep-file.ts",
  "extras/testing/recorded-entry.ts",
  "features/approval/describe-request.ts",
  "toolkit/client/call-for-code.ts",
];

/** The files that use a redactor in this way; a method that is taken from it by name is a use, too. */
function listUsing(method: string, functions = "redactHeaders"): string[] {
  const use = new RegExp(
    `\\.(?:${method})\\b|\\b(?:${functions})\\(|\\{[^}]*\\b(?:${method})\\b[^}]*\\} = \\w*[rR]edactor`,
  );
  return readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("core/secrets/"))
    .filter((file) => use.test(readFileSync(`src/${file}`, "utf8")))
    .sort();
}

it("secrets are taken out where a response is received and where something is written, and nowhere else", () => {
  expect(listUsing("redact|redactBody", "redactHeaders|redactMembers")).toEqual(
    [...Object.keys(received), ...Object.keys(leaving)].sort(),
  );
  expect(listUsing("redactBody")).toEqual(bodies);
});
