/** Lists and objects in a query, as the API's document has them. */

import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit, createSourceClient } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { openTestFolder } from "../../support/test-folder.js";

const folder = openTestFolder();
const server = await startHttpServer((request, response) => {
  const link = request.url.startsWith("/linked?") && !request.url.includes("page=2");
  sendJson(
    response,
    [{ id: 1 }],
    200,
    link ? { Link: '</linked?list=a&list=b&page=2>; rel="next"' } : {},
  );
});

const list = { type: "array", items: { type: "string" } };
const shape = { type: "object", properties: { a: {}, b: {} } };
const info = { title: "Shop", version: "1" };

/** OpenAPI 3 parameters, each at a path of its own, called `list` or `shape` by its schema. */
const parameters: Readonly<Record<string, object>> = {
  // As Asana's `opt_fields` and Box's `fields` are described.
  form: { explode: false, schema: list },
  formed: { style: "form", schema: list },
  linked: { explode: false, schema: list },
  space: { style: "spaceDelimited", schema: list },
  pipe: { style: "pipeDelimited", explode: false, schema: list },
  piped: { style: "pipeDelimited", explode: true, schema: list },
  // As Stripe's `expand` and `created` are.
  deep: { style: "deepObject", explode: true, schema: list },
  deeper: { style: "deepObject", schema: shape },
  comma: { explode: false, schema: shape },
  members: { schema: { $ref: "#/components/schemas/Shape" } },
  content: { content: { "application/json": { schema: shape } } },
};
/** Swagger 2: of Petstore's parameters `status` is `multi`. */
const swagger: Readonly<Record<string, string | undefined>> = {
  multi: "multi",
  csv: "csv",
  preset: undefined,
  ssv: "ssv",
  tsv: "tsv",
  pipes: "pipes",
};

async function open(version: "openapi" | "swagger") {
  const name = (parameter: object): string =>
    JSON.stringify(parameter).includes("array") ? "list" : "shape";
  const paths =
    version === "openapi"
      ? Object.entries(parameters).map(
          ([path, given]) => [path, { name: name(given), ...given }] as const,
        )
      : Object.entries(swagger).map(
          ([path, collectionFormat]) =>
            [path, { name: "list", ...list, collectionFormat }] as const,
        );
  const operations = paths.map(([path, parameter]) => [
    `/${path}`,
    {
      parameters: [{ in: "query", ...parameter }],
      get: { responses: {} },
      post: { requestBody: { content: { "multipart/form-data": {} } }, responses: {} },
    },
  ]);
  const document = {
    ...(version === "openapi" ? { openapi: "3.0.3" } : { swagger: "2.0" }),
    ...{ info, paths: Object.fromEntries(operations), components: { schemas: { Shape: shape } } },
  };
  const openapi = await folder.write(`${version}.json`, document);
  const record = { name: "Shop", api: { baseUrl: server.url, openapi } };
  const [tool, , describer] = (await ApiSourceToolkit.fromSources([record])).getTools();
  const ask = async (input: object) =>
    JSON.parse(String(await tool?.invoke({ method: "GET", ...input } as never)));
  return { record, ask, describer };
}

const values = ["a", "b c", "d"];
const object = { a: 1, b: "x" };

describe("a list or an object in a query", () => {
  it.each([
    ["form", { list: values }, "list=a,b%20c,d"],
    ["formed", { list: values }, "list=a&list=b%20c&list=d"],
    ["space", { list: ["a", "b"] }, "list=a%20b"],
    ["pipe", { list: ["a", "b"] }, "list=a%7Cb"],
    ["piped", { list: ["a", "b"] }, "list=a&list=b"],
    ["deep", { list: ["a", "b"] }, "list%5B%5D=a&list%5B%5D=b"],
    ["deep", { list: [{ a: 1 }, { a: 2 }] }, "list%5B0%5D%5Ba%5D=1&list%5B1%5D%5Ba%5D=2"],
    [
      "deeper",
      { shape: { a: 1, b: { c: [2, 3] } } },
      "shape%5Ba%5D=1&shape%5Bb%5D%5Bc%5D%5B%5D=2&shape%5Bb%5D%5Bc%5D%5B%5D=3",
    ],
    ["comma", { shape: object }, "shape=a,1,b,x"],
    ["members", { shape: object }, "a=1&b=x"],
    ["content", { shape: object }, "shape=%7B%22a%22:1,%22b%22:%22x%22%7D"],
  ])("is sent as OpenAPI 3 has it: %s %j", async (path, query, sent) => {
    const { ask } = await open("openapi");
    expect(await ask({ path: `/${path}`, query })).toMatchObject({ status: 200 });
    expect(server.requests.map(({ url }) => url)).toEqual([`/${path}?${sent}`]);
  });

  it.each([
    ["multi", "list=a&list=b"],
    ["csv", "list=a,b"],
    ["preset", "list=a,b"],
    ["ssv", "list=a%20b"],
    ["tsv", "list=a%09b"],
    ["pipes", "list=a%7Cb"],
  ])("is sent as Swagger 2 has it: %s", async (path, sent) => {
    const { ask } = await open("swagger");
    await ask({ path: `/${path}`, query: { list: ["a", "b"] } });
    expect(server.requests.map(({ url }) => url)).toEqual([`/${path}?${sent}`]);
  });

  it.each<[string, unknown]>([
    ["/form", [["list", ["a", "b"]]]],
    ["/form", { list: ["a", "b"] }],
    ["/form", '{"list":["a","b"]}'],
    ["/form", "list=a&list=b"],
    ["/form", "list=a,b"],
    ["/form?list=a&list=b", undefined],
    ["/form?list=a", { list: ["b"] }],
  ])("is the same from pairs, an object and text: %s %j", async (path, query) => {
    const { ask } = await open("openapi");
    await ask({ path, query });
    expect(server.requests.map(({ url }) => url)).toEqual(["/form?list=a,b"]);
  });

  it("stays as it is in a link of the API, where no operation is known, and in a path without such parameters", async () => {
    const { ask } = await open("openapi");
    await ask({ path: "/linked", query: { list: ["a", "b"] }, pages: 2 });
    await ask({ path: "/unknown/path", query: { list: ["a", "b"] } });
    await ask({ path: "/piped?list=a;b&list=%7Ec" });
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/linked?list=a,b",
      "/linked?list=a&list=b&page=2",
      "/unknown/path?list=a&list=b",
      "/piped?list=a;b&list=%7Ec",
    ]);
  });

  it("is sent beside a multipart body, too", async () => {
    const { ask } = await open("openapi");
    await ask({
      method: "POST",
      path: "/deeper",
      query: { shape: { a: 1 } },
      body: { title: "x" },
    });
    expect(server.requests).toMatchObject([
      {
        url: "/deeper?shape%5Ba%5D=1",
        headers: { "content-type": expect.stringContaining("multipart") },
      },
    ]);
  });

  it("is refused where no style can hold it", async () => {
    const { ask } = await open("openapi");
    const refused = [
      { path: "/form", query: { list: [{ a: 1 }] } },
      { path: "/formed", query: { list: { a: 1 } } },
      { path: "/members", query: { shape: { a: { b: 1 } } } },
    ];
    for (const input of refused)
      expect((await ask(input)).error).toMatchObject({ category: "invalid_input" });
    expect(server.requests).toEqual([]);
  });

  it("sets no parameter that the record sets", async () => {
    const { record } = await open("openapi");
    const api = { ...record.api, authType: "query" as const, queryParam: "a" };
    const client = createSourceClient(
      { ...record, api },
      { credentials: { shop: { token: "0-token-of-query" } } },
    );
    const { content } = await client.call({
      method: "GET",
      path: "/members",
      query: { shape: object } as never,
    });
    expect(JSON.parse(content).error).toMatchObject({ category: "refused_by_policy" });
    expect(server.requests).toEqual([]);
  });

  it("is previewed and described as it is sent", async () => {
    const { record, describer } = await open("openapi");
    const { url } = await createSourceClient(record).preview({
      method: "GET",
      path: "/form",
      query: { list: ["a", "b"] },
    });
    expect(url).toBe(`${server.url}/form?list=a,b`);
    const describe = async (path: string) => {
      const input = { source: "shop", path: `/${path}`, method: "GET" };
      return JSON.parse(String(await describer?.invoke(input as never))).data.query;
    };
    expect(await describe("form")).toEqual({ "list?": "string[] as a,b" });
    expect(await describe("formed")).toEqual({ "list?": "string[]" });
    expect(await describe("deeper")).toEqual({ "shape?": "{a?: any, b?: any} as name[key]=a" });
  });
});
