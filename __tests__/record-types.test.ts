import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";

/** What applications write, each line a file's statement of its own; `false` for what must not compile. */
const statements: readonly (readonly [what: string, compiles: boolean, code: string])[] = [
  ["the smallest record", true, 'defineSource({ api: { baseUrl: "https://a.example" } });'],
  [
    "a record with fields of every kind",
    true,
    'defineSource({ $schema: "s", type: "api", name: "Shop", "x-owner": {}, api: { baseUrl: "https://a.example", authType: "header", headerName: "X-Key", query: { n: 1, all: true }, variables: { id: 7 }, credentialEnv: { username: "U" }, endpoints: [{ method: "GET", path: "/a", about: "b" }], network: { proxy: "http://p.example" }, limits: { maxPages: 5 }, "x-note": 1 } });',
  ],
  ["a defined source in a toolkit", true, "void ApiSourceToolkit.fromSources([source]);"],
  ["skipping", true, 'void ApiSourceToolkit.fromDirectory("a", { onInvalid: "skip" });'],
  [
    "a source that is read",
    true,
    "const read: ApiSource = parseSource(source); void read.api.limits.maxPages;",
  ],
  [
    "a provider of tokens",
    true,
    'createSourceClient(source, { credentials: { shop: { token: async () => "t", onUnauthorized: () => undefined } } });',
  ],
  ["a record without an API", false, 'defineSource({ name: "Shop" });'],
  ["a misspelt key", false, 'defineSource({ api: { baseUrl: "https://a.example", authtype: "bearer" } });'],
  [
    "an unknown authType",
    false,
    'defineSource({ api: { baseUrl: "https://a.example", authType: "digest" } });',
  ],
  [
    "a limit that is no number",
    false,
    'defineSource({ api: { baseUrl: "https://a.example", limits: { timeoutMs: "30s" } } });',
  ],
  [
    "undefined for left out",
    false,
    'defineSource({ name: undefined, api: { baseUrl: "https://a.example" } });',
  ],
  ["another word for skipping", false, 'void ApiSourceToolkit.fromDirectory("a", { onInvalid: "ignore" });'],
];

const head =
  'import { ApiSourceToolkit, type ApiSource, createSourceClient, defineSource, parseSource } from "langchain-api-sources";\n' +
  'const source = defineSource({ api: { baseUrl: "https://a.example" } });\n' +
  "export default [ApiSourceToolkit, createSourceClient, defineSource, parseSource, source];\nexport type Used = ApiSource;\n";

let folder: string;
let output: string;

const compile = (...options: string[]): string => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [resolve("node_modules/typescript/bin/tsc"), ...options],
    {
      encoding: "utf8",
    },
  );
  return `${stdout}${stderr}`;
};

/** The declarations as they are published, and the statements against them, as strictly as an application may compile. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "types-"));
  const declarations = join(folder, "declarations");
  compile("-p", "tsconfig.esm.json", "--emitDeclarationOnly", "--noCheck", "--outDir", declarations);
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const [index, [, , code]] of statements.entries()) {
    writeFileSync(join(folder, `statement-${index}.ts`), `${head}${code}\n`);
  }
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    target: "ES2022",
    module: "NodeNext",
    lib: ["ES2023", "ES2024.String", "DOM"],
    types: ["node"],
    paths: { "langchain-api-sources": ["./declarations/index.d.ts"] },
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["statement-*.ts", "declarations"] }),
  );
  output = compile("-p", folder, "--pretty", "false");
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

it.each(statements.map(([what, compiles], index) => ({ what, compiles, file: `statement-${index}.ts` })))(
  "$what compiles: $compiles",
  ({ compiles, file }) => {
    const errors = output.split("\n").filter((line) => line.includes(`${file}(5,`));
    expect({ compiles: errors.length === 0, errors }).toMatchObject({ compiles });
  },
);

/** LangChain's own declarations have five errors under `exactOptionalPropertyTypes`: those are not ours to judge. */
it("has declarations without an error", () => {
  const errors = output.split("\n").filter((line) => /^[^ ].*error TS/.test(line));
  expect(errors.filter((line) => !/^node_modules|statement-\d+\.ts\(5,/.test(line))).toEqual([]);
  expect(errors.length).toBeGreaterThan(0);
});
