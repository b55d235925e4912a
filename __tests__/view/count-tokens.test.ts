import { describe, expect, it } from "@jest/globals";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../../src/view/count-tokens.js";
import { createDice } from "../support/dice.js";

const dice = createDice(11);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const hex = (length: number): string => times(length, () => "0123456789abcdef"[dice.whole(16)]).join("");
const orders = times(80, (index) => ({
  id: 41_000 + index,
  number: `SO-${7000 + index}`,
  status: ["paid", "shipped", "refunded"][index % 3],
  total: dice.whole(90_000) / 100,
  created_at: `2024-0${1 + (index % 9)}-1${index % 9}T0${index % 9}:15:00Z`,
  customer: { name: "Mira Holm", email: `mira.holm${index}@mail.example.test` },
  url: `https://api.example.test/v1/orders/${hex(12)}`,
}));
const texts: [string, string][] = [
  ["compact JSON", JSON.stringify(orders)],
  ["pretty-printed JSON", JSON.stringify(orders, null, 2)],
  [
    "prose",
    "The warehouse confirmed this morning that the second shipment left before the strike began. ".repeat(9),
  ],
  [
    "German",
    "Das Lager hat heute Morgen bestätigt, dass die zweite Sendung vor dem Streik abgegangen ist. ".repeat(9),
  ],
  ["Chinese", "仓库今天早上确认，第二批货物在罢工开始前已经发出，因此大多数客户将按时收到订单。".repeat(9)],
  ["Japanese", "倉庫は今朝、ストライキが始まる前に二番目の荷物が出発したことを確認しました。".repeat(9)],
  ["Arabic", "أكد المستودع هذا الصباح أن الشحنة الثانية غادرت قبل بدء الإضراب. ".repeat(9)],
  ["hex digests", times(60, () => hex(40)).join("\n")],
  ["UUIDs", times(60, () => `"${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}"`).join(",")],
  ["decimals", times(400, () => (dice.whole(1e7) / 1000).toFixed(3)).join(", ")],
];

describe("estimateTokens", () => {
  it.each(texts)("is within a fifth of a tokenizer for %s", (_name, text) => {
    const ratio = estimateTokens(text) / countTokens(text);
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.2);
  });

  it("takes time in proportion to any text", () => {
    for (const unit of ["A", "a", "1", " ", "\n", '"', "é", "界", "aB", "a1", "😀"]) {
      const text = unit.repeat(3e5);
      const before = process.cpuUsage();
      estimateTokens(text);
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
    }
  });
});
