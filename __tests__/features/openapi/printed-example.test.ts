/** Each example that `describe_api` prints can be sent, and its document accepts it by a validator of others (zod's reader of JSON Schema). */

import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { z } from "zod";
import { startHttpServer } from "../../support/http-server.js";
import { openTestFolder } from "../../support/test-folder.js";

const folder = openTestFolder();
const server = await startHttpServer();
const responses = { 200: { description: "Done" } };

/** Schemas without references, so that a validator needs nothing else of the document. */
const schemas: Readonly<Record<string, object>> = {
  "required members at any depth": {
    type: "object",
    required: ["a"],
    properties: {
      a: {
        type: "object",
        required: ["b"],
        properties: {
          b: {
            type: "object",
            required: ["c"],
            properties: {
              c: { type: "object", required: ["d"], properties: { d: { type: "integer" } } },
            },
          },
        },
      },
      other: { type: "string" },
    },
  },
  "a pattern and lengths": {
    type: "object",
    required: ["sid", "code", "long", "short"],
    properties: {
      sid: { type: "string", minLength: 34, maxLength: 34, pattern: "^AC[0-9a-fA-F]{32}$" },
      code: { type: "string", pattern: "^(?:[A-Z]{3}-\\d+|x)$" },
      long: { type: "string", minLength: 20 },
      short: { type: "string", maxLength: 2 },
    },
  },
  ranges: {
    type: "object",
    required: ["one", "two", "three"],
    properties: {
      one: { type: "integer", minimum: 100 },
      two: { type: "number", minimum: -5, maximum: -2 },
      three: { type: "integer", minimum: 7, multipleOf: 5 },
    },
  },
  "the first branch of oneOf": {
    oneOf: [
      { type: "object", required: ["card"], properties: { card: { type: "string" } } },
      { type: "object", required: ["iban"], properties: { iban: { type: "string" } } },
    ],
  },
  "an enumeration behind allOf": {
    type: "object",
    required: ["state", "ids"],
    properties: {
      state: { allOf: [{ type: "string", enum: ["open", "paid"] }] },
      ids: { allOf: [{ type: "array", items: { type: "integer" }, minItems: 2 }] },
    },
  },
  "a wrong example": {
    type: "object",
    required: ["count"],
    properties: { count: { type: "integer" } },
    example: { count: "many" },
  },
  "an example whose free members are of another type": {
    type: "object",
    required: ["by"],
    properties: { by: { type: "object", additionalProperties: { type: "integer" } } },
    example: { by: { name: "many" } },
  },
  "an example with null for a member that takes none": {
    type: "object",
    required: ["count"],
    properties: { count: { type: "integer" } },
    example: { count: null },
  },
  "an example of another format": {
    type: "object",
    required: ["id"],
    properties: { id: { type: "string", format: "uuid", example: "6762f11b1bb69f9f2193bba3" } },
  },
  "a branch of oneOf that is no other one": {
    oneOf: [
      { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, size: { type: "integer" } },
      },
      { type: "object", required: ["kind"], properties: { kind: { enum: ["b", "c"] } } },
    ],
  },
  "a member that only a branch requires": {
    type: "object",
    properties: { id: { type: "integer" }, email: { type: "string" } },
    anyOf: [{ required: ["id"] }, { required: ["email"] }],
    allOf: [{ required: ["email"] }],
  },
  "a required member that is not described": { type: "object", required: ["ids"] },
  "at least so many members": {
    type: "object",
    minProperties: 2,
    properties: { name: { type: "string" }, size: { type: "integer" } },
  },
  "at least one member of any name": {
    type: "object",
    minProperties: 1,
    additionalProperties: { type: "boolean" },
  },
  "ten items in each of two lists": {
    type: "array",
    minItems: 2,
    items: { type: "array", minItems: 10, items: { type: "integer" } },
  },
  "different items": {
    type: "object",
    required: ["ids", "sizes", "colors"],
    properties: {
      ids: {
        type: "array",
        minItems: 3,
        uniqueItems: true,
        items: { type: "string", pattern: "^(0|[1-9][0-9]*)$" },
      },
      sizes: { type: "array", minItems: 2, uniqueItems: true, items: { type: "integer" } },
      colors: { type: "array", minItems: 2, uniqueItems: true, items: { enum: ["red", "blue"] } },
    },
  },
  anything: {},
  "a word or a list": { anyOf: [{ enum: ["all"] }, { type: "array", items: { type: "string" } }] },
  "a list": { type: "array", minItems: 1, items: { type: "string", format: "date" } },
  "one string": { type: "string", minLength: 3 },
};
const types = ["application/json", "application/merge-patch+json", "application/vnd.a+json"];

async function open(paths: object, settings: object = {}, more: object = {}) {
  const document = { openapi: "3.1.0", info: { title: "A", version: "1" }, paths, ...more };
  const openapi = await folder.write(`${Math.random()}.json`, document);
  return createSourceClient({ name: "A", api: { baseUrl: server.url, openapi, ...settings } });
}

describe("the example that is printed for an operation", () => {
  it.each(Object.entries(schemas))("fits its body: %s", async (_what, schema) => {
    for (const type of types) {
      const client = await open({
        "/a": {
          post: { requestBody: { required: true, content: { [type]: { schema } } }, responses },
        },
      });
      const { example } = await client.describe({ path: "/a", method: "POST" });
      const { ok } = await client.call(example as never);
      const sent = server.requests.at(-1);
      expect({ ok, type: sent?.headers["content-type"] }).toEqual({ ok: true, type });
      const { error } = z.fromJSONSchema(schema as never).safeParse(JSON.parse(sent?.body ?? ""));
      expect(error?.issues).toBeUndefined();
    }
  });

  it("says so where it cannot be whole", async () => {
    const schema = { type: "array", minItems: 100, items: { type: "integer" } };
    const body = { content: { "application/json": { schema } } };
    const client = await open({ "/a": { post: { requestBody: body, responses } } });
    expect(await client.describe({ path: "/a", method: "POST" })).toMatchObject({
      incomplete: "The body of the example lacks something that its schema asks for.",
    });
  });

  it("fits its path and its query", async () => {
    const at = (place: string, name: string, schema: object, more: object = {}) => ({
      name,
      in: place,
      required: true,
      schema,
      ...more,
    });
    const parameters = [
      at("path", "sid", { type: "string", pattern: "^AC[0-9a-f]{4}$" }),
      at("path", "at", { type: "string", format: "date-time" }),
      at("path", "flow", { oneOf: [{ type: "integer" }, { type: "string" }] }),
      at("query", "own", { type: "string", properties: { own: { type: "string" } } }),
      at("query", "size", { type: "integer", minimum: 10 }),
      at(
        "query",
        "tags",
        { type: "array", minItems: 2, items: { type: "string" } },
        { explode: false },
      ),
      at("query", "where", { type: "object", properties: { city: { type: "string" } } }),
      at(
        "query",
        "sort",
        { type: "object", required: ["by"], properties: { by: { enum: ["a"] } } },
        {
          style: "deepObject",
        },
      ),
      at("header", "X-Version", { type: "string", enum: ["2026-01-31"] }),
      at("header", "Idempotency-Key", { type: "string" }),
    ];
    const client = await open({
      "/a/{sid}/{at}/{flow}/{forgotten}": { get: { parameters, responses } },
    });
    const { example, path } = await client.describe({
      path: "/a/{sid}/{at}/{flow}/{forgotten}",
      method: "GET",
    });
    expect(path).toMatchObject({ forgotten: "string" });
    expect((await client.call(example as never)).ok).toBe(true);
    const sent = server.requests.at(-1);
    const url = new URL(sent?.url ?? "", server.url);
    expect(url.pathname).toMatch(/^\/a\/AC[0-9a-f]{4}\/2026-01-31T12%3A00%3A00Z\/flow\/forgotten$/);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      own: "own",
      size: "10",
      tags: "tags,tags",
      city: "city",
      "sort[by]": "a",
    });
    expect(sent?.headers).toMatchObject({
      "x-version": "2026-01-31",
      "idempotency-key": "a-new-key-for-each-call",
    });
  });

  it.each([
    ["application/x-www-form-urlencoded", "name=string"],
    ["text/csv", "text"],
    ["application/xml", "<root/>"],
  ])("is sent as %s", async (type, body) => {
    const isForm = type.includes("form");
    const schema = isForm
      ? { type: "object", required: ["name"], properties: { name: { type: "string" } } }
      : { type: "object" };
    const client = await open({
      "/a": { post: { requestBody: { content: { [type]: { schema } } }, responses } },
    });
    const { example } = await client.describe({ path: "/a", method: "POST" });
    expect((await client.call(example as never)).ok).toBe(true);
    expect(server.requests.at(-1)).toMatchObject({ body, headers: { "content-type": type } });
  });

  it("leaves out the parameters of a query that the record sends", async () => {
    const parameters = ["key", "format", "q"].map((name) => ({
      name,
      in: "query",
      required: true,
    }));
    const client = await open(
      { "/a": { get: { parameters, responses } } },
      { authType: "query", queryParam: "key", query: { format: "fixed" } },
    );
    const { query, example } = await client.describe({ path: "/a", method: "GET" });
    const unsent = "set by the source's record, not by a call";
    expect([query, example]).toMatchObject([
      { key: unsent, format: unsent },
      { query: { q: "q" } },
    ]);
    expect(Object.keys(Object(example).query)).toEqual(["q"]);
  });

  it("has no cookie: the record sends the one that an operation requires", async () => {
    const schema = { type: "string" };
    const parameters = [
      { name: "session", in: "cookie", required: true, schema },
      { name: "theme", in: "cookie", schema },
    ];
    const client = await open({ "/a": { get: { parameters, responses } } });
    const { cookies, example } = await client.describe({ path: "/a", method: "GET" });
    expect(cookies).toEqual({ session: "set by the source's record, not by a call" });
    expect(example).toEqual({ method: "GET", path: "/a" });
  });

  it.each([
    ["3.1.0", { item: { id: "a" } }],
    ["3.0.3", { item: {} }],
  ])("has what a schema requires beside its reference, in OpenAPI %s", async (openapi, body) => {
    const item = { $ref: "#/components/schemas/Item", required: ["id"] };
    const schema = { type: "object", required: ["item"], properties: { item } };
    const Item = { type: "object", properties: { id: { type: "string", example: "a" } } };
    const requestBody = { required: true, content: { "application/json": { schema } } };
    const components = { schemas: { Item } };
    const client = await open(
      { "/a": { post: { requestBody, responses } } },
      {},
      { openapi, components },
    );
    expect(await client.describe({ path: "/a", method: "POST" })).toMatchObject({
      example: { body },
    });
  });

  it("stands beside every required member of a body, also of one whose first has many", async () => {
    const list = Array.from({ length: 70 }, (_each, at) => [`m${at}`, { type: "string" }]);
    const data = { type: "object", properties: Object.fromEntries(list) };
    const properties = { data, risk: { type: "string" }, note: { type: "string" } };
    const schema = { type: "object", required: ["data", "risk"], properties };
    const requestBody = { required: true, content: { "application/json": { schema } } };
    const client = await open({ "/a": { post: { requestBody, responses } } });
    const { body } = await client.describe({ path: "/a", method: "POST" });
    expect(body).toMatch(/, risk: string(?:,|\})/);
  });

  it("names no file in a body that cannot hold one", async () => {
    const schema = {
      type: "object",
      required: ["file"],
      properties: { file: { type: "string", format: "binary" } },
    };
    const client = await open({
      "/a": { post: { requestBody: { content: { "application/json": { schema } } }, responses } },
    });
    const { example } = await client.describe({ path: "/a", method: "POST" });
    expect((await client.call(example as never)).ok).toBe(true);
  });

  it("runs no regular expression of the document", async () => {
    const pattern = "^(a+)+(b|[^c])*\\1$".replace("\\1", "");
    const schema = {
      type: "object",
      required: ["a"],
      properties: { a: { type: "string", pattern } },
    };
    const client = await open({
      "/a": { post: { requestBody: { content: { "application/json": { schema } } }, responses } },
    });
    expect(await client.describe({ path: "/a", method: "POST" })).toHaveProperty("example");
  });
});

describe("the example of a body that is not JSON", () => {
  const row = {
    type: "object",
    required: ["a", "b"],
    properties: { a: { type: "integer" }, b: { type: "string" } },
  };
  const rows = { type: "array", items: row };
  const given = [
    { a: 1, b: "x" },
    { a: 2, b: "y" },
  ];
  const file = { type: "string", format: "binary" };
  it.each<[string, object, unknown, string]>([
    ["application/x-ndjson", { schema: rows }, [{ a: 1, b: "string" }], '{"a":1,"b":"string"}\n'],
    ["application/x-ndjson", { schema: row }, [{ a: 1, b: "string" }], '{"a":1,"b":"string"}\n'],
    [
      "application/x-ndjson",
      { schema: rows, example: given },
      given,
      '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n',
    ],
    ["text/csv", { schema: rows }, "a,b\n1,string\n", "a,b\n1,string\n"],
    ["text/csv", { schema: { type: "string" }, example: "a;b" }, "a;b", "a;b"],
    ["application/yaml", { schema: row }, '{"a":1,"b":"string"}', '{"a":1,"b":"string"}'],
    [
      "application/xml",
      { schema: { ...row, xml: { name: "Row" } } },
      "<Row><a>1</a><b>string</b></Row>",
      "<Row><a>1</a><b>string</b></Row>",
    ],
    ["image/*", { schema: file }, { $file: "r_…" }, ""],
    ["image/png", {}, { $file: "r_…" }, ""],
  ])("of %s %j is %j", async (type, media, body, sent) => {
    const requestBody = { required: true, content: { [type]: media } };
    const client = await open({ "/a": { post: { requestBody, responses } } });
    const { example } = (await client.describe({ path: "/a", method: "POST" })) as {
      example: { path: string; body: object };
    };
    expect(example.body).toEqual(body);
    if (sent === "") return;
    await client.call(example);
    expect(server.requests.at(-1)).toMatchObject({ body: sent });
  });

  it("in lines gets the line break that a text lacks at its end", async () => {
    const requestBody = { content: { "application/x-ndjson": {} } };
    const client = await open({ "/a": { post: { requestBody, responses } } });
    await client.call({ method: "POST", path: "/a", body: '{"a":1}\n{"a":2}' });
    expect(server.requests.at(-1)?.body).toBe('{"a":1}\n{"a":2}\n');
  });
});
