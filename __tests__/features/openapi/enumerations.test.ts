/** Long enumerations are counted where an operation is described, and searched by `find`; codes have the meanings that a document states. */

import { beforeAll, describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import type { AnswerDocument } from "../../support/shop-tool.js";
import { openTestFolder } from "../../support/test-folder.js";
import { asRecords } from "../../support/unchecked.js";

const folder = openTestFolder();
const currencies = "usd aed afn all amd ang aoa ars aud awg azn bam eur gbp".split(" ");
const countries = Array.from({ length: 20 }, (_, index) => index + 1);
const zones = Array.from({ length: 15 }, (_, index) => `europe/${index}`);
const inQuery = (name: string, schema: object): object => ({ name, in: "query", schema });
const body = (properties: object): object => ({
  requestBody: { content: { "application/json": { schema: { type: "object", properties } } } },
  responses: {},
});
const states = [1, 2, 3];
const described = (more: object): object => ({ type: "integer", enum: states, ...more });
const named = ["Draft", "Sent", "Paid"];
const paths = {
  "/prices": { post: { summary: "Create a price", ...body({ currency: { enum: currencies } }) } },
  "/plans": { post: { summary: "Create a plan", ...body({ currency: { enum: currencies } }) } },
  "/fees": {
    post: {
      summary: "Create a fee",
      ...body({ paidIn: { enum: [...currencies, "xau"], readOnly: true } }),
      responses: {
        200: {
          content: {
            "application/json": { schema: { properties: { in: { enum: currencies } } } },
          },
        },
      },
    },
  },
  "/orders": {
    get: {
      summary: "List orders",
      parameters: [
        inQuery("country", {
          enum: countries,
          "x-enum-descriptions": countries.map((each) => (each === 7 ? "New Zealand" : `C${each}`)),
        }),
        inQuery("a", described({ "x-enum-descriptions": named })),
        inQuery("b", described({ "x-enumDescriptions": { 1: "Draft", 2: "Sent", 3: "Paid" } })),
        inQuery("c", described({ "x-enum-varnames": named })),
        inQuery("d", {
          oneOf: states.map((each, at) => ({ const: each, title: named[at] })),
        }),
        inQuery("e", described({ description: "State:\n* `1` - Draft\n* `2` - Sent\n* 3: Paid" })),
        inQuery("f", described({ description: "The state, from 1 to 3." })),
        inQuery("g", { enum: ["open", "closed"], "x-enum-descriptions": ["Is open", "Is closed"] }),
        inQuery("i", { enum: ["open", "closed", "open"] }),
        inQuery("h", { enum: currencies.slice(0, 12) }),
        inQuery("zone", { enum: ["asia/0", ...zones] }),
      ],
      responses: {},
    },
  },
};

let ask: (input: object) => Promise<AnswerDocument>;
beforeAll(async () => {
  const openapi = await folder.write("shop.json", {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths,
  });
  const api = { baseUrl: "https://shop.example", openapi };
  const toolkit = await ApiSourceToolkit.fromSources(asRecords([{ name: "Shop", api }]));
  const tool = toolkit.getTools().find(({ name }) => name === "describe_api");
  ask = async (input) =>
    JSON.parse(String(await tool?.invoke({ source: "shop", ...input } as never)));
});

describe("an enumeration", () => {
  it("of more than twelve values is counted in a request, with the words that find the others", async () => {
    const { data } = await ask({ path: "/prices", method: "POST" });
    expect(data.body).toBe(
      'optional: {currency?: usd|aed|afn|all|amd|ang|… (14 values; find: "currency WORD")}',
    );
    const { query } = (await ask({ path: "/orders", method: "GET" })).data;
    expect(query["h?"]).toBe(currencies.slice(0, 12).join("|"));
    const { answer } = (await ask({ path: "/fees", method: "POST" })).data;
    expect(answer).toBe(`200 {in: ${currencies.slice(0, 12).join("|")}|… 2 more}`);
  });

  it.each([
    ["currency eur", { "currency of POST /prices": "eur" }],
    ["which currency is GBP", { "currency of POST /prices": "gbp" }],
    ["eur", { "currency of POST /prices": "eur" }],
    ["country new zealand", { "country of GET /orders": "7=New Zealand" }],
    ["zone europe", { "zone of GET /orders": `${zones.slice(0, 12).join(", ")}, … 3 more` }],
    ["zone europe/3", { "zone of GET /orders": "europe/3" }],
    ["paid xau", undefined],
    ["prices in eur", undefined],
    ["create a price", undefined],
    ["currency", undefined],
    ["orders", undefined],
  ])("is found by its name and a value, or by a value alone: %s", async (find, values) => {
    expect((await ask({ find })).data.values).toEqual(values);
  });

  it("does not change which operations some words find", async () => {
    const { found } = (await ask({ find: "currency eur" })).data;
    expect(found).toEqual(["POST /prices: Create a price", "POST /plans: Create a plan"]);
  });

  it.each([
    ["a", "1=Draft|2=Sent|3=Paid"],
    ["b", "1=Draft|2=Sent|3=Paid"],
    ["c", "1=Draft|2=Sent|3=Paid"],
    ["d", "1=Draft|2=Sent|3=Paid"],
    ["e", "1=Draft|2=Sent|3=Paid"],
    ["f", "1|2|3"],
    ["i", "open|closed"],
    ["g", "open|closed"],
  ])("of codes has the meanings that the document states, and no other: %s", async (name, type) => {
    const { query } = (await ask({ path: "/orders", method: "GET" })).data;
    expect(query[`${name}?`].split(";")[0]).toBe(type);
  });
});
