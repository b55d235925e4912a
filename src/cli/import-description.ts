/** `add --from`: reads the description, asks which server and scheme is meant, and says what a record can't hold. */

import type { ImportChoice, Imported } from "../import/imported.js";
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
  const choice: { -readonly [Name in keyof ImportChoice]: ImportChoice[Name] } = {};
  if (flags.server !== undefined) choice.server = parseNumber(flags.server);
  if (flags.scheme !== undefined) choice.scheme = flags.scheme;
  if (flags.baseUrl !== undefined) choice.baseUrl = flags.baseUrl;
  let imported = await readDescription(text, choice);
  const servers = imported.servers.map(cleanLine);
  const schemes = imported.schemes.map((value) => ({ value, label: cleanLine(value) }));
  const asksServer = servers.length > 1 && flags.server === undefined && flags.baseUrl === undefined;
  const asksScheme = schemes.length > 1 && flags.scheme === undefined && flags.auth === undefined;
  if (prompts !== undefined) {
    const numbered = servers.map((label, index) => ({ value: String(index + 1), label }));
    if (asksServer) choice.server = Number(await prompts.askChoice("Which server?", numbered));
    if (asksScheme) choice.scheme = await prompts.askChoice("Which credential?", schemes);
    if (asksServer || asksScheme) imported = await readDescription(text, choice);
  } else {
    const numbered = servers.slice(0, 20).map((name, index) => `\n  ${index + 1} ${name}`);
    if (asksServer)
      terminal.tell(`Took server 1 of ${servers.length}; others: --server N.${numbered.join("")}`);
    if (asksScheme)
      terminal.tell(
        `Security schemes: ${schemes.map(({ label }) => label).join(", ")}; to choose: --scheme NAME.`,
      );
  }
  for (const note of imported.notes) terminal.tell(`Note: ${cleanLine(note)}`);
  return imported;
}

async function readSource(from: string, terminal: Terminal): Promise<string> {
  if (from === "-") return terminal.readInput();
  // A file name can't begin like this, and a pasted line is what a person tries first.
  if (/^curl\s/.test(from))
    throw createUsageError(
      "A secret in a command line is seen by others: paste the curl line to standard input.",
      "api-sources add --from -",
    );
  return readTextFile(from, "api-sources add --from openapi.yaml");
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw createUsageError(
    "--server is not a number from 1 on.",
    "api-sources add --from openapi.yaml --server 2",
  );
}
