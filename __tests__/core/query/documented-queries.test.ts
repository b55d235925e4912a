/** The queries of docs/jmespath.md, on the body of that page. */

import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { readTable } from "../../support/documents.js";
import { startHttpServer } from "../../support/http-server.js";

const page = "docs/jmespath.md";
const [, body = ""] = /With the body `(.+)`:/.exec(readFileSync(page, "utf8")) ?? [];
const api = await startHttpServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(body);
});
afterAll(() => api.close());
const client = createSourceClient({ api: { baseUrl: api.url } });
const plain = (cell: string): string => cell.replaceAll(/^`+|`+$/g, "");

it.each(readTable(page, "Query").map((cells) => cells.map(plain)))("%s gives %s", async (select, given) => {
  const { content } = await client.call({ method: "GET", path: "/orders", select: select ?? "" });
  expect(JSON.parse(content).data).toEqual(JSON.parse(given ?? ""));
});
