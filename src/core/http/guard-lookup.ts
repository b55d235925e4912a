/** Resolves a host name for a connection and refuses an answer that points back at this machine or its network link. */

import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { BlockList, isIPv4, isIPv6, type LookupFunction } from "node:net";
import { ApiSourceError } from "../base/errors.js";
import type { TransportOptions } from "./transport.js";

type GuardLookupOptions = Pick<TransportOptions, "lookup"> & {
  /** Lets every answer pass. */
  readonly allowLocalAddresses: boolean;
  /** Refuses private networks too, whatever the name; `allowLocalAddresses` then has no effect. @default false */
  readonly isPublicOnly?: boolean;
};

/**
 * Creates the `lookup` of an agent. It runs inside the connection attempt and hands on the very addresses it judged,
 * so nothing can change between check and use (DNS rebinding). One local address in an answer refuses all of it.
 *
 * Meant, and let through: `localhost` and names under it, and names of a single label. An address literal in the URL never comes here.
 *
 * Its error is an `ApiSourceError`, `refused_by_policy`.
 */
export function guardLookup(options: GuardLookupOptions): LookupFunction {
  const resolve = options.lookup ?? systemLookup;
  return (hostname, lookupOptions, callback) => {
    const isAll = lookupOptions.all === true;
    const fail = (error: NodeJS.ErrnoException): void => callback(error, isAll ? [] : "");
    resolve(hostname, { ...lookupOptions, all: true }, (error, found, family = 0) => {
      if (error) return fail(error);
      const addresses = typeof found === "string" ? [{ address: found, family }] : found;
      const refusal = findRefusal(hostname, addresses, options);
      if (refusal !== undefined) return fail(refusal);
      const [first] = addresses;
      if (isAll || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function findRefusal(
  hostname: string,
  addresses: readonly LookupAddress[],
  { allowLocalAddresses, isPublicOnly }: GuardLookupOptions,
): ApiSourceError | undefined {
  const isRefused = ({ address }: LookupAddress): boolean =>
    isLocalAddress(address) || (isPublicOnly === true && isIn(privateNetworks, address));
  const found = addresses.find(isRefused);
  if (found === undefined) return undefined;
  const rule = { category: "refused_by_policy", code: "ERR_LOCAL_ADDRESS" } as const;
  if (isPublicOnly === true)
    return new ApiSourceError({
      ...rule,
      message: `The API redirected to ${hostname}, which resolves to ${found.address}, an address that is not public. The request was not sent there.`,
      hint: `If downloads really come from there, name ${hostname} itself, without "*.", in network.downloadHosts of the source's record.`,
    });
  if (allowLocalAddresses || isLocalName(hostname)) return undefined;
  return new ApiSourceError({
    ...rule,
    message: `The host name ${hostname} resolves to ${found.address}, an address of this machine, its network link or its cloud's metadata service. The request was not sent.`,
    hint: "If the API really runs there, set network.allowLocalAddresses to true in the source's record; otherwise check the base URL and the DNS entry.",
  });
}

function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost") || !name.includes(".");
}

/**
 * Loopback, unspecified and link-local networks (RFC 6890), and the addresses at which clouds serve credentials to any
 * process that asks. Private networks (10/8, 172.16/12, 192.168/16, fc00::/7) are not among them: APIs live there.
 */
const localNetworks = listNetworks([
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // link-local, with the metadata service of most clouds (169.254.169.254, 169.254.170.2)
  ["100.100.100.200", 32], // Alibaba Cloud metadata
  ["168.63.129.16", 32], // Azure's virtual machine host
  ["192.0.0.192", 32], // Oracle Cloud metadata
  ["::", 128],
  ["::1", 128],
  ["fe80::", 10],
  ["fd00:ec2::", 32], // AWS: metadata (fd00:ec2::254), DNS and time, all link-scoped
  ["fd20:ce::254", 128], // Google Cloud metadata
  ["fd00:42::42", 128], // Scaleway metadata
  ["fd00:a9fe:a9fe::1", 128], // Linode (Akamai) metadata
  ["fd00:c1::a9fe:a9fe", 128], // Oracle Cloud metadata
  // Ways to IPv4 that no API is published at: 6to4 (RFC 7526), Teredo, and NAT64 of a single network (RFC 8215).
  ["2002::", 16],
  ["2001::", 32],
  ["64:ff9b:1::", 48],
]);

/** Networks that are not on the internet (RFC 1918, RFC 6598, RFC 4193, RFC 3879). */
const privateNetworks = listNetworks([
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["fc00::", 7],
  ["fec0::", 10],
]);

/** Each IPv4 network also as IPv6 carries it: compatible (RFC 4291), translated (RFC 2765), NAT64 (RFC 6052). Mapped is known to Node. */
function listNetworks(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) {
    list.addSubnet(network, prefix, isIPv4(network) ? "ipv4" : "ipv6");
    for (const carrier of isIPv4(network) ? ["::", "::ffff:0:", "64:ff9b::"] : [])
      list.addSubnet(carrier + network, 96 + prefix, "ipv6");
  }
  return list;
}

/** The end of an ISATAP address (RFC 5214), below any prefix. */
const isatap = /:5efe:(?:[\da-f]+:[\da-f]+|[\d.]+)$/i;

/** Whether an address is local in the sense above. Text that is not an address counts as local. */
export function isLocalAddress(address: string): boolean {
  return isatap.test(address) || isIn(localNetworks, address);
}

function isIn(networks: BlockList, address: string): boolean {
  if (isIPv4(address)) return networks.check(address, "ipv4");
  const [bare = ""] = address.split("%");
  return !isIPv6(bare) || networks.check(bare, "ipv6");
}
