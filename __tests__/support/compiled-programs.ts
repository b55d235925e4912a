/** The package, and programs that use it, as plain JavaScript in a folder of their own below `.cache/`; and runs of them. */

import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { transform } from "@swc/core";

const run = promisify(execFile);

export interface CompiledPrograms {
  /** Holds `src`, `programs`, and the other folders that were asked for. */
  readonly directory: string;
  /** Where a program's JavaScript is, by the name it was given. */
  pathOf(name: string): string;
}

export interface CompileOptions {
  /** The folder below `.cache/`: a name that no other test file has. */
  readonly folder: string;
  /** TypeScript texts by file name, such as `agent.ts`. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Folders of this repository to compile besides, such as `examples`. */
  readonly folders?: readonly string[];
}

/** Takes the types away, and doesn't check them. `langchain-api-sources` is the compiled package, by the folder's own package.json. */
export async function compilePrograms(options: CompileOptions): Promise<CompiledPrograms> {
  const { folder, programs = {}, folders = [] } = options;
  const home = resolve(".cache", folder);
  const out = join(home, "out");
  await rm(home, { recursive: true, force: true });
  await mkdir(join(home, "programs"), { recursive: true });
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
  await writeFile(join(home, "package.json"), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(programs)) await writeFile(join(home, "programs", name), text);
  // What a program reads beside itself.
  for (const name of folders) await symlink(resolve(name), join(home, name));
  const compiled = ["src", ...folders].map((name) => compileFolder(name, join(out, name)));
  await Promise.all([...compiled, compileFolder(join(home, "programs"), join(out, "programs"))]);
  return {
    directory: out,
    pathOf: (name) => join(out, "programs", name.replace(/\.ts$/, ".js")),
  };
}

async function compileFolder(from: string, to: string): Promise<void> {
  const names = (await readdir(from, { recursive: true })).filter((name) => name.endsWith(".ts"));
  await Promise.all(
    names.map(async (name) => {
      const { code } = await transform(await readFile(join(from, name), "utf8"), {
        jsc: { target: "es2022", parser: { syntax: "typescript" } },
        module: { type: "es6" },
      });
      const file = join(to, name.replace(/\.ts$/, ".js"));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, code);
    }),
  );
}

/** What the compiler says against the programs of a folder that was compiled, against the sources of `src/`; empty when nothing. */
export async function listTypeErrors(folder: string): Promise<string> {
  const home = resolve(".cache", folder);
  // As in a project that is strict and no more: LangChain's own middleware types don't fit with `exactOptionalPropertyTypes`.
  const compilerOptions = { noEmit: true, declaration: false, exactOptionalPropertyTypes: false };
  const config = { extends: "../../tsconfig.json", compilerOptions, include: ["programs"] };
  await writeFile(join(home, "tsconfig.json"), JSON.stringify(config));
  const compiler = ["node_modules/typescript/bin/tsc", "-p", home];
  return run(process.execPath, compiler).then(
    () => "",
    (error: { stdout?: string; message: string }) => error.stdout || error.message,
  );
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
