/** The package in bundles: what bundlers make of it still calls, runs code, and names a package that is missing. */

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { build } from "esbuild";
import webpack from "webpack";
import { type Shop, startShop } from "./shop.js";

const run = promisify(execFile);
let shop: Shop;
let folder: string;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.api.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bundle-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const program = `
import { ApiSourceToolkit } from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
export async function main() {
  const record = { name: "Shop", api: { baseUrl: process.argv[2] } };
  const toolkit = await ApiSourceToolkit.fromSources([record]);
  const [tool] = toolkit.getTools();
  console.log(await tool.invoke({ method: "GET", path: "/a" }));
  try {
    const code = createApiCodeTool(toolkit);
    console.log(await code.invoke({ code: 'return (await api.shop.get("/b")).data.did;' }));
  } catch (error) {
    console.log(error.name, error.category, error.message);
  }
  process.exit(0);
}
main();
`;

type Bundle = (entry: string, outfile: string) => Promise<unknown>;

const banner = "import { createRequire } from 'module'; const require = createRequire(import.meta.url);";
const esbuild =
  (options: object): Bundle =>
  (entry, outfile) =>
    build({ entryPoints: [entry], outfile, bundle: true, platform: "node", logLevel: "silent", ...options });

const pack: Bundle = (entry, outfile) =>
  new Promise((done, fail) => {
    webpack(
      {
        entry,
        target: "node20",
        mode: "production",
        optimization: { minimize: false },
        output: { path: folder, filename: outfile.slice(folder.length + 1), library: { type: "commonjs2" } },
      },
      (error, stats) => {
        if (error !== null) fail(error);
        else if (stats?.hasErrors()) fail(new Error(stats.toString({ all: false, errors: true })));
        else done(stats);
      },
    );
  });

const bundles: readonly (readonly [string, string, Bundle])[] = [
  ["esbuild as ESM with the usual banner", "bundle.mjs", esbuild({ format: "esm", banner: { js: banner } })],
  ["esbuild as CommonJS", "bundle.cjs", esbuild({ format: "cjs" })],
  ["webpack for Node, as server frameworks do", "bundle.cjs", pack],
];

describe.each(bundles)("a bundle of %s", (_bundler, file, bundle) => {
  async function runBundle(): Promise<string[]> {
    const entry = resolve(`.cache/frameworks/src/entry-${process.pid}.mjs`);
    writeFileSync(entry, program);
    try {
      await bundle(entry, join(folder, file));
    } finally {
      rmSync(entry);
    }
    // The machine that runs a bundle has none of the files that it was made of.
    const made = pathToFileURL(resolve(".cache/frameworks")).href;
    const text = readFileSync(join(folder, file), "utf8").replaceAll(made, "file:///elsewhere");
    writeFileSync(join(folder, file), text);
    const { stdout } = await run(process.execPath, [join(folder, file), shop.api.url], { cwd: folder });
    return stdout.trim().split("\n");
  }

  it("calls, and runs code where quickjs-emscripten is installed beside it", async () => {
    for (const name of ["quickjs-emscripten", "quickjs-emscripten-core", "@jitl"])
      cpSync(resolve(".cache/frameworks/node_modules", name), join(folder, "node_modules", name), {
        recursive: true,
      });
    const [answer, result] = await runBundle();
    expect(answer).toBe('{"status":200,"data":{"did":"GET /a"}}');
    expect(result).toContain('{"data":"GET /b"');
  });

  it("calls, and names the package that is missing", async () => {
    const [answer, result] = await runBundle();
    expect(answer).toBe('{"status":200,"data":{"did":"GET /a"}}');
    expect(result).toContain("ApiSourceError not_configured");
    expect(result).toContain("quickjs-emscripten");
  });
});
