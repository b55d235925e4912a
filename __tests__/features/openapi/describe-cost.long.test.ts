import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { openTestFolder } from "../../support/test-folder.js";

const folder = openTestFolder();

const refer = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const count = <Value>(length: number, make: (index: number) => Value): Value[] =>
  Array.from({ length }, (_, index) => make(index));
const nameEach = (length: number, make: (index: number) => [string, unknown]): object =>
  Object.fromEntries(count(length, make));
const json = (schema: unknown): object => ({ content: { "application/json": { schema } } });
/** Operations with the first schemas as body and answer. */
const postEach = (length: number): object =>
  nameEach(length, (at) => [
    `/orders${at}`,
    { post: { requestBody: json(refer(`S${at}`)), responses: { 200: json(refer(`S${at}`)) } } },
  ]);
const withSchemas = (paths: object, schemas: object): object => ({
  paths,
  components: { schemas },
});

const attacks: [name: string, make: () => object][] = [
  [
    "400 schemas that are each made of 60 others",
    () =>
      withSchemas(
        postEach(5),
        nameEach(400, (at) => [
          `S${at}`,
          {
            allOf: count(60, (each) => refer(`S${(at * 7 + each) % 400}`)),
            properties: { [`p${at}`]: refer(`S${(at + 1) % 400}`) },
          },
        ]),
      ),
  ],
  [
    "283 kB with 5,000 operations of the same 1,000 parameters",
    () => {
      const parameters = count(1_000, (at) => ({ $ref: `#/components/parameters/P${at}` }));
      const paths = nameEach(1_000, (at) => [`/orders${at + 1}`, { $ref: "#/paths/~1orders0" }]);
      return {
        paths: {
          "/orders0": { parameters, get: {}, post: {}, put: {}, delete: {}, patch: {} },
          ...paths,
        },
        components: {
          parameters: nameEach(1_000, (at) => [
            `P${at}`,
            { name: `q${at}`, in: "query", schema: refer(`S${at % 50}`) },
          ]),
          schemas: nameEach(50, (at) => [
            `S${at}`,
            { properties: nameEach(60, (each) => [`p${each}`, refer(`S${(at * 5 + each) % 50}`)]) },
          ]),
        },
      };
    },
  ],
  [
    "1,000 required parameters with one example of 200,000 values",
    () =>
      withSchemas(
        {
          "/orders0": {
            post: {
              parameters: count(1_000, (at) => ({
                name: `q${at}`,
                in: "query",
                required: true,
                schema: refer("S"),
              })),
            },
          },
        },
        { S: { type: "object", example: count(200_000, (at) => at) } },
      ),
  ],
  [
    "summaries of 200,000 characters, and paths of as many",
    () => ({
      paths: nameEach(40, (at) => [
        `/orders${at}${at % 2 ? `/${"aB".repeat(100_000)}` : ""}`,
        { post: { summary: `order ${"word ".repeat(40_000)}` } },
      ]),
    }),
  ],
  [
    "100 paths that each name 10,000 parameters, and no one describes",
    () => ({
      paths: {
        "/orders0": { post: {} },
        ...nameEach(100, (at) => [
          `/items${at}${count(10_000, (each) => `{p${each}}`).join("")}`,
          { get: {}, post: {}, put: {}, patch: {}, delete: {} },
        ]),
      },
    }),
  ],
];

// Without a bound on the work most of these take longer than a test may.
describe("describe_api, of a hostile description", () => {
  it.each(attacks)("answers each question: %s", async (_name, make) => {
    const head = { openapi: "3.0.0", info: { title: "a", version: "1" } };
    const openapi = await folder.write("hostile.json", { ...head, ...make() });
    const path = "/orders0";
    const { describe: ask } = createSourceClient({
      name: "Shop",
      api: { baseUrl: "https://api.shop.example", openapi },
    });
    expect(await ask({})).toHaveProperty("map");
    expect(await ask({ path: "/" })).toHaveProperty("map");
    const operation = await ask({ path, method: "POST" });
    expect(operation).toMatchObject({ example: { method: "POST", path } });
    const { found } = await ask({ find: "orders0 of customers" });
    expect(found).toContainEqual(expect.stringContaining("POST /orders0"));
  });
});
