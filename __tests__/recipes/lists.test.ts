/** Each recipe against a server that behaves as its API does. */

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import { type ReceivedRequest, sendJson, startHttpServer } from "../support/http-server.js";
import { fill, findPage, type ListStyle, rowCount, writePage } from "./api-style.js";
import { styles } from "./styles.js";

const readRecipe = (name: string) => JSON.parse(readFileSync(`recipes/${name}.json`, "utf8"));
const message = "The API says why";
const startMs = Date.UTC(2026, 10, 25);

/** How often the server refuses a call before it answers, and with what. */
type Refusal = 401 | 429 | undefined;

/** The parameters of a request: those of its query, and the members of its body at any depth by their paths. */
function listParameters({ url, body, method }: ReceivedRequest): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of new URL(url, "http://x").searchParams) found.set(`query:${name}`, value);
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

async function open(name: string, list?: ListStyle, refusal?: Refusal) {
  const style = styles[name];
  if (style === undefined) throw new Error(`No style of ${name}.`);
  const { error, errorStatus, limited = { "Retry-After": "2" } } = style;
  const slept: number[] = [];
  let isRefused = refusal === 429;
  const refuse = (status: number) =>
    fill(error, false, (key) => ({ $message: message, $status: status })[key]);
  const server = await startHttpServer((request, response) => {
    if (refusal === 401) return sendJson(response, refuse(401), errorStatus ?? 401);
    if (isRefused) {
      isRefused = false;
      const reset = String(startMs / 1_000 + 2);
      const headers = Object.entries(limited).map(([key, value]) => [key, value.replace("$reset", reset)]);
      return sendJson(response, refuse(429), 429, Object.fromEntries(headers));
    }
    if (list === undefined) return sendJson(response, { id: "n1" });
    const sent = listParameters(request);
    const [, path = ""] = list.call.split(" ");
    const known = listParameters({ ...request, url: path, body: JSON.stringify(list.body ?? {}) });
    const [, at] = list.next;
    const isUnknown = [...sent.keys()].some((key) => !known.has(key) && key !== at);
    const index = findPage(list, sent.get(at));
    if ((isUnknown && !list.ignoresUnknown) || index === undefined)
      return sendJson(response, refuse(400), 400);
    const { body, link } = writePage(list, { index, url: new URL(request.url, server.url) });
    return sendJson(response, body, 200, link === undefined ? {} : { Link: link });
  });
  // The API on another host; how the credential is obtained has tests of its own.
  const { oauth2: _oauth2, login: _login, ...api } = readRecipe(name).api;
  const base = server.url + new URL(api.baseUrl.replaceAll(/[{}]/g, "")).pathname.replace(/\/$/, "");
  const accountSid = api.variables?.accountSid ?? "";
  const record = {
    name: "Acme",
    api: {
      ...api,
      baseUrl: base.replace("accountSid", accountSid),
      variables: undefined,
      limits: { retries: 2 },
    },
  };
  const basic = { username: "user", password: "passw0rd-1" };
  const options = {
    credentials: { acme: api.authType === "basic" ? basic : { token: "t0ken-of-a-recipe" } },
    secrets: () => "value-of-a-secret",
  };
  const toolkit = await ApiSourceToolkit.fromSources([record], options, {
    clock: { now: () => startMs + slept.reduce((sum, ms) => sum + ms, 0) },
    sleep: async (ms) => void slept.push(ms),
  });
  const [tool] = toolkit.getTools();
  const ask = async (call: string, input: object) => {
    const [method, path] = call.split(" ");
    return JSON.parse(String(await tool?.invoke({ method, path, ...input } as never)));
  };
  return { ask, server, slept, style };
}

const names = Object.keys(styles);
const lists = names.flatMap((name) =>
  (styles[name]?.lists ?? []).map((list) => [name, list.call, list] as const),
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
      const { ask, server } = await open(name, list);
      const { pages, error } = await ask(call, { body: list.body, pages: 10 });
      expect([error, pages]).toEqual([
        undefined,
        expect.objectContaining({ rows: rowCount, complete: true }),
      ]);
      // Where nothing shows that a page is the last one, an empty page does.
      const isOpen = list.next[0] === "page0" || (list.answer === "$rows" && list.header === undefined);
      expect(server.requests.length).toBe(isOpen && name !== "datadog" ? 4 : 3);
    },
  );

  it.each(names)("of %s reports a 401 with the API's words", async (name) => {
    const { ask, style } = await open(name, styles[name]?.lists[0], 401);
    const { error } = await ask(style.lists[0]?.call ?? "", {});
    expect(error).toMatchObject({ category: "unauthorized" });
    if (style.errorStatus === undefined) expect(error.message).toContain(message);
  });

  it.each(names)("of %s waits as the headers of a 429 say", async (name) => {
    const [list] = styles[name]?.lists ?? [];
    const { ask, slept } = await open(name, list, 429);
    expect(await ask(list?.call ?? "", { body: list?.body })).toMatchObject({ status: 200 });
    expect(Math.max(...slept)).toBeGreaterThanOrEqual(2_000);
    expect(Math.max(...slept)).toBeLessThan(5_000);
  });

  it.each(names.filter((name) => readRecipe(name).api.bodyFormat === "form"))(
    "of %s sends a write as a form",
    async (name) => {
      const { ask, server } = await open(name);
      expect(await ask("POST /orders", { body: { name: "A b" } })).toMatchObject({ status: 200 });
      expect(server.requests.map(({ body }) => body)).toEqual(["name=A+b"]);
    },
  );
});
