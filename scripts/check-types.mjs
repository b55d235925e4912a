// Compiles programs that use the built package as an application with strict settings does: `exactOptionalPropertyTypes`, and the
// declaration files of the package checked too (`skipLibCheck: false`), as ESM and as CommonJS.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const program = `
import { type ApiSource, ApiSourceToolkit, type ClientOptions, createApiSourceTool, createSourceClient, defineSource, modelSummarizer, parseSource } from "langchain-api-sources";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { StructuredToolInterface } from "@langchain/core/tools";

declare const model: BaseChatModel;
const shop = defineSource({
  name: "Shop",
  api: { baseUrl: "https://api.shop.example", authType: "bearer", limits: { requestsPerMinute: 60 } },
});
const url = { baseUrl: "https://a.example" };
export const records = [
  defineSource({ api: url }),
  defineSource({ $schema: "s", type: "api", name: "Shop", "x-owner": {}, api: { ...url, authType: "header", headerName: "X-Key", query: { n: 1, all: true }, variables: { id: 7 }, credentialEnv: { username: "U" }, endpoints: [{ method: "GET", path: "/a", about: "b" }], network: { proxy: "http://p.example" }, limits: { maxPages: 5 }, "x-note": 1 } }),
  // @ts-expect-error: a record without an API
  defineSource({ name: "Shop" }),
  // @ts-expect-error: a misspelt key
  defineSource({ api: { ...url, authtype: "bearer" } }),
  // @ts-expect-error: an unknown authType
  defineSource({ api: { ...url, authType: "digest" } }),
  // @ts-expect-error: a limit that is no number
  defineSource({ api: { ...url, limits: { timeoutMs: "30s" } } }),
  // @ts-expect-error: undefined is not the same as left out
  defineSource({ name: undefined, api: url }),
];
const source: ApiSource = parseSource(shop);
export const maxPages: number = source.api.limits.maxPages;
export const loaded = ApiSourceToolkit.fromDirectory("a", { onInvalid: "skip" });
// @ts-expect-error: another word for skipping
export const ignored = ApiSourceToolkit.fromDirectory("a", { onInvalid: "ignore" });
const tokens = { token: async () => "t", onUnauthorized: () => undefined };
export const renewing = createSourceClient(source, { credentials: { shop: tokens } });
const options: ClientOptions = {
  credentials: { shop: { token: "0" } },
  logger: console,
  summarizer: modelSummarizer(model),
  onCall: (event) => event.phase === "after" && event.status,
  transport: ({ url }) => ({ status: 200, body: { url } }),
};
export async function run(): Promise<StructuredToolInterface[]> {
  const toolkit = await ApiSourceToolkit.fromSources([shop], options);
  const client = createSourceClient(shop, options);
  const { ok, content }: { ok: boolean; content: string } = await client.call({ method: "GET", path: "/" });
  const { bytes = new Uint8Array() } = await client.fetchBytes({ path: "/a.png" });
  const text: string = ok ? content : String(bytes.length);
  // @ts-expect-error: a misspelt option
  createSourceClient(shop, { credential: {} });
  // @ts-expect-error: undefined is not the same as left out
  createSourceClient(shop, { maxTokens: undefined });
  return [...toolkit.getTools(), createApiSourceTool(shop, options)].filter(() => text !== "");
}
`;

const home = mkdtempSync(join(tmpdir(), "api-sources-types-"));
try {
  mkdirSync(join(home, "node_modules"));
  symlinkSync(resolve("."), join(home, "node_modules/langchain-api-sources"));
  for (const name of ["@langchain", "@types", "zod"])
    symlinkSync(resolve("node_modules", name), join(home, "node_modules", name));
  const compilerOptions = {
    ...{ target: "ES2022", module: "NodeNext", moduleResolution: "NodeNext", types: ["node"], noEmit: true },
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
  const { stdout } = spawnSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", home], {
    encoding: "utf8",
  });
  // LangChain's own declarations are not strict enough for these settings; only ours are judged.
  const ours = stdout
    .split("\n")
    .filter(
      (line) => /^[^ ].*error TS/.test(line) && !/node_modules\/(?!langchain-api-sources\/)/.test(line),
    );
  if (ours.length > 0) {
    console.error(ours.join("\n"));
    process.exitCode = 1;
  } else console.log("The declarations compile under exactOptionalPropertyTypes with skipLibCheck: false.");
} finally {
  rmSync(home, { recursive: true, force: true });
}
