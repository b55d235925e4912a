/** What `add --from` begins with: a description; and which variables such a record may send. */

import { listCredentialVariables, listGrantVariables } from "../core/credentials/credential-variables.js";
import type { ApiSource } from "../core/record/api-source.js";
import { listUsedNames } from "../core/record/resolve-source.js";
import type { ImportChoice, Imported } from "./import/imported.js";
import { isCurl, isWholeCurl } from "./import/read-curl.js";
import { askChoice, askYesNo } from "./prompts.js";
import type { AddFlags } from "./record-flags.js";
import { CommandError, cleanLine, createUsageError, readTextFile, type Terminal } from "./terminal.js";
import { readVariable } from "./workspace.js";

/** A description that was read once, so that it can be read again for a source of another name. */
export interface Description {
  readonly imported: Imported;
  /** Names the variables of the record by this name, and lists what the record can't hold. */
  readonly readAs: (name: string) => Promise<Imported>;
}

/**
 * Reads the file or standard input, and asks which server and scheme is meant.
 *
 * @throws CommandError 2, or ApiSourceError `invalid_input`, for a text that can't be read.
 */
export async function importDescription(
  from: string,
  flags: AddFlags,
  terminal: Terminal,
): Promise<Description> {
  const text = from === "-" ? await terminal.readInput(isWholeCurl) : await readSource(from);
  return importText(text, flags, terminal);
}

/** As `importDescription`, of the text of a description. */
export async function importText(text: string, flags: AddFlags, terminal: Terminal): Promise<Description> {
  const { server, scheme, baseUrl, auth } = flags;
  const { readDescription } = await import("./import/read-description.js");
  const number = server === undefined ? undefined : Number(server);
  let choice: ImportChoice = { server: number, scheme, baseUrl };
  let imported = await readDescription(text, choice);
  const servers = imported.servers.map((url, index) => ({
    value: String(index + 1),
    label: cleanLine(url),
  }));
  const schemes = imported.schemes.map((value) => ({ value, label: cleanLine(value) }));
  const asksServer = servers.length > 1 && server === undefined && baseUrl === undefined;
  const asksScheme = schemes.length > 1 && scheme === undefined && auth === undefined;
  if (terminal.asks(flags)) {
    if (asksServer)
      choice = { ...choice, server: Number(await askChoice(terminal, "Which server?", servers)) };
    if (asksScheme) choice = { ...choice, scheme: await askChoice(terminal, "Which credential?", schemes) };
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

async function readSource(from: string): Promise<string> {
  // A file name can't begin like this, and a pasted line is what a person tries first.
  if (isCurl(from))
    throw createUsageError(
      "Others can see a secret in a command line: paste the curl line to standard input.",
      "api-sources add --from -",
    );
  return readTextFile(from, "api-sources add --from openapi.yaml");
}

/**
 * Asks which variables of this machine a record that was imported may send, and to where: only those that the user agreed to.
 *
 * A document chooses the name of the source, and so the names of its variables, and also the hosts: those of the API and of its
 * authorization server. A value in a host is sent when the host is looked up. Without this check a document with the title of a known API
 * and another server would receive that API's key. Neither a test nor a later call may send a variable that the user did not name or
 * agree to. A value that the document gives does not replace one of the environment, which later calls read first: so a variable that is
 * set is asked about in any case.
 *
 * @throws CommandError 2 without a terminal, 1 where the person refuses; nothing is sent or saved then.
 */
export async function confirmVariables(
  source: ApiSource,
  flags: AddFlags,
  terminal: Terminal,
): Promise<void> {
  const { authType, baseUrl, oauth2 } = source.api;
  const credentials = authType === undefined ? [] : listCredentialVariables(source);
  const names = new Set([...credentials, ...listGrantVariables(source), ...listUsedNames(source)]);
  const { issuer, tokenUrl, authorizationUrl, deviceAuthorizationUrl } = oauth2 ?? {};
  const urls = [baseUrl, issuer, tokenUrl, authorizationUrl, deviceAuthorizationUrl];
  const hosts = [...new Set(urls.flatMap((url) => (url === undefined ? [] : readHost(url))))].join(" and ");
  for (const name of names) {
    const isAgreed = flags.useVariable?.includes(name) === true;
    if (isAgreed || (await readVariable(name)) === undefined) continue;
    const message = `The imported document would send ${name} of your environment to ${hosts}.`;
    if (!terminal.asks(flags))
      throw createUsageError(
        `${message} Nothing was sent or saved.`,
        `api-sources add ... --use-variable ${name}, or --slug another_name`,
      );
    if (!(await askYesNo(terminal, `${message} Allow that?`)))
      throw new CommandError(1, "Nothing was sent or saved. --slug gives the source other variables.");
  }
}

function readHost(url: string): string {
  return cleanLine(/^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? url);
}
