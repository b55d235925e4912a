import { execFile } from "node:child_process";
import type { Socket } from "node:net";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { compilePrograms } from "../../support/compiled-programs.js";
import { answerWith, startRawServer } from "../../support/raw-server.js";

const megabyte = 2 ** 20;
const capBytes = 10_000_000;
const zeros = gzipSync(Buffer.alloc(10 * megabyte));
const rows = Buffer.from(
  `[${Array.from({ length: 200_000 }, (_, id) => `{"id":${id},"name":"thing ${id}","n":1.50}`).join(",")}`,
).subarray(0, capBytes - 20);
const wholeRows = Buffer.from(
  `${rows
    .toString()
    .replace(/,[^,]*$/, "")
    .replace(/,\{[^}]*$/, "")}]`,
);

/** By path: the honest answers of ten megabytes, and those that would be more. */
const answers: Readonly<Record<string, (socket: Socket) => void>> = {
  "/small": (socket) => answerWith(socket, 200, "{}", { "Content-Type": "application/json" }),
  "/zeros": (socket) =>
    answerWith(socket, 200, Buffer.alloc(capBytes), { "Content-Type": "application/octet-stream" }),
  "/rows": (socket) => answerWith(socket, 200, wholeRows, { "Content-Type": "application/json" }),
  "/gzip": (socket) =>
    answerWith(socket, 200, Buffer.concat(Array.from({ length: 103 }, () => zeros)), {
      "Content-Type": "application/octet-stream",
      "Content-Encoding": "gzip",
    }),
  "/endless": (socket) => pour(socket, Buffer.alloc(megabyte), "application/octet-stream"),
  "/endless-text": (socket) =>
    pour(socket, Buffer.from("some words of text that never end ".repeat(30_000)), "text/plain"),
  "/endless-rows": (socket) => pour(socket, rows.subarray(1, megabyte), "application/json", "["),
};

/** Writes for as long as the other side takes. */
function pour(socket: Socket, piece: Buffer, type: string, start = ""): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n${start}`);
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece)) {
      // Until the other side is slower.
    }
  };
  socket.on("drain", more);
  more();
}

const server = await startRawServer((request, socket) =>
  (answers[request.target] ?? answers["/small"])?.(socket),
);

/** Calls a tool in a process of its own: the peak of its resident memory above that of a small call before, and the end of the answer. */
const programText = `
import { readFileSync } from "node:fs";
import { createApiSourceTool } from "langchain-api-sources";
const [baseUrl, path] = process.argv.slice(2);
const rss = () => process.memoryUsage.rss();
const tool = createApiSourceTool({ name: "A", api: { baseUrl, authType: "bearer", limits: { retries: 0, maxFileBytes: 10_000_000 } } }, { credentials: { a: { token: "m3m0ry-Zq9LmX41vK" } } });
await tool.invoke({ method: "GET", path: "/small" });
const before = rss();
let peak = before;
const timer = setInterval(() => { peak = Math.max(peak, rss()); }, 1);
const answer = await tool.invoke({ method: "GET", path });
clearInterval(timer);
const high = /^VmHWM:\\s*(\\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
peak = Math.max(peak, rss(), high === null ? 0 : Number(high[1]) * 1024);
process.stdout.write(JSON.stringify({ grownBytes: peak - before, answer: String(answer).slice(-400) }), () => process.exit(0));
`;

const compiled = await compilePrograms({ folder: "memory", programs: { "call.ts": programText } });

async function call(
  path: string,
): Promise<{ readonly grownBytes: number; readonly answer: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    compiled.pathOf("call.ts"),
    server.url,
    path,
  ]);
  return JSON.parse(stdout);
}

describe("an answer without end, through the whole tool", () => {
  it.each([
    ["/gzip", "/zeros"],
    ["/endless", "/zeros"],
    ["/endless-text", "/zeros"],
    ["/endless-rows", "/rows"],
  ])(
    "takes at most 64 MB more than an honest one of ten megabytes: %s",
    async (bomb, honest) => {
      const [one, other] = [await call(honest), await call(bomb)];
      expect(other.answer).toContain('"partial":{"bytes":10000000');
      expect(one.answer).not.toContain('"partial"');
      expect(other.grownBytes - one.grownBytes).toBeLessThan(64 * megabyte);
    },
    60_000,
  );
});
