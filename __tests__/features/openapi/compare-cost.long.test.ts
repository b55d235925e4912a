import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { openTestFolder } from "../../support/test-folder.js";

const folder = openTestFolder();

const server = await startHttpServer((_request, response) => sendJson(response, { message: "no" }, 400));
let threads = 0;

/** Makes a call twice: misspelt names are compared, then it is sent, and its failure is explained. @returns the hint of the second */
async function readHint(document: object, request: Record<string, unknown>): Promise<string> {
  const head = { openapi: "3.0.0", info: { title: "a", version: "1" } };
  const openapi = await folder.write("hostile.json", { ...head, ...document });
  const client = createSourceClient({ name: "a", api: { baseUrl: server.url, openapi } });
  const context = { threadId: `${++threads}` };
  await client.call(request as never, context);
  return JSON.parse((await client.call(request as never, context)).content).error.hint;
}

const letters = (index: number, length: number): string =>
  Array.from({ length }, (_, at) => "abcdefghijklmnopqrstuvwxyz"[(index * 7 + at * (index + 3)) % 26]).join(
    "",
  );
const object = (properties: object, more: object = {}): object => ({
  type: "object",
  additionalProperties: false,
  properties,
  ...more,
});
const post = (schema: unknown, examples?: object): object => ({
  paths: {
    "/a": {
      post: { requestBody: { content: { "application/json": { schema, ...examples } } }, responses: {} },
      get: { responses: {} },
    },
  },
});
const body = (value: unknown): Record<string, unknown> => ({
  method: "POST",
  path: "/a",
  body: JSON.stringify(value),
});
const many = <Value>(count: number, write: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => write(index));
const membersOf = (count: number, length: number): object =>
  Object.fromEntries(many(count, (index) => [letters(index, length) + index, { type: "string" }]));
/** 9,000 paths of two segments, the second of so many letters. */
const pathsOf = (length: number): object => ({
  paths: Object.fromEntries(
    many(9_000, (at) => [`/${letters(at, 57)}/${letters(at + 3, length)}`, { get: { responses: {} } }]),
  ),
});

const attacks: readonly (readonly [string, () => [object, Record<string, unknown>]])[] = [
  [
    "2,700 unknown members against 300 long names",
    () => [
      post(object(membersOf(300, 56))),
      body(Object.fromEntries(many(2_700, (at) => [letters(at + 301, 55) + at, 1]))),
    ],
  ],
  [
    "rows of unknown members against many names",
    () => [
      post({ type: "array", items: object(membersOf(8_000, 50)) }),
      body(many(900, () => Object.fromEntries(many(20, (at) => [letters(at + 9_000, 50), 1])))),
    ],
  ],
  [
    "unknown query parameters against 900 long names",
    () => [
      {
        paths: {
          "/a": {
            get: {
              parameters: many(900, (at) => ({
                name: letters(at, 58) + at,
                in: "query",
                schema: { type: "string" },
              })),
              responses: {},
            },
          },
        },
      },
      {
        method: "GET",
        path: "/a",
        query: Object.fromEntries(many(300, (at) => [letters(at + 901, 15) + at, "1"])),
      },
    ],
  ],
  [
    "an unknown path against 9,000 long paths",
    () => [pathsOf(30), { method: "GET", path: `/${many(25, (at) => letters(at + 5, 57)).join("/")}/x/y` }],
  ],
  [
    "an unknown path of a few long segments",
    () => [pathsOf(40), { method: "GET", path: `/${letters(5_001, 57)}x/${letters(777, 40)}x` }],
  ],
  [
    "many alternatives against one large object",
    () => [
      post({
        anyOf: many(200, (at) => object({ [`a${at}`]: { type: "string" } }, { required: [`b${at}`] })),
      }),
      body(Object.fromEntries(many(60_000, (at) => [`k${at}`, 1]))),
    ],
  ],
  [
    "a large object against 20,000 objects of an enumeration",
    () => [
      post({ enum: many(20_000, (at) => ({ at })) }),
      body(Object.fromEntries(many(60_000, (at) => [`k${at}`, 1]))),
    ],
  ],
  [
    "rows against a long enumeration",
    () => [
      post({ type: "array", items: { type: "string", enum: many(50_000, (at) => `value ${at}`) } }),
      body(many(3_000, (at) => `other ${at}`)),
    ],
  ],
  [
    "one unknown member with a name of 900,000 characters",
    () => [post(object(membersOf(300, 56))), body({ ["x".repeat(900_000)]: 1 })],
  ],
];

// Without a bound on the work each of these takes longer than a test may: from twenty seconds to many minutes.
describe("a call that is compared with a hostile description", () => {
  it.each(attacks)("is sent the second time, and its hint stays short: %s", async (_name, make) => {
    expect((await readHint(...make())).length).toBeLessThan(20_000);
    expect(server.requests.length).toBeGreaterThan(0);
  });
});
