import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { compilePrograms } from "../../support/compiled-programs.js";

/** In a process of its own: 200 runs, every tenth of which a limit ends. */
const program = (directory: string): string => `
import { createServer } from "node:http";
const { ApiSourceToolkit } = await import(${JSON.stringify(`${directory}/src/index.js`)});
const { createApiCodeTool } = await import(${JSON.stringify(`${directory}/src/extras/code/create-api-code-tool.js`)});
const server = createServer((_request, response) => { response.setHeader("content-type", "application/json"); response.end(JSON.stringify({ rows: Array.from({ length: 5000 }, (_, id) => ({ id })) })); });
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: "http://127.0.0.1:" + server.address().port } }]);
const tool = createApiCodeTool(toolkit, { cpuMs: 100 });
const measure = () => { globalThis.gc(); globalThis.gc(); return process.memoryUsage().rss; };
const run = async (count) => { for (let i = 0; i < count; i++) await tool.invoke({ code: i % 10 === 9 ? "for (;;) await null" : "state.n = " + i + "; return (await api.shop.get('/')).data.rows.length + new Array(1e5).fill(1).length" }); };
await run(60);
const before = measure();
await run(200);
console.log(JSON.stringify({ before, after: measure() }));
server.close();
`;

describe("200 runs one after the other", () => {
  it("leave the process no larger", async () => {
    const { directory } = await compilePrograms({ folder: "code-growth-test" });
    const file = join(mkdtempSync(join(tmpdir(), "growth-")), "growth.mjs");
    writeFileSync(file, program(directory));
    const printed = execFileSync(process.execPath, ["--expose-gc", file], { encoding: "utf8" });
    const { before, after } = JSON.parse(printed.trim());
    expect(after - before).toBeLessThan(40_000_000);
  }, 120_000);
});
