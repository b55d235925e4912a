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
const eastAsian: [string, string][] = [
  [
    "simplified Chinese",
    "今天我们来看看订单管理系统是如何工作的。客户在网站上下单之后，经理会确认订单并通知仓库发货。天气预报说明天下午有雨，请大家记得带伞。该产品采用优质材料制成，坚固耐用，适合日常使用。",
  ],
  [
    "traditional Chinese",
    "今天我們來看看訂單管理系統是如何運作的。客戶在網站上下單之後，經理會確認訂單並通知倉庫出貨。這個產品採用優質材料製成，堅固耐用，適合日常使用。氣象預報說明天下午會下雨，請大家記得帶傘。",
  ],
  [
    "Japanese",
    "今日は注文管理システムの仕組みについて説明します。お客様がウェブサイトで注文すると、担当者が内容を確認します。東京は日本の首都であり、世界最大級の都市圏を形成している。この製品は高品質な素材を使用しており、長くお使いいただけます。明日の午後は雨が降る見込みですので、傘をお持ちください。",
  ],
  [
    "Korean",
    "오늘은 주문 관리 시스템이 어떻게 작동하는지 살펴보겠습니다. 고객이 웹사이트에서 주문하면 담당자가 내용을 확인합니다. 서울은 대한민국의 수도이며 한반도의 중앙에 위치한다. 이 제품은 고품질 소재로 만들어져 오래 사용할 수 있습니다. 내일 오후에는 비가 올 예정이니 우산을 챙기세요.",
  ],
];
const scripts: [string, string][] = [
  ["Thai", "วันนี้เราจะมาดูว่าระบบจัดการคำสั่งซื้อทำงานอย่างไร ลูกค้าสั่งซื้อผ่านเว็บไซต์"],
  [
    "Arabic",
    "سنناقش اليوم كيفية عمل نظام معالجة الطلبات. يقوم العميل بتقديم الطلب على الموقع ثم يؤكده المدير.",
  ],
  [
    "Russian",
    "Сегодня мы рассмотрим, как работает система обработки заказов. Клиент оформляет заказ на сайте.",
  ],
  [
    "Czech",
    "Dnes si ukážeme, jak funguje systém správy objednávek. Zákazník zadá objednávku na webu, poté ji vedoucí potvrdí a upozorní sklad. Zítra odpoledne má pršet, vezměte si prosím deštník.",
  ],
  [
    "Polish",
    "Proszę podać prawidłową wartość: długość hasła musi być większa niż osiem znaków, a adres wysyłki powinien zawierać ulicę, kod pocztowy i miejscowość. Płatność została przyjęta, zamówienie wyślemy jutro.",
  ],
  [
    "Turkish",
    "Bugün sipariş yönetim sisteminin nasıl çalıştığını inceleyeceğiz. Müşteri web sitesinde sipariş verir, ardından yönetici siparişi onaylar ve depoya bildirir.",
  ],
  [
    "French",
    "Aujourd'hui, nous allons voir comment fonctionne le système de gestion des commandes. Le client passe commande sur le site, puis le responsable la confirme et prévient l'entrepôt.",
  ],
  [
    "German",
    "Heute sehen wir uns an, wie das Bestellsystem funktioniert. Der Kunde gibt auf der Website eine Bestellung auf, anschließend bestätigt der Leiter sie und benachrichtigt das Lager.",
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

  it.each(eastAsian)("is within a tenth of o200k_base on %s", (_name, text) => {
    expect(estimateTokens(text) / countO200k(text)).toBeGreaterThan(0.9);
    expect(estimateTokens(text) / countO200k(text)).toBeLessThan(1.1);
  });

  it.each(scripts)("is at most a tenth under, and two fifths over, o200k_base on %s", (_name, text) => {
    expect(estimateTokens(text) / countO200k(text)).toBeGreaterThan(0.9);
    expect(estimateTokens(text) / countO200k(text)).toBeLessThan(1.4);
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
