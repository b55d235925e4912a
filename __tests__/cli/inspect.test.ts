/** `api-sources inspect` in a process of its own, with a browser that only notes what it is to open. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { openCommandLine } from "../support/command-line.js";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { visitPage } from "../support/visit-page.js";

const secret = "tok_canary_9d2b71e4c6";
let running: ChildProcess | undefined;

const command = await openCommandLine("cli-inspect");
const api = await startHttpServer(({ headers, url }, response) =>
  sendJson(response, { url }, headers.authorization === `Bearer ${secret}` ? 200 : 401),
);

beforeEach(async () => {
  const record = {
    name: "Shop",
    api: { baseUrl: api.url, authType: "bearer", testEndpoint: "/me" },
  };
  await command.put("sources/shop.json", record);
  await command.put("sources/broken.json", "{}");
  await command.put(".env", `SHOP_TOKEN=${secret}\n`);
  for (const name of ["bin/xdg-open", "bin/open"]) {
    await command.put(name, '#!/bin/sh\necho "$1" > opened.txt\n');
    await chmod(join(command.cwd, name), 0o755);
  }
});
afterEach(() => {
  if (running?.exitCode === null) running.kill("SIGKILL");
});

async function inspect(...flags: string[]): Promise<{ url: string; reported: () => string }> {
  const { cwd, program } = command;
  const env = { PATH: `${join(cwd, "bin")}:${process.env["PATH"]}`, HOME: cwd };
  const child = spawn(process.execPath, ["--", program, "inspect", ...flags], { cwd, env });
  running = child;
  let [printed, reported] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => {
    reported += chunk.toString();
  });
  while (!printed.includes("\n")) printed += String((await once(child.stdout, "data"))[0]);
  return { url: printed.trim(), reported: () => reported };
}

const order = { source: "shop", input: { method: "POST", path: "/orders", body: "{}" } };

it("prints the address, opens no browser, reports a wrong record, and ends with Ctrl-C", async () => {
  const { url, reported } = await inspect();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  const visit = await visitPage(url);
  const { sources } = await visit.until(() => true);
  const methods = ["GET", "POST", "PUT", "DELETE", "PATCH"];
  expect(sources).toEqual([{ slug: "shop", methods, paths: {} }]);
  await visit.send({ source: "shop", input: { method: "GET", path: "/me" } });
  expect((await visit.until(() => true)).calls).toMatchObject([{ status: 200 }]);
  expect(reported()).toContain('The record of "broken" has');
  expect(existsSync(join(command.cwd, "opened.txt"))).toBe(false);
  expect(visit.received.join("\n")).not.toContain(secret);
  const ended = once(running as ChildProcess, "exit");
  running?.kill("SIGINT");
  expect((await ended)[0]).toBe(0);
});

it("sends a write that is approved on the page with --approve, and opens a browser with --open", async () => {
  const { url } = await inspect("--approve", "--open");
  const visit = await visitPage(url);
  const sent = visit.send(order);
  const { questions } = await visit.until((state) => state.questions.length === 1);
  expect(api.requests.filter(({ method }) => method === "POST")).toEqual([]);
  // A question is decided when it has been at its place for a second.
  while ((await visit.post("/decide", { nonce: questions[0]?.nonce, type: "approve" })) !== 200)
    await sleep(50);
  expect(await sent).toEqual({ id: 1 });
  expect(api.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  // The browser is a process of its own.
  const opened = join(command.cwd, "opened.txt");
  while (!existsSync(opened) || readFileSync(opened, "utf8") === "") await sleep(20);
  expect(readFileSync(opened, "utf8").trim()).toBe(url);
});

it("refuses a write of the page without --approve, and lists the calls of a journal that begins later", async () => {
  const visit = await visitPage((await inspect("--journal", "calls.jsonl")).url);
  await visit.send(order);
  const line = { time: "2026-01-01T00:00:00Z", source: "other", method: "GET", path: "/a", ms: 1 };
  await command.put("calls.jsonl", `${JSON.stringify(line)}\n`);
  const { calls } = await visit.until((state) => state.calls.length === 2);
  expect(calls).toMatchObject([
    { category: "approval_required" },
    { ...line, isFromJournal: true },
  ]);
  expect(api.requests.filter(({ method }) => method === "POST")).toEqual([]);
});
