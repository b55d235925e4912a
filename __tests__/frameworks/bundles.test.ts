/** The package in bundles: what bundlers make of it still calls, runs code, and names a package that is missing. */

import { execFile } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "@jest/globals";
import { build } from "esbuild";
import webpack from "webpack";
import { useDirectory } from "../support/temporary-directory.js";
import { startShop } from "./shop.js";

const run = promisify(execFile);
const shop = await startShop();
const folder = useDirectory();

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

const banner =
  "import { createRequire } from 'module'; const require = createRequire(import.meta.url);";
const esbuild =
  (options: object): Bundle =>
  (entry, outfile) =>
    build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: "node",
      logLevel: "silent",
      ...options,
    });

const pack: Bundle = (entry, outfile) =>
  new Promise((done, fail) => {
    webpack(
      {
        entry,
        target: "node20",
        mode: "production",
        optimization: { minimize: false },
        output: {
          path: dirname(outfile),
          filename: basename(outfile),
          library: { type: "commonjs2" },
        },
      },
      (error, stats) => {
        if (error !== null) fail(error);
        else if (stats?.hasErrors()) fail(new Error(stats.toString({ all: false, errors: true })));
        else done(stats);
      },
    );
  });

const bundles: readonly (readonly [string, string, Bundle])[] = [
  [
    "esbuild as ESM with the usual banner",
    "bundle.mjs",
    esbuild({ format: "esm", banner: { js: banner } }),
  ],
  ["esbuild as CommonJS", "bundle.cjs", esbuild({ format: "cjs" })],
  ["webpack for Node, as server frameworks do", "bundle.cjs", pack],
];

const madeFolders: string[] = [];
afterAll(() => {
  for (const each of madeFolders) rmSync(each, { recursive: true });
});

/** Bundles the program. @returns the folder of its files; the machine that runs it has none of the files that it was made of */
async function makeBundle(file: string, bundle: Bundle): Promise<string> {
  const into = mkdtempSync(join(tmpdir(), "made-"));
  madeFolders.push(into);
  const entry = resolve(`.cache/frameworks/src/entry-${process.pid}-${madeFolders.length}.mjs`);
  writeFileSync(entry, program);
  try {
    await bundle(entry, join(into, file));
  } finally {
    rmSync(entry);
  }
  const made = pathToFileURL(resolve(".cache/frameworks")).href;
  for (const each of readdirSync(into)) {
    const text = readFileSync(join(into, each), "utf8");
    writeFileSync(join(into, each), text.replaceAll(made, "file:///elsewhere"));
  }
  return into;
}

async function runBundle(file: string, made: string): Promise<string[]> {
  cpSync(made, folder(), { recursive: true });
  const { stdout } = await run(process.execPath, [folder(file), shop.api.url], { cwd: folder() });
  return stdout.trim().split("\n");
}

describe.each(bundles)("a bundle of %s", (_bundler, file, bundle) => {
  let made: Promise<string> | undefined;
  const open = (): Promise<string> => {
    made ??= makeBundle(file, bundle);
    return made;
  };

  it("calls, and runs code where quickjs-emscripten is installed beside it", async () => {
    for (const name of ["quickjs-emscripten", "quickjs-emscripten-core", "@jitl"])
      cpSync(resolve(".cache/frameworks/node_modules", name), folder("node_modules", name), {
        recursive: true,
      });
    const [answer, result] = await runBundle(file, await open());
    expect(answer).toBe('{"status":200,"data":{"did":"GET /a"}}');
    expect(result).toContain('{"data":"GET /b"');
  });

  it("calls, and names the package that is missing", async () => {
    const [answer, result] = await runBundle(file, await open());
    expect(answer).toBe('{"status":200,"data":{"did":"GET /a"}}');
    expect(result).toContain("ApiSourceError not_configured");
    expect(result).toContain("quickjs-emscripten");
  });
});

describe("a bundle of esbuild as ESM without a banner", () => {
  it("calls, and runs code, with the packages beside it", async () => {
    symlinkSync(resolve(".cache/frameworks/node_modules"), folder("node_modules"));
    const bundle = esbuild({ format: "esm", packages: "external" });
    const [answer, result] = await runBundle("bundle.mjs", await makeBundle("bundle.mjs", bundle));
    expect(answer).toBe('{"status":200,"data":{"did":"GET /a"}}');
    expect(result).toContain('{"data":"GET /b"');
  });
});
