import { describe, expect, it } from "@jest/globals";
import { isRepeatable, shouldRetry } from "../../src/transport/should-retry.js";

describe("isRepeatable", () => {
  it.each([
    ["GET", false, true],
    ["PUT", false, true],
    ["DELETE", false, true],
    ["POST", false, false],
    ["PATCH", false, false],
    ["POST", true, true],
    ["PATCH", true, true],
  ] as const)("%s, with an idempotency key: %s, is %s", (method, hasKey, expected) => {
    expect(isRepeatable(method, hasKey)).toBe(expected);
  });
});

describe("shouldRetry", () => {
  it.each(["ECONNREFUSED", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"])(
    "%s: any request, nothing was sent",
    (code) => {
      expect([shouldRetry({ code }, true), shouldRetry({ code }, false)]).toEqual([true, true]);
    },
  );

  it.each(["ECONNRESET", "EPIPE", "ETIMEDOUT"])("%s: only what can be repeated", (code) => {
    expect([shouldRetry({ code }, true), shouldRetry({ code }, false)]).toEqual([true, false]);
  });

  it.each([429, 502, 503, 504])("%d: only what can be repeated", (status) => {
    expect([shouldRetry({ status }, true), shouldRetry({ status }, false)]).toEqual([true, false]);
  });

  it.each([
    "ERR_CANCELED",
    "ECONNABORTED",
    "ENOTFOUND",
    "ERR_BAD_RESPONSE",
    "HPE_INVALID_CONSTANT",
    "HPE_HEADER_OVERFLOW",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "CERT_HAS_EXPIRED",
    "EPROTO",
    "Z_DATA_ERROR",
    "ERR_INVALID_URL",
    "ERR_LOCAL_ADDRESS",
    "ERR_STRING_TOO_LONG",
  ])("%s: never", (code) => {
    expect(shouldRetry({ code }, true)).toBe(false);
  });

  it.each([200, 301, 400, 401, 403, 404, 408, 409, 422, 500, 501, 505, 599])("%d: never", (status) => {
    expect(shouldRetry({ status }, true)).toBe(false);
  });

  it("judges by the status when there is one, whatever the code", () => {
    expect(shouldRetry({ status: 400, code: "ECONNREFUSED" }, true)).toBe(false);
    expect(shouldRetry({}, true)).toBe(false);
  });
});
