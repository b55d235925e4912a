/** Resolves a host name for a connection and refuses an answer that points back at this machine or its network link. */

import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import { readFile } from "node:fs/promises";
import type { LookupFunction } from "node:net";
import { ApiSourceError } from "../errors.js";
import { isLocalAddress } from "./is-local-address.js";
import type { TransportOptions } from "./transport.js";

export interface GuardLookupOptions extends Pick<TransportOptions, "lookup" | "readHostNames"> {
  /** Lets every answer pass. */
  readonly allowLocalAddresses: boolean;
}

/**
 * Creates the `lookup` of an agent. It runs inside the connection attempt and hands on the very addresses it judged,
 * so nothing can change between check and use (DNS rebinding). One local address in an answer refuses all of it.
 *
 * Meant, and let through: `localhost` and names under it, names of a single label, names in the hosts file. An address
 * literal in the URL never comes here.
 *
 * Its error is an `ApiSourceError`, `refused_by_policy`.
 */
export function guardLookup(options: GuardLookupOptions): LookupFunction {
  const resolve = options.lookup ?? systemLookup;
  return (hostname, lookupOptions, callback) => {
    resolveAll(resolve, { hostname, lookupOptions })
      .then(async (addresses) => {
        await assertNotLocal(hostname, { addresses, ...options });
        return addresses;
      })
      .then(
        (addresses) => answer(addresses, { all: lookupOptions.all === true, callback }),
        (error: NodeJS.ErrnoException) => callback(error, lookupOptions.all === true ? [] : ""),
      );
  };
}

function resolveAll(
  resolve: LookupFunction,
  query: { readonly hostname: string; readonly lookupOptions: LookupOptions },
): Promise<readonly LookupAddress[]> {
  return new Promise((fulfil, reject) => {
    resolve(query.hostname, { ...query.lookupOptions, all: true }, (error, found, family) => {
      if (error) reject(error);
      else fulfil(typeof found === "string" ? [{ address: found, family: family ?? 0 }] : found);
    });
  });
}

function answer(
  addresses: readonly LookupAddress[],
  to: { readonly all: boolean; readonly callback: Parameters<LookupFunction>[2] },
): void {
  const [first] = addresses;
  if (to.all || first === undefined) to.callback(null, [...addresses]);
  else to.callback(null, first.address, first.family);
}

async function assertNotLocal(
  hostname: string,
  options: GuardLookupOptions & { readonly addresses: readonly LookupAddress[] },
): Promise<void> {
  if (options.allowLocalAddresses || isLocalName(hostname)) return;
  const local = options.addresses.find(({ address }) => isLocalAddress(address));
  if (local === undefined) return;
  const names = await (options.readHostNames ?? readHostNames)();
  if (names.has(withoutTrailingDot(hostname))) return;
  throw new ApiSourceError({
    message: `The host name ${hostname} resolves to ${local.address}, an address of this machine, its network link or its cloud's metadata service. The request was not sent.`,
    category: "refused_by_policy",
    code: "ERR_LOCAL_ADDRESS",
    hint: "If the API really runs there, set network.allowLocalAddresses to true in the source's record; otherwise check the base URL and the DNS entry.",
  });
}

function isLocalName(hostname: string): boolean {
  const name = withoutTrailingDot(hostname);
  return name === "localhost" || name.endsWith(".localhost") || !name.includes(".");
}

function withoutTrailingDot(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, "");
}

const systemHostsFile =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/**
 * Returns the names in a hosts file, in lower case; none when there is no such file.
 *
 * @param path of the file. @default the system's hosts file
 */
export async function readHostNames(path: string = systemHostsFile): Promise<ReadonlySet<string>> {
  const text = await readFile(path, "utf8").catch(() => "");
  const names = text.split("\n").flatMap((line) => {
    const [entry = ""] = line.split("#");
    const [, ...hosts] = entry.trim().split(/\s+/);
    return hosts.map((host) => host.toLowerCase());
  });
  return new Set(names);
}
