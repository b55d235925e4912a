/** `api-sources mcp`: a client of the official package over standard input and output. */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "@jest/globals";
import { type CallToolResult, Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openCommandLine } from "../support/command-line.js";
import { sendJson, startHttpServer } from "../support/http-server.js";

const secret = "tok_canary_4c88f1b2d0";
const command = await openCommandLine("cli-mcp");
const api = await startHttpServer(({ headers, url }, response) =>
  sendJson(response, { url }, headers.authorization === `Bearer ${secret}` ? 200 : 401),
);
beforeEach(async () => {
  await command.put("sources/shop.json", {
    name: "Shop",
    api: { baseUrl: api.url, authType: "bearer" },
  });
  await command.put(".env", `SHOP_TOKEN=${secret}\n`);
});

async function connect(
  options: ClientOptions = {},
  flags: readonly string[] = [],
): Promise<Client> {
  const client = new Client({ name: "tests", version: "1" }, options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--", command.program, "mcp", ...flags],
    cwd: command.cwd,
    stderr: "ignore",
  });
  await client.connect(transport);
  return client;
}

function read({ content }: CallToolResult): unknown {
  const [first] = content;
  return JSON.parse(first?.type === "text" ? first.text : "");
}

const write = { name: "shop", arguments: { method: "POST", path: "/orders", body: "{}" } };

it("serves the tools by revision 2026-07-28, and sends a write that its person accepts", async () => {
  // The other clients of this file speak those with a handshake.
  const versionNegotiation = { mode: { pin: "2026-07-28" } };
  const client = await connect({ versionNegotiation, capabilities: { elicitation: {} } });
  try {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      "shop",
      "read_api_response",
    ]);
    const result = await client.callTool({
      name: "shop",
      arguments: { method: "GET", path: "/me" },
    });
    expect([result.isError, read(result)]).toEqual([false, { status: 200, data: { url: "/me" } }]);
    const questions: string[] = [];
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      questions.push(params.message);
      return { action: "accept" as const };
    });
    expect((await client.callTool(write)).isError).toBe(false);
    expect(questions).toEqual([expect.stringContaining("POST http")]);
  } finally {
    await client.close();
  }
});

it("refuses a write when it can't ask, unless --approve none allows it", async () => {
  for (const flags of [[], ["--approve", "none"]]) {
    const client = await connect({}, flags);
    const result = await client.callTool(write);
    await client.close();
    expect(result.isError).toBe(flags.length === 0);
    if (result.isError)
      expect(read(result)).toMatchObject({
        error: { category: "approval_required", hint: expect.stringContaining("--approve none") },
      });
  }
});

it("serves run_api_code with --code, which sends a write only with --approve none", async () => {
  const code =
    'const { status } = await api.shop.get("/me"); return (await api.shop.post("/x", {})).ok && status;';
  for (const flags of [["--code"], ["--code", "--approve", "none"]]) {
    const client = await connect({}, flags);
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    const result = await client.callTool({ name: "run_api_code", arguments: { code } });
    await client.close();
    expect(tools).toEqual(["shop", "read_api_response", "run_api_code"]);
    expect(JSON.stringify(read(result))).toContain(flags.length > 1 ? "200" : "false");
  }
  expect((await command.run(["mcp", "--code", "--approve", "all"])).code).toBe(2);
});

it.each([
  ["claude", "mcpServers"],
  ["vscode", "servers"],
])(
  "--print-config %s prints an entry that starts the server from another folder",
  async (name, member) => {
    const args = ["mcp", "--print-config", name, "--approve", "none"];
    const printed = await command.run(args, { ownProcess: true });
    const entry = JSON.parse(printed.stdout)[member]["api-sources"];
    const client = new Client({ name: "tests", version: "1" });
    await client.connect(new StdioClientTransport({ ...entry, cwd: "/", stderr: "ignore" }));
    const result = await client.callTool(write);
    await client.close();
    expect([printed.code, result.isError]).toEqual([0, false]);
  },
);

it("writes nothing to stdout but the protocol, reports a broken record on stderr, and ends with standard input", async () => {
  await command.put("sources/bad.json", "{");
  // What some package prints, as soon as there is something to answer.
  const noise = "data:text/javascript,process.stdin.once('data', () => console.log('noise'))";
  const args = ["--import", noise, "--", command.program, "mcp"];
  const child = spawn(process.execPath, args, { cwd: command.cwd });
  let [stdout, stderr] = ["", ""];
  await new Promise<void>((serving) => {
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
      if (stderr.includes("Serving")) serving();
    });
  });
  const hello = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    },
  };
  child.stdin.write(`${JSON.stringify(hello)}\n`);
  await new Promise<void>((answered) => {
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      answered();
    });
  });
  child.stdin.end();
  const code = await new Promise((ended) => child.once("close", ended));
  expect(code).toBe(0);
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { version } } });
  expect(stderr).toContain('The record of "bad" has 1 problem');
  expect(stderr).toContain("noise");
});
