import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../../src/core/base/exact-number.js";
import { parseJson } from "../../../src/core/base/parse-json.js";
import { loadQueryEngine } from "../../../src/core/query/query-engine.js";
import { isEmpty } from "../../../src/core/view/places.js";
import { jsonText } from "../../support/json-arbitrary.js";
import { isLongRun, runsOf } from "../../support/long-run.js";
import { body, costOf, findLost, findStranger, shrink } from "../../support/views.js";

const engine = await loadQueryEngine();
const budget = fc.integer({ min: 150, max: 4000 });

/** Every scalar of a tree, with the name of its field. */
function* listScalars(value: JsonValue, key = ""): Generator<[string, JsonValue]> {
  if (typeof value !== "object" || value === null || "text" in value) yield [key, value];
  else
    for (const [name, item] of Object.entries(value))
      yield* listScalars(item, Array.isArray(value) ? key : name);
}

describe("a view", () => {
  it("is of any JSON a projection, within the budget, and twice the same", () => {
    const grown = fc.tuple(
      fc.array(jsonText, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 60 }),
    );
    fc.assert(
      fc.property(grown, budget, ([texts, repeats], maxTokens) => {
        const rows = Array.from(
          { length: repeats },
          (_, index) => `{"row":${index},"value":${texts[index % texts.length]}}`,
        );
        const document = parseJson(`{"rows":[${rows.join(",")}],"first":${texts[0]}}`);
        const summary = shrink(document, maxTokens);
        expect(findStranger(parseJson(summary.view), document)).toBeUndefined();
        expect(costOf(summary)).toBeLessThanOrEqual(maxTokens * 1.02 + 2);
        expect(shrink(document, maxTokens)).toEqual(summary);
      }),
      { numRuns: runsOf(40) },
    );
  });

  it("shows with a larger budget all that it shows with a smaller one", () => {
    const grown = fc
      .array(jsonText, { minLength: 6, maxLength: 30 })
      .map((texts) => ({ value: parseJson(`[${texts.join(",")}]`) }));
    fc.assert(
      fc.property(
        fc.oneof({ weight: 4, arbitrary: body }, grown),
        budget,
        budget,
        ({ value }, one, other) => {
          const [less, more] = [Math.min(one, other), Math.max(one, other)].map((each) =>
            parseJson(shrink(value, each).view),
          );
          expect(findLost(less ?? null, more ?? null)).toBeUndefined();
        },
      ),
      { numRuns: runsOf(30) },
    );
  });

  it("begins with what identifies the first row where its budget ends within that row", () => {
    const rows = Array.from({ length: 8 }, (_, index) => ({
      ...Object.fromEntries(
        Array.from({ length: 10 }, (_, at) => [`field_${at}`, (index + at) % 2 === 0]),
      ),
      ...{ field_10: `2025-0${index + 1}-10T00:00:00Z`, name: `thing ${index}` },
      ...{ customer_id: `cus_7af3c09e1${index}`, id: `7af3c09e1b51daa66d1${index}` },
    }));
    expect(shrink(rows, 150).view).toContain(`"id":"${rows[0]?.id}"`);
  });

  it("has in every row that it shows what identifies the row and what it refers to, whole", () => {
    fc.assert(
      fc.property(body, budget, ({ value, rows, rowsOf }, maxTokens) => {
        for (const [index, row] of rowsOf(parseJson(shrink(value, maxTokens).view)).entries()) {
          const { id, name, customer_id } = rows[index] ?? {};
          expect(row).toMatchObject({ id, name, customer_id } as JsonObject);
        }
      }),
      { numRuns: runsOf(40) },
    );
  });

  it("shows ids, cursors and URLs whole or not at all, and clips no string for fewer than 20 characters", () => {
    fc.assert(
      fc.property(body, budget, ({ value }, maxTokens) => {
        const whole = new Set([...listScalars(value)].map(([, scalar]) => scalar));
        for (const [, scalar] of listScalars(parseJson(shrink(value, maxTokens).view))) {
          if (typeof scalar !== "string" || !scalar.endsWith("…")) continue;
          expect(scalar).toMatch(/^[a-z]+ /);
          const origins = [...whole].filter((each) => String(each).startsWith(scalar.slice(0, -1)));
          expect(Math.max(...origins.map((each) => String(each).length))).toBeGreaterThan(
            scalar.length + 18,
          );
        }
      }),
      { numRuns: runsOf(30) },
    );
  });

  it("shows a map of records as the list of the same records", () => {
    const numbers = [...Array(120).keys()];
    const rows = numbers.map((at) => ({ name: `host ${at}`, cpu: at % 16, zone: `z${at % 7}` }));
    const map = Object.fromEntries(rows.map((row, index) => [`h${index}`, row]));
    const listed = parseJson(shrink(rows, 700).view) as JsonValue[];
    const mapped = Object.values(parseJson(shrink(map, 700).view) as JsonObject);
    expect(mapped.length).toBeGreaterThan(listed.length * 0.7);
    for (const [index, row] of mapped.entries())
      expect(rows[index]).toMatchObject(row as JsonObject);
    expect(mapped[0]).toEqual(rows[0]);
  });

  it("reads like this", () => {
    const orders = Array.from({ length: 200 }, (_, index) => ({
      object: "order",
      id: `ord_${1000 + index}`,
      customer_id: 500 + (index % 40),
      status: ["paid", "open", "refunded"][index % 3] ?? "",
      total: 10.25 + index,
      comment: "Please leave the parcel with the neighbour. ".repeat(1 + (index % 5)),
      url: `https://shop.example.test/v1/orders/ord_${1000 + index}`,
      cancelled_at: null,
    }));
    const { view, omitted, try: queries } = shrink({ orders, has_more: true }, 800);
    expect(view.slice(0, 200)).toBe(
      '{"orders":[{"id":"ord_1000","customer_id":500,"status":"paid","total":10.25,"comment":"Please leave the parcel with the neighbour. "},{"id":"ord_1001","customer_id":501,"status":"open","total":11.25,"',
    );
    const rows = (parseJson(view) as { orders: JsonObject[] }).orders;
    expect(Object.keys(rows.at(-1) ?? {})).toEqual([
      "id",
      "customer_id",
      "status",
      "total",
      "comment",
    ]);
    const shown = rows.length;
    expect(omitted[0]).toEqual({ path: "orders", shown, of: 200, about: "rows" });
    expect(queries).toEqual([
      "items(group_by(orders,&status))[*].{status:[0],count:length([1])}",
      `orders[${shown}:${shown + 20}].{id:id,customer_id:customer_id,status:status,total:total}`,
    ]);
  });

  it("offers queries worth running: counts by what rows are sorted by, and never a link or a picture", () => {
    const riders = Array.from({ length: 300 }, (_, index) => ({
      id: 20_001 + index * 7,
      name: `Rider ${index}`,
      city: ["Bergen", "Oslo", "Stavanger"][index % 3] ?? "",
      plan: ["single", "monthly"][index % 2] ?? "",
      avatar: `/img/${index}/face.png`,
      photo: `https://cdn.example.test/avatars/${index * 7919}.png`,
      token: `Zm9vYmFyYmF6cXV4${index * 104729}aGVsbG93b3JsZA`,
    }));
    const queries = shrink({ riders }, 1500).try;
    expect(queries[0]).toBe("items(group_by(riders,&plan))[*].{plan:[0],count:length([1])}");
    expect(queries.length).toBeGreaterThan(1);
    expect(queries.join()).not.toMatch(/avatar|photo|token/);
  });

  it("takes a short time for any depth, and of keys, strings and numbers of any length", () => {
    const length = isLongRun ? 9e6 : 9e5;
    const many = [...Array(isLongRun ? 60_000 : 6_000).keys()];
    let deep: JsonValue = 1;
    for (let level = 0; level < (isLongRun ? 100_000 : 10_000); level += 1)
      deep = level % 2 === 0 ? [deep] : { in: deep };
    const bodies: JsonValue[] = [
      deep,
      { rows: many.slice(0, 60).map((id) => ({ id, note: "some words ".repeat(40), deep })) },
      {
        [`${"k_".repeat(30_000)}`]: 1,
        ["x".repeat(length)]: "y",
        text: "z".repeat(length),
        prose: "z z ".repeat(length / 4),
      },
      Object.fromEntries(many.map((index) => [`key_${index}`, null])),
      Object.fromEntries(many.map((index) => [`${index}`, index])),
      Array.from({ length: isLongRun ? 1000 : 100 }, (_, row) =>
        Object.fromEntries(
          Array.from({ length: 300 }, (_each, index) => [`own_${row}_${index}`, row]),
        ),
      ),
      parseJson(`[${"9".repeat(length)},1]`),
    ];
    for (const document of bodies) {
      const summary = shrink(document, 2000);
      expect(costOf(summary)).toBeLessThanOrEqual(2000);
      expect(() => JSON.parse(summary.view)).not.toThrow();
    }
  });

  it.each([
    ["without lines", "words of one endless line ", {}],
    ["whose reader goes on where the view ends", "Line of a long log.\n", { isReadOn: true }],
  ])(
    "shows the beginning of a text %s, and offers what follows and its end",
    (_what, line, more) => {
      const text = line.repeat(900);
      const { view, omitted, try: queries } = shrink(text, 500, more);
      const shown = (JSON.parse(view) as string).length - 1;
      expect(JSON.parse(view)).toBe(`${text.slice(0, shown)}…`);
      if (line.endsWith("\n")) expect(text[shown - 1]).toBe("\n");
      expect(omitted).toEqual([{ path: "@", shown, of: text.length, about: "string, characters" }]);
      expect(queries).toEqual([`[${shown}:${shown + 2000}]`, "[-2000:]"]);
    },
  );

  it("shows the beginning of a number of more digits than fit, and offers what follows and its end", () => {
    const digits = "1234567890".repeat(3_000);
    const summary = shrink(parseJson(digits), 500);
    const shown = (JSON.parse(summary.view) as string).length - 1;
    expect(costOf(summary)).toBeLessThanOrEqual(500);
    expect(JSON.parse(summary.view)).toBe(`${digits.slice(0, shown)}…`);
    expect(summary.try).toEqual([`to_string(@)[${shown}:${shown + 2000}]`, "to_string(@)[-2000:]"]);
  });

  it("shows the first and the last whole lines of a log, and reports which part is left out", () => {
    const text = Array.from({ length: 900 }, (_, at) => `Line ${at} of a long log.\n`).join("");
    const { view, omitted, try: queries } = shrink(text, 500);
    const [start = "", end = ""] = (JSON.parse(view) as string).split("…\n");
    expect(start.length).toBeGreaterThan(500);
    expect(end.length).toBeGreaterThan(200);
    expect(text.startsWith(start) && start.endsWith(".\n")).toBe(true);
    expect(text.endsWith(end) && end.startsWith("Line ")).toBe(true);
    const shown = start.length + end.length;
    const leftOut = `[${start.length}:${text.length - end.length}]`;
    const about = `string, characters; ${leftOut} is left out at \`…\``;
    expect(omitted).toEqual([{ path: "@", shown, of: text.length, about }]);
    expect(queries).toEqual([`[${start.length}:${start.length + 2000}]`]);
  });

  it("gives a document that fits whole, with nothing omitted", () => {
    const document = parseJson('{ "a": 19.95, "b": [1, null, ""], "d": null }');
    expect(shrink(document, 200)).toEqual({
      view: '{"a":19.95,"b":[1,null,""],"d":null}',
      omitted: [],
      try: [],
    });
  });
});

describe("omitted", () => {
  it("names every field of which nothing is shown, where the names fit", () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 1000, max: 3000 }), ({ value, rows }, maxTokens) => {
        const { view, omitted } = shrink(value, maxTokens);
        const said = JSON.stringify(omitted);
        if (/and \d+ more/.test(said)) return;
        const shown = [...listScalars(parseJson(view))].map(([key, scalar]) => `${key} ${scalar}`);
        for (const [key, scalar] of listScalars(rows as JsonValue)) {
          if (scalar === null || shown.some((each) => each.startsWith(`${key} `))) continue;
          expect([key, said.includes(key)]).toEqual([key, true]);
        }
      }),
      { numRuns: runsOf(30) },
    );
  });

  it("names a field of a record that only the first rows show", () => {
    const rows = Array.from({ length: 100 }, (_, id) => ({
      id,
      total: id * 3,
      buyer: {
        name: `Buyer ${id}`,
        note: `Is in City ${id}, which is not near any of the others. `.repeat(4),
      },
    }));
    const { view, omitted } = shrink(rows, 3000);
    expect(view).toContain("City 0");
    expect(view).toMatch(/\{"id":\d+,"total":\d+,"buyer":\{"name":"[^"]*"\}\}\]$/);
    expect(JSON.stringify(omitted)).toMatch(/only in rows 0 to \d+: buyer\.note/);
  });

  it("costs with `try` at most a tenth of a budget of 2,000 tokens, however many fields there are", () => {
    const rows = Array.from({ length: 100 }, (_, id) => ({
      id,
      ...Object.fromEntries(
        Array.from({ length: 150 }, (_each, at) => [
          `a_long_name_of_field_${at}`,
          `${id} of ${at}`,
        ]),
      ),
    }));
    const summary = shrink(rows, 2000);
    expect(costOf({ ...summary, view: "" })).toBeGreaterThan(150);
    expect(costOf({ ...summary, view: "" })).toBeLessThanOrEqual(201);
  });

  it("reports what is the same in every row, once", () => {
    const same = { currency: "EUR", livemode: false, refunded: 0 };
    const rows = Array.from({ length: 200 }, (_, id) => ({ id, ...same, total: id * 3 }));
    const { view, omitted } = shrink(rows, 400);
    expect(view).not.toContain("EUR");
    const said = omitted.map(({ about }) => about).join("; ");
    for (const constant of ['always "EUR"', "always false", "always 0"])
      expect(said).toContain(constant);
  });

  it("reports a name that is not whole in each row, however many other fields there are", () => {
    const rows = Array.from({ length: 80 }, (_, at) => ({
      id: at,
      name: `The ${at}th thing ${"with a name of many words ".repeat(3 + (at % 4))}`,
      ...Object.fromEntries(
        Array.from({ length: 90 }, (__, of) => [`field_${of}`, `${at} of ${of}, ${at % 3}`]),
      ),
    }));
    const { view, omitted } = shrink(rows, 600);
    expect(view).toContain("…");
    expect(JSON.stringify(omitted)).toContain("truncated: name");
  });
});

describe("what is nested in rows", () => {
  const issues = Array.from({ length: 99 }, (_, id) => ({
    id,
    title: `Crash when widget ${id} is opened twice`,
    labels: [{ id: id % 5, name: `area ${id % 5}`, color: "ff0000", about: "Where it is" }].slice(
      id % 2,
    ),
    closed_at: id % 3 === 0 ? `2026-03-01T00:00:${10 + (id % 50)}Z` : null,
    milestone: null,
    body: `When widget ${id} is opened twice in a row, the application ends with an error. `.repeat(
      6,
    ),
    comments: Array.from({ length: 6 }, (__, at) => ({
      id: at,
      text: `Comment ${at} of issue ${id}`,
    })),
  }));
  const { view, omitted } = shrink(issues, 2_000);
  const shown: typeof issues = JSON.parse(view);

  it("comes before long texts: the names in short lists of records with their row, of others the first", () => {
    expect(shown.length).toBeGreaterThan(20);
    for (const row of shown)
      expect(row).toMatchObject({
        labels: row.id % 2 === 0 ? [{ id: row.id % 5, name: `area ${row.id % 5}` }] : [],
      });
    expect(view).not.toContain("When widget");
  });

  it("is described by sentences, with whole paths", () => {
    const [rows, fields] = omitted;
    expect(rows).toEqual({ path: "@", shown: shown.length, of: 99, about: "rows" });
    expect(fields?.about).toContain("text: body");
    expect(fields?.about).toMatch(/(?:lists|of each row at most the first \d): comments;/);
    const lists = [[[{ requester: { avatar: "x ".repeat(4_000) } }]]];
    expect(JSON.stringify(shrink(lists, 500).omitted)).toContain("[][].requester.avatar");
  });

  it("is null or [] where other rows have a value, and left out where no row has one", () => {
    for (const { id, labels, closed_at: closedAt } of shown) {
      expect([labels.length, closedAt === null]).toEqual([1 - (id % 2), id % 3 > 0]);
    }
    expect(shown.some((row) => "milestone" in row)).toBe(false);
  });

  it("is named where it is left out because it is null or empty, as long as every other value is shown", () => {
    const orders = Array.from({ length: 99 }, (_, id) => ({
      id,
      name: `Order ${id}`,
      closed_at: id % 5 === 0 ? `2026-03-0${1 + (id % 9)}` : null,
      gifts: id % 5 === 0 ? ["card"] : [],
      notes: id < 90 ? [] : [{ text: "A late note" }],
    }));
    const { view, omitted } = shrink(orders, 1_000);
    expect(JSON.parse(view)[1]).toEqual({ id: 1, name: "Order 1" });
    expect(omitted[1]?.about).toMatch(/left out where null or empty: closed_at(?:;|$)/);
  });

  it.each([
    ["lists of long texts", Array.from({ length: 3 }, () => ["word ".repeat(4_000)])],
    ["texts without a space", Array.from({ length: 3 }, () => "x1Y".repeat(9_000))],
    ["rows of many identifiers", Array.from({ length: 3 }, () => makeIds(400))],
  ])("is never shown as an empty list where there are %s", (_what, document) => {
    const { view } = shrink(document, 1_000);
    expect(view).not.toMatch(/\[\]|^\[\{\}/);
    expect(findStranger(parseJson(view), document)).toBeUndefined();
  });
});

function makeIds(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`a${at}_id`, `cus_9s6XKzkNRiz${at}`]),
  );
}

describe("the texts of rows", () => {
  const filler = "customers and parcels of the week ".repeat(6);
  const messages = Array.from({ length: 60 }, (_, at) => ({
    iid: `a${at * 7_919}`,
    channel: { id: `C0${at % 3}ABCDEF` },
    user: `U0${at % 9}XYZQWE`,
    ts: `17000${10_000 + at}.000${at % 10}`,
    text: `${filler.slice(0, at * 3)} asks for a refund of ${at} euros. ${filler}`,
    topic: `${filler.slice(at % 9)} in general, ${filler}`,
  }));

  it("that have a word of the request come first, to that word", () => {
    const request = { source: "chat", baseUrl: "", method: "GET", path: "/search" } as const;
    const find = (words: string[]) =>
      JSON.parse(shrink(messages, 1_000, { request: { ...request, words } }).view);
    const shown: typeof messages = find(["refund", "newest"]);
    expect(shown.length).toBeGreaterThan(8);
    for (const { text, topic } of shown.slice(1))
      expect([text, topic]).toEqual([expect.stringContaining("refund"), undefined]);
    // A word that no row has, and one that few have, change nothing.
    expect(find(["invoice", "59"])).toEqual(find([]));
  });

  it.each([
    ["the HTML of the other", (text: string) => `<div class="md"><p>${text}</p>\n</div>`],
    ["its escaped HTML", (text: string) => `&lt;p&gt;${text.replaceAll("'", "&#39;")}&lt;/p&gt;`],
    ["the same text", (text: string) => text],
  ])("are shown once where one is %s", (_what, render) => {
    for (const key of ["a_html", "z_html"]) {
      const rows = messages.map(({ iid, text }) => {
        const members = [
          ["iid", iid],
          ["body", text],
          [key, render(text)],
        ] as const;
        return Object.fromEntries(key < "b" ? members.toSorted() : members);
      });
      const { view, omitted } = shrink(rows, 1_000);
      const copy = render("") === "" && key < "b" ? "body" : key;
      expect(JSON.parse(view)[0]).not.toHaveProperty(copy);
      expect(JSON.stringify(omitted)).toMatch(
        /same beginning as (?:body|a_html): (?:body|\w_html)/,
      );
    }
  });

  it("are both shown where they differ", () => {
    const rows = messages.map(({ iid, text, topic }) => ({
      iid,
      text,
      topic_html: `<p>${topic}</p>`,
    }));
    expect(JSON.stringify(shrink(rows, 1_000))).not.toContain("same beginning");
  });

  it("are both shown where short ones among them differ", () => {
    const rows = messages.map(({ iid, text }, at) => {
      const [body, reply] = at % 3 === 0 ? ["Yes.", "No."] : [text, `${text} ${filler}`];
      return { iid, body, reply };
    });
    expect(JSON.stringify(shrink(rows, 1_000))).not.toContain("same beginning");
  });

  it("are shown by the longer one where one is the beginning of the other", () => {
    const rows = messages.map(({ iid, text }) => ({
      iid,
      excerpt: text.slice(0, 100),
      body: text,
    }));
    const { view, omitted } = shrink(rows, 1_000);
    expect(JSON.parse(view)[0]).toHaveProperty("body");
    expect(JSON.stringify(omitted)).toContain("same beginning as body: excerpt");
  });

  it("begin alike in all rows, or in those that were read", () => {
    const rows = Array.from({ length: 61 }, (_, at) => {
      const text = `${at} asks for a refund. ${filler}`;
      return { iid: `a${at}`, body: text, body_html: `<p>${text}</p>` };
    });
    const [all, some] = [rows.slice(1), rows].map((each) =>
      JSON.stringify(shrink(each, 1_000).omitted),
    );
    expect(all).toContain("same beginning as body: body_html");
    expect(some).toContain("same beginning as body in all rows sampled: body_html");
  });
});

describe("a text in a record", () => {
  const links = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `l${at}_url`,
      `https://api.example.test/repos/octo/kit/${at}`,
    ]),
  );

  it("is shown whole before links, where it fits", () => {
    const content = "A line of the text.\n".repeat(200);
    const { view, omitted } = shrink({ name: "README.md", ...links, content }, 1_800);
    expect(JSON.parse(view)).toMatchObject({ name: "README.md", content });
    expect(JSON.stringify(omitted)).toContain("URL: l0_url");
  });

  it("is named, and not shown, where it is the Base64 of a file", () => {
    const bytes = Uint8Array.from({ length: 9_000 }, (_, at) => (at * 7_919) % 251);
    const content = Buffer.from(bytes)
      .toString("base64")
      .replace(/(.{60})/g, "$1\n");
    expect(shrink({ name: "a.bin", content }, 2_000)).toMatchObject({
      view: '{"name":"a.bin"}',
      omitted: [{ path: "@", about: `encoded, up to ${content.length} characters: content` }],
    });
  });
});

describe("try", () => {
  it("has at most two queries, each with a result on the body", () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 1000, max: 3000 }), ({ value }, maxTokens) => {
        const { omitted, try: queries } = shrink(value, maxTokens);
        if (omitted.length > 0) expect(queries.length).toBeGreaterThan(0);
        expect(queries.length).toBeLessThanOrEqual(2);
        for (const query of queries) {
          expect(isEmpty(engine.run(value, query).value)).toBe(false);
          expect(query).toMatch(/id:|count:|length|license/);
        }
      }),
      { numRuns: runsOf(25) },
    );
  });
});
