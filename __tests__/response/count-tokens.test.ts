import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../../src/response/count-tokens.js";
import { createDice } from "../support/dice.js";

const dice = createDice(11);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const hex = (length: number): string => times(length, () => "0123456789abcdef"[dice.whole(16)]).join("");
const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const prose =
  "The warehouse confirmed this morning that the second shipment left before the strike began, so most customers will receive their orders on time. Those who paid for express delivery should still expect a short delay. ";
const orders = times(80, (index) => ({
  id: 41_000 + index,
  number: `SO-${7000 + index}`,
  status: ["paid", "shipped", "refunded"][index % 3],
  total: dice.whole(90_000) / 100,
  created_at: `2024-0${1 + (index % 9)}-1${index % 9}T0${index % 9}:15:00Z`,
  customer: { name: "Mira Holm", email: `mira.holm${index}@mail.example.test` },
  url: `https://api.example.test/v1/orders/${hex(12)}`,
}));

const latin: [string, string][] = [
  ["compact JSON", JSON.stringify(orders)],
  ["pretty-printed JSON", JSON.stringify(orders, null, 2)],
  ["JSON indented by tabs", JSON.stringify(orders, null, "\t")],
  ["prose", prose.repeat(6)],
  [
    "code",
    "export async function readBody(response: Response, { maxBytes }: Options): Promise<Uint8Array> {\n  const chunks: Uint8Array[] = [];\n  for await (const chunk of response.body) {\n    if (total + chunk.length > maxBytes) throw new RangeError(`too large: ${total}`);\n    chunks.push(chunk);\n  }\n  return concat(chunks);\n}\n".repeat(
      5,
    ),
  ],
  ["hex digests", times(60, () => hex(40)).join("\n")],
  ["UUIDs", times(60, () => `"${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}"`).join(",")],
  ["base64", times(4000, () => base64[dice.whole(64)]).join("")],
  ["digits", times(400, () => String(dice.whole(10 ** (1 + dice.whole(9))))).join(",")],
  ["decimals", times(400, () => (dice.whole(1e7) / 1000).toFixed(3)).join(", ")],
  ["coordinates", JSON.stringify(times(200, () => [dice.whole(1e9) / 1e7 - 50, dice.whole(1e9) / 1e8]))],
  ["times", JSON.stringify(times(200, (index) => new Date(1.7e12 + index * 987_654_321).toISOString()))],
];
const scripts: [string, string][] = [
  ["Chinese", "今天我们来看看订单管理系统是如何工作的。客户在网站上下单之后，经理会确认订单并通知仓库发货。"],
  [
    "Japanese",
    "今日は注文管理システムの仕組みについて説明します。お客様がウェブサイトで注文すると、担当者が内容を確認します。",
  ],
  [
    "Korean",
    "오늘은 주문 관리 시스템이 어떻게 작동하는지 살펴보겠습니다. 고객이 웹사이트에서 주문하면 담당자가 내용을 확인합니다.",
  ],
  ["Thai", "วันนี้เราจะมาดูว่าระบบจัดการคำสั่งซื้อทำงานอย่างไร ลูกค้าสั่งซื้อผ่านเว็บไซต์"],
  [
    "Arabic",
    "سنناقش اليوم كيفية عمل نظام معالجة الطلبات. يقوم العميل بتقديم الطلب على الموقع ثم يؤكده المدير.",
  ],
  [
    "Russian",
    "Сегодня мы рассмотрим, как работает система обработки заказов. Клиент оформляет заказ на сайте.",
  ],
  ["emoji", "😀 🎉 👍 🔥 🚀 ✅ 🐛 📦 😂 🙏 😊 🤔 "],
];

describe("estimateTokens", () => {
  it.each(latin)(
    "is within a tenth of o200k_base and no more than a tenth under cl100k_base on %s",
    (_name, text) => {
      const estimate = estimateTokens(text);
      expect(estimate / countO200k(text)).toBeGreaterThan(0.9);
      expect(estimate / countO200k(text)).toBeLessThan(1.1);
      expect(estimate / countCl100k(text)).toBeGreaterThan(0.9);
    },
  );

  it.each(scripts)("is at most a tenth under, and a quarter over, o200k_base on %s", (_name, text) => {
    expect(estimateTokens(text) / countO200k(text)).toBeGreaterThan(0.9);
    expect(estimateTokens(text) / countO200k(text)).toBeLessThan(1.25);
  });

  it("gives nothing for nothing and grows with the text", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens(prose.repeat(20)) / estimateTokens(prose)).toBeCloseTo(20, 0);
  });

  it("adds up over the parts of a text, but for a token at each seam", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.string({ unit: "grapheme", maxLength: 60 }),
        (a, b) => {
          const parts = estimateTokens(a) + estimateTokens(b);
          expect(Math.abs(parts - estimateTokens(a + b))).toBeLessThan(12);
        },
      ),
    );
  });

  it("is a finite, positive number for any text, lone surrogates included", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => {
        expect(Number.isFinite(estimateTokens(text))).toBe(true);
        expect(estimateTokens(text)).toBeGreaterThan(0);
      }),
    );
    expect(estimateTokens("\ud800")).toBeGreaterThan(0);
  });
});
