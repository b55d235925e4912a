/** The document decides how a call is sent: media type, lists and objects, server, the body of a GET, files. */

import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { startHttpServer } from "../../support/http-server.js";
import { openTestFolder } from "../../support/test-folder.js";

const folder = openTestFolder();
const server = await startHttpServer();
const responses = { 200: { description: "Done" } };
const text = { type: "string" };
const list = { type: "array", items: text };

/** A client of a document, and what a call of it becomes on the wire. */
async function open(paths: object, more: object = {}, settings: object = {}) {
  const openapi = await folder.write(`${Math.random()}.json`, {
    openapi: "3.0.3",
    info: { title: "A", version: "1" },
    paths,
    ...more,
  });
  const api = { baseUrl: `${server.url}/v1`, openapi, ...settings };
  const client = createSourceClient({ name: "A", api });
  const call = async (input: object) => {
    const { content } = await client.call(input as never);
    const { status, error } = JSON.parse(content);
    const sent = server.requests.at(-1);
    return status === undefined
      ? { error }
      : { type: sent?.headers["content-type"], body: sent?.body, url: sent?.url };
  };
  return { call, client };
}

const post = (content: object, more: object = {}) => ({
  post: { requestBody: { required: true, content }, responses, ...more },
});
const of = (...types: string[]) =>
  post(Object.fromEntries(types.map((type) => [type, { schema: {} }])));

describe("the media type of a body", () => {
  it.each<[string[], unknown, string, string]>([
    [["application/json", "text/csv"], { a: 1 }, "application/json", '{"a":1}'],
    [["text/csv", "*/*"], { a: 1 }, "application/json", '{"a":1}'],
    [["application/merge-patch+json"], { a: 1 }, "application/merge-patch+json", '{"a":1}'],
    [
      ["application/json-patch+json", "application/merge-patch+json"],
      [{ op: "remove" }],
      "application/json-patch+json",
      '[{"op":"remove"}]',
    ],
    [
      ["application/json-patch+json", "application/merge-patch+json"],
      '[{"op":"remove"}]',
      "application/json-patch+json",
      '[{"op":"remove"}]',
    ],
    // As Kubernetes lists them.
    [
      ["application/json-patch+json", "application/merge-patch+json"],
      { a: 1 },
      "application/merge-patch+json",
      '{"a":1}',
    ],
    [
      ["application/json-patch+json", "application/merge-patch+json"],
      '{"a":1}',
      "application/merge-patch+json",
      '{"a":1}',
    ],
    [["application/vnd.a+json;version=2"], { a: 1 }, "application/vnd.a+json;version=2", '{"a":1}'],
    [
      ["application/xml", "application/x-www-form-urlencoded"],
      { a: "x y", tags: ["p", "q"] },
      "application/x-www-form-urlencoded",
      "a=x+y&tags=p&tags=q",
    ],
    [["application/xml"], "<a/>", "application/xml", "<a/>"],
    [["text/csv"], "ä,b", "text/csv; charset=utf-8", "ä,b"],
    [["application/json-seq"], '{"a":1}', "application/json-seq", '{"a":1}'],
    [["application/x-ndjson"], '{"a":1}\n', "application/x-ndjson", '{"a":1}\n'],
    [["application/yaml"], "a: 1", "application/yaml", "a: 1"],
    [["application/sparql-query"], "ASK {}", "application/sparql-query", "ASK {}"],
  ])("is the operation's, of %j", async (types, body, type, written) => {
    const { call } = await open({ "/a": of(...types) });
    expect(await call({ method: "POST", path: "/a", body })).toMatchObject({ type, body: written });
  });

  it.each([
    ["the call", { headers: { "Content-Type": "application/json" } }, {}],
    ["the call", { headers: { "Content-Type": "application/json" } }, { bodyFormat: "form" }],
    ["the record's bodyFormat", {}, { bodyFormat: "json" }],
    ["a constant header of the record", {}, { headers: { "Content-Type": "application/json" } }],
  ])("is not the operation's where %s says it", async (_who, input, settings) => {
    const { call } = await open({ "/a": of("application/x-www-form-urlencoded") }, {}, settings);
    const sent = await call({ method: "POST", path: "/a", body: { a: 1 }, ...input });
    expect(sent).toMatchObject({ type: "application/json", body: '{"a":1}' });
  });

  it.each(["true", "5", '{"a":1}', "null", "words"])(
    "is JSON with one string for a schema of one string, whatever the text looks like: %s",
    async (body) => {
      const { call } = await open({ "/a": post({ "application/json": { schema: text } }) });
      const sent = await call({ method: "POST", path: "/a", body });
      expect(sent.body).toBe(JSON.stringify(body));
    },
  );

  it.each([
    "message/http",
    "multipart/mixed",
    "application/http",
    "text/plain; charset=utf-16le",
    "text/plain\r\nX-Evil: 1",
    'text/plain; a="\r\n"',
    "application/json, text/plain",
  ])("is never one that hides a request or a header, or has another charset: %j", async (type) => {
    const { call } = await open({ "/a": of(type) });
    const sent = await call({ method: "POST", path: "/a", body: { a: 1 } });
    expect(sent).toMatchObject({ type: "application/json", body: '{"a":1}' });
    expect(server.requests.at(-1)?.headers).not.toHaveProperty("x-evil");
  });

  it("is named by the hint of a 415", async () => {
    const strict = await startHttpServer((_request, response) => {
      response.writeHead(415).end();
    });
    const { client } = await open({ "/a": of("text/csv") }, {}, { baseUrl: strict.url });
    const headers = { "Content-Type": "application/json" };
    const { content } = await client.call({ method: "POST", path: "/a", body: "{}", headers });
    const { hint } = JSON.parse(content).error;
    expect(hint).toContain('The operation takes "text/csv"; "application/json" was sent.');
  });

  it("has the types of its answers in the hint of a 406", async () => {
    const strict = await startHttpServer((_request, response) => {
      response.writeHead(406).end();
    });
    const content = { "application/vnd.shop.v2+json": {}, "application/xml": {} };
    const paths = { "/a": { get: { responses: { 200: { description: "Done", content } } } } };
    const { client } = await open(paths, {}, { baseUrl: strict.url });
    const { content: text } = await client.call({ method: "GET", path: "/a" });
    expect(JSON.parse(text).error.hint).toContain(
      'The operation answers with "application/vnd.shop.v2+json", "application/xml".',
    );
  });
});

describe("the fields of a form", () => {
  const type = "application/x-www-form-urlencoded";
  const properties = { tags: list, shape: { type: "object" }, at: { type: "object" } };
  const encoding = { tags: { explode: false }, shape: { style: "deepObject", explode: true } };
  const schema = { type: "object", properties };

  it.each<[object, object, string]>([
    [{}, { tags: ["a", "b"] }, "tags=a&tags=b"],
    [{}, { at: { x: 1 } }, "at=%7B%22x%22%3A1%7D"],
    [{ encoding }, { tags: ["a", "b"] }, "tags=a%2Cb"],
    [{ encoding }, { shape: { a: { b: 1 } } }, "shape[a][b]=1"],
    [{ encoding: { tags: { style: "pipeDelimited" } } }, { tags: ["a", "b"] }, "tags=a%7Cb"],
    [
      { encoding: { shape: { style: "deepObject", contentType: "application/json" } } },
      { shape: { a: 1 } },
      "shape[a]=1",
    ],
    [{}, { other: ["a", "b"], deep: { a: 1 } }, "other=a&other=b&deep[a]=1"],
    [{}, { tags: [], at: null }, "tags=&at="],
  ])("are written as the document has them: %j %j", async (more, body, written) => {
    const { call } = await open({ "/a": post({ [type]: { schema, ...more } }) });
    expect(await call({ method: "POST", path: "/a", body })).toMatchObject({ type, body: written });
  });
});

describe("a list in a query", () => {
  const parameter = (more: object) => ({
    get: { parameters: [{ name: "q", in: "query", schema: list, ...more }], responses },
  });

  it("keeps a separator that is in a value apart from those between values", async () => {
    const { call } = await open({ "/a": parameter({ explode: false }) });
    const query = { q: ["Doe, John", "Smith"] };
    expect(await call({ path: "/a", query })).toMatchObject({ url: "/v1/a?q=Doe%2C%20John,Smith" });
    expect(await call({ path: "/a", query: { q: ["a,b"] } })).toMatchObject({
      url: "/v1/a?q=a%2Cb",
    });
    expect(await call({ path: "/a", query: { q: "a,b" } })).toMatchObject({ url: "/v1/a?q=a,b" });
  });

  it.each(["pipeDelimited", "spaceDelimited"])(
    "is refused where a value has the separator of %s",
    async (style) => {
      const { call } = await open({ "/a": parameter({ style, explode: false }) });
      const sent = server.requests.length;
      const { error } = await call({ path: "/a", query: { q: ["a| b", "c"] } });
      expect(error).toMatchObject({ category: "invalid_input" });
      expect(server.requests).toHaveLength(sent);
    },
  );

  it.each([
    [{}, '["a","b"]', "q=a&q=b"],
    [{ explode: false }, '["a","b"]', "q=a,b"],
    [{ style: "deepObject", schema: { type: "object" } }, '{"a":1}', "q%5Ba%5D=1"],
    [{ explode: false }, "[a", "q=%5Ba"],
  ])("may be given as JSON text: %j %s", async (more, q, written) => {
    const { call } = await open({ "/a": parameter(more) });
    expect(await call({ path: "/a", query: { q } })).toMatchObject({ url: `/v1/a?${written}` });
  });
});

describe("a body of a GET", () => {
  const get = {
    get: { requestBody: { content: { "application/json": { schema: {} } } }, responses },
  };

  it("is sent where the operation has one", async () => {
    const { call } = await open({ "/a": get });
    expect(await call({ path: "/a", body: { size: 1 }, method: "GET" })).toMatchObject({
      type: "application/json",
      body: '{"size":1}',
    });
  });

  it("is refused where it has none, and absent where it is empty", async () => {
    const { call } = await open({ "/a": { get: { responses } } });
    const { error } = await call({ method: "GET", path: "/a", body: { size: 1 } });
    expect(error).toMatchObject({ category: "invalid_input" });
    for (const body of ["{}", "[]", "null", {}])
      expect(await call({ method: "GET", path: "/a", body })).toMatchObject({ body: "" });
  });

  it.each(["mutation { a }", "subscription { a }"])(
    "is refused with a GraphQL document that may write, where the source only reads: %s",
    async (query) => {
      const { call } = await open({ "/a": get }, {}, { methods: ["GET"] });
      for (const body of [{ query }, { a: [{ deep: query }] }, JSON.stringify({ query })]) {
        const { error } = await call({ method: "GET", path: "/a", body });
        expect(error).toMatchObject({ category: "refused_by_policy" });
      }
    },
  );

  it("is refused with a GraphQL document that may write in a form, where the source only reads", async () => {
    const form = { requestBody: { content: { "application/x-www-form-urlencoded": {} } } };
    const { call } = await open(
      { "/a": { get: { ...form, responses } } },
      {},
      { methods: ["GET"] },
    );
    const bodies = [
      { query: "mutation { a }" },
      "query=mutation+%7Ba%7D",
      "a=b&query=%6dutation%20%7Ba%7D",
    ];
    for (const body of bodies) {
      const { error } = await call({ method: "GET", path: "/a", body });
      expect(error).toMatchObject({ category: "refused_by_policy" });
    }
    expect((await call({ method: "GET", path: "/a", body: { query: "{ a }" } })).body).toBe(
      "query=%7B+a+%7D",
    );
  });

  it("is refused with a member that names another method", async () => {
    const { call } = await open({ "/a": get });
    const { error } = await call({ method: "GET", path: "/a", body: { _method: "DELETE" } });
    expect(error).toMatchObject({ category: "refused_by_policy" });
  });
});

describe("the members of an exploded object", () => {
  it.each(["version", "VERSION", "version[]", "_method", "X-HTTP-Method-Override", "__proto__"])(
    "are judged as the parameters that they become: %s",
    async (name) => {
      const shape = { type: "object", additionalProperties: { type: "string" } };
      const encoding = { shape: { style: "form", explode: true } };
      const form = {
        "application/x-www-form-urlencoded": {
          schema: { type: "object", properties: { shape } },
          encoding,
        },
      };
      const parameters = [{ name: "shape", in: "query", schema: shape }];
      const paths = {
        "/a": { get: { parameters, responses }, post: post(form).post },
      };
      const { call } = await open(
        paths,
        {},
        { query: { version: "own" }, methods: ["GET", "POST"] },
      );
      const sent = server.requests.length;
      const value = JSON.parse(`{${JSON.stringify(name)}:"DELETE"}`);
      const { error } = await call({ method: "GET", path: "/a", query: { shape: value } });
      expect(error?.category).toMatch(/^(?:refused_by_policy|invalid_input)$/);
      if (/method/i.test(name)) {
        const refused = await call({ method: "POST", path: "/a", body: { shape: value } });
        expect(refused.error).toMatchObject({ category: "refused_by_policy" });
      }
      expect(server.requests).toHaveLength(sent);
    },
  );
});

describe("a page after the first", () => {
  const form = "application/x-www-form-urlencoded";
  /** The media types and bodies in which two pages are read. */
  const readTwo = async (paths: object, input: object) => {
    const api = await startHttpServer(({ url, body }, response) => {
      const isSecond = `${url} ${body}`.includes("b1");
      const answer = { rows: [{ id: isSecond ? 2 : 1 }], next_cursor: isSecond ? null : "b1" };
      response.setHeader("Content-Type", "application/json").end(JSON.stringify(answer));
    });
    const { client } = await open(paths, {}, { baseUrl: api.url });
    await client.call({ pages: 2, ...input } as never);
    return api.requests.map(({ headers, body }) => [headers["content-type"], body]);
  };

  it.each<[string, string, string]>([
    [form, "q=x&cursor=a", "q=x&cursor=b1"],
    ["application/vnd.a+json", '{"q":"x","cursor":"a"}', '{"q":"x","cursor":"b1"}'],
  ])("has the body of a search in the media type of the operation: %s", async (type, ...bodies) => {
    const body = { q: "x", cursor: "a" };
    const sent = await readTwo({ "/search": of(type) }, { method: "POST", path: "/search", body });
    expect(sent).toEqual(bodies.map((each) => [type, each]));
  });

  it("has the body that the call gives as form text, never one without its filters", async () => {
    const input = { method: "POST", path: "/search", body: "q=x&cursor=a" };
    const sent = await readTwo({ "/search": of(form) }, input);
    expect(sent).toEqual(sent.map(() => [form, "q=x&cursor=a"]));
  });

  it("has the body of a GET", async () => {
    const get = { requestBody: { content: { "application/json": {} } }, responses };
    const input = { method: "GET", path: "/a", query: { cursor: "a" }, body: { q: "x" } };
    const one = ["application/json", '{"q":"x"}'];
    expect(await readTwo({ "/a": { get } }, input)).toEqual([one, one]);
  });
});

describe("a server of an operation", () => {
  const at = (url: string) => ({ post: { servers: [{ url }], responses } });

  it("is before the path, however the call writes it", async () => {
    const { call } = await open({ "/files": at("/v1/upload") });
    for (const path of ["/files?a=1", "files?a=1", `${server.url}/v1/files?a=1`])
      expect((await call({ method: "POST", path })).url).toBe("/v1/upload/files?a=1");
  });

  it("below the base URL is used, and the rules of the record judge the path that is sent", async () => {
    const paths = {
      "/files": at(`${server.url}/v1/upload`),
      "/secret": at(`${server.url}/v1/deny`),
    };
    const { call, client } = await open(paths, {}, { paths: { deny: ["/deny/**"] } });
    expect(await client.describe({})).toMatchObject({ map: "/upload/files POST" });
    const input = { method: "POST", body: {} };
    expect(await call({ ...input, path: "/files" })).toMatchObject({ url: "/v1/upload/files" });
    expect(await call({ ...input, path: "/upload/files" })).toMatchObject({
      url: "/v1/upload/files",
    });
    for (const path of ["/secret", "/deny/secret"]) {
      const { error } = await call({ ...input, path });
      expect(error).toMatchObject({ category: "refused_by_policy" });
    }
  });

  it.each([
    ["another host", "https://upload.example/v1"],
    ["another port", "http://127.0.0.1:1/v1"],
    ["a path beside the base URL", "/v2"],
    ["a path above it by dots", "/v1/../v2"],
    ["another scheme", "ftp://127.0.0.1/v1"],
    ["a user before the host", "http://a@upload.example/v1"],
    ["the base URL as a user name", `${server.url}@upload.example/v1`],
    ["a host behind backslashes", "/\\upload.example/v1"],
    ["a host without slashes", "http:upload.example/v1"],
    ["the same machine by another address", "http://[::ffff:127.0.0.1]/v1"],
  ])("at %s is shown, and a call of it is refused unsent", async (_where, url) => {
    const { call, client } = await open({ "/files": at(url), "/other": { get: { responses } } });
    const sent = server.requests.length;
    expect(await client.describe({})).toMatchObject({ map: "/other" });
    const described = await client.describe({ path: "/files", method: "POST" });
    expect(String(described["server"])).toContain("not this source's");
    expect(described["example"]).toBeUndefined();
    const { error } = await call({ method: "POST", path: "/files", body: {} });
    expect(error).toMatchObject({ category: "refused_by_policy" });
    expect(server.requests).toHaveLength(sent);
  });

  it.each([
    ["the one of the document's that the base URL is at", `${server.url}/v1`, undefined],
    ["another one of the document's", "https://two.example/v1", "https://two.example/v1"],
    [
      "a template of the document's, with other defaults",
      "http://{host}/v1",
      "http://b.example/v1",
    ],
  ])("that is %s is called where that is", async (_what, url, elsewhere) => {
    const own = { url, variables: { host: { default: "b.example" } } };
    const variables = { host: { default: new URL(server.url).host } };
    const servers = [{ url: "http://{host}/v1", variables }, { url: "https://two.example/v1" }];
    const paths = { "/a": { get: { servers: [own], responses } } };
    const { client } = await open(paths, { servers });
    const { server: told } = await client.describe({ path: "/a", method: "GET" });
    expect(told && String(told).split(": not")[0]).toBe(elsewhere);
  });

  it("that is the document's, where the base URL is at none of these, is the base URL", async () => {
    const paths = { "/files": at("https://two.example/v1") };
    const { call } = await open(paths, { servers: [{ url: "https://two.example/v1" }] });
    expect(await call({ method: "POST", path: "/files" })).toMatchObject({ url: "/v1/files" });
  });

  it("at another host is no operation that its path fits, too", async () => {
    const paths = {
      "/files/new": at("https://upload.example/v1"),
      "/files/{id}": { post: { responses } },
    };
    const { client } = await open(paths);
    expect(await client.describe({ path: "/files/new", method: "POST" })).toMatchObject({
      operation: "POST /files/new",
      server: expect.stringContaining("not this source's"),
    });
  });

  it.each([
    "/../../admin",
    "//upload.example",
    "/%2e%2e/admin",
    "/%2e%2e%2fadmin",
    "/..%5cadmin",
    "/..;/admin",
    "/\\..\\..\\admin",
    "/%252e%252e/admin",
    "/\n/admin",
  ])("leads to no place above the base URL: %s", async (end) => {
    const { call } = await open({ "/files": at(`${server.url}/v1${end}`) });
    const sent = server.requests.length;
    const { error } = await call({ method: "POST", path: "/files", body: {} });
    expect(error).toMatchObject({ category: "refused_by_policy" });
    expect(server.requests).toHaveLength(sent);
  });
});

describe("paths with a query or a fragment", () => {
  it("are operations of their own", async () => {
    const query = (name: string) => ({
      get: { parameters: [{ name, in: "query", schema: text }], responses },
    });
    const { call, client } = await open({
      "/a?op=list": query("limit"),
      "/a?op=get": query("id"),
      "/b#copy": { post: { summary: "Copy", ...of("text/csv").post } },
    });
    const described = await client.describe({ path: "/a?op=get", method: "GET" });
    expect(described).toMatchObject({ operation: "GET /a?op=get", query: { "id?": "string" } });
    expect(described["example"]).toEqual({ method: "GET", path: "/a?op=get" });
    expect(await call({ path: "/a?op=get", query: { id: "7" } })).toMatchObject({
      url: "/v1/a?op=get&id=7",
    });
    const copy = await client.describe({ path: "/b#copy", method: "POST" });
    expect(copy).toMatchObject({ about: "Copy", example: { path: "/b", body: "string" } });
    expect(await call(copy["example"] as object)).toMatchObject({ type: "text/csv", url: "/v1/b" });
  });

  it("are chosen by what stands behind `?` in the path of the call", async () => {
    const { call } = await open({
      "/a?op=data": of("application/json"),
      "/a?op=rows": of("text/csv"),
    });
    const input = { method: "POST", body: "1" };
    const rows = await call({ ...input, path: "/a?op=rows" });
    const data = await call({ ...input, path: "/a?op=data" });
    expect([rows.type, data.type]).toEqual(["text/csv", "application/json"]);
  });

  it("may repeat the path of the base URL", async () => {
    const { call } = await open(
      { "/v1/a": { get: { responses } } },
      {
        servers: [{ url: `${server.url}/v1` }],
      },
    );
    expect(await call({ path: "/v1/a" })).toMatchObject({ url: "/v1/v1/a" });
  });
});

describe("a file object in a body", () => {
  const file = { $text: "hi", name: "a.txt" };

  it("makes the body multipart where the operation takes multipart beside JSON", async () => {
    const { call } = await open({ "/a": of("application/json", "multipart/form-data") });
    const input = { method: "POST", path: "/a" };
    expect((await call({ ...input, body: { file } })).type).toMatch(/^multipart\/form-data;/);
    expect((await call({ ...input, body: { title: "x" } })).type).toBe("application/json");
  });

  it("is refused with what the operation takes where that is JSON alone; data is not", async () => {
    const { call } = await open({ "/a": of("application/json") });
    const input = { method: "POST", path: "/a" };
    const sent = server.requests.length;
    const { error } = await call({ ...input, body: { file } });
    expect(error).toMatchObject({
      category: "invalid_input",
      message: expect.stringContaining('"application/json"'),
    });
    expect(server.requests).toHaveLength(sent);
    const body = { filter: { $text: { $search: "coffee" } }, deep: { file } };
    expect(await call({ ...input, body })).toMatchObject({ body: JSON.stringify(body) });
  });

  it("that is the whole body is its bytes, with its type or the operation's", async () => {
    const { call } = await open({ "/a": of("application/octet-stream"), "/b": of("text/csv") });
    const body = { $text: "a,b", type: "text/csv" };
    expect(await call({ method: "POST", path: "/a", body })).toMatchObject({
      type: "application/octet-stream",
      body: "a,b",
    });
    expect(await call({ method: "POST", path: "/b", body })).toMatchObject({ type: "text/csv" });
  });
});

describe("a header that the operation requires", () => {
  const header = (name: string) => ({ name, in: "header", required: true, schema: text });
  const names = ["X-Api-Version", "X-User-Id", "X-Api-Key", "X-Forwarded-Host", "Range"];
  const kinds = ["traceparent", "X-HTTP-Method-Override", "X-Callback-Url", "X-Acl"];
  const own = ["Accept", "Content-Type", "Authorization"];
  const paths = {
    "/a": { get: { parameters: [...names, ...kinds, ...own].map(header), responses } },
  };

  it("is in the example and may be sent, unless its kind is for the record to permit", async () => {
    const { call, client } = await open(paths);
    const { example, headers } = await client.describe({ path: "/a", method: "GET" });
    const byRecord = [...names.slice(1), ...kinds].map((name) => [
      name,
      "set by the source's record, not by a call",
    ]);
    expect(headers).toEqual({
      "X-Api-Version": "string",
      ...Object.fromEntries(byRecord),
      ...Object.fromEntries(own.map((name) => [name, "set by the tool"])),
    });
    expect(example).toEqual({
      method: "GET",
      path: "/a",
      headers: { "X-Api-Version": "X-Api-Version" },
    });
    for (const name of [...names.slice(1), ...kinds, "Authorization"]) {
      const { error } = await call({ path: "/a", headers: { [name]: "x" } });
      expect(error).toMatchObject({ category: "refused_by_policy" });
    }
  });

  it("is decided by allowedHeaders alone where the record has them", async () => {
    const none = await open(paths, {}, { allowedHeaders: [] });
    const { error } = await none.call({ path: "/a", headers: { "X-Api-Version": "1" } });
    expect(error).toMatchObject({ category: "refused_by_policy" });
    const described = await none.client.describe({ path: "/a", method: "GET" });
    expect(described["example"]).toEqual({ method: "GET", path: "/a" });
    const one = await open(paths, {}, { allowedHeaders: ["X-User-Id"] });
    expect(await one.call({ path: "/a", headers: { "X-User-Id": "1" } })).toMatchObject({
      url: "/v1/a",
    });
  });
});

describe("the example of a hostile document", () => {
  it("is small where lists of many items are in each other", async () => {
    const { client } = await open({
      "/a": post({ "application/json": { schema: nestLists(12) } }),
    });
    const { example } = await client.describe({ path: "/a", method: "POST" });
    expect(JSON.stringify(example).length).toBeLessThan(1_000);
  });
});

/** The schema of a list of lists, so deep, each of a thousand items. */
function nestLists(depth: number): object {
  return depth === 0 ? text : { type: "array", minItems: 1_000, items: nestLists(depth - 1) };
}
