import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  type CallRequest,
  createReadApiResponseTool,
  createSourceClient,
  loadSources,
  parseSource,
  testConnection,
} from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { z } from "zod";
import { type ShopServer, shopCredentials, startShopServer } from "../examples/shop-server.js";
import { layOut as layOutValue } from "../examples/transcript.js";
import { readOwnPrograms } from "../scripts/documented-programs.mjs";
import { shopDescription } from "./features/openapi/shop-description.js";
import { openCommandLine } from "./support/command-line.js";
import { type CompiledPrograms, compilePrograms, runProgram } from "./support/compiled-programs.js";
import {
  type CodeBlock,
  codesOf,
  listPages,
  readBlocks,
  readTable,
  replaceRuns,
} from "./support/documents.js";
import { findFreePort } from "./support/find-free-port.js";
import { type HttpServer, sendJson, startHttpServer } from "./support/http-server.js";
import { startJobApi } from "./support/job-api.js";
import { isLongRun } from "./support/long-run.js";
import { playedPages } from "./support/played-page.js";
import { openTestFolder } from "./support/test-folder.js";
import { asRecord } from "./support/unchecked.js";

const command = await openCommandLine("cli-add");
/** The files of the programs, and of what is described. */
const home = openTestFolder();

/** What `add` prints for a curl line; what differs between two runs is replaced. */
async function addFromCurl(shop: ShopServer): Promise<string> {
  const curl = `curl ${shop.url}/header/me -H 'X-Api-Key: ${shopCredentials.header}'\n`;
  await writeFile(join(command.cwd, "line.txt"), curl);
  const line = "add --from line.txt --name Shop --yes";
  const { stdout, stderr } = await command.run(line.split(" "));
  const text = `$ api-sources ${line}\n${stderr}${stdout}`.trimEnd();
  if (text.includes(shopCredentials.header)) throw new Error("The command shows a secret.");
  return text
    .replaceAll(command.cwd, "/home/ada/shop")
    .replaceAll(`:${shop.port}`, `:${shownPort}`);
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
async function runDocumented(): Promise<Record<string, string>> {
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
    const read = async (input: Call): Promise<string> =>
      String(await reader.invoke({ id, ...input }));
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
      "wrong-select": layOut(await ask({ ...orders, select: "orders[?total > 500].id" })),
      limited: layOut(await ask({ method: "POST", path: "/exports" })),
      "large-after": layOut(large),
      "read-count": layOut(
        await read({
          select:
            "{count: length(orders), cities: sort(keys(group_by(orders, &shipping_address.city)))}",
        }),
      ),
      "read-find": layOut(await read({ find: "SKU-105", limit: 2 })),
      "report-wrong": layOut(
        JSON.stringify(
          await testConnection(record(), {
            credentials: { shop_orders: { token: " 0-wrong-key" } },
          }),
        ),
      ),
    };
    const costs = { costs: await countDefinitions(), "many-sources": await countManySources() };
    Object.assign(texts, await runKnowledge(), costs);
    const steadied = Object.entries(texts).map(([name, text]) => [name, steady(text)]);
    return Object.fromEntries([...steadied, ["cli-add", await addFromCurl(shop)]]);
  } finally {
    await shop.close();
  }
}

/** Small enough for a page; the default is 2,000. */
const budget = 400;

function layOut(json: string): string {
  return layOutValue(JSON.parse(json));
}

const guide =
  "# Shop guide\n\n**Important:** amounts are in cents.\n\n## Money\n\nA refund is a charge below zero.\n";

/** A description and a guide of an API, and what is told of them. */
async function runKnowledge(): Promise<Record<string, string>> {
  await home.write("shop.openapi.json", shopDescription);
  await home.write("shop.md", guide);
  // Nothing listens there: what is caught is never sent.
  const api = { baseUrl: "http://127.0.0.1:9/v1", openapi: "shop.openapi.json", guide: "shop.md" };
  const file = await home.write("shop.json", { name: "Shop", api });
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
    "knowledge-mistake": layOut(
      await ask("shop", { method: "POST", path: "/orders", body: wrong }),
    ),
  };
}

/** Tokens of what a model is given for each tool, as OpenAI receives it. */
const countTool = (given: unknown): number =>
  countTokens(JSON.stringify(convertToOpenAITool(given as never)));

/** The definitions of the first recipes with the reader, as one tool each and as one for all. */
async function countManySources(): Promise<string> {
  const recipes = await loadSources("recipes");
  const lines = [1, 5, 10, 30].map(async (count) => {
    const toolkit = await ApiSourceToolkit.fromSources(recipes.slice(0, count));
    const sum = (combined: boolean, strict: boolean): string => {
      const tools = toolkit.getTools({ combined, strict });
      const read = tools.filter(({ name }) => name !== "describe_api");
      return read.reduce((total, each) => total + countTool(each), 0).toLocaleString("en-US");
    };
    const [each, all] = [false, true].map(
      (combined) => `${sum(combined, false).padStart(6)} / ${sum(combined, true).padStart(6)}`,
    );
    return `${String(count).padStart(7)}  ${each}    ${all}`;
  });
  return ["sources  one tool each     one tool for all", ...(await Promise.all(lines))].join("\n");
}

async function countDefinitions(): Promise<string> {
  const toolkit = await ApiSourceToolkit.fromSources([
    {
      name: "Shop",
      tagline: "Orders and customers",
      api: { baseUrl: "https://api.shop.example/v1" },
    },
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
    .map(
      ([name, given]) =>
        `${countTokens(JSON.stringify(convertToOpenAITool(given as never)))}  ${name}`,
    )
    .join("\n");
}

interface ProgramCase {
  /** The scripted model's turns, as statements on `script`. */
  readonly script?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Parts of what the program must print, in order. */
  readonly prints: readonly string[];
  /** The `Authorization` that each request to the API must carry; undefined when none is sent. */
  readonly authorization?: string;
  readonly requests: readonly string[];
}

/** Why a program is compiled only. */
const compiledOnly: Readonly<Record<string, string>> = {
  "processes.ts": "needs a Redis server; examples/two-processes-one-redis.ts has one",
  "authorize.ts": "needs a person who agrees; __tests__/features/oauth/consent.test.ts has one",
  "aws.ts": "needs an AWS account; __tests__/core/credentials/documented-signers.test.ts runs it",
  "hmac.ts":
    "needs an API that checks it; __tests__/core/credentials/documented-signers.test.ts has one",
  "mcp-server.ts": "waits for a client; __tests__/cli/mcp.long.test.ts has one",
};

const askForRepositories =
  '.respondWithTools([{ name: "github", args: { method: "GET", path: "/user/repos" }, id: "call_1" }])';
const openIssue =
  '.respondWithTools([{ name: "github", args: { method: "POST", path: "/repos/a/b/issues", body: "{}" }, id: "call_1" }])';
const quoteTool = ".respond((messages) => new AIMessage(messages.at(-1).text))";
const env = { GITHUB_TOKEN: "0-token-of-readme" };
const authorization = "Bearer 0-token-of-readme";

const programCases: Readonly<Record<string, ProgramCase>> = {
  "first.ts": {
    prints: ['The tool answered: {"status":200,"data":{"url":"/today","weather":"sunny"}}'],
    requests: [],
  },
  "recipe.ts": { prints: ["[ 'github', 'read_api_response' ]"], requests: [] },
  "define.ts": { prints: ["[ 'weather', 'read_api_response' ]"], requests: [] },
  "offline.ts": {
    prints: [
      '{"status":200,"data":{"sunny":true}}',
      "https://api.weather.example/today Bearer 0-secret",
    ],
    requests: [],
  },
  "recorded.ts": {
    prints: ['{"status":503,', '"category":"server_error"'],
    requests: [],
  },
  "inspect.ts": {
    env,
    prints: ["Open http://127.0.0.1:"],
    authorization,
    requests: ["GET /user"],
  },
  "telemetry.ts": {
    env,
    prints: ["GET 200", "execute_tool github 200"],
    authorization,
    requests: ["GET /user"],
  },
  "audit.ts": {
    env,
    prints: [
      "before github GET /user\nafter github GET /user 200\n",
      "call github DELETE /user/repos refused_by_policy",
    ],
    authorization,
    requests: ["GET /user"],
  },
  "code.ts": {
    env,
    prints: [
      '{"data":',
      '"calls":{"used":1,"allowed":200,"sent":1,"failed":0,"requests":1,"waitedMs":0}}',
    ],
    authorization,
    requests: ["GET /user/repos"],
  },
  "agent.ts": {
    script: `${askForRepositories}${quoteTool}`,
    env,
    prints: ['{"status":200,"data":[{"id":1,"name":"repository-1","open_issues_count":3'],
    authorization,
    requests: ["GET /user/repos"],
  },
  "visible.ts": {
    script: `${askForRepositories}${quoteTool}`,
    env,
    prints: ['{"status":200,"data":[{"id":1,"name":"repository-1","open_issues_count":3'],
    authorization,
    requests: ["GET /user/repos"],
  },
  "summary.ts": {
    script: '.respond(new AIMessage("Sixty repositories."))',
    env,
    prints: [
      '{"status":200,"data":[{',
      '"shortened":{"id":"r_',
      '"summary":"Sixty repositories."}',
    ],
    authorization,
    requests: ["GET /user/repos"],
  },
  "inside.ts": {
    script: `${openIssue}${quoteTool}`,
    env,
    prints: ["POST http://127.0.0.1:", "/repos/a/b/issues {}", '{"status":200'],
    authorization,
    requests: ["POST /repos/a/b/issues"],
  },
  "always.ts": {
    env,
    prints: [
      "asked about every later POST /repos/a/b/issues of GitHub in this conversation\ngithub POST /repos/a/b/issues\n",
    ],
    authorization,
    requests: ["POST /repos/a/b/issues", "POST /repos/a/b/issues"],
  },
  "outside.ts": {
    env,
    prints: [
      "POST http://127.0.0.1:",
      '/repos/a/b/issues {"title":"Broken link"}',
      "Not on a Friday.",
    ],
    requests: [],
  },
  "check.ts": {
    env,
    prints: ["ok   github: ok\n     GET http://127.0.0.1:", "the credential is right."],
    // The last one is the request without the credential.
    requests: ["GET /user", "GET /user"],
  },
  "per-user.ts": {
    script: `${askForRepositories}${quoteTool}`,
    prints: ['"name":"repository-1"'],
    authorization: "Bearer 0-token-of-user-2",
    requests: ["GET /user/repos"],
  },
  "from-a-vault.ts": {
    env: { VAULT_TOKEN: "0-token-of-vault" },
    prints: [
      '{"status":200,"data":{"login":"someone"}}\n{"status":200,"data":{"login":"someone"}}',
    ],
    requests: ["GET /vault/v1/secret/data/github", "GET /user", "GET /user"],
  },
  "client.ts": {
    env,
    prints: ["200 [", "{ name: 'repository-1', issues: 3 }"],
    authorization,
    requests: ["GET /user/repos?per_page=100"],
  },
};

/** The program with what stands in for the world: the local API, a scripted model, a port for the program's server. */
function adapt(javaScript: string, api: HttpServer, freePort: number): string {
  return javaScript
    .replaceAll("https://api.github.com", api.url)
    .replaceAll("https://vault.example.com", `${api.url}/vault`)
    .replaceAll("4621", String(freePort))
    .replaceAll('"openai:gpt-5-mini"', "globalThis.scriptedModel")
    .replaceAll("await initChatModel(globalThis.scriptedModel)", "globalThis.scriptedModel");
}

/** A module that is loaded before the program. */
function writePreload(script: string): string {
  return [
    'import { AIMessage } from "@langchain/core/messages";',
    'import { fakeModel } from "langchain";',
    `globalThis.scriptedModel = fakeModel()${script};`,
    "void AIMessage;",
  ].join("\n");
}

const api = await startHttpServer(({ url, headers }, response) => {
  if (url.startsWith("/vault/")) {
    const isKnown = headers["x-vault-token"] === "0-token-of-vault";
    return sendJson(response, isKnown ? { data: { data: { token: "0-token-of-github" } } } : {});
  }
  if (headers.authorization === undefined)
    return sendJson(response, { message: "Requires authentication" }, 401);
  return sendJson(response, url === "/user" ? { login: "someone" } : makeRepositories());
});
let texts: Record<string, string> = {};

beforeAll(async () => {
  texts = await runDocumented();
  if (process.env["UPDATE_DOCS"] === undefined) return;
  for (const page of listPages()) {
    await writeFile(page, replaceRuns(await readFile(page, "utf8"), texts));
  }
}, 120_000);

const pages = listPages();
/** The blocks of the pages that no other test plays from top to bottom. */
const blocks = pages.filter((page) => !playedPages.includes(page)).flatMap(readBlocks);
const at = ({ page, line }: CodeBlock): string => `${page}:${line}`;
const isProgram = ({ language }: CodeBlock): boolean => language === "ts" || language === "js";
/** Their packages are installed by `npm run test:frameworks`, which compiles and runs them. */
const frameworkPrograms = blocks.filter(
  (block) => isProgram(block) && block.page === "docs/frameworks.md",
);
const programs = blocks.filter((block) => isProgram(block) && !frameworkPrograms.includes(block));
const runs = blocks.filter(({ run }) => run !== undefined);
const isManifest = ({ text }: CodeBlock): boolean => text.includes('"overrides"');
const jsons = blocks.filter(({ language, run }) => language === "json" && run === undefined);
const records = jsons.filter((block) => !isManifest(block));
const shells = blocks.filter(({ language }) => language === "sh");
const nameOf = ({ text }: CodeBlock): string =>
  /^\/\/ ([\w-]+\.(?:ts|mjs))\n/.exec(text)?.[1]?.replace(/\.mjs$/, ".ts") ?? "";

describe("the blocks of code", () => {
  it("are each of a kind that is tested", () => {
    const tested = new Set([...programs, ...frameworkPrograms, ...runs, ...jsons, ...shells]);
    expect(
      blocks.filter((block) => !tested.has(block)).map(({ page, language }) => [page, language]),
    ).toEqual([]);
    expect(tested.size).toBe(blocks.length);
  });

  it("are all found: there are two fences for each", () => {
    const fences = pages.flatMap((page) => readFileSync(page, "utf8").match(/^```/gm) ?? []);
    expect(pages.flatMap(readBlocks)).toHaveLength(fences.length / 2);
  });
});

describe("a block that is marked as the output of a run", () => {
  it("has each run's name on a page", () => {
    expect(new Set(runs.map(({ run }) => run))).toEqual(new Set(Object.keys(texts)));
  });

  it.each(runs.map((block) => [at(block), block] as const))(
    "%s is what the run prints",
    (_at, block) => {
      const now = readBlocks(block.page).find(({ run }) => run === block.run);
      expect(now?.text).toBe(`${texts[block.run ?? ""]}\n`);
    },
  );
});

describe("a record", () => {
  it.each(records.map((block) => [at(block), block.text] as const))(
    "%s is a valid source",
    (_at, text) => {
      expect(parseSource(JSON.parse(text)).type).toBe("api");
    },
  );
});

describe("a command", () => {
  const { scripts, version } = JSON.parse(readFileSync("package.json", "utf8"));
  const commands = shells.flatMap(({ text }) =>
    text.split(/\n|&&/).flatMap((line) => line.replace(/#.*/, "").trim() || []),
  );

  it.each([...new Set(commands)])("%s can be given", (command) => {
    const [, program = "", verb = "", first = ""] =
      /^(?:[A-Z_]+=\S+ )?(\S+) (\S+)(?: (\S+))?/.exec(command) ?? [];
    expect(program).toBe("npm");
    if (verb === "run") expect(Object.keys(scripts)).toContain(first);
    else if (verb === "install") expect(first).toBe(`./langchain-api-sources-${version}.tgz`);
    else expect(["ci", "test", "pack"]).toContain(verb);
  });

  it("names files that exist", () => {
    const paths = commands.flatMap((command) => command.match(/__tests__\/\S+/g) ?? []);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe("README", () => {
  const markdown = readFileSync("README.md", "utf8");

  it("is below 10,000 bytes", () => {
    expect(Buffer.byteLength(markdown)).toBeLessThan(10_000);
  });

  it("has only programs that run as they are saved, on every version of Node.js", () => {
    const named = readBlocks("README.md").filter(isProgram);
    expect(named.map(({ text }) => /^\/\/ [\w-]+\.mjs\n/.test(text))).toEqual(
      named.map(() => true),
    );
  });

  it("shows what it is, the demo, a whole program, and the smallest record, in this order, in its first 100 lines", () => {
    const [demo] = shells;
    const [program] = programs;
    const [smallest] = records;
    expect(demo?.text).toContain("npm ci && npm run demo");
    expect(program?.text).toContain("fakeModel");
    expect(Object.keys(JSON.parse(smallest?.text ?? "{}"))).toEqual(["api"]);
    const lines = [0, demo?.line ?? 0, program?.line ?? 0, smallest?.line ?? 0, 100];
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
  });
});

describe("the reference", () => {
  it("has every key of an answer in its table, in their order", () => {
    expect(readTable("docs/answers.md", "Key").flatMap(([cell = ""]) => codesOf(cell))).toEqual(
      "status error data contentType file notes headers rateLimit total pages next job partial waited shortened kept summary".split(
        " ",
      ),
    );
  });

  describe("in its table of authTypes", () => {
    const rows = readTable("README.md", "`authType`");

    it("has all four", () => {
      expect(rows.map(([type = ""]) => codesOf(type)[0])).toEqual([
        "bearer",
        "header",
        "query",
        "basic",
      ]);
    });

    it.each(rows)(
      "says what %s puts on the wire, and from which variables",
      async (type = "", sent = "", variables = "") => {
        const authType = codesOf(type)[0];
        const record = { name: "Name", api: { baseUrl: api.url, authType, ...namesFor(authType) } };
        const [first = "", second = ""] = codesOf(variables);
        const environment: Record<string, string> = { [first]: "0-first", [second]: "0-second" };
        const client = createSourceClient(
          asRecord(record),
          {},
          { readEnvironment: (name) => environment[name] },
        );
        await client.call({ method: "GET", path: "/" });
        const request = api.requests.at(-1);
        const headers =
          request?.rawHeaders.map((text, index, all) => `${text}: ${all[index + 1]}`) ?? [];
        const expected = (codesOf(sent)[0] ?? "")
          .replace("<token>", "0-first")
          .replace("<headerName>", "X-Key")
          .replace("<queryParam>", "key")
          .replace(
            "<base64 of username:password>",
            Buffer.from("0-first:0-second").toString("base64"),
          );
        expect([...headers, request?.url.slice(1)]).toContain(expected);
      },
    );
  });

  it("links to places that exist, and that are packed with what is packed", () => {
    expect(pages.flatMap(findBrokenLinks)).toEqual([]);
  });
});

describe(".env.example", () => {
  const names: string[] = [
    ...(readFileSync(".env.example", "utf8").match(/^[A-Z][A-Z0-9_]*(?==)/gm) ?? []),
  ];

  it("has a variable for each source of README and examples, and for each ${NAME}", async () => {
    const sources = await loadSources("examples/sources");
    // The recipes are for other people's APIs.
    const own = records.filter(({ page }) => !/(?:recipes|credentials)\.md$/.test(page));
    const described = own.map(({ text }) => parseSource(JSON.parse(text)));
    for (const { slug, api } of [...sources, ...described]) {
      if (api.authType !== undefined)
        expect(names.some((name) => name.startsWith(slug.toUpperCase()))).toBe(true);
      const text = JSON.stringify(api);
      for (const [, name] of text.matchAll(/\$\{(\w+)\}/g)) expect(names).toContain(name);
    }
  });

  it("has every variable that a program reads", () => {
    const read = programs.flatMap(({ text }) =>
      [...text.matchAll(/process\.env\["(\w+)"\]/g)].map(([, name]) => name),
    );
    expect(read.filter((name) => !names.includes(name ?? ""))).toEqual([]);
  });
});

describe("a program of the documentation", () => {
  let compiled: CompiledPrograms;

  beforeAll(async () => {
    const record = records.find(({ text }) => text.includes('"type": "api"'))?.text ?? "";
    await home.write("sources/github.json", record.replace("https://api.github.com", api.url));
    await home.write(".env", readFileSync(".env.example", "utf8"));
    compiled = await compilePrograms({
      folder: "readme",
      programs: Object.fromEntries(programs.map((block) => [nameOf(block), block.text])),
    });
  }, 60_000);

  it("is one whose types are checked with those of the sources", () => {
    expect(Object.fromEntries(programs.map((block) => [nameOf(block), block.text]))).toEqual(
      readOwnPrograms(),
    );
  });

  it("has its own name, and is run, or has a reason why not", () => {
    expect(programs.map(nameOf).sort()).toEqual(
      [...Object.keys(programCases), ...Object.keys(compiledOnly)].sort(),
    );
  });

  const ofReadme = programs.filter(({ page }) => page === "README.md").map(nameOf);
  const run = Object.entries(programCases).filter(([name]) => isLongRun || ofReadme.includes(name));

  it.each(run)("%s does what it says", async (name, program) => {
    const path = compiled.pathOf(name);
    const runnable = path.replace(/\.js$/, ".run.js");
    const preload = path.replace(/\.js$/, ".preload.js");
    await writeFile(runnable, adapt(await readFile(path, "utf8"), api, await findFreePort()));
    if (program.script !== undefined) await writeFile(preload, writePreload(program.script));
    const { stdout, stderr } = await runProgram(runnable, {
      directory: home.path,
      env: program.env ?? {},
      // LangChain alone takes longer to load than most programs to run.
      nodeOptions: program.script === undefined ? [] : ["--import", preload],
    });
    expect(stderr).toBe("");
    let from = 0;
    for (const part of program.prints) {
      expect(stdout.slice(from)).toContain(part);
      from = stdout.indexOf(part, from) + part.length;
    }
    expect(api.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(program.requests);
    if (program.authorization !== undefined)
      expect(new Set(api.requests.map(({ headers }) => headers.authorization))).toEqual(
        new Set([program.authorization]),
      );
  });
});

function namesFor(authType: string | undefined): Record<string, string> {
  if (authType === "header") return { headerName: "X-Key" };
  return authType === "query" ? { queryParam: "key" } : {};
}

/** Enough to be too many for a small budget. */
function makeRepositories(): unknown[] {
  return Array.from({ length: 60 }, (_, index) => ({
    id: index + 1,
    name: `repository-${index + 1}`,
    open_issues_count: (index * 7 + 3) % 11,
    description: "What it is for, at some length, as people write it. ".repeat(10),
    html_url: `https://github.example/repository-${index + 1}`,
  }));
}

function findBrokenLinks(page: string): string[] {
  const markdown = readFileSync(page, "utf8");
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return links
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      if (!existsSync(file) || (isPacked(page) && !isPacked(file))) return true;
      return anchor !== undefined && !listAnchors(readFileSync(file, "utf8")).includes(anchor);
    })
    .map((target) => `${page}: ${target}`);
}

function isPacked(file: string): boolean {
  const { files }: { readonly files: readonly string[] } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  return files.includes(file.split("/")[0] ?? "");
}

function listAnchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}
