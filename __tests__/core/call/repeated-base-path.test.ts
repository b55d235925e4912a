import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { startHttpServer } from "../../support/http-server.js";

const server = await startHttpServer();

async function ask(path: string, settings: object = {}): Promise<ReturnType<typeof JSON.parse>> {
  server.requests.length = 0;
  const api = { baseUrl: `${server.url}/api/v3`, ...settings };
  const { content } = await createSourceClient({ name: "Shop", api }).call({ method: "GET", path });
  return { ...JSON.parse(content), sent: server.requests.map(({ url }) => url) };
}

describe("a path that repeats the path of the base URL", () => {
  it.each([
    ["/api/v3/files/7", "/files/7"],
    ["api/v3/files/7?a=1", "/files/7"],
    ["/api/v3", ""],
  ])("is answered unsent: %s", async (path, instead) => {
    const { error, sent } = await ask(path);
    expect(error.category).toBe("invalid_input");
    expect(error.message).toContain('"/api/v3" is already in the base URL');
    expect(error.message).toContain(`use "${instead}"`);
    expect(sent).toEqual([]);
  });

  it.each(["/api/v3files", "/api", "/files/api/v3"])("is not %s", async (path) => {
    expect((await ask(path)).sent).toEqual([`/api/v3${path}`]);
  });

  it("is sent where the record names such a path, and as a whole URL", async () => {
    const endpoints = [{ method: "GET", path: "/api/v3/inner", about: "inner" }];
    expect((await ask("/api/v3/x", { endpoints })).sent).toEqual(["/api/v3/api/v3/x"]);
    expect((await ask("/api/v3/x", { paths: { allow: ["/api/**"] } })).error).toBeDefined();
    expect((await ask("/api/v3/x", { paths: { allow: ["/api/v3/**"] } })).sent).toEqual([
      "/api/v3/api/v3/x",
    ]);
  });
});
