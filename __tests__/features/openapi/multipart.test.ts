import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import { startHttpServer } from "../../support/http-server.js";
import { openTestFolder } from "../../support/test-folder.js";

const file = { type: "string", format: "binary" };
const object = (properties: object, required: string[] = []): object => ({
  type: "object",
  properties,
  required,
});
const operation = (content: object): object => ({
  requestBody: { content },
  responses: { 200: { description: "ok" } },
});

const folder = openTestFolder();
const server = await startHttpServer();

async function open(): Promise<
  (tool: number, input: object) => Promise<ReturnType<typeof JSON.parse>>
> {
  const paths = {
    "/files": {
      post: operation({
        "multipart/form-data": { schema: object({ title: { type: "string" }, file }, ["title"]) },
      }),
    },
    "/both": {
      post: operation({
        "multipart/form-data": {},
        "application/json": { schema: object({ a: { type: "string" } }) },
      }),
    },
    "/parts": {
      post: operation({
        "multipart/form-data": {
          schema: object({
            products: { type: "array", items: object({}) },
            user: object({}),
            note: { type: "string" },
            rows: { type: "string" },
            photo: file,
          }),
          encoding: {
            products: { contentType: "application/json" },
            user: { contentType: "application/json; charset=utf-8" },
            note: { contentType: "application/json" },
            rows: { contentType: "text/csv" },
            photo: { contentType: "image/png" },
            other: { contentType: "image/png, image/gif" },
          },
        },
      }),
    },
    "/raw": { put: operation({ "application/octet-stream": { schema: file } }) },
  };
  const document = { openapi: "3.0.3", info: { title: "Files", version: "1" }, paths };
  const openapi = await folder.write("files.openapi.json", document);
  const toolkit = await ApiSourceToolkit.fromSources([
    { name: "Files", api: { baseUrl: server.url, openapi } },
  ]);
  const tools = toolkit.getTools();
  return async (at, input) => JSON.parse(String(await tools.at(at)?.invoke(input as never)));
}

describe("an operation that takes only multipart/form-data", () => {
  it("gets a multipart body without a Content-Type of the call, and others do not", async () => {
    const ask = await open();
    const send = (path: string): Promise<{ status?: number }> =>
      ask(0, { method: "POST", path, body: { title: "x", a: "y" } });
    expect((await send("/files")).status).toBe(200);
    expect(server.requests[0]?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    await send("/both");
    expect(server.requests[1]?.headers["content-type"]).toBe("application/json");
  });

  it("gets each part with the media type that the document states for it", async () => {
    const ask = await open();
    await ask(0, {
      method: "POST",
      path: "/parts",
      body: {
        products: [{ id: 1 }],
        user: { id: 2 },
        note: "hi",
        rows: "a,b",
        photo: { $text: "x", name: "p" },
        other: { $text: "y", name: "o", type: "text/html" },
      },
    });
    const parts = server.requests[0]?.body.split(/--form-\w+/).slice(1, -1) ?? [];
    const read = parts.map((part) => [
      /Content-Type: (.*)\r/.exec(part)?.[1],
      part.split("\r\n\r\n")[1]?.trim(),
    ]);
    expect(read).toEqual([
      ["application/json", '[{"id":1}]'],
      ["application/json; charset=utf-8", '{"id":2}'],
      ["application/json", '"hi"'],
      ["text/csv", "a,b"],
      ["image/png", "x"],
      ["text/html", "y"],
    ]);
  });

  it("gets the type of a file that the call names before the document's", async () => {
    const ask = await open();
    const photo = { $text: "x", name: "p", type: "image/gif" };
    await ask(0, { method: "POST", path: "/parts", body: { photo } });
    expect(server.requests[0]?.body).toContain("Content-Type: image/gif");
  });

  it("is described with an example that names a file", async () => {
    const ask = await open();
    const { data } = await ask(-1, { source: "files", path: "/files", method: "POST" });
    expect(JSON.stringify(data)).toContain('"file":{"$file":"r_…"}');
    const raw = await ask(-1, { source: "files", path: "/raw", method: "PUT" });
    expect(JSON.stringify(raw.data)).toContain('"body":{"$file":"r_…"}');
  });
});
