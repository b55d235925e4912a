/** The command `api-sources`: run piped, in this process or one of its own, or in a pseudo-terminal; in a folder of its own. */

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, afterEach } from "@jest/globals";
import { runCommandLine } from "../../src/cli/program.js";
import { presentError, terminal } from "../../src/cli/terminal.js";
import { compilePrograms } from "./compiled-programs.js";

interface CommandRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface TerminalRun {
  readonly code: number;
  /** Everything the terminal showed, without colours and movements of the cursor. */
  readonly screen: string;
  /** As the terminal got it. */
  readonly raw: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Starts a process, as a shell does: for what is not the command's own. @default false, which is ten times as fast */
  readonly ownProcess?: boolean;
  /** Leaves standard input open, as a forgotten pipe does; in a process of its own. @default false */
  readonly keepsInputOpen?: boolean;
}

/** The command for the tests of the file that calls it: its working directory is emptied after each, and removed after the last. */
export async function openCommandLine(folder: string) {
  const { directory } = await compilePrograms({ folder });
  const program = join(directory, "src/cli/main.js");
  const cwd = await mkdtemp(join(tmpdir(), "command-"));
  const base = { PATH: process.env["PATH"] ?? "", HOME: cwd, TERM: "xterm-256color" };
  const list = async (name = "."): Promise<string[]> => (await readdir(join(cwd, name))).sort();
  afterEach(async () => {
    for (const name of await list()) await rm(join(cwd, name), { recursive: true });
  });
  const ownTerminal = { ...terminal };
  afterAll(async () => {
    restoreTerminal(ownTerminal);
    await rm(cwd, { recursive: true, force: true });
  });
  const run = async (
    args: readonly string[],
    { input = "", env = {}, ownProcess = false, keepsInputOpen = false }: RunOptions = {},
  ): Promise<CommandRun> => {
    if (!ownProcess && !keepsInputOpen) return runHere(args, input, cwd, { ...base, ...env });
    return new Promise((done) => {
      // Without `--`, Node.js 20 itself takes an `--env-file` of the program's and ends where the file is missing.
      const child = spawn(process.execPath, ["--", program, ...args], {
        cwd,
        env: { ...base, ...env },
      });
      let stdout = "";
      let stderr = "";
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk.toString();
      });
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      child.stdin.on("error", () => {});
      if (!keepsInputOpen) child.stdin.end(input);
      child.on("close", (code) => done({ code: code ?? -1, stdout, stderr }));
    });
  };
  return {
    /** The working directory of every run. */
    cwd,
    /** The compiled program. */
    program,
    /** In this process one run after the other: it has one working directory and one environment. */
    run,
    /** Runs a line without quotes: words are parted by spaces, and `~` stands for one in a word. */
    line: (text: string, options?: RunOptions) =>
      run(
        text.split(" ").map((word) => word.replaceAll("~", " ")),
        options,
      ),
    /** Types each answer when its question is on the screen. Rejects when one never comes. */
    drive: (
      args: readonly string[],
      steps: readonly (readonly [expected: string, typed: string])[],
      env: Readonly<Record<string, string>> = {},
    ): Promise<TerminalRun> =>
      new Promise((done, fail) => {
        const child = spawn("python3", [resolve("__tests__/support/drive_terminal.py")]);
        let output = "";
        child.stdout.on("data", (chunk: Buffer) => {
          output += chunk.toString();
        });
        child.on("close", () => {
          const { screen, code, missing } = JSON.parse(output);
          const shown = withoutControls(screen);
          if (missing === null) done({ code, screen: shown, raw: screen });
          else fail(new Error(`"${missing}" never came. The screen:\n${shown}`));
        });
        const argv = [process.execPath, "--", program, ...args];
        child.stdin.end(
          JSON.stringify({ argv, cwd, env: { ...base, ...env }, steps, timeoutSeconds: 25 }),
        );
      }),
    /** Writes a file of the working directory, and the folders above it; an object as JSON. */
    async put(name: string, content: string | Buffer | object): Promise<void> {
      const file = join(cwd, name);
      await mkdir(dirname(file), { recursive: true });
      const isText = typeof content === "string" || Buffer.isBuffer(content);
      await writeFile(file, isText ? content : JSON.stringify(content));
    },
    read: (name: string) => readFile(join(cwd, name), "utf8"),
    /** The names in a folder of the working directory, sorted. @default the working directory itself */
    list,
  };
}

/** Makes standard input and output of this process pipes for the command. @returns what it writes. */
function openPipes(input: string): { stdout: string; stderr: string } {
  const written = { stdout: "", stderr: "" };
  const write = (name: keyof typeof written, text: string): void => {
    written[name] += text.endsWith("\n") ? text : `${text}\n`;
  };
  const pipes: Partial<typeof terminal> = {
    isTyped: false,
    canAsk: false,
    print: (text) => write("stdout", text),
    printBytes(bytes) {
      written.stdout += Buffer.from(bytes).toString("latin1");
    },
    note: (text) => write("stderr", text),
    showProgress(line) {
      if (line !== "") write("stderr", line);
    },
    readInput: async () => input,
  };
  Object.assign(terminal, pipes);
  return written;
}

/** Other test files of this process have the same terminal. */
function restoreTerminal(own: object): void {
  for (const name of Object.keys(terminal))
    if (!(name in own)) Reflect.deleteProperty(terminal, name);
  Object.assign(terminal, own);
}

async function runHere(
  args: readonly string[],
  input: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<CommandRun> {
  const [home, own] = [process.cwd(), { ...process.env }];
  const useEnvironment = (variables: NodeJS.ProcessEnv): void => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, variables);
  };
  const written = openPipes(input);
  process.chdir(cwd);
  useEnvironment(env);
  try {
    const code = await runCommandLine(args).catch(presentError);
    return { code, ...written };
  } finally {
    process.chdir(home);
    useEnvironment(own);
  }
}

const escapeCharacter = String.fromCharCode(27);

function withoutControls(text: string): string {
  return text
    .replace(new RegExp(`${escapeCharacter}\\[[0-9;?]*[A-Za-z]`, "g"), "")
    .replaceAll("\r", "");
}
