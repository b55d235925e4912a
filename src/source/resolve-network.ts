/** Fills the `${NAME}` of a source's network settings and reads the files they name. */

import { ApiSourceError } from "../errors.js";
import { Secret } from "../secrets/secret.js";
import type { SourceNetwork } from "./api-source.js";
import { fillSecrets, findSecretNames } from "./placeholders.js";
import { readNetworkFiles } from "./read-network-files.js";
import type { Template } from "./read-secrets.js";

const textFields = ["proxy", "ca", "cert", "key"] as const;

export function listNetworkTemplates(network: SourceNetwork): Template[] {
  return textFields.flatMap((field) => {
    const text = network[field];
    return text === undefined ? [] : [{ field: `api.network.${field}`, text }];
  });
}

export interface ResolvedNetwork {
  readonly network: SourceNetwork;
  /** Secrets that no `${NAME}` tells of: a private key in the record itself, and the password in a proxy's URL. */
  readonly secrets: readonly Secret[];
}

/**
 * @throws ApiSourceError `not_configured`: code `malformed_secret` when the proxy is no http(s) URL, `unreadable_file` when a PEM
 * file can't be read.
 */
export async function resolveNetwork(
  network: SourceNetwork,
  revealSecret: (name: string) => string,
): Promise<ResolvedNetwork> {
  const { proxy, ca, cert, key, allowLocalAddresses } = network;
  const fill = (text: string): string => fillSecrets(text, revealSecret);
  const filled: SourceNetwork = {
    allowLocalAddresses,
    ...(proxy === undefined ? {} : { proxy: resolveProxy(proxy, revealSecret) }),
    ...(ca === undefined ? {} : { ca: fill(ca) }),
    ...(cert === undefined ? {} : { cert: fill(cert) }),
    ...(key === undefined ? {} : { key: fill(key) }),
  };
  const resolved = await readNetworkFiles(filled);
  const secrets = [...listProxySecrets(resolved.proxy), ...listKeySecrets(resolved.key)];
  // Without a prototype, as the source itself.
  const sealed: SourceNetwork = Object.assign(Object.create(null), network, resolved);
  return { network: sealed, secrets: secrets.map((value) => new Secret(value)) };
}

/** A secret that is the whole proxy is a URL; one inside it is a part of the URL and percent-encoded. */
function resolveProxy(proxy: string, revealSecret: (name: string) => string): string {
  const isWhole = /^\$\{[^{}]*\}$/.test(proxy);
  const resolved = fillSecrets(proxy, (name) =>
    isWhole ? revealSecret(name).trim() : encodeURIComponent(revealSecret(name)),
  );
  if (/^https?:\/\/[^\s/]/i.test(resolved) && URL.canParse(resolved)) return resolved;
  const names = findSecretNames(proxy).join(", ");
  throw new ApiSourceError({
    message: `The value of ${names} doesn't make \`api.network.proxy\` an absolute http or https URL.`,
    category: "not_configured",
    code: "malformed_secret",
    hint: `Set ${names} so that the proxy's address is such as http://proxy.example.com:3128.`,
  });
}

function listProxySecrets(proxy: string | undefined): string[] {
  const { password = "" } = proxy !== undefined && URL.canParse(proxy) ? new URL(proxy) : {};
  return password === "" ? [] : [...new Set([password, decodeText(password)])];
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function listKeySecrets(key: string | undefined): string[] {
  return key === undefined ? [] : [key];
}
