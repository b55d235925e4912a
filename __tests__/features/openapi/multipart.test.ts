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

  it("is described with an example that names a file", async () => {
    const ask = await open();
    const { data } = await ask(-1, { source: "files", path: "/files", method: "POST" });
    expect(JSON.stringify(data)).toContain('"file":{"$file":"r_…"}');
    const raw = await ask(-1, { source: "files", path: "/raw", method: "PUT" });
    expect(JSON.stringify(raw.data)).toContain('"body":{"$file":"r_…"}');
  });
});
