import { expect, it } from "@jest/globals";
import { ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";
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
