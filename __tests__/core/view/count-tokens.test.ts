import { describe, expect, it } from "@jest/globals";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../../../src/core/view/count-tokens.js";
import { createDice } from "../../support/dice.js";

const dice = createDice(11);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const hex = (length: number): string =>
  times(length, () => "0123456789abcdef"[dice.whole(16)]).join("");
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
    "The warehouse confirmed this morning that the second shipment left before the strike began. ".repeat(
      9,
    ),
  ],
  [
    "German",
    "Das Lager hat heute Morgen bestätigt, dass die zweite Sendung vor dem Streik abgegangen ist. ".repeat(
      9,
    ),
  ],
  [
    "Chinese",
    "仓库今天早上确认，第二批货物在罢工开始前已经发出，因此大多数客户将按时收到订单。".repeat(9),
  ],
  [
    "Japanese",
    "倉庫は今朝、ストライキが始まる前に二番目の荷物が出発したことを確認しました。".repeat(9),
  ],
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

  const pick = (alphabet: string, length: number): string =>
    times(length, () => alphabet[dice.whole(alphabet.length)] ?? "").join("");
  const range = (first: number, last: number, length: number): string =>
    times(length, () => String.fromCodePoint(first + dice.whole(last - first + 1))).join("");
  const lower = "abcdefghijklmnopqrstuvwxyz";
  const ascii = range(33, 126, 800);
  const random: [string, string][] = [
    ["private-use characters", range(0xe000, 0xf8ff, 500)],
    ["combining marks", range(0x300, 0x36f, 500)],
    ["one run of random letters", pick(lower, 900)],
    ["random words of ten letters", times(150, () => pick(lower, 10)).join(" ")],
    [
      "random letters of both cases and digits",
      pick(`${lower}${lower.toUpperCase()}0123456789`, 900),
    ],
    ["random ASCII", ascii],
    ["control characters", range(0, 31, 400)],
    ["random characters of the basic plane", range(0x100, 0xd7ff, 500)],
    ["random Han", range(0x4e00, 0x9fff, 500)],
    ["random Hangul", range(0xac00, 0xd7a3, 500)],
    ["random Cyrillic", range(0x400, 0x4ff, 500)],
    ["random symbols", range(0x2000, 0x2bff, 500)],
    ["emoji", range(0x1f300, 0x1f6ff, 300)],
  ];

  it.each(random)("is at most a third too low for %s", (_name, text) => {
    expect(estimateTokens(text) / countTokens(text)).toBeGreaterThan(0.667);
  });

  it("counts 300,000 characters of any unit", () => {
    for (const unit of [
      "A",
      "a",
      "1",
      " ",
      "\n",
      '"',
      "é",
      "界",
      "aB",
      "a1",
      "😀",
      "\ue000",
      "e\u0301",
    ]) {
      const text = unit.repeat(3e5);
      expect(estimateTokens(text)).toBeGreaterThan(0);
    }
  });
});
