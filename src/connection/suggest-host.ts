/** Which host was probably meant when a host name does not exist: a near miss within the same domain. */

import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";

/** Whether a name has an address; rejects or answers false when it has none. */
export type HostExists = (host: string) => Promise<boolean>;

const lookupTimeoutMs = 2_000;

/** Asks the system's resolver. */
export const systemHostExists: HostExists = async (host) =>
  (await systemLookup(host, { all: true })).length > 0;

/** Second-level labels under which names are registered in many countries (`example.co.uk`). */
const sharedLabels: ReadonlySet<string> = new Set([
  "co",
  "com",
  "org",
  "net",
  "gov",
  "ac",
  "edu",
  "or",
  "ne",
]);

/** Endings that are a slip of the finger, each with what was meant. */
const slips: Readonly<Record<string, string>> = {
  con: "com",
  cmo: "com",
  ocm: "com",
  comm: "com",
  cpm: "com",
  vom: "com",
  co: "com",
  ogr: "org",
  rog: "org",
  nte: "net",
  ent: "net",
  ne: "net",
  oi: "io",
  deb: "dev",
};

/** The part of a name that somebody registered: two labels, or three under a country's shared label. */
export function toRegisteredDomain(host: string): string {
  const labels = host.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  return labels.slice(top.length === 2 && sharedLabels.has(second) ? -3 : -2).join(".");
}

/** Names worth asking for, the likeliest first; all within the same registered domain. */
export function listNearMisses(host: string): string[] {
  const labels = host.split(".");
  if (labels.length < 2 || isIP(host) !== 0) return [];
  const domain = toRegisteredDomain(host);
  const candidates = [`api.${domain}`, `api.${host}`, labels.slice(1).join("."), domain, `www.${domain}`];
  return [...new Set(candidates)].filter(
    (candidate) => candidate !== host && (candidate === domain || candidate.endsWith(`.${domain}`)),
  );
}

/** The same name with a likelier ending; undefined when the ending is no known slip. Nothing is looked up. */
export function suggestEnding(host: string): string | undefined {
  const labels = host.split(".");
  const meant = slips[labels.at(-1) ?? ""];
  return labels.length < 2 || meant === undefined ? undefined : [...labels.slice(0, -1), meant].join(".");
}

/** The first near miss that exists; undefined when none does, or the resolver takes too long. */
export async function findExistingHost(
  host: string,
  hostExists: HostExists,
  timeoutMs: number = lookupTimeoutMs,
): Promise<string | undefined> {
  const candidates = listNearMisses(host);
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<boolean[]>((resolve) => {
    timer = setTimeout(() => resolve([]), timeoutMs);
  });
  const asked = Promise.all(candidates.map((candidate) => hostExists(candidate).catch(() => false)));
  const exists = await Promise.race([asked, timeUp]);
  clearTimeout(timer);
  return candidates.find((_, index) => exists[index] === true);
}
