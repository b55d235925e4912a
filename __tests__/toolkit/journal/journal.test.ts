import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import {
  type CallEvent,
  type ClientOptions,
  createSourceClient,
  followJournal,
  type JournalLine,
  journalTo,
  parseJournalLine,
  type SourceClient,
} from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { useDirectory } from "../../support/temporary-directory.js";

const server = await startHttpServer((request, response) => {
  if (request.url.startsWith("/missing")) sendJson(response, { message: "Nothing here." }, 404);
  else sendJson(response, { echo: request.headers.authorization });
});
const directory = useDirectory();
let file: string;
beforeEach(() => {
  file = directory("logs", "calls.jsonl");
});

const token = "t0ken-of-the-journal";
const record = () => ({ name: "Shop", api: { baseUrl: server.url, authType: "bearer" as const } });
/** `onCall` is not awaited by a call: the promises of the journal are collected here. */
function open(options: ClientOptions = {}): {
  shop: SourceClient;
  written: () => Promise<unknown>;
} {
  const journal = journalTo(file);
  const writes: unknown[] = [];
  const onCall = (event: CallEvent): void => void writes.push(journal(event));
  const shop = createSourceClient(record(), {
    credentials: { shop: { token } },
    onCall,
    ...options,
  });
  return { shop, written: () => Promise.all(writes) };
}
const readLines = (): Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("journalTo", () => {
  it("writes one line per call, with what a person decided, without a body and without the credential", async () => {
    const approver: ClientOptions["approver"] = async () => ({ type: "approve" });
    const { shop, written } = open({ approve: "writes", approver });
    const { content, artifact } = await shop.call(
      { method: "GET", path: `/orders?k=${token}` },
      { threadId: "thread-1" },
    );
    await shop.call({ method: "GET", path: "/missing" });
    await shop.call({ method: "GET", path: "/../secret" });
    await shop.call({ method: "POST", path: "/orders", body: {} });
    await written();
    expect(readFileSync(file, "utf8")).not.toContain(token);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    const [first, second, third, fourth, ...others] = readLines();
    expect(others).toEqual([]);
    expect(first).toEqual({
      ...{
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        source: "shop",
        method: "GET",
      },
      ...{ path: "/orders?k=[REDACTED]", status: 200, ms: expect.any(Number), attempts: 1 },
      ...{ bytes: expect.any(Number), tokens: artifact.tokens, thread: "thread-1" },
    });
    expect(artifact.tokens).toBeGreaterThan(content.length / 10);
    expect(second).toMatchObject({ path: "/missing", status: 404, category: "not_found" });
    expect(third).toMatchObject({ path: "/../secret", category: "refused_by_policy" });
    expect(third).not.toHaveProperty("status");
    expect(fourth).toMatchObject({
      approval: "approve",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("begins a file anew when it is full, and keeps the one before", async () => {
    mkdirSync(dirname(file));
    const full = `${"x".repeat(10_000_000)}\n`;
    writeFileSync(file, full);
    const journal = journalTo(file);
    for (const path of ["/1", "/2"])
      await journal({ phase: "call", callId: "1", source: "shop", path, durationMs: 1 });
    expect(readFileSync(`${file}.1`, "utf8") === full).toBe(true);
    expect(readLines().map(({ path }) => path)).toEqual(["/1", "/2"]);
  });

  it("writes every line of two journals of one file", async () => {
    const journals = [journalTo(file), journalTo(file)];
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        journals[index % 2]?.({ phase: "call", callId: "1", source: `s${index}`, durationMs: 1 }),
      ),
    );
    expect(new Set(readLines().map(({ source }) => source)).size).toBe(200);
  });

  it("begins a line of its own after a part of one that a killed process left", async () => {
    const half = '{"time":"2026-01-01T00:00:00Z","sour';
    mkdirSync(dirname(file));
    writeFileSync(file, half);
    const journal = journalTo(file);
    for (const path of ["/1", "/2"])
      await journal({ phase: "call", callId: "1", source: "shop", path, durationMs: 1 });
    const [first, ...lines] = readFileSync(file, "utf8").split("\n");
    expect(first).toBe(half);
    expect(lines.map((line) => parseJournalLine(line)?.path)).toEqual(["/1", "/2", undefined]);
  });

  it("reads a line whose words another version wrote", () => {
    const words = { category: "quota_paused", approval: "delegated" };
    const line: JournalLine = { time: "2026-01-01T00:00:00.000Z", source: "shop", ms: 1, ...words };
    expect(parseJournalLine(JSON.stringify(line))).toEqual(line);
  });

  it("refuses a directory, and what is no path", () => {
    mkdirSync(file, { recursive: true });
    const refused = { code: "wrong_journal", message: expect.stringContaining("calls.jsonl") };
    for (const place of [file, `${file}\0`])
      expect(() => journalTo(place)).toThrow(expect.objectContaining(refused));
  });

  it("leaves the call as it is when the file cannot be written any more, and warns", async () => {
    const warnings: unknown[] = [];
    const logger = {
      debug() {},
      info() {},
      warn: (...parts: unknown[]) => void warnings.push(parts),
      error() {},
    };
    const onCall = journalTo(file);
    rmSync(file);
    mkdirSync(file);
    const shop = createSourceClient(record(), { credentials: { shop: { token } }, onCall, logger });
    expect((await shop.call({ method: "GET", path: "/orders" })).ok).toBe(true);
    // The warning comes after the call; without one the test ends by its own limit.
    while (warnings.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(JSON.stringify(warnings)).toContain("onCall failed");
  });

  it("is followed line by line", async () => {
    const { shop, written } = open();
    await shop.call({ path: "/1" });
    await written();
    const paths: (string | undefined)[] = [];
    const end = new AbortController();
    const following = followJournal(
      file,
      (line) => {
        paths.push(parseJournalLine(line)?.path);
        if (paths.length === 2) end.abort();
      },
      end.signal,
    );
    await shop.call({ path: "/2" });
    await following;
    expect(paths).toEqual(["/1", "/2"]);
  });
});
