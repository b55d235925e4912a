// Whether every way of importing the built package finds its types; then compiles programs that use it as an application with strict settings
// does: `exactOptionalPropertyTypes`, and the declaration files of the package checked too (`skipLibCheck: false`), as ESM and as CommonJS.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

// Packed without its scripts: they would build once more.
const { status } = spawnSync("npx", ["attw", "--pack", ".", "--profile", "node16"], {
  env: { ...process.env, npm_config_ignore_scripts: "true" },
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (status !== 0) process.exit(1);

const program = `
import * as surface from "langchain-api-sources";
import { ApiSourceToolkit, createApiSourceTool, createSourceClient, defineSource } from "langchain-api-sources";
import type { StructuredToolInterface } from "@langchain/core/tools";

const baseUrl = "https://api.shop.example";
const shop = defineSource({
  $schema: "s",
  type: "api",
  name: "Shop",
  "x-owner": {},
  api: {
    baseUrl,
    authType: "header",
    headerName: "X-Key",
    query: { n: 1, all: true },
    variables: { id: 7 },
    credentialEnv: { username: "U" },
    endpoints: [{ method: "GET", path: "/a", about: "b" }],
    network: { proxy: "http://p.example" },
    limits: { requestsPerMinute: 60, maxPages: 5 },
    "x-note": 1,
  },
});
const tokens = { token: async () => "t", onUnauthorized: () => undefined };
const options: surface.ClientOptions = {
  credentials: { shop: tokens, two: { apiKey: "k" }, three: { username: "u", password: "p" } },
  secrets: { NAME: "value" },
  logger: console,
  redis: {},
  countTokens: (text) => text.length,
  responseStore: "runtime",
  responseScope: ({ threadId, configurable, context }) => [String(threadId), typeof configurable, typeof context],
  summarizer: surface.projectionSummarizer(),
  onCall: (event) => event.phase === "after" && event.status,
  transport: ({ url }) => ({ status: 200, body: { url } }),
};
createSourceClient(shop, { maxTokens: undefined, approve: undefined, credentials: undefined, logger: undefined });
const asFunction: surface.CredentialsOption = async (source, { signal }) =>
  signal?.aborted || source.slug === "" ? undefined : { token: "t" };
const asProvider: surface.CredentialProvider = { getCredential: async () => ({ apiKey: "k" }) };
const secrets: surface.SecretsOption = async (name, source, given) =>
  given.context === undefined ? undefined : name + source.name;

export async function run(context: surface.CallContext): Promise<StructuredToolInterface[]> {
  const toolkit = await ApiSourceToolkit.fromSources([shop, { api: { baseUrl } }], options);
  await ApiSourceToolkit.fromFile("a.json", { credentials: asFunction, secrets });
  await ApiSourceToolkit.fromDirectory("a", { credentials: asProvider });
  const reports: surface.ConnectionReport[] = await toolkit.testConnections({ signal: context.signal });
  reports.push(await surface.testConnection(shop, options));
  const value: unknown = await toolkit.readResponse("r_1", { select: "a", threadId: "t" });
  const client: surface.SourceClient = createSourceClient(shop, options);
  const request: surface.CallRequest = { method: "GET", path: "/", query: { a: 1 }, select: "a" };
  const { ok, content, artifact }: surface.Outcome = await client.call(request, context);
  const { bytes = new Uint8Array() } = await client.fetchBytes({ path: "/a.png" });
  const source: surface.ApiSource = surface.parseSource(shop);
  const tool: surface.ApiSourceTool = createApiSourceTool(source, options);
  const given: unknown = JSON.parse("{}");
  createApiSourceTool(surface.parseSource(given));
  await (await surface.SourceDirectory.open("a")).put(shop);
  const responseStore = surface.createMemoryStore();
  const reader: surface.ReadApiResponseTool = surface.createReadApiResponseTool({ responseStore });
  const query = [{ name: "a", value: "1" }];
  const text: unknown = await tool.invoke({ method: "GET", path: "/", query, body: null });
  const names: string[] = surface.loadEnvFile();
  void [value, ok, content, artifact.status, bytes.length, source.api.limits.maxPages, reader.name, text, names];
  return [...toolkit.getTools(), tool];
}

// @ts-expect-error: a misspelt option
createSourceClient(shop, { credential: {} });
// @ts-expect-error: a seam of the tests, and no option
createSourceClient(shop, { clock: { now: () => 0 } });
// @ts-expect-error: a credential of no kind
createSourceClient(shop, { credentials: { shop: { key: "k" } } });
// @ts-expect-error: a record without an API
defineSource({ name: "Shop" });
// @ts-expect-error: a misspelt key
defineSource({ api: { baseUrl, authtype: "bearer" } });
// @ts-expect-error: an unknown authType
defineSource({ api: { baseUrl, authType: "digest" } });
// @ts-expect-error: a limit that is no number
defineSource({ api: { baseUrl, limits: { timeoutMs: "30s" } } });
// A member that is undefined counts as left out.
defineSource({ name: undefined, api: { baseUrl } });
// @ts-expect-error: a value of unknown type goes through parseSource
createSourceClient({} as unknown);
// @ts-expect-error: a record without an API
createApiSourceTool({ name: "Shop" });
// @ts-expect-error: a misspelt key
void surface.testConnection({ api: { baseUrl, authtype: "bearer" } });
// @ts-expect-error: an unknown authType
void ApiSourceToolkit.fromSources([{ api: { baseUrl, authType: "digest" } }]);
// @ts-expect-error: a call without a path
void createSourceClient(shop).call({ method: "GET" });
// @ts-expect-error: a misspelt member of a call
void createSourceClient(shop).call({ path: "/", selct: "a" });
// @ts-expect-error: a function is no value of a query
void createSourceClient(shop).call({ path: "/", query: { page: () => 2 } });
// @ts-expect-error: a header has one value
void createSourceClient(shop).call({ path: "/", headers: { "If-Match": { a: 1 } } });

export function useInternals(toolkit: ApiSourceToolkit): void {
  // @ts-expect-error: for the package's own entry points
  toolkit.listClients();
  // @ts-expect-error: for the package's own entry points
  void toolkit.openRuntime();
}
`;

const home = mkdtempSync(join(tmpdir(), "api-sources-types-"));
try {
  mkdirSync(join(home, "node_modules"));
  symlinkSync(resolve("."), join(home, "node_modules/langchain-api-sources"));
  for (const name of ["@langchain", "@types", "zod"])
    symlinkSync(resolve("node_modules", name), join(home, "node_modules", name));
  const compilerOptions = {
    ...{
      target: "ES2022",
      module: "NodeNext",
      moduleResolution: "NodeNext",
      types: ["node"],
      noEmit: true,
    },
    ...{
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
    },
  };
  writeFileSync(
    join(home, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.mts", "*.cts"] }),
  );
  writeFileSync(join(home, "esm.mts"), program);
  writeFileSync(join(home, "commonjs.cts"), program);
  const { stdout } = spawnSync(
    process.execPath,
    [resolve("node_modules/typescript/bin/tsc"), "-p", home],
    {
      encoding: "utf8",
    },
  );
  // LangChain's own declarations are not strict enough for these settings; only ours are judged.
  const ours = stdout
    .split("\n")
    .filter(
      (line) =>
        /^[^ ].*error TS/.test(line) && !/node_modules\/(?!langchain-api-sources\/)/.test(line),
    );
  if (ours.length > 0) {
    console.error(ours.join("\n"));
    process.exitCode = 1;
  } else
    console.log(
      "The declarations compile under exactOptionalPropertyTypes with skipLibCheck: false.",
    );
} finally {
  rmSync(home, { recursive: true, force: true });
}
