/** A source as a tool of frameworks other than LangChain, and tools of other names. */

import { describe, expect, it } from "@jest/globals";
import {
  ApiSourceError,
  type ApiSourceRecord,
  ApiSourceToolkit,
  type ClientOptions,
  createApiSourceTool,
  createSourceClient,
} from "langchain-api-sources";
import { startHttpServer } from "../../support/http-server.js";

const server = await startHttpServer();

const record = (slug = "shop"): ApiSourceRecord => ({
  name: "Shop",
  slug,
  api: { baseUrl: server.url },
});

describe("client.tool", () => {
  it("has the name and description of the LangChain tool, and a schema with plain types", () => {
    const { name, description, inputSchema } = createSourceClient(record()).tool;
    const tool = createApiSourceTool(record());
    expect([name, description]).toEqual([tool.name, tool.description]);
    expect(inputSchema.required).toEqual(["method", "path"]);
    const members = Object.entries(inputSchema.properties);
    expect(members.filter(([, { type }]) => typeof type !== "string")).toEqual([]);
    // The enumeration and the pairs describe themselves.
    expect(members.filter(([, { description }]) => !description).map(([member]) => member)).toEqual(
      ["method", "query", "headers"],
    );
    expect(JSON.stringify(inputSchema)).not.toContain("anyOf");
  });

  it("answers with the text of the answer, and ignores what a framework adds", async () => {
    const { execute } = createSourceClient(record()).tool;
    const added = { suspend: () => {}, resumeData: undefined };
    const options = { toolCallId: "1", messages: [], abortSignal: new AbortController().signal };
    expect(JSON.parse(await execute({ method: "GET", path: "/a", ...added }, options))).toEqual({
      status: 200,
      data: { ok: true },
    });
  });

  it("answers a member that is not an input as invalid input", async () => {
    const { execute } = createSourceClient(record()).tool;
    const { error } = JSON.parse(await execute({ method: "GET", path: "/a", resumeData: {} }));
    expect(error.category).toBe("invalid_input");
    expect(server.requests).toEqual([]);
  });

  it("takes nothing of another shape for the context of the call", async () => {
    const contexts: object[] = [];
    const { execute } = createSourceClient(record(), {
      approve: (_request, context) => {
        contexts.push({ ...context });
        return false;
      },
    }).tool;
    const added = {
      signal: { aborted: true },
      threadId: 7,
      onProgress: "yes",
      configurable: "shop",
    };
    await execute({ method: "GET", path: "/a" }, added as never);
    // The signal is that of the call's own deadline.
    expect(contexts).toEqual([{ signal: expect.any(AbortSignal) }]);
    expect(server.requests).toHaveLength(1);
  });
});

describe("toolNames", () => {
  it("names the tool, and leaves the slug to credentials", async () => {
    const options: ClientOptions = {
      toolNames: { task: "task_api" },
      credentials: { task: { token: "0-secret" } },
    };
    const api: ApiSourceRecord["api"] = { baseUrl: server.url, authType: "bearer" };
    const source = { name: "Task", slug: "task", api };
    const toolkit = await ApiSourceToolkit.fromSources([source], options);
    const [tool] = toolkit.getTools();
    expect(tool?.name).toBe("task_api");
    await tool?.invoke({ method: "GET", path: "/a" });
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer 0-secret");
    expect(createSourceClient(source, options).tool.name).toBe("task_api");
  });

  it.each([
    ["a name that a provider refuses", { shop: "my shop" }],
    ["a name of the toolkit's own tools", { shop: "read_api_response" }],
    ["a name that is not a text", { shop: true }],
    ["the name of another source's tool in another case", { bank: "Shop" }],
    ["a slug that is nearly one of a source", { shopp: "store" }],
  ])("fails at construction for %s", async (_what, toolNames) => {
    const opened = ApiSourceToolkit.fromSources([record(), record("bank")], {
      toolNames,
    } as ClientOptions);
    const error = await opened.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiSourceError);
    expect(error).toMatchObject({ category: "not_configured", code: "wrong_options" });
  });

  it("is the name that a person is asked about, and that an edited call has", async () => {
    const asked: string[] = [];
    const edited = { name: "store", args: { method: "POST", path: "/b" } };
    const client = createSourceClient(record(), {
      toolNames: { shop: "store" },
      approve: "writes",
      approver: async ({ source }) => {
        asked.push(source);
        return { type: "edit", editedAction: edited };
      },
    });
    expect((await client.call({ method: "POST", path: "/a" })).ok).toBe(true);
    expect(asked).toEqual(["store"]);
    expect(server.requests.map(({ url }) => url)).toEqual(["/b"]);
  });
});
