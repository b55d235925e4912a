/** `add --from`: reads the description, asks which server and scheme is meant, and says what a record can't hold. */

import type { Imported } from "../import/imported.js";
import type { Prompts } from "./prompts.js";
import { cleanLine, createUsageError, readTextFile, type Terminal } from "./terminal.js";

export interface ImportFlags {
  readonly from?: string;
  readonly server?: string;
  readonly scheme?: string;
  readonly baseUrl?: string;
  readonly auth?: string;
}

/** @throws CommandError 2, or ApiSourceError `invalid_input`, for a text that can't be read. */
export async function importDescription(
  flags: ImportFlags,
  terminal: Terminal,
  prompts: Prompts | undefined,
): Promise<Imported> {
  const text = await readSource(flags.from ?? "-", terminal);
  const { readDescription } = await import("../import/read-description.js");
  const choice = {
    ...(flags.server === undefined ? {} : { server: parseNumber(flags.server) }),
    ...(flags.scheme === undefined ? {} : { scheme: flags.scheme }),
    ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
  };
  let imported = await readDescription(text, choice);
  const { servers, schemes } = imported;
  const asksServer = servers.length > 1 && flags.server === undefined && flags.baseUrl === undefined;
  const asksScheme = schemes.length > 1 && flags.scheme === undefined && flags.auth === undefined;
  if (prompts !== undefined && (asksServer || asksScheme)) {
    const server = asksServer ? await askNumber("Which server?", servers, prompts) : choice.server;
    const scheme = asksScheme
      ? await prompts.askChoice("Which credential?", schemes.map(toChoice))
      : choice.scheme;
    imported = await readDescription(text, {
      ...choice,
      ...(server === undefined ? {} : { server }),
      ...(scheme === undefined ? {} : { scheme }),
    });
  } else {
    if (asksServer)
      terminal.tell(`Took server 1 of ${servers.length}; others: --server N.\n${listNumbered(servers)}`);
    if (asksScheme)
      terminal.tell(`Security schemes: ${cleanLine(schemes.join(", "))}; to choose: --scheme NAME.`);
  }
  for (const note of imported.notes) terminal.tell(`Note: ${cleanLine(note)}`);
  return imported;
}

async function readSource(from: string, terminal: Terminal): Promise<string> {
  if (from === "-") return terminal.readInput();
  // A file name can't begin like this, and a pasted line is what a person tries first.
  if (/^curl\s/.test(from)) {
    throw createUsageError(
      "A secret in a command line is seen by others: paste the curl line to standard input.",
      "api-sources add --from -",
    );
  }
  return readTextFile(from, "api-sources add --from openapi.yaml");
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw createUsageError(
    "--server is not a number from 1 on.",
    "api-sources add --from openapi.yaml --server 2",
  );
}

async function askNumber(message: string, names: readonly string[], prompts: Prompts): Promise<number> {
  const chosen = await prompts.askChoice(
    message,
    names.map((name, index) => ({ value: String(index + 1), label: cleanLine(name) })),
  );
  return Number(chosen);
}

function toChoice(name: string): { value: string; label: string } {
  return { value: name, label: cleanLine(name) };
}

function listNumbered(names: readonly string[]): string {
  return names
    .slice(0, 20)
    .map((name, index) => `  ${index + 1} ${cleanLine(name)}`)
    .join("\n");
}
