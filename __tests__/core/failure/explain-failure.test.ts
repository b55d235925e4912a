import { describe, expect, it } from "@jest/globals";
import type { ApiSourceError } from "../../../src/core/base/errors.js";
import { describeTruncation, explainFailure as explain } from "../../../src/core/failure/explain-failure.js";
import type { FailureCause, SendFacts, SendFailure } from "../../../src/core/http/send-failure.js";

const sent: SendFacts = {
  method: "GET",
  repeatable: true,
  phase: "first_byte",
  attempts: 1,
};
const explainFailure = (failure: SendFailure): ApiSourceError => explain(failure, "https://api.example.com");
const write = { ...sent, method: "POST", repeatable: false } as const;

describe("explainFailure", () => {
  it.each<[FailureCause | string, string, SendFacts["phase"]?]>([
    ["ENOTFOUND", "dns", "dns"],
    ["ECONNREFUSED", "network", "connect"],
    ["ECONNRESET", "tls", "tls"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["HPE_INVALID_CONSTANT", "unexpected_content"],
    ["ERR_INVALID_CHAR", "invalid_input"],
    [{ kind: "timeout", limitMs: 150 }, "timeout", "connect"],
    [{ kind: "cancelled" }, "cancelled"],
    [{ kind: "no_answer", given: 600 }, "unexpected_content"],
    [{ kind: "proxy_refused", given: 407 }, "network"],
    [{ kind: "proxy_unreachable", code: "ECONNREFUSED" }, "network"],
  ])("%j is %s, with the phase in the details", (given, category, phase = "first_byte") => {
    const cause = typeof given === "string" ? ({ kind: "connection", code: given } as const) : given;
    const error = explainFailure({ ...sent, phase, ...cause });
    expect(error).toMatchObject({ category, details: { phase, attempts: 1 } });
  });

  it("names host, code and attempts", () => {
    const { message } = explainFailure({ ...sent, kind: "connection", code: "ECONNRESET", attempts: 3 });
    expect(message).toBe(
      "api.example.com accepted the connection, but closed it before it answered (ECONNRESET) (3 attempts).",
    );
  });

  it.each<[FailureCause]>([[{ kind: "connection", code: "ECONNRESET" }], [{ kind: "timeout", limitMs: 1 }]])(
    "reports that a write may have been carried out after %j, once its bytes were sent",
    (cause) => {
      const error = explainFailure({ ...write, ...cause });
      expect(error.retryable).toBe(false);
      expect(error.hint).toMatch(/^The POST may have been carried out: check with a GET/);
      const before = explainFailure({ ...write, ...cause, phase: "connect" });
      expect(before.retryable).toBe(true);
      expect(before.hint).not.toContain("may have been carried out");
    },
  );

  it.each<[FailureCause, string, string, boolean]>([
    [{ kind: "too_large", maxBytes: 10_000 }, "too_large", "larger than 10,000 bytes", false],
    [{ kind: "timeout", limitMs: 150 }, "timeout", "did not end within 0.15 s", true],
    [{ kind: "connection" }, "network", "closed before its end", true],
    [{ kind: "encoding" }, "unexpected_content", "broken or ends too early", true],
    [{ kind: "unsupported_encoding", encoding: "zstd" }, "unexpected_content", "(zstd)", false],
  ])(
    "explains for %j why the body is incomplete, and that the write was answered",
    (cause, category, why, retryable) => {
      const failure = { ...sent, ...cause, phase: "body", status: 200 } as const;
      expect(describeTruncation(failure)).toContain(why);
      const error = explainFailure(failure);
      expect(error).toMatchObject({ category, retryable, message: expect.stringContaining(why) });
      const written = explainFailure({ ...write, ...cause, phase: "body", status: 200 });
      expect(written.retryable).toBe(false);
      expect(written.hint).toMatch(
        /^The POST was received and answered with 200: check before sending it again\./,
      );
    },
  );
});
