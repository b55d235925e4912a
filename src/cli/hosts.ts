/** The hosts besides the base URL's that a record names: they are shown, and a person agrees to those of an import that receive secrets. */

import { listGrantVariables } from "../core/credentials/credential-variables.js";
import type { ApiSource } from "../core/record/api-source.js";
import { fillPlaceholders } from "../core/record/field-syntax.js";
import type { AddFlags } from "./record-flags.js";
import { askYesNo, CommandError, cleanLine, createUsageError, terminal } from "./terminal.js";
import { readVariable } from "./workspace.js";

export interface OtherHost {
  /** The name, and the port where the address has one. */
  readonly host: string;
  /** The member of `api` that names it, such as `oauth2.tokenUrl`. */
  readonly member: string;
  /** Whether a client secret, a code or a refresh token is sent there. */
  readonly receivesSecrets: boolean;
}

/** Every host of a record that is not that of the base URL, by its member. */
export function listOtherHosts({ api }: ApiSource): OtherHost[] {
  const { issuer, tokenUrl, deviceAuthorizationUrl, authorizationUrl } = api.oauth2 ?? {};
  const { proxy, downloadHosts = [] } = api.network;
  const own = readHost(
    fillPlaceholders(api.baseUrl, (name) => String(api.variables[name] ?? name)),
  );
  const secretMembers = { issuer, tokenUrl, deviceAuthorizationUrl, authorizationUrl };
  const ofSecrets = Object.entries(secretMembers).flatMap(([name, url]) =>
    url === undefined
      ? []
      : [{ host: readHost(url), member: `oauth2.${name}`, receivesSecrets: true }],
  );
  const others = [
    ...(proxy === undefined ? [] : [{ host: readHost(proxy), member: "network.proxy" }]),
    ...downloadHosts.map((host) => ({ host, member: "network.downloadHosts" })),
  ].map((each) => ({ ...each, receivesSecrets: false }));
  return [...ofSecrets, ...others].filter(({ host }) => host !== own);
}

/** The host of a URL as it is written, with its port and without a user name. */
export function readHost(url: string): string {
  const [, host = url] = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url) ?? [];
  return cleanLine(host.toLowerCase());
}

/** `id.shop.example (oauth2.tokenUrl)`, separated by commas; `""` where every address is below the base URL's host. */
export function writeOtherHosts(source: ApiSource): string {
  const members = new Map<string, string[]>();
  for (const { host, member } of listOtherHosts(source))
    members.set(host, [...(members.get(host) ?? []), member]);
  return [...members].map(([host, names]) => `${host} (${names.join(", ")})`).join(", ");
}

/**
 * Asks whether the secrets of an imported record may be sent to each other host that it names: a document chooses both.
 *
 * A flag answers where there is no terminal and a known secret would be sent; where none is known, the hosts are named and nothing is sent: a person
 * who sets the secret later has read them.
 *
 * @param given - The variables that the import or standard input gave.
 * @throws CommandError 2 without a terminal, 1 where the person refuses; nothing is sent or saved then.
 */
export async function confirmHosts(
  source: ApiSource,
  flags: AddFlags,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const hosts = listOtherHosts(source)
    .filter(({ receivesSecrets }) => receivesSecrets)
    .map(({ host }) => host);
  const unknown = [...new Set(hosts)].filter((host) => flags.useHost?.includes(host) !== true);
  if (unknown.length === 0) return;
  if (!terminal.asks(flags) && !(await hasSecret(source, given))) return;
  for (const host of unknown) {
    const message = `The imported document sends secrets of ${source.name} to ${host}, which is not the host of the base URL (${readHost(source.api.baseUrl)}).`;
    if (!terminal.asks(flags))
      throw createUsageError(
        `${cleanLine(message)} Nothing was sent or saved.`,
        `api-sources add ... --use-host ${host}`,
      );
    if (!(await askYesNo(`${cleanLine(message)} Allow that?`)))
      throw new CommandError(1, "Nothing was sent or saved.");
  }
}

/** Whether a value is known of what the source gets its tokens with. */
async function hasSecret(
  source: ApiSource,
  given: Readonly<Record<string, string>>,
): Promise<boolean> {
  for (const name of listGrantVariables(source)) {
    if (given[name] !== undefined || (await readVariable(name)) !== undefined) return true;
  }
  return false;
}
