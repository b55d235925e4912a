/** Fills the `${NAME}` of a source's network settings and reads the files they name: from here on they are text. */

import { readFile } from "node:fs/promises";
import { ApiSourceError } from "../errors.js";
import { Secret } from "../secrets/secret.js";
import type { SourceNetwork } from "./api-source.js";
import { fillSecrets, findSecretNames } from "./field-syntax.js";
import type { Template } from "./read-values.js";

const pemFields = ["ca", "cert", "key"] as const;

export function listNetworkTemplates(network: SourceNetwork): Template[] {
  return (["proxy", ...pemFields] as const).flatMap((field) => {
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
  // Without a prototype, as the source itself.
  const resolved: { -readonly [Field in keyof SourceNetwork]: SourceNetwork[Field] } = Object.assign(
    Object.create(null),
    network,
  );
  if (network.proxy !== undefined) resolved.proxy = resolveProxy(network.proxy, revealSecret);
  for (const field of pemFields) {
    const text = network[field];
    if (text !== undefined) resolved[field] = await readPem(field, fillSecrets(text, revealSecret));
  }
  const secrets = [
    ...listProxySecrets(resolved.proxy),
    ...(resolved.key === undefined ? [] : [resolved.key]),
  ];
  return { network: resolved, secrets: secrets.map((value) => new Secret(value)) };
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

/** The password as the URL has it, and as its author knows it. */
function listProxySecrets(proxy: string | undefined): string[] {
  if (proxy === undefined || !URL.canParse(proxy)) return [];
  const { password } = new URL(proxy);
  if (password === "") return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}

/** What is no PEM text is the path of a file; a relative one starts at the working directory. */
async function readPem(field: string, text: string): Promise<string> {
  if (text.includes("-----BEGIN")) return text;
  try {
    return await readFile(text, "utf8");
  } catch (error) {
    const { code = "unknown" }: { readonly code?: unknown } = Object(error);
    throw new ApiSourceError({
      message: `The file of \`api.network.${field}\` can't be read (${String(code)}).`,
      category: "not_configured",
      code: "unreadable_file",
      details: { field: `api.network.${field}` },
      hint: "Write PEM text, or the path of a PEM file that this process may read.",
    });
  }
}
