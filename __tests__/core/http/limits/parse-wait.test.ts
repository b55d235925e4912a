import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { maxWaitSeconds, parseWait } from "../../../../src/core/http/limits/parse-wait.js";
import { runsOf } from "../../../support/long-run.js";

/** 2026-03-01T12:00:00Z */
const nowMs = Date.UTC(2026, 2, 1, 12);

describe("parseWait", () => {
  it.each([
    ["0", 0, "a delta of nothing"],
    [" 30 ", 30, "delta seconds with spaces"],
    ['"30"', 30, "delta seconds in quotes"],
    ["64.57", 65, "a float delta, rounded up"],
    ["2591999", 2_591_999, "a month"],
    ["1772366430", 30, "epoch seconds"],
    ["1772366430.001", 31, "a float that is not exact in binary"],
    ["1772366430000", 30, "epoch milliseconds"],
    ["1372700873", 0, "an epoch that has passed"],
    ["6m0s", 360, "a Go duration"],
    ["12ms", 1, "milliseconds, rounded up"],
    ["1h2m3.5s", 3724, "hours, minutes and a fraction"],
    ["8.3m", 498, "a fraction that is not exact in binary and costs no second"],
    ["1d2h", 93_600, "days"],
    ["2026-03-01T13:00:54+01:00", 54, "RFC 3339 with an offset"],
    ["2026-03-01T12:00:54.001234Z", 55, "RFC 3339 with microseconds"],
    ["2026-03-01T12:01Z", 60, "RFC 3339 without seconds"],
    ["2026-03-01 12:00:54 UTC", 54, "a date with its zone in letters"],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30, "IMF-fixdate"],
    ["Sunday, 01-Mar-26 12:00:30 GMT", 30, "an RFC 850 date"],
    ["Sun Mar  1 12:00:30 2026", 30, "an asctime date"],
    ["Sun, 01 Mar 2026 14:00:30 +0200", 30, "an RFC 5322 date"],
    ["Sun Mar 01 2026 13:00:30 GMT+0100 (Central European Standard Time)", 30, "a JavaScript date"],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 0, "a two-digit year that has passed"],
  ])("reads %p as %p: %s", (text, seconds) => {
    expect(parseWait(text, nowMs)).toBe(seconds);
  });

  it.each([
    ["", "nothing"],
    ["-5", "a negative number"],
    ["abc", "a word"],
    ["Infinity", "infinity"],
    ["0x2", "hexadecimal"],
    ["1e99", "a large exponent"],
    ["1,5", "a decimal comma"],
    ["50000000", "neither a delta below a year nor an epoch"],
    ["3000000000", "an epoch in 2065, the overflow of a Node timer"],
    ["99999999999999999999999", "more digits than any unit has"],
    ["9999-12-31T23:59:59Z", "the year 9999"],
    ["99999h", "eleven years"],
    ["2026-03-01T12:00:54", "a date whose zone is unknown"],
    ["Sun, 32 Mar 2026 12:00:30 GMT", "a day that does not exist"],
    ["2026-13-01T12:00:00Z", "a thirteenth month"],
    ["Sun, 01 Mar 2026 25:00:30 GMT", "an hour that does not exist"],
    ["5 apples", "a unit that is none"],
    ["1772366430 seconds", "an epoch with a unit"],
  ])("does not read %p: %s", (text) => {
    expect(parseWait(text, nowMs)).toBeUndefined();
  });

  it("takes a delta in the unit that its name states, and an epoch by its magnitude", () => {
    expect(parseWait("1500", nowMs, "milliseconds")).toBe(2);
    expect(parseWait("1772366430000", nowMs, "milliseconds")).toBe(30);
  });

  it("yields whole seconds from 0 to 366 days or nothing, whatever the text and the time", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.stringMatching(/^[0-9.:TZ+ hmsPdGMTµ-]{0,40}$/),
    );
    fc.assert(
      fc.property(texts, fc.nat(4e12), fc.constantFrom("seconds", "milliseconds"), (text, now, unit) => {
        const seconds = parseWait(text, now, unit);
        if (seconds === undefined) return;
        expect(Number.isInteger(seconds) && seconds >= 0 && seconds <= maxWaitSeconds).toBe(true);
      }),
      { numRuns: runsOf(2000) },
    );
  });

  it("reads any instant of the next year back from each form", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 31_000_000 }), (ahead) => {
        const instant = nowMs + ahead * 1000;
        const date = new Date(instant);
        const forms = [
          date.toUTCString(),
          date.toISOString(),
          date.toString(),
          `${instant / 1000}`,
          `${instant}`,
        ];
        expect(forms.map((form) => parseWait(form, nowMs))).toEqual(forms.map(() => ahead));
      }),
    );
  });
});
