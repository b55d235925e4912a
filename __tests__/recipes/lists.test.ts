/** Each recipe against a server that behaves as its API does. */

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import {
  type ReceivedRequest,
  type Respond,
  sendJson,
  startHttpServer,
} from "../support/http-server.js";
import { findPage, type ListStyle, rowCount, writePage } from "./api-style.js";
import { styles } from "./styles.js";

const readRecipe = (name: string) => JSON.parse(readFileSync(`recipes/${name}.json`, "utf8"));
const message = "The API says why";

/** The parameters of a request: those of its query, and the members of its body at any depth by their paths. */
function listParameters({ url, body, method }: ReceivedRequest): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of new URL(url, "http://x").searchParams)
    found.set(`query:${name}`, value);
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      found.set(path, value);
      return;
    }
    for (const [name, member] of Object.entries(value))
      walk(member, path === "body:" ? `body:${name}` : `${path}.${name}`);
  };
  if (method !== "GET" && body.startsWith("{")) walk(JSON.parse(body), "body:");
  return found;
}

/** Answers the pages of a list, and refuses what the API refuses. */
const play =
  (list: ListStyle): Respond =>
  (request, response) => {
    const sent = listParameters(request);
    const [, path = ""] = list.call.split(" ");
    const known = listParameters({ ...request, url: path, body: JSON.stringify(list.body ?? {}) });
    const [, at] = list.next;
    const isUnknown = [...sent.keys()].some((key) => !known.has(key) && key !== at);
    const index = findPage(list, sent.get(at));
    if ((isUnknown && !list.ignoresUnknown) || index === undefined)
      return sendJson(response, { message }, 400);
    const url = new URL(request.url, `http://${request.headers.host}`);
    const { body, link } = writePage(list, { index, url });
    sendJson(response, body, 200, link === undefined ? {} : { Link: link });
  };

async function open(name: string, respond: Respond) {
  const server = await startHttpServer(respond);
  // The API on another host; how the credential is obtained has tests of its own.
  const { oauth2: _oauth2, login: _login, ...api } = readRecipe(name).api;
  const base =
    server.url + new URL(api.baseUrl.replaceAll(/[{}]/g, "")).pathname.replace(/\/$/, "");
  const accountSid = api.variables?.accountSid ?? "";
  const baseUrl = base.replace("accountSid", accountSid);
  const record = { name: "Acme", api: { ...api, baseUrl, variables: undefined } };
  const basic = { username: "user", password: "passw0rd-1" };
  const options = {
    credentials: { acme: api.authType === "basic" ? basic : { token: "t0ken-of-a-recipe" } },
    secrets: () => "value-of-a-secret",
  };
  const toolkit = await ApiSourceToolkit.fromSources([record], options);
  const [tool] = toolkit.getTools();
  const ask = async (call: string, input: object) => {
    const [method, path] = call.split(" ");
    return JSON.parse(String(await tool?.invoke({ method, path, ...input } as never)));
  };
  return { ask, server };
}

const names = Object.keys(styles);
const lists = names.flatMap((name) =>
  (styles[name] ?? []).map((list) => [name, list.call, list] as const),
);

describe("a recipe", () => {
  it("has a server of its style, where its API has lists", () => {
    const files = readdirSync("recipes").map((file) => file.replace(/\.json$/, ""));
    const listed = files.filter((name) => readRecipe(name)["x-recipe"].lists !== undefined);
    expect(names.sort()).toEqual(listed.sort());
  });

  it.each(lists)(
    "of %s reads three pages of %s whole, and sends no parameter that the API lacks",
    async (name, call, list) => {
      const { ask, server } = await open(name, play(list));
      const { pages, error } = await ask(call, { body: list.body, pages: 10 });
      expect(error).toBeUndefined();
      expect(pages).toMatchObject({ rows: rowCount, complete: true });
      // Where nothing shows that a page is the last one, an empty page does.
      const isOpen = list.answer === "$rows" && list.header === undefined;
      expect(server.requests.length).toBe(isOpen ? 4 : 3);
    },
  );

  it.each<[string, string, object]>([
    ["clickup", "GET /list/901/task", { tasks: [{ id: 1 }, { id: 2 }], last_page: true }],
    [
      "datadog",
      "GET /users?page[size]=3",
      { data: [{ id: 1 }], meta: { page: { total_count: 1, total_filtered_count: 1 } } },
    ],
    [
      "tableau",
      "GET /sites/s1/users?pageSize=3",
      {
        pagination: { pageNumber: "1", pageSize: "3", totalAvailable: "2" },
        users: { user: [{ id: 1 }, { id: 2 }] },
      },
    ],
    [
      "veeam-backup",
      "GET /v1/jobs?limit=3",
      { data: [{ id: 1 }], pagination: { total: 1, count: 1, skip: 0, limit: 3 } },
    ],
    [
      "brave-search",
      "GET /web/search?q=a&count=3",
      {
        type: "search",
        query: { more_results_available: false },
        web: { results: [{ url: "a" }] },
      },
    ],
  ])("of %s claims no more of a list that %s gives whole", async (name, call, body) => {
    const { ask, server } = await open(name, (_request, response) => sendJson(response, body));
    const one = await ask(call, {});
    expect(one).not.toHaveProperty("next");
    const { pages } = await ask(call, { pages: 10 });
    expect(pages).toMatchObject({ read: 1, complete: true });
    expect(server.requests).toHaveLength(2);
  });

  it.each<[string, unknown]>([
    ["asana", { errors: [{ message, help: "See the documentation." }] }],
    ["brave-search", { type: "ErrorResponse", error: { code: "TOKEN_INVALID", detail: message } }],
    ["clickup", { err: message, ECODE: "OAUTH_025" }],
    ["datadog", { errors: [message] }],
    ["salesforce", [{ message, errorCode: "INVALID_SESSION_ID" }]],
    ["sentry", { detail: message }],
    ["shopify", { errors: message }],
    ["tableau", { error: { summary: "Signin Error", detail: message, code: "401002" } }],
    ["zendesk", { error: "Couldn't authenticate you", description: message }],
  ])("of %s reports a 401 with the API's words: %j", async (name, body) => {
    const { ask } = await open(name, (_request, response) => sendJson(response, body, 401));
    const { error } = await ask("GET /me", {});
    // Read, and not quoted as a body of an unknown form.
    expect(error).toMatchObject({
      category: "unauthorized",
      message: expect.stringMatching(`^[^{]*${message}`),
    });
  });

  it.each(names.filter((name) => readRecipe(name).api.bodyFormat === "form"))(
    "of %s sends a write as a form",
    async (name) => {
      const { ask, server } = await open(name, (_request, response) =>
        sendJson(response, { id: "n1" }),
      );
      expect(await ask("POST /orders", { body: { name: "A b" } })).toMatchObject({ status: 200 });
      expect(server.requests.map(({ body }) => body)).toEqual(["name=A+b"]);
    },
  );
});
