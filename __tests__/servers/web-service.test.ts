/** docs/web-service.md, line by line, on Debian's PostgreSQL; each request after the first reaches a process that has just started. */

import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { compilePrograms } from "../support/compiled-programs.js";
import { readBlocks } from "../support/documents.js";
import { findFreePort } from "../support/find-free-port.js";
import { playPage } from "../support/played-page.js";
import { startPostgres } from "./support/postgres.js";

const page = "docs/web-service.md";
const postgres = await startPostgres();
const [port, shopPort] = [String(await findFreePort()), String(await findFreePort())];
let program = "";
let service: ChildProcess | undefined;

beforeAll(async () => {
  const { directory } = await compilePrograms({ folder: "web-service", folders: ["examples"] });
  program = `${directory}/examples/start-web-service.js`;
}, 60_000);
afterAll(async () => {
  await stop();
  await postgres.stop();
});

it("prints what the page shows", async () => {
  const question: Record<string, string> = {};
  const played = await playPage(page, async (lines) => {
    await stop();
    await start();
    const given = lines
      .replaceAll("4642", port)
      .replaceAll("QUESTION", question["id"] ?? "")
      .replaceAll("DIGEST", question["digest"] ?? "");
    const printed = await run("sh", ["-c", given]);
    question["id"] ??= /"id":"(\w+)"/.exec(printed)?.[1] ?? "";
    question["digest"] ??= /"digest":"([^"]+)"/.exec(printed)?.[1] ?? "";
    return printed
      .replaceAll(shopPort, "4641")
      .replaceAll(question["id"], "QUESTION")
      .replaceAll(question["digest"], "DIGEST");
  });
  expect(played.map(({ printed }) => printed)).toEqual(played.map(({ shown }) => shown));
  expect(played).toHaveLength(3);
});

it("answers 409 to a decision for a thread that has no open question", async () => {
  await stop();
  await start();
  const printed = await run("sh", [
    "-c",
    `curl -s -w '%{http_code}' localhost:${port}/threads/1/decisions ` +
      `-H 'Authorization: Bearer token-of-ada' -d '{"other":{"type":"approve"}}'`,
  ]);
  expect(printed).toBe('{"error":"This thread has no open question with this id."}\n409');
});

it("shows lines of the program", async () => {
  const source = (await readFile("examples/web-service.ts", "utf8")).replaceAll(/^ {2}/gm, "");
  const shown = readBlocks(page).filter(({ language }) => language === "ts");
  expect(shown.filter(({ text }) => !source.includes(text))).toEqual([]);
});

async function start(): Promise<void> {
  const env = {
    PATH: process.env["PATH"],
    DATABASE_URL: postgres.url,
    PORT: port,
    SHOP_PORT: shopPort,
  };
  service = spawn(process.execPath, [program], { env: { ...env, LANGSMITH_TRACING: "false" } });
  const failed = new Promise((_, reject) =>
    service?.stderr?.once("data", (text) => reject(new Error(`${text}`))),
  );
  await Promise.race([new Promise((resolve) => service?.stdout?.once("data", resolve)), failed]);
}

async function stop(): Promise<void> {
  if (service === undefined || service.exitCode !== null) return;
  const ended = new Promise((resolve) => service?.once("close", resolve));
  service.kill("SIGTERM");
  await ended;
}

async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (printed += chunk));
  await new Promise((resolve) => child.once("close", resolve));
  return printed;
}
