/** `mcp`: serves the sources of the directory to an MCP client over standard input and output. */

import { plural } from "../text.js";
import { ApiSourceToolkit } from "../toolkit/api-source-toolkit.js";
import { tellBroken } from "./list.js";
import { CommandError, createUsageError, type Terminal } from "./terminal.js";
import { type CommonFlags, createCredentialOptions, loadEnvironment, openDirectory } from "./workspace.js";

export interface McpFlags extends CommonFlags {
  readonly approve: "writes" | "all" | "none";
}

/** Serves until the client closes standard input. A record that is wrong is reported on stderr, and the others are served. */
export async function serveSources(flags: McpFlags, terminal: Terminal, version: string): Promise<number> {
  const directory = await openDirectory(flags);
  loadEnvironment(flags);
  const sources = tellBroken(await directory.list(), terminal);
  if (sources.length === 0)
    throw createUsageError(`No source of ${directory.path} can be served.`, "api-sources add");
  const [{ serveStdio }, { createMcpServer }] = await loadServer();
  const toolkit = await ApiSourceToolkit.fromSources(sources, createCredentialOptions());
  // stdout carries the protocol alone: what any package would print there goes to stderr.
  for (const level of ["log", "info", "debug"] as const) console[level] = console.error;
  terminal.tell(`Serving ${plural(sources.length, "source")} over MCP on standard input and output.`);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve).once("error", resolve);
    terminal.signal.addEventListener("abort", () => resolve());
  });
  const handle = serveStdio(() => createMcpServer(toolkit, { version, approve: flags.approve }));
  await ended;
  await handle.close();
  return 0;
}

async function loadServer(): Promise<
  [typeof import("@modelcontextprotocol/server/stdio"), typeof import("../mcp/create-mcp-server.js")]
> {
  try {
    return [await import("@modelcontextprotocol/server/stdio"), await import("../mcp/create-mcp-server.js")];
  } catch {
    const message = "The command mcp needs the package @modelcontextprotocol/server.";
    throw new CommandError(1, message, "npm install @modelcontextprotocol/server");
  }
}
