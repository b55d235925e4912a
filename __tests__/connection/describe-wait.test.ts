import { describe, expect, it } from "@jest/globals";
import { describeWait } from "../../src/connection/describe-wait.js";

describe("describeWait", () => {
  it.each([
    [0, "0 s"],
    [7, "7 s"],
    [120, "120 s"],
    [121, "121 s (about 2 minutes)"],
    [603, "603 s (about 10 minutes)"],
    [3_600, "3,600 s (about 60 minutes)"],
    [7_200, "7,200 s (about 2 hours)"],
    [90_000, "90,000 s (about 25 hours)"],
    [1_000_000, "1,000,000 s (about 12 days)"],
  ])("writes %d as %s", (seconds, text) => {
    expect(describeWait(seconds)).toBe(text);
  });
});
