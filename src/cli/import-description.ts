/** `add --from`: reads the description, asks which server and scheme is meant, and lists what a record can't hold. */

import type { ImportChoice, Imported } from "../import/imported.js";
import type { Asking } from "./record-difference.js";
import { cleanLine, createUsageError, readTextFile, type Terminal } from "./terminal.js";

export interface ImportFlags {
  readonly from?: string;
  readonly server?: string;
  readonly scheme?: string;
  readonly baseUrl?: string;
  readonly auth?: string;
}

/** A description that was read once, so that it can be read again for a source of another name. */
export interface Description {
  readonly imported: Imported;
  /** Names the variables of the record by this name, and lists what the record can't hold. */
  readonly readAs: (name: string) => Promise<Imported>;
}

/** @throws CommandError 2, or ApiSourceError `invalid_input`, for a text that can't be read. */
export async function importDescription(
  flags: ImportFlags,
  { terminal, prompts }: Asking,
): Promise<Description> {
  const { server, scheme, baseUrl, auth } = flags;
  const text = await readSource(flags.from ?? "-", terminal);
  const { readDescription } = await import("../import/read-description.js");
  const choice: { -readonly [Name in keyof ImportChoice]: ImportChoice[Name] } = {};
  if (server !== undefined) choice.server = Number(server);
  if (scheme !== undefined) choice.scheme = scheme;
  if (baseUrl !== undefined) choice.baseUrl = baseUrl;
  let imported = await readDescription(text, choice);
  const servers = imported.servers.map((name, index) => ({
    value: String(index + 1),
    label: cleanLine(name),
  }));
  const schemes = imported.schemes.map((value) => ({ value, label: cleanLine(value) }));
  const asksServer = servers.length > 1 && server === undefined && baseUrl === undefined;
  const asksScheme = schemes.length > 1 && scheme === undefined && auth === undefined;
  if (prompts !== undefined) {
    if (asksServer) choice.server = Number(await prompts.askChoice("Which server?", servers));
    if (asksScheme) choice.scheme = await prompts.askChoice("Which credential?", schemes);
    if (asksServer || asksScheme) imported = await readDescription(text, choice);
  } else {
    const listed = servers.slice(0, 20).map(({ value, label }) => `\n  ${value} ${label}`);
    if (asksServer)
      terminal.note(`Used server 1 of ${servers.length}; others: --server N.${listed.join("")}`);
    const names = schemes.map(({ label }) => label).join(", ");
    if (asksScheme) terminal.note(`Security schemes: ${names}; to choose: --scheme NAME.`);
  }
  const readAs = async (name: string): Promise<Imported> => {
    const named = await readDescription(text, { ...choice, name });
    for (const note of named.notes) terminal.note(`Note: ${cleanLine(note)}`);
    return named;
  };
  return { imported, readAs };
}

async function readSource(from: string, terminal: Terminal): Promise<string> {
  if (from === "-") return terminal.readInput();
  // A file name can't begin like this, and a pasted line is what a person tries first.
  if (/^curl\s/.test(from))
    throw createUsageError(
      "Others can see a secret in a command line: paste the curl line to standard input.",
      "api-sources add --from -",
    );
  return readTextFile(from, "api-sources add --from openapi.yaml");
}
