/** Which variables of this machine a record that was imported may send, and to where: only those that the user agreed to. */

import {
  isIssued,
  listCredentialVariables,
  listGrantVariables,
} from "../credentials/credential-variables.js";
import type { ApiSource } from "../source/api-source.js";
import { listSecretNames } from "../source/read-values.js";
import type { Prompts } from "./prompts.js";
import { CommandError, cleanLine, createUsageError } from "./terminal.js";
import { isSet } from "./workspace.js";

/**
 * A document chooses the name of the source, and so the names of its variables, and also the host. Without this check a document
 * with the title of a known API and another server would receive that API's key. Neither a test nor a later call may send a variable
 * that the user did not name or agree to. A value that the document gives does not replace one of the environment, which later calls
 * read first: so a variable that is set is asked about in any case.
 *
 * @param agreed - The variables of `--use-variable`; an answer of the person is added with its host, so that each is asked once.
 * @throws CommandError 2 without a terminal, 1 where the person refuses; nothing is sent or saved then.
 */
export async function confirmVariables(
  source: ApiSource,
  agreed: Set<string>,
  prompts: Prompts | undefined,
): Promise<void> {
  const { authType, baseUrl } = source.api;
  const credentials = authType === undefined ? [] : listCredentialVariables(source);
  const grants = isIssued(source) ? listGrantVariables(source) : [];
  const names = new Set([...credentials, ...grants, ...listSecretNames(source)]);
  const host = cleanLine(/^[a-z]+:\/\/([^/?#]*)/i.exec(baseUrl)?.[1] ?? baseUrl);
  for (const name of names) {
    const isAgreed = agreed.has(name) || agreed.has(`${name} ${host}`);
    if (isAgreed || !(await isKept(name))) continue;
    const message = `The imported document would send ${name} of your environment to ${host}.`;
    if (prompts === undefined)
      throw createUsageError(
        `${message} Nothing was sent or saved.`,
        `api-sources add ... --use-variable ${name}, or --slug another_name`,
      );
    if (!(await prompts.askYesNo(`${message} Allow that?`)))
      throw new CommandError(1, "Nothing was sent or saved. --slug gives the source other variables.");
    agreed.add(`${name} ${host}`);
  }
}

/** Whether the environment or the system's keyring has a value of that name. */
async function isKept(name: string): Promise<boolean> {
  if (isSet(name)) return true;
  const { readKeyring } = await import("../keyring/keyring-credentials.js");
  return (await readKeyring(name).catch(() => undefined)) !== undefined;
}
