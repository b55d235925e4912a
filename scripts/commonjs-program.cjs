// Loads every entry point of the installed package by `require`, and uses each of its exports once. Run in a folder that has the package.
const { createServer } = require("node:http");
const { readFileSync, mkdtempSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const folder = mkdtempSync(join(tmpdir(), "api-sources-commonjs-"));
const record = { name: "Shop", api: { baseUrl: "https://shop.example" } };
const options = { transport: () => ({ status: 200, body: { id: 7 } }) };
const call = { method: "GET", path: "/items/7" };
const isShop = (source) => source.slug === "shop";
const recordings = join(folder, "recordings");
const answers = (content) => JSON.parse(content).data.id === 7;

/** By entry point and export: a use of it, and whether its result is right. */
const uses = {
  "langchain-api-sources": {
    ApiSourceError: ({ createSourceClient, ApiSourceError }) =>
      throwsA(ApiSourceError, () => createSourceClient({ api: { baseUrl: "no" } })),
    ApiSourceToolkit: async ({ ApiSourceToolkit }) => {
      const [tool] = (await ApiSourceToolkit.fromSources([record], options)).getTools();
      return answers(await tool.invoke(call));
    },
    SourceDirectory: async ({ SourceDirectory }) => {
      const directory = await SourceDirectory.open(folder);
      await directory.put(record);
      return isShop((await directory.list())[0]);
    },
    SourceRecordError: ({ parseSource, SourceRecordError }) =>
      throwsA(SourceRecordError, () => parseSource({})),
    parseJournalLine: ({ parseJournalLine }) =>
      parseJournalLine('{"time":"t","source":"s","ms":1}').ms === 1,
    followJournal: async ({ followJournal }) => {
      const lines = [];
      const end = new AbortController();
      const file = join(folder, "followed.jsonl");
      writeFileSync(file, "one\ntwo\n");
      await followJournal(file, (line) => lines.push(line) === 2 && end.abort(), end.signal);
      return lines.join() === "one,two";
    },
    listVariables: ({ listVariables }) =>
      listVariables({ ...record, api: { ...record.api, authType: "bearer" } })[0] === "SHOP_TOKEN",
    journalTo: async ({ createSourceClient, journalTo }) => {
      const file = join(folder, "calls.jsonl");
      const journal = journalTo(file);
      // A call does not wait for its line, and the file is there before the line is.
      let written;
      const onCall = (event) => (written = journal(event) ?? written);
      await createSourceClient(record, { ...options, onCall }).call(call);
      await written;
      return JSON.parse(readFileSync(file, "utf8")).source === "shop";
    },
    apiSourceJsonSchema: ({ apiSourceJsonSchema }) => apiSourceJsonSchema.type === "object",
    createApiSourceTool: async ({ createApiSourceTool }) =>
      answers(await createApiSourceTool(record, options).invoke(call)),
    createMemoryStore: ({ createMemoryStore }) => typeof createMemoryStore().get === "function",
    createReadApiResponseTool: ({ createReadApiResponseTool }) =>
      createReadApiResponseTool().name === "read_api_response",
    createSourceClient: async ({ createSourceClient }) =>
      answers((await createSourceClient(record, options).call(call)).content),
    defineSource: ({ defineSource }) => defineSource(record) === record,
    errorCategories: ({ errorCategories }) => errorCategories.includes("invalid_input"),
    fileTokenStore: ({ fileTokenStore }) => typeof fileTokenStore(folder).read === "function",
    loadEnvFile: ({ loadEnvFile }) => {
      writeFileSync(join(folder, ".env"), "COMMONJS_PROGRAM=1\n");
      return loadEnvFile(join(folder, ".env")).includes("COMMONJS_PROGRAM");
    },
    loadSources: async ({ loadSources }) => {
      writeFileSync(join(folder, "record.json"), JSON.stringify(record));
      return isShop((await loadSources(join(folder, "record.json")))[0]);
    },
    parseSource: ({ parseSource }) => isShop(parseSource(record)),
    projectionSummarizer: ({ projectionSummarizer }) =>
      typeof projectionSummarizer().summarize === "function",
    testConnection: async ({ testConnection }) =>
      (await testConnection(record, options)).source === "shop",
  },
  "langchain-api-sources/keyring": {
    keyringCredentials: ({ keyringCredentials }) =>
      typeof keyringCredentials().getCredential === "function",
    readKeyring: async ({ readKeyring }) => (await readKeyring("")) === undefined,
    // These two reach the system's keyring, which a test leaves alone.
    removeFromKeyring: ({ removeFromKeyring }) => typeof removeFromKeyring === "function",
    writeKeyring: ({ writeKeyring }) => typeof writeKeyring === "function",
  },
  "langchain-api-sources/code": {
    createApiCodeTool: async ({ createApiCodeTool }) => {
      const { ApiSourceToolkit } = require("langchain-api-sources");
      const tool = createApiCodeTool(await ApiSourceToolkit.fromSources([record], options));
      return (
        JSON.parse(await tool.invoke({ code: 'return (await api.shop.get("/items/7")).data.id' }))
          .data === 7
      );
    },
  },
  "langchain-api-sources/testing": {
    recordTo: ({ recordTo }) => recordCall(recordTo(recordings)),
    replayFrom: async ({ replayFrom }) => {
      const replay = replayFrom(recordings);
      const isRight = await callLocal(replay);
      replay.assertAllUsed();
      return isRight;
    },
  },
  "langchain-api-sources/inspector": {
    createInspector: async ({ createInspector }) => {
      const { ApiSourceToolkit } = require("langchain-api-sources");
      const page = await createInspector().start(
        await ApiSourceToolkit.fromSources([record], options),
      );
      const { headers } = await fetch(page.url, { redirect: "manual" });
      const cookie = headers.get("set-cookie").split(";")[0];
      const home = new URL(headers.get("location"), page.url);
      const script = await fetch(new URL("page.js", home), { headers: { cookie } });
      await page.close();
      return script.ok;
    },
  },
  "langchain-api-sources/middleware": {
    apiSourcesMiddleware: async ({ apiSourcesMiddleware }) => {
      const { ApiSourceToolkit } = require("langchain-api-sources");
      const toolkit = await ApiSourceToolkit.fromSources([record], options);
      return typeof apiSourcesMiddleware(toolkit).wrapToolCall === "function";
    },
  },
  "langchain-api-sources/mcp": {
    createMcpServer: async ({ createMcpServer }) => {
      const { ApiSourceToolkit } = require("langchain-api-sources");
      return (
        typeof createMcpServer(await ApiSourceToolkit.fromSources([record], options)).connect ===
        "function"
      );
    },
  },
};

/** Records one call to an API that this program plays. The API is gone when the call is replayed. */
async function recordCall(recorder) {
  const api = createServer((_request, response) => {
    response.setHeader("Content-Type", "application/json").end('{"id":7}');
  });
  await new Promise((resolve) => api.listen(0, "127.0.0.1", resolve));
  local = { name: "Local", api: { baseUrl: `http://127.0.0.1:${api.address().port}` } };
  const isRight = await callLocal(recorder);
  await new Promise((resolve) => api.close(resolve));
  return isRight;
}

let local;
async function callLocal(transport) {
  const { createSourceClient } = require("langchain-api-sources");
  return answers((await createSourceClient(local, { transport }).call(call)).content);
}

function throwsA(kind, run) {
  try {
    run();
    return false;
  } catch (error) {
    return error instanceof kind;
  }
}

/** An optional peer that is not installed: its entry point cannot be loaded here. */
const needed = {
  "langchain-api-sources/code": "quickjs-emscripten",
  "langchain-api-sources/mcp": "@modelcontextprotocol/server",
};

function isInstalled(name) {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

async function main() {
  const failures = [];
  let used = 0;
  for (const [entry, exports] of Object.entries(uses)) {
    if (needed[entry] !== undefined && !isInstalled(needed[entry])) continue;
    const required = require(entry);
    const names = Object.keys(required).sort();
    const imported = Object.keys(await import(entry)).filter((name) => name !== "module.exports");
    if (names.join() !== Object.keys(exports).sort().join())
      failures.push(
        `${entry} exports ${names.join(", ")}; this program uses ${Object.keys(exports).sort().join(", ")}`,
      );
    if (imported.sort().join() !== names.join())
      failures.push(
        `${entry} exports by import ${imported.join(", ")}; by require ${names.join(", ")}`,
      );
    for (const [name, use] of Object.entries(exports)) {
      const result = await Promise.resolve(required)
        .then(use)
        .catch((error) => error);
      used += 1;
      if (result !== true) failures.push(`${entry}: ${name}: ${result?.stack ?? result}`);
    }
  }
  const entries = Object.keys(
    JSON.parse(readFileSync(require.resolve("langchain-api-sources/package.json"), "utf8")).exports,
  )
    .filter((subpath) => !subpath.endsWith(".json"))
    .map((subpath) => `langchain-api-sources${subpath.slice(1)}`);
  for (const entry of entries)
    if (uses[entry] === undefined) failures.push(`${entry} is not used by this program`);
  for (const failure of failures) console.log(`  FAIL  CommonJS: ${failure}`);
  if (failures.length === 0) console.log(`  ok    CommonJS: ${used} exports, each used once`);
  process.exit(failures.length === 0 ? 0 : 1);
}

main();
