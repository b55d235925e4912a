import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";

/** What a response brings, where it has arrived. */
const received = [
  "core/body/read-response-body.ts",
  // Where a redirect leads to, before its query goes.
  "core/http/create-transport.ts",
  "core/http/follow-redirects.ts",
  // What a recorder observes of a response and its request, and the texts of a token answer.
  "extras/testing/record-to.ts",
  "extras/testing/recorded-entry.ts",
  "features/oauth/login-call.ts",
  "features/oauth/token-endpoint.ts",
  "features/oauth/token-issuer.ts",
];

/** What contains a request or an error, where it is written for someone. */
const leaving = [
  "core/answer/outcome.ts",
  "core/answer/show-answer.ts",
  // The base URL in an error, of which a part may be shown.
  "core/call/create-sender.ts",
  "core/call/call.ts",
  "core/call/judge-reply.ts",
  "core/call/encode-files.ts",
  "core/call/follow-job.ts",
  "core/call/send-and-report.ts",
  "core/request/wire-request.ts",
  "extras/code/answer-code.ts",
  "extras/code/code-calls.ts",
  "extras/code/questions.ts",
  "extras/code/show-run.ts",
  "features/approval/create-approval-check.ts",
  "features/approval/describe-request.ts",
  "features/approval/find-coverage.ts",
  "features/connection/connection-report.ts",
  "features/connection/preview-request.ts",
  "features/oauth/consent.ts",
  "features/openapi/answer-questions.ts",
  "features/openapi/compare-call.ts",
  "toolkit/client/call-for-code.ts",
  "toolkit/client/create-services.ts",
  "toolkit/create-tools.ts",
];

it("secrets are taken out where a response is received and where something is written, and nowhere else", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const redacting = files.filter((file) =>
    /\.redact(?:Bytes|Value)?\b|\bredactHeaders\(/.test(readFileSync(`src/${file}`, "utf8")),
  );
  const others = redacting.filter((file) => !file.startsWith("core/secrets/"));
  expect(others.sort()).toEqual([...received, ...leaving].sort());
});
