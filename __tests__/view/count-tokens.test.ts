import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../../src/view/count-tokens.js";
import { createDice } from "../support/dice.js";
import { paragraphs } from "../support/paragraphs.js";

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

const technical: [string, string][] = [
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
  [
    "JSON web tokens",
    times(8, (index) => {
      const claims = Buffer.from(JSON.stringify({ sub: `user-${index}`, iat: 1.7e9 + index * 977 }));
      return `eyJhbGciOiJIUzI1NiJ9.${claims.toString("base64url")}.${times(43, () => base64[dice.whole(62)]).join("")}`;
    }).join("\n"),
  ],
  [
    "CSV",
    times(
      60,
      (index) => `${index},Mira Holm,mira${index}@mail.example.test,${dice.whole(9999) / 100},EUR,true`,
    ).join("\n"),
  ],
  [
    "log lines",
    times(
      40,
      (index) =>
        `2024-05-1${index % 10}T08:1${index % 6}:42.${100 + index}Z WARN [worker-${index % 4}] retrying request ${hex(8)} after ${dice.whole(900)} ms: connection reset`,
    ).join("\n"),
  ],
  [
    "HTML",
    times(
      30,
      (index) =>
        `<li class="item" data-id="${index}"><a href="/products/${index}">Garden chair</a> <span>Delivered in three days</span></li>\n`,
    ).join(""),
  ],
  [
    "XML",
    `<?xml version="1.0"?><orders>${times(30, (index) => `<order id="${index}"><customer>Mira Holm</customer><total currency="EUR">${dice.whole(9999) / 100}</total></order>`).join("")}</orders>`,
  ],
  [
    "Markdown",
    "## Getting started\n\n- Install the package and create a *configuration* file.\n- Run `npm test` before you open a **pull request**.\n\n| option | default | about |\n|---|---|---|\n| `timeoutMs` | 30000 | how long a call may take |\n\n".repeat(
      4,
    ),
  ],
  [
    "Python",
    'def load_rows(path: str, limit: int = 100) -> list[dict[str, str]]:\n    """Read at most ``limit`` rows of a CSV file."""\n    with open(path, newline="", encoding="utf-8") as handle:\n        reader = csv.DictReader(handle)\n        return [row for _, row in zip(range(limit), reader) if row.get("status") != "deleted"]\n'.repeat(
      4,
    ),
  ],
  [
    "nested JSON",
    times(40, (index) => index).reduce<string>(
      (inner, depth) => `{"level":${depth},"children":[${inner}]}`,
      "{}",
    ),
  ],
  [
    "JSON in many languages",
    JSON.stringify(Object.entries(paragraphs).map(([name, text]) => ({ name, text: text.slice(0, 90) }))),
  ],
];
/** Many words behind marks, and keywords in capitals: these are taken for rarer than they are. */
const overrated: [string, string][] = [
  [
    "URLs",
    times(
      60,
      (index) => `https://cdn.example.test/v2/items/${index * 37}/photos?size=large&page=${index}`,
    ).join("\n"),
  ],
  [
    "SQL",
    "SELECT c.name, COUNT(*) AS orders, SUM(o.total) AS revenue\nFROM customers c JOIN orders o ON o.customer_id = c.id\nWHERE o.created_at >= '2024-01-01' AND o.status <> 'cancelled'\nGROUP BY c.name HAVING SUM(o.total) > 1000 ORDER BY revenue DESC LIMIT 20;\n".repeat(
      4,
    ),
  ],
];
/** Of these an older encoding makes more tokens. */
const fewerMerges: ReadonlySet<string> = new Set(["nested JSON", "JSON in many languages"]);
/** Languages whose words are told apart less well. */
const less: ReadonlySet<string> = new Set(["German", "Ukrainian"]);
const languages: [string, string][] = Object.entries(paragraphs);
const short: [string, string][] = [
  [
    "simplified Chinese",
    "今天我们来看看订单管理系统是如何工作的。客户在网站上下单之后，经理会确认订单并通知仓库发货。",
  ],
  [
    "traditional Chinese",
    "今天我們來看看訂單管理系統是如何運作的。客戶在網站上下單之後，經理會確認訂單並通知倉庫出貨。",
  ],
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
  it.each(technical)("is within a tenth of o200k_base on %s", (_name, text) => {
    expect(estimateTokens(text) / countO200k(text)).toBeGreaterThan(0.9);
    expect(estimateTokens(text) / countO200k(text)).toBeLessThan(1.1);
  });

  it.each(overrated)("is never under o200k_base, and at most a sixth over, on %s", (_name, text) => {
    expect(estimateTokens(text) / countO200k(text)).toBeGreaterThan(1);
    expect(estimateTokens(text) / countO200k(text)).toBeLessThan(7 / 6);
  });

  it.each(technical.filter(([name]) => !fewerMerges.has(name)))(
    "is no more than a tenth under cl100k_base on %s",
    (_name, text) => {
      expect(estimateTokens(text) / countCl100k(text)).toBeGreaterThan(0.9);
    },
  );

  it.each(languages.filter(([name]) => !less.has(name)))(
    "is within a tenth of o200k_base on a paragraph of %s",
    (_name, text) => {
      expect(estimateTokens(text) / countO200k(text)).toBeGreaterThan(0.9);
      expect(estimateTokens(text) / countO200k(text)).toBeLessThan(1.1);
    },
  );

  it.each(languages.filter(([name]) => less.has(name)))(
    "is within three twentieths of o200k_base on a paragraph of %s",
    (_name, text) => {
      expect(estimateTokens(text) / countO200k(text)).toBeGreaterThan(0.85);
      expect(estimateTokens(text) / countO200k(text)).toBeLessThan(1.15);
    },
  );

  it("is within a twentieth of o200k_base on all these languages together", () => {
    const text = Object.values(paragraphs).join("\n");
    expect(estimateTokens(text) / countO200k(text)).toBeGreaterThan(0.95);
    expect(estimateTokens(text) / countO200k(text)).toBeLessThan(1.05);
  });

  it.each(short)(
    "is at most a tenth under, and three tenths over, o200k_base on a sentence or two of %s",
    (_name, text) => {
      expect(estimateTokens(text) / countO200k(text)).toBeGreaterThan(0.9);
      expect(estimateTokens(text) / countO200k(text)).toBeLessThan(1.3);
    },
  );

  it.each([
    ["three digits as one token", "123", 1],
    ["four digits as two", "1234", 2],
    ["a word with the blank before it as one", " the", 1],
    ["blanks but the last, which the word takes, as one", "     the", 2],
    ["a blank before a digit by itself", " 1", 2],
    ["a word as one with the s behind an apostrophe", " it's", 1],
    ["marks that often stand together as one", '":"', 1],
    ["a slash behind a line break with the marks before that", "}\n/", 1],
    ["the parts of each character of a run", "\u4e42\u4e42", 4],
    ["a line break and the blanks before it as one", "  \n", 1],
    ["a Han character that is kept in parts as its parts", "\u9f98", 2],
  ])("counts %s", (_what, text, tokens) => {
    expect(countO200k(text)).toBe(tokens);
    expect(estimateTokens(text)).toBeGreaterThan(tokens - 0.35);
    expect(estimateTokens(text)).toBeLessThan(tokens + 0.35);
  });

  it.each([
    ["a word of scripts in which none is known", "\ua911\ua7ba\uaa88\u138c\u14e1"],
    ["a run of signs from beyond the basic plane behind a mark", '"\u{1b273}\u{1236e}\u{112f4}\u{1121b}'],
  ])("does not take %s for one that is known whole", (_what, text) => {
    expect(estimateTokens(text)).toBeGreaterThan(0.8 * countO200k(text));
  });

  it("takes a word of the same letters in a text for the same cost again", () => {
    const word = " zxqvkpw";
    const once = estimateTokens(word.repeat(200));
    expect(estimateTokens(word.repeat(400)) / once).toBeCloseTo(2, 1);
  });

  it("does not depend on what was estimated before", () => {
    const texts = [
      "don'",
      "a",
      "[",
      "it's 12",
      "  ",
      "x".repeat(60),
      "don't [[[[ 123456 \n\n  it's".repeat(9),
    ];
    const alone = texts.map(estimateTokens);
    for (const before of texts)
      for (const [index, text] of texts.entries()) {
        estimateTokens(before.repeat(20));
        expect(estimateTokens(text)).toBe(alone[index]);
      }
    estimateTokens("don't");
    expect(estimateTokens("don'")).toBe(alone[0]);
  });

  it("gives nothing for nothing and grows with the text", () => {
    expect(estimateTokens("")).toBe(0);
    const growth = countO200k(prose.repeat(20)) / countO200k(prose);
    expect(estimateTokens(prose.repeat(20)) / estimateTokens(prose)).toBeCloseTo(growth, 0);
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
