/** Two processes of Node.js that show values of the same threads at the same instant: what one showed, the other holds. */

import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type Child, startChild } from "../support/child-process.js";
import { compilePrograms } from "../support/compiled-programs.js";
import { sendJson, startHttpServer } from "../support/http-server.js";

const ibans = ["DE89370400440532013000", "FR7630006000011234567890189"];
const threads = Array.from({ length: 20 }, (_, at) => `thread ${at}`);
let children: Child<unknown[]>[] = [];

beforeAll(async () => {
  const entries = new Map<string, unknown>();
  const [payroll, tickets, store] = await Promise.all([
    startHttpServer(({ url }, response) => sendJson(response, { iban: ibans[Number(url.slice(1))] })),
    startHttpServer((_request, response) => sendJson(response, { id: 7 })),
    startHttpServer(({ method, url, body }, response) => {
      if (method === "PUT") entries.set(url, JSON.parse(String(body)));
      sendJson(response, method === "GET" ? (entries.get(url) ?? null) : {});
    }),
  ]);
  const { directory } = await compilePrograms({ folder: "flow-processes" });
  const entry = join(directory, "src/index.js");
  const given = { entry, payroll: payroll.url, tickets: tickets.url, store: store.url };
  const start = () => startChild<unknown[]>("__tests__/support/flow-process.mjs", given);
  children = await Promise.all([start(), start()]);
}, 180_000);
afterAll(() => Promise.all(children.map((child) => child.end())));

it("two processes that show a value each in the same threads at the same instant both hold both", async () => {
  const all = (value: unknown): unknown[] => threads.map(() => value);
  const shown = await Promise.all(children.map((child, at) => child.ask({ threads, show: `/${at}` })));
  expect(shown).toEqual([all(200), all(200)]);
  for (const child of children)
    for (const send of ibans) expect(await child.ask({ threads, send })).toEqual(all("approval_required"));
}, 120_000);
