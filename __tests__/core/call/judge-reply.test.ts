import { describe, expect, it } from "@jest/globals";
import { judgeReply, mayReportFailure } from "../../../src/core/call/judge-reply.js";
import type { Reply } from "../../../src/core/call/running-call.js";
import { type BuiltRequest, showRequest } from "../../../src/core/request/wire-request.js";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import { makeSource } from "../../support/api-source.js";
import { emptyBody, jsonBody } from "../../support/response-body.js";
import { failures } from "../failure/successes.js";

const url = "https://api.example.com/v1/things/1";

async function hintAfter(
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const built: BuiltRequest = {
    wire: { method: "PUT", url, headers },
    method: "PUT",
    url: { url, path: "/things/1", basePath: "", query: [], parameters: [] },
    ...{ query: [], reservedQueryNames: [], hasRules: true, isRead: false },
    ...{ generatedHeader: undefined, encoded: undefined },
  };
  const sent = { url, attempts: 1, waits: [], durationMs: 1 };
  const exchange = { status, headers: {}, body: new Uint8Array(), ...sent };
  const show = () => showRequest(built, "https://api.example.com/v1", createRedactor([]));
  const repeat = { repeatable: true };
  const reply: Reply = {
    exchange,
    body: emptyBody(),
    rateLimit: undefined,
    show,
    repeat,
    mayFail: true,
  };
  const findSubject = () => ({ credential: { variables: [] } });
  return (await judgeReply(makeSource(), built, reply, { findSubject }))?.error.hint;
}

describe("judgeReply", () => {
  it.each([
    ["If-Match", "condition in If-Match"],
    ["if-unmodified-since", "condition in if-unmodified-since"],
    ["If-None-Match", "It exists already"],
  ])("reports that %s was sent", async (name, hint) => {
    expect(await hintAfter(412, { [name]: "*" })).toContain(hint);
  });

  it("speaks of no condition where none was sent", async () => {
    expect(await hintAfter(412, { "Content-Type": "text/csv" })).not.toContain("condition in");
  });
});

describe("mayReportFailure", () => {
  it("sees a sign in every body that reports a failure, and none in a plain success", () => {
    for (const [name, value] of failures)
      expect([name, mayReportFailure(200, jsonBody(value))]).toEqual([name, true]);
    for (const name of ["ok", "OK", "success", "is_success", "successful", "succeeded", "response"])
      for (const value of [0, -0, "0", "no", "No", false])
        expect([name, mayReportFailure(200, jsonBody({ [name]: value, message: "x" }))]).toEqual([
          name,
          true,
        ]);
    expect(mayReportFailure(200, jsonBody({ ok: true, id: "a7" }))).toBe(false);
    expect(mayReportFailure(200, jsonBody({ id: 0, stock: 0, note: "no" }))).toBe(false);
    expect(mayReportFailure(207, jsonBody({ ok: true }))).toBe(true);
  });
});
