/** `mcp` and `inspect`: the sources of the directory are served, to an MCP client over standard input and output, or on a page. */

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import { plural } from "../core/base/text.js";
import { listVariables } from "../core/credentials/credential-variables.js";
import type { SourceDirectory } from "../toolkit/directory/source-directory.js";
import { openBrowser } from "./browser.js";
import { readVariables } from "./env-file.js";
import { noteBroken } from "./list.js";
import { CommandError, createUsageError, terminal } from "./terminal.js";
import {
  type CommonFlags,
  createCredentialOptions,
  defaultEnvFile,
  isSet,
  loadEnvironment,
  openDirectory,
  readVariable,
} from "./workspace.js";

export interface McpFlags extends CommonFlags {
  readonly approve: "writes" | "all" | "none";
  /** Whether `run_api_code` is served too. */
  readonly code?: boolean;
  /** Whether one tool calls all sources. */
  readonly combined?: boolean;
  readonly printConfig?: keyof typeof clientFiles;
}

/** Where each client has its servers, and under which member. */
const clientFiles = {
  claude: {
    file: "claude_desktop_config.json of Claude, or .mcp.json of Claude Code",
    member: "mcpServers",
  },
  cursor: { file: "~/.cursor/mcp.json, or .cursor/mcp.json of a project", member: "mcpServers" },
  vscode: { file: ".vscode/mcp.json", member: "servers" },
} as const;

/** Serves until the client closes standard input. */
export async function serveSources(flags: McpFlags, program: Command): Promise<number> {
  if (flags.code === true && flags.approve === "all")
    throw createUsageError(
      "--code and --approve all exclude each other: no one can be asked about each call of a run.",
      "api-sources mcp --code",
    );
  const directory = await openDirectory(flags, flags.printConfig !== undefined);
  if (flags.printConfig !== undefined) {
    await printConfig(flags.printConfig, directory, flags);
    return 0;
  }
  loadEnvironment(flags);
  // A record that is wrong is reported on stderr, and the others are served.
  const sources = noteBroken(await directory.list());
  if (sources.length === 0)
    throw createUsageError(`No source of ${directory.path} can be served.`, "api-sources add");
  const [{ serveStdio }, { createMcpServer }] = await loadServer();
  const { ApiSourceToolkit } = await import("../index.js");
  const toolkit = await ApiSourceToolkit.fromSources(sources, createCredentialOptions());
  const code =
    flags.code === true ? await import("../extras/code/create-api-code-tool.js") : undefined;
  // Writes in code are sent only where no person is asked about any.
  const writes = flags.approve === "none" ? "allow" : "refuse";
  const tools = code === undefined ? [] : [code.createApiCodeTool(toolkit, { writes })];
  // stdout carries the protocol alone: what any package would print there goes to stderr.
  for (const level of ["log", "info", "debug"] as const) console[level] = console.error;
  terminal.note(
    `Serving ${plural(sources.length, "source")} over MCP on standard input and output.`,
  );
  if (terminal.isTyped)
    terminal.note("A client starts it: api-sources mcp --print-config claude. Ctrl-C ends it.");
  const closed = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve).once("error", resolve);
  });
  // One client speaks to this process: all of its calls are one conversation.
  const session = randomUUID();
  const version = program.version();
  const handle = serveStdio(() =>
    createMcpServer(toolkit, {
      session,
      version,
      approve: flags.approve,
      combined: flags.combined === true,
      tools,
    }),
  );
  await Promise.race([closed, waitForInterrupt()]);
  await handle.close();
  return 0;
}

/** The entry of this server, with absolute paths: a client starts it from a folder of its own. On stderr what it lacks. */
async function printConfig(
  client: keyof typeof clientFiles,
  directory: SourceDirectory,
  { envFile = defaultEnvFile, approve, code, combined }: McpFlags,
): Promise<void> {
  const { file, member } = clientFiles[client];
  const script = await realpath(process.argv[1] ?? "");
  // Node.js 20 itself would read a long --env-file.
  const places = [
    "--dir",
    directory.path,
    ...(existsSync(envFile) ? ["-e", resolve(envFile)] : []),
  ];
  const args = [
    script,
    "mcp",
    ...places,
    "--approve",
    approve,
    ...(code === true ? ["--code"] : []),
    ...(combined === true ? ["--combined"] : []),
  ];
  const type = client === "vscode" ? { type: "stdio" } : {};
  terminal.print(
    JSON.stringify(
      { [member]: { "api-sources": { ...type, command: process.execPath, args } } },
      null,
      2,
    ),
  );
  terminal.note(`For ${file}.`);
  const sources = noteBroken(await directory.list());
  if (sources.length === 0)
    terminal.note(`Missing: a source in ${directory.path}. Next: api-sources add`);
  const inFile = await readVariables(envFile);
  const names = new Set(sources.flatMap((source) => listVariables(source)));
  // A variable of this shell is not one of the client's.
  for (const name of names)
    if (!inFile.has(name) && (isSet(name) || (await readVariable(name)) === undefined))
      terminal.note(`Missing: ${name} in ${envFile}, which the client's environment lacks.`);
  await loadServer().catch((error: CommandError) => terminal.note(`Missing: ${error.right}`));
}

async function loadServer() {
  try {
    return await Promise.all([
      import("@modelcontextprotocol/server/stdio"),
      import("../extras/mcp/create-mcp-server.js"),
    ]);
  } catch {
    const message = "The command mcp needs the package @modelcontextprotocol/server.";
    throw new CommandError(1, message, "npm install @modelcontextprotocol/server");
  }
}

export interface InspectFlags extends CommonFlags {
  readonly journal?: string;
  readonly approve?: boolean;
  readonly open?: boolean;
}

/** Serves a page on this machine that shows calls, until Ctrl-C. @returns 0 */
export async function inspectCalls(flags: InspectFlags): Promise<number> {
  const { createInspector } = await import("../extras/inspector/create-inspector.js");
  const directory = await openDirectory(flags);
  loadEnvironment(flags);
  const sources = noteBroken(await directory.list());
  const inspector = createInspector({
    journal: flags.journal,
    approve: flags.approve,
    calls: true,
  });
  const { approver, onCall } = inspector;
  const options = { ...createCredentialOptions(), approve: "writes", approver, onCall } as const;
  const { ApiSourceToolkit } = await import("../index.js");
  const page = await inspector.start(await ApiSourceToolkit.fromSources(sources, options));
  terminal.printResult(flags, { url: page.url }, page.url);
  terminal.note("The address works once: who opens it first can see the page. Ctrl-C closes it.");
  if (flags.open === true) openBrowser(page.url);
  await waitForInterrupt();
  await page.close();
  return 0;
}

async function waitForInterrupt(): Promise<void> {
  if (!terminal.signal.aborted) await once(terminal.signal, "abort");
}
