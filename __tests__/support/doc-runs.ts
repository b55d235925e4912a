/** The real runs whose output stands in the documentation, by the name in its `<!-- run: NAME -->` marks. */

import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  type CallRequest,
  createReadApiResponseTool,
  createSourceClient,
  testConnection,
} from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { z } from "zod";
import { type ShopServer, shopCredentials, startShopServer } from "../../examples/shop-server.js";
import { layOut as layOutValue } from "../../examples/transcript.js";
import { shopDescription } from "../features/openapi/shop-description.js";
import { type CommandLine, createCommandLine } from "./command-line.js";
import { readBlocks } from "./documents.js";
import { sendJson } from "./http-server.js";
import { startJobApi } from "./job-api.js";

interface Screen {
  readonly lines: string[][];
  row: number;
  column: number;
}

const sequence = new RegExp(`${String.fromCharCode(27)}\\[([?0-9;]*)([A-Za-z])|[\\s\\S]`, "gu");

/** The lines that are on the screen at the end, without trailing spaces. */
function renderScreen(raw: string): string {
  const screen: Screen = { lines: [[]], row: 0, column: 0 };
  for (const [text, parameters = "", command] of raw.matchAll(sequence)) {
    if (command === undefined) type(screen, text);
    else control(screen, command, Number(parameters) || 0);
  }
  return screen.lines
    .map((line) => line.join("").trimEnd())
    .join("\n")
    .trimEnd();
}

function lineOf(screen: Screen): string[] {
  while (screen.lines.length <= screen.row) screen.lines.push([]);
  return screen.lines[screen.row] ?? [];
}

function type(screen: Screen, character: string): void {
  if (character === "\r") screen.column = 0;
  else if (character === "\n") screen.row += 1;
  else if (character === "\b") screen.column = Math.max(0, screen.column - 1);
  else if (character >= " ") {
    const line = lineOf(screen);
    while (line.length < screen.column) line.push(" ");
    line[screen.column] = character;
    screen.column += 1;
  }
}

function control(screen: Screen, command: string, parameter: number): void {
  const count = parameter || 1;
  const line = lineOf(screen);
  if (command === "A") screen.row = Math.max(0, screen.row - count);
  if (command === "B") screen.row += count;
  if (command === "C") screen.column += count;
  if (command === "D") screen.column = Math.max(0, screen.column - count);
  if (command === "G") screen.column = count - 1;
  if (command === "K") line.splice(parameter === 2 ? 0 : screen.column);
  if (command === "J") {
    line.splice(screen.column);
    screen.lines.splice(screen.row + 1);
  }
}

const page = "docs/cli.md";
const enter = "\r";
const down = "\u001b[B";
/** As many digits as a free port mostly has: the columns of a table stay where they are. */
const sessionPort = "46200";

/** Whether this machine can open a pseudo-terminal for a test. */
const hasTerminal: boolean =
  process.platform !== "win32" && spawnSync("python3", ["-c", "import pty"]).status === 0;

type Typed = readonly (readonly [expected: string, typed: string])[];

/** The command lines with what the terminal shows; what differs between two runs is replaced. On a machine without a terminal what the page has. */
async function recordSession(shop: ShopServer): Promise<string> {
  if (!hasTerminal)
    return (
      readBlocks(page)
        .find(({ run }) => run === "cli-session")
        ?.text.trimEnd() ?? ""
    );
  const command = await createCommandLine("cli-session");
  try {
    return await record(command, shop);
  } finally {
    await command.close();
  }
}

async function record(command: CommandLine, shop: ShopServer): Promise<string> {
  const shown: string[] = [];
  const steady = (text: string): string =>
    text
      .replaceAll(command.cwd, "/home/ada/shop")
      .replaceAll(`:${shop.port}`, `:${sessionPort}`)
      .replaceAll(/\d+ ms +/g, "31 ms  ")
      .replaceAll(/TIME +/g, "TIME   ");
  const type = async (args: readonly string[], typed: Typed = []): Promise<void> => {
    const line = args.map((word) => (/[^\w./:=-]/.test(word) ? `'${word}'` : word)).join(" ");
    const { raw } = await command.drive(args, typed);
    shown.push(steady(`$ api-sources ${line}\n${renderScreen(raw)}`).trimEnd());
  };
  await type(
    ["add"],
    [
      ["Base URL", `${shop.url}/header${enter}`],
      ["Name", `Shop orders${enter}`],
      ["How is the credential sent?", down + enter],
      ["Header of the key", enter],
      ["Test endpoint", enter],
      ["Token or key of Shop orders", `a-key-from-elsewhere${enter}`],
      ["What now?", enter],
      ["Token or key of Shop orders", shopCredentials.header + enter],
    ],
  );
  const curl = `curl '${shop.url}/query/me?api_key=${shopCredentials.query}' -H 'Accept: application/json'\n`;
  await writeFile(join(command.cwd, "line.txt"), curl);
  await type(["add", "--from", "line.txt", "--name", "Shop reports", "--yes"]);
  await type(["list"]);
  await type(["set", "shop_orders", "--methods", "GET", "--tagline", "Orders of the shop"]);
  await type(["test", "shop_orders", "shop_reports"]);
  const select = "orders[].{number: number, total: total}";
  await type(["call", "shop_orders", "GET", "/orders", "--query", "limit=3", "--select", select]);
  await type(
    ["remove", "shop_reports"],
    [
      ["Remove shop_reports", "y"],
      ["Drop its credential", "y"],
    ],
  );
  const text = shown.join("\n\n");
  const secrets = [shopCredentials.header, shopCredentials.query, "a-key-from-elsewhere"];
  if (secrets.some((secret) => text.includes(secret))) throw new Error("The session shows a secret.");
  return text;
}

/** What changes from run to run, and what stands for it on a page. */
const shownPort = "4620";
const shownId = "r_7f3ak2c9d0e1f2a3";

type Call = Record<string, unknown>;

/** An export that takes six seconds, started and waited for by one call. */
async function runJob(): Promise<Record<string, string>> {
  const api = await startJobApi(({ method }, response, elapsedMs) => {
    if (method === "POST") sendJson(response, { id: 7 }, 202, { Location: "/exports/7" });
    else
      sendJson(
        response,
        elapsedMs < 6_000 ? { id: 7, status: "running" } : { id: 7, status: "done", rows: 3 },
      );
  });
  const input = { method: "POST", path: "/exports", body: { of: "orders" }, wait: 45 };
  return { "job-call": layOutValue(input), job: layOutValue(await api.ask(input)) };
}

/** Runs them all. The texts hold nothing that differs between two runs. */
export async function runDocumented(): Promise<Record<string, string>> {
  const shop = await startShopServer();
  const steady = (text: string): string =>
    text
      .replaceAll(`:${shop.port}`, `:${shownPort}`)
      .replaceAll(/r_[0-9a-z]{16}/g, shownId)
      .replaceAll(/"durationMs": ?\d+/g, '"durationMs": 31');
  const record = (maxTokens?: number): ApiSourceRecord => ({
    name: "Shop Orders",
    api: {
      baseUrl: `${shop.url}/header`,
      testEndpoint: "/me",
      authType: "header",
      headerName: "X-Api-Key",
      ...(maxTokens === undefined ? {} : { limits: { maxTokens } }),
    },
  });
  const options = { credentials: { shop_orders: { apiKey: shopCredentials.header } } };
  const ask = async (request: CallRequest, maxTokens?: number): Promise<string> => {
    const { content } = await createSourceClient(record(maxTokens), options).call(request);
    return content;
  };
  try {
    const orders = { method: "GET", path: "/orders", query: { status: "paid", limit: 500 } };
    const large = await ask(orders, budget);
    const id = JSON.parse(large).shortened.id;
    const reader = createReadApiResponseTool();
    const read = async (input: Call): Promise<string> => String(await reader.invoke({ id, ...input }));
    await ask({ method: "POST", path: "/exports" });
    const texts = {
      ...(await runJob()),
      answer: layOut(
        await ask({
          method: "GET",
          path: "/customers",
          query: { country: "DE", per_page: 2 },
          select: "[].{id: id, name: name, tier: tier, phone: phone}",
        }),
      ),
      invalid: layOut(await ask({ method: "POST", path: "/orders", body: { customer_id: 1003 } })),
      refused: layOut(await ask({ method: "GET", path: "/../basic/me" })),
      limited: layOut(await ask({ method: "POST", path: "/exports" })),
      "wrong-select": layOut(await ask({ ...orders, select: "orders[?total > 500].id" })),
      "large-after": layOut(large),
      "read-count": layOut(
        await read({
          select: "{count: length(orders), cities: sort(keys(group_by(orders, &shipping_address.city)))}",
        }),
      ),
      "read-filter": layOut(
        await read({ select: "orders[?total > `500`].{number: number, total: total} | [:3]" }),
      ),
      "read-find": layOut(await read({ find: "SKU-105", limit: 3 })),
      "report-wrong": layOut(
        JSON.stringify(
          await testConnection(record(), { credentials: { shop_orders: { token: " 0-wrong-key" } } }),
        ),
      ),
    };
    Object.assign(texts, await runKnowledge(), { costs: await countDefinitions() });
    const steadied = Object.entries(texts).map(([name, text]) => [name, steady(text)]);
    return Object.fromEntries([...steadied, ["cli-session", await recordSession(shop)]]);
  } finally {
    await shop.close();
  }
}

/** Small enough for a page; the default is 2,000. */
const budget = 700;

export function layOut(json: string): string {
  return layOutValue(JSON.parse(json));
}

const guide =
  "# Shop guide\n\nOrders are made by customers.\n\n## Money\n\n**Important:** amounts are in cents.\n";

/** A description and a guide of an API, and what is told of them. */
async function runKnowledge(): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), "knowledge-"));
  try {
    await writeFile(join(directory, "shop.openapi.json"), JSON.stringify(shopDescription));
    await writeFile(join(directory, "shop.md"), guide);
    const file = join(directory, "shop.json");
    // Nothing listens there: what is caught is never sent.
    const api = { baseUrl: "http://127.0.0.1:9/v1", openapi: "shop.openapi.json", guide: "shop.md" };
    await writeFile(file, JSON.stringify({ name: "Shop", api }));
    const tools = (await ApiSourceToolkit.fromFile(file)).getTools();
    const ask = async (name: string, input: Record<string, unknown>): Promise<string> =>
      String(await tools.find((tool) => tool.name === name)?.invoke(input as never));
    const { map, ...head } = JSON.parse(await ask("describe_api", { source: "shop" })).data;
    const wrong = { customer: "c_1", curency: "eur", lines: [{ sku: "A-1", quantity: 2 }] };
    return {
      "knowledge-head": layOut(JSON.stringify(head)),
      "knowledge-map": map,
      "knowledge-operation": layOut(
        await ask("describe_api", { source: "shop", path: "/orders", method: "POST" }),
      ),
      "knowledge-found": layOut(await ask("describe_api", { source: "shop", find: "refund money" })),
      "knowledge-mistake": layOut(await ask("shop", { method: "POST", path: "/orders", body: wrong })),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Tokens of what a model is given for each tool, as OpenAI receives it. */
async function countDefinitions(): Promise<string> {
  const toolkit = await ApiSourceToolkit.fromSources([
    { name: "Shop", tagline: "Orders and customers", api: { baseUrl: "https://api.shop.example/v1" } },
  ]);
  const [source, reader] = toolkit.getTools();
  const own = tool(() => "", {
    name: "get_shop",
    description: "Sends a GET request to the shop's API and returns the body.",
    schema: z.object({ path: z.string(), query: z.record(z.string(), z.string()).optional() }),
  });
  const [plain] = toolkit.getTools({ strict: false });
  const rows = [
    ["a source, without a document", source],
    ["the same by `getTools({ strict: false })`", plain],
    ["`read_api_response`, once for all sources", reader],
    ["`run_api_code`, once for all sources", createApiCodeTool(toolkit)],
    ["an own `tool()` with a path and a query", own],
  ] as const;
  return rows
    .map(([name, given]) => `${countTokens(JSON.stringify(convertToOpenAITool(given as never)))}  ${name}`)
    .join("\n");
}
