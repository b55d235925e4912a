import { describe, expect, it } from "@jest/globals";
import { shareBudget } from "../../src/view/share-budget.js";

function share(needs: readonly number[], budget: number, used = 1): { shares: number[]; left: number } {
  const shares: number[] = needs.map(() => 0);
  const wants = needs.map((need, index) => ({ need, least: Math.min(need, 10), index }));
  const left = shareBudget(wants, budget, ({ index }, given) => {
    shares[index] = given;
    return given * used;
  });
  return { shares, left };
}

describe("shareBudget", () => {
  it("gives everyone what they need when there is enough", () => {
    expect(share([30, 50], 100)).toEqual({ shares: [30, 50], left: 20 });
  });

  it("gives ten times as much to a need a hundred times as large", () => {
    const { shares, left } = share([1_000, 100_000], 550);
    expect(shares.map(Math.round)).toEqual([50, 500]);
    expect(left).toBeCloseTo(0);
  });

  it("hands on what one leaves of its share", () => {
    expect(share([1_000, 1_000], 100, 0.5).shares).toEqual([50, 75]);
  });

  it("serves the smallest needs when not everyone can have the least", () => {
    const { shares } = share([20, 1_000, 900], 25);
    expect(shares[1]).toBe(0);
    expect(shares[0]).toBeGreaterThanOrEqual(10);
    expect(shares[2]).toBeGreaterThanOrEqual(10);
  });

  it("gives nothing of a budget that is spent", () => {
    expect(share([20, 30], -5)).toEqual({ shares: [0, 0], left: -5 });
  });
});
