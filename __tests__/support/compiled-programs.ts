/** The package, and programs that use it, as plain JavaScript in their own folder below `.cache/`; and runs of them. */

import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transform } from "@swc/core";

const run = promisify(execFile);

/** Whether the tests run on the installed package (`npm run test:package`): programs then import that one. */
const isInstalled = process.env["TEST_PACKAGE"] === "installed";

/** Sources, tests and examples as they were compiled for this run of the tests: this file is one of them. */
const compiledFiles = realpathSync(fileURLToPath(new URL("../..", import.meta.url)));

export type CompiledPrograms = Awaited<ReturnType<typeof compilePrograms>>;

export interface CompileOptions {
  /** The folder below `.cache/`: a name that only this test file uses. */
  readonly folder: string;
  /** TypeScript texts by file name, such as `agent.ts`. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Compiled folders of this repository that are needed besides, such as `examples`. */
  readonly folders?: readonly string[];
}

/** Removes the types without a check. `langchain-api-sources` is the compiled package, by the folder's own package.json. */
export async function compilePrograms(options: CompileOptions) {
  const { folder, programs = {}, folders = [] } = options;
  const home = resolve(".cache", folder);
  const out = join(home, "out");
  await rm(home, { recursive: true, force: true });
  await mkdir(join(home, "programs"), { recursive: true });
  const self = {
    name: "langchain-api-sources",
    exports: {
      ".": "./out/src/index.js",
      "./code": "./out/src/extras/code/create-api-code-tool.js",
      "./testing": "./out/src/extras/testing/testing.js",
      "./mcp": "./out/src/extras/mcp/create-mcp-server.js",
      "./inspector": "./out/src/extras/inspector/create-inspector.js",
      "./middleware": "./out/src/extras/middleware/api-sources-middleware.js",
      "./package.json": "./package.json",
      "./recipes/*.json": "./recipes/*.json",
    },
  };
  const manifest = { type: "module", version: "0.0.0", ...(isInstalled ? {} : self) };
  await writeFile(join(home, "package.json"), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(programs))
    await writeFile(join(home, "programs", name), text);
  // A program may read files beside itself.
  for (const name of [...folders, ...(isInstalled ? [] : ["recipes"])])
    await symlink(resolve(name), join(home, name));
  await mkdir(out);
  for (const name of [...folders, ...(isInstalled ? [] : ["src"])])
    await symlink(join(compiledFiles, name), join(out, name));
  await compileFolder(join(home, "programs"), join(out, "programs"));
  return {
    /** Has the folders `src` (absent where the package is installed), `programs`, and those of the options. */
    directory: out,
    /** The path of a program's JavaScript, by the program's name. */
    pathOf: (name: string) => join(out, "programs", name.replace(/\.ts$/, ".js")),
  };
}

async function compileFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    const { code } = await transform(await readFile(join(from, name), "utf8"), {
      jsc: {
        target: "es2022",
        parser: { syntax: "typescript" },
        experimental: { keepImportAttributes: true },
      },
      module: { type: "es6" },
    });
    await writeFile(join(to, name.replace(/\.ts$/, ".js")), code);
  }
}

export interface RunOptions {
  /** @default the program's own folder */
  readonly directory?: string;
  /** Variables besides PATH; nothing else of this process's environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
}

/** Runs a program in a process of its own. Rejects when it fails or takes more than 15 seconds. */
export async function runProgram(path: string, options: RunOptions = {}) {
  const { directory = dirname(path), env = {}, nodeOptions = [] } = options;
  return run(process.execPath, [...nodeOptions, path], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", LANGSMITH_TRACING: "false", ...env },
    timeout: 60_000,
  });
}
