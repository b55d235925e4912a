/** The package and TypeScript programs that use it, compiled into a folder of their own below `.cache/`, and runs of them. */

import { execFile } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface CompiledPrograms {
  /** The folder of the compiled files. */
  readonly directory: string;
  /** Where a program's JavaScript is, by the name it was given. */
  pathOf(name: string): string;
}

export interface CompileOptions {
  /** The folder below `.cache/`. */
  readonly folder: string;
  /** TypeScript texts by file name, such as `agent.ts`. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Folders of this repository to compile besides, such as `examples`. */
  readonly folders?: readonly string[];
}

/**
 * Type-checks and compiles, strictly. `langchain-api-sources` is the sources of `src/` for the types
 * and their compiled form at run time, by the folder's own package.json.
 *
 * Rejects with the compiler's messages when a type is wrong.
 */
export async function compilePrograms(options: CompileOptions): Promise<CompiledPrograms> {
  const { folder, programs = {}, folders = [] } = options;
  const home = resolve(".cache", folder);
  await rm(home, { recursive: true, force: true });
  await mkdir(join(home, "programs"), { recursive: true });
  const config = {
    extends: "../../tsconfig.json",
    compilerOptions: {
      noEmit: false,
      declaration: false,
      rootDir: "../..",
      outDir: "out",
      // As in a project that is strict and no more: LangChain's own middleware types don't fit with it.
      exactOptionalPropertyTypes: false,
    },
    include: ["../../src", "programs", ...folders.map((name) => `../../${name}`)],
  };
  const manifest = {
    name: "langchain-api-sources",
    type: "module",
    version: "0.0.0",
    exports: {
      ".": "./out/src/index.js",
      "./code": "./out/src/code/create-api-code-tool.js",
      "./mcp": "./out/src/mcp/create-mcp-server.js",
      "./package.json": "./package.json",
    },
  };
  await writeFile(join(home, "tsconfig.json"), JSON.stringify(config));
  await writeFile(join(home, "package.json"), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(programs)) await writeFile(join(home, "programs", name), text);
  for (const name of folders) await symlink(resolve(name), join(home, name));
  await compile(home);
  const out = join(home, "out");
  return {
    directory: out,
    pathOf: (name) => join(out, ".cache", folder, "programs", name.replace(/\.ts$/, ".js")),
  };
}

async function compile(home: string): Promise<void> {
  try {
    await run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", home]);
  } catch (error) {
    const { stdout = "" } = error as { stdout?: string };
    throw new Error(`The programs don't compile:\n${stdout}`);
  }
}

export interface ProgramRun {
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** @default the program's own folder */
  readonly directory?: string;
  /** Variables besides PATH; nothing else of this process's environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
}

/** Runs a program in a process of its own. Rejects when it fails or takes more than 15 seconds. */
export async function runProgram(path: string, options: RunOptions = {}): Promise<ProgramRun> {
  const { directory = dirname(path), env = {}, nodeOptions = [] } = options;
  return run(process.execPath, [...nodeOptions, path], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", LANGSMITH_TRACING: "false", ...env },
    timeout: 15_000,
  });
}
