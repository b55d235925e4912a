import { describe, expect, it } from "@jest/globals";
import { readRateLimit } from "../../src/rate-limit/read-rate-limit.js";
import { headerSets, setsNowMs } from "../support/rate-limit-header-sets.js";

describe("readRateLimit over documented header sets", () => {
  it("has at least 60 of them, each with its source", () => {
    expect(headerSets.length).toBeGreaterThanOrEqual(60);
    expect(headerSets.every(({ source }) => URL.canParse(source))).toBe(true);
  });

  it.each(headerSets)("reads $api", ({ status, headers, body, bodyText, expected }) => {
    const read = readRateLimit({
      status,
      headers,
      nowMs: setsNowMs,
      ...(body === undefined ? {} : { body }),
      ...(bodyText === undefined ? {} : { bodyText }),
    });
    expect(read).toEqual(expected);
  });
});
