import { describe, expect, it } from "@jest/globals";
import type { ApiSourceError } from "../../../src/core/base/errors.js";
import { explainFailure as explain } from "../../../src/core/failure/explain-failure.js";
import { describeTruncation } from "../../../src/core/failure/failure-facts.js";
import type { FailureCause, SendFacts, SendFailure } from "../../../src/core/http/send-failure.js";

const sent: SendFacts = {
  method: "GET",
  host: "api.example.com",
  repeatable: true,
  phase: "first_byte",
  attempts: 1,
};
const explainFailure = (failure: SendFailure): ApiSourceError => explain(failure, "https://api.example.com");
const write = { ...sent, method: "POST", repeatable: false } as const;

describe("explainFailure", () => {
  it.each<[FailureCause | string, string, string, RegExp, SendFacts["phase"]?]>([
    ["ENOTFOUND", "dns", "does not exist", /DNS/, "dns"],
    ["ECONNREFUSED", "network", "refused the connection", /port/, "connect"],
    ["ETIMEDOUT", "timeout", "did not begin to answer", /port/],
    ["ECONNRESET", "tls", "TLS handshake with api.example.com failed", /http:/, "tls"],
    ["CERT_HAS_EXPIRED", "tls", "has expired", /clock/],
    ["SELF_SIGNED_CERT_IN_CHAIN", "tls", "self-signed", /network\.ca/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls", "not with TLS", /http:/],
    ["HPE_INVALID_CONSTANT", "unexpected_content", "not valid HTTP", /port/],
    ["HPE_HEADER_OVERFLOW", "unexpected_content", "headers are too large", /port/],
    ["ERR_INVALID_CHAR", "invalid_input", "can't be sent", /headers/],
    [{ kind: "connection" }, "network", "closed it before it answered", /port/],
    [{ kind: "timeout", limitMs: 150 }, "timeout", "within 0.15 s", /firewall/, "connect"],
    [{ kind: "timeout" }, "timeout", "within the time its caller allows", /timeoutMs/],
    [{ kind: "cancelled" }, "cancelled", "The call was cancelled.", /caller/],
    [{ kind: "no_answer", what: "interim_only" }, "unexpected_content", "status 1xx", /WebSocket/],
    [
      { kind: "no_answer", what: "impossible_status", given: 600 },
      "unexpected_content",
      "600 as a",
      /WebSocket/,
    ],
    [{ kind: "proxy_refused", given: 407 }, "network", "status 407", /username and password/],
    [{ kind: "proxy_refused", given: 403 }, "network", "status 403", /allows connections/],
    [{ kind: "proxy_unreachable", code: "ECONNREFUSED" }, "network", "The proxy", /network\.proxy/],
  ])("%j is %s: %s", (given, category, message, hint, phase = "first_byte") => {
    const cause = typeof given === "string" ? ({ kind: "connection", code: given } as const) : given;
    const error = explainFailure({ ...sent, phase, ...cause });
    expect(error).toMatchObject({ category, message: expect.stringContaining(message) });
    expect(error.hint).toMatch(hint);
    expect(error.details).toEqual({ phase, attempts: 1 });
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

  it.each(["https://login.example.com/start", "https://api.example.com/users/sign_in"])(
    "reports only the target of a redirect to %s: an address is not a login page",
    (target) => {
      const error = explainFailure({
        ...sent,
        kind: "redirect",
        status: 302,
        target,
        reason: "other_origin",
      });
      expect(error.message).toContain(`a redirect to ${target}, which is another host`);
      expect(`${error.message} ${error.hint}`).not.toContain("login page");
      expect(error.hint).toContain("check the path and the credential");
    },
  );
});
