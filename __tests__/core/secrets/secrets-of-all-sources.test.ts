import { expect, it } from "@jest/globals";
import {
  ApiSourceToolkit,
  type ApprovalRequest,
  type ClientOptions,
  createSourceClient,
} from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";

const [tokenA, tokenB] = ["tokA-5d1c2b3a49586f7e", "tokB-9f8e7d6c5b4a3210"];
const api = await startHttpServer((_request, response) => sendJson(response, { echo: tokenB }));
const listSource = (slug: string) => ({
  slug,
  name: slug,
  api: { baseUrl: api.url, authType: "bearer" as const },
});

it.each<[string, ClientOptions["credentials"]]>([
  ["as data", { a: { token: tokenA }, b: { token: tokenB } }],
  ["by a function", ({ slug }) => ({ token: slug === "b" ? tokenB : tokenA })],
  ["by a provider", { a: { token: tokenA }, b: { token: () => tokenB } }],
])("the token of another source, given %s, is redacted", async (_how, credentials) => {
  const sources = [listSource("a"), listSource("b")];
  const toolkit = await ApiSourceToolkit.fromSources(sources, { credentials });
  const [a, b] = toolkit.getTools();
  await b?.invoke({ method: "GET", path: "/x" });
  const answer = String(await a?.invoke({ method: "GET", path: "/x" }));
  expect(JSON.parse(answer).data).toEqual({ echo: "[REDACTED]" });
});

it.each(["status", "data", "message", "error", "url", "path", "url-and-value"])(
  "the names of an answer, a question and a preview stay where a secret is the word %s",
  async (token) => {
    const words = { [token]: token, "x-1": [{ [token]: `a ${token} b` }] };
    const echo = await startHttpServer(({ method }, response) =>
      sendJson(response, words, method === "GET" ? 200 : 422),
    );
    const record = { name: "A", api: { baseUrl: echo.url, authType: "bearer" as const } };
    const questions: ApprovalRequest[] = [];
    const toolkit = await ApiSourceToolkit.fromSources([record], {
      credentials: { a: { token } },
      approve: "writes",
      approver: async (question) => {
        questions.push(question);
        return { type: "approve" };
      },
    });
    const [tool] = toolkit.getTools();
    const read = JSON.parse(String(await tool?.invoke({ method: "GET", path: "/x" })));
    expect(read).toMatchObject({ status: 200, data: { "x-1": [{}] } });
    expect(JSON.stringify(read.data)).not.toContain(token);
    expect(JSON.stringify(read.data)).toContain('"a [REDACTED] b"');
    const failed = JSON.parse(String(await tool?.invoke({ method: "POST", path: "/y", body: {} })));
    expect(failed).toMatchObject({ status: 422, error: { category: "validation" } });
    expect(failed.error.hint).toEqual(expect.any(String));
    expect(questions).toMatchObject([{ method: "POST", url: expect.stringMatching(/^http:/) }]);
    const client = await createSourceClient(record, { credentials: { a: { token } } });
    expect(await client.preview({ method: "GET", path: "/x" })).toMatchObject({ method: "GET" });
  },
);
