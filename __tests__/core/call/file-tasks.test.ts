import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import { type HttpServer, type Respond, sendJson, startHttpServer } from "../../support/http-server.js";

const servers: HttpServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

/** An API that keeps files by their path: GET reads, PUT writes, POST of a form adds a version. */
async function startFileApi(files: Map<string, Buffer>): Promise<string> {
  const respond: Respond = ({ method, url, bytes }, response) => {
    if (method !== "GET") {
      files.set(url, bytes);
      return sendJson(response, { path: url }, 201);
    }
    response.writeHead(200, { "Content-Type": "application/octet-stream" });
    response.end(files.get(url));
  };
  const server = await startHttpServer(respond);
  servers.push(server);
  return server.url;
}

describe("a task with files, by a model that calls tools", () => {
  it("downloads a text, changes a line and uploads it as a new version in 2 calls", async () => {
    const files = new Map([["/notes.txt", Buffer.from("one\ntwo\nthree\n")]]);
    const api = { baseUrl: await startFileApi(files) };
    const [tool] = (await ApiSourceToolkit.fromSources([{ name: "Box", api }])).getTools();
    const ask = async (input: object): Promise<ReturnType<typeof JSON.parse>> =>
      JSON.parse(String(await tool?.invoke(input as never)));
    const { data } = await ask({ method: "GET", path: "/notes.txt" });
    const text = data.replace("two", "2");
    const body = JSON.stringify({ file: { $text: text, name: "notes.txt" } });
    const headers = [{ name: "Content-Type", value: "multipart/form-data" }];
    expect((await ask({ method: "POST", path: "/versions", body, headers })).status).toBe(201);
    expect(files.get("/versions")?.toString()).toContain('filename="notes.txt"');
    expect(files.get("/versions")?.toString()).toContain("one\n2\nthree\n");
  });

  it("copies bytes from one API to another in 2 calls, and no byte is in an answer", async () => {
    const content = randomBytes(300_000);
    const [from, to] = [new Map([["/a.bin", content]]), new Map<string, Buffer>()];
    const records = [
      { name: "A", api: { baseUrl: await startFileApi(from) } },
      { name: "B", api: { baseUrl: await startFileApi(to) } },
    ];
    const [a, b] = (await ApiSourceToolkit.fromSources(records)).getTools();
    const read = String(await a?.invoke({ method: "GET", path: "/a.bin" } as never));
    const body = JSON.stringify({ $file: JSON.parse(read).file.id });
    const written = String(await b?.invoke({ method: "PUT", path: "/copy.bin", body } as never));
    expect(to.get("/copy.bin")?.equals(content)).toBe(true);
    expect(read.length + written.length).toBeLessThan(700);
  });
});
