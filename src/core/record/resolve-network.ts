/** How a source is reached: its proxy and its PEM files, filled and read for one call. */

import { readFile } from "node:fs/promises";
import { notConfigured } from "../base/errors.js";
import { decodePercent } from "../base/text.js";
import { Secret } from "../secrets/secret.js";
import type { ApiSource, SourceNetwork } from "./api-source.js";
import { createFiller, type ResolveSecret } from "./create-filler.js";
import { fillSecrets, findSecretNames, isProxyUrl } from "./field-syntax.js";
import { listTemplates } from "./templates.js";

/** The network settings of one call, and what has to be redacted of them. */
export interface ResolvedNetwork {
  readonly network: SourceNetwork;
  readonly secrets: readonly Secret[];
}

/**
 * Fills the `${NAME}` of a source's network settings and reads the files they name: from here on they are text.
 *
 * @returns also what has to be redacted: the variables, a private key in the record itself, and the password in a proxy's URL, as the URL
 * has it and as its author knows it.
 * @throws ApiSourceError `not_configured`: code `malformed_secret` when the proxy is not an http(s) URL, `unreadable_file` when a PEM
 * file can't be read.
 */
export async function resolveNetwork(
  source: ApiSource,
  resolveSecret: ResolveSecret,
): Promise<ResolvedNetwork> {
  const { network } = source.api;
  const { proxy, ca, cert, key } = network;
  const texts = listTemplates("api.network", { proxy, ca, cert, key });
  const { secrets, reveal, fill } = await createFiller(source, { resolveSecret, texts });
  const read = async (field: string, text: string | undefined) =>
    text && readPem(field, fill(text));
  const resolved = {
    ...network,
    proxy: proxy && resolveProxy(proxy, reveal),
    ca: await read("ca", ca),
    cert: await read("cert", cert),
    key: await read("key", key),
  };
  const password = URL.canParse(resolved.proxy ?? "") ? new URL(resolved.proxy ?? "").password : "";
  const own = new Set(
    [password, decodePercent(password), resolved.key ?? ""].filter((text) => text !== ""),
  );
  return {
    network: resolved,
    secrets: [...secrets, ...[...own].map((text) => new Secret(text))],
  };
}

/** A secret that is the whole proxy is a URL; one inside it is a part of the URL and percent-encoded. */
function resolveProxy(proxy: string, revealSecret: (name: string) => string): string {
  const resolved = fillSecrets(proxy, (name) =>
    proxy === `\${${name}}` ? revealSecret(name).trim() : encodeURIComponent(revealSecret(name)),
  );
  if (isProxyUrl(resolved)) return resolved;
  const names = findSecretNames(proxy).join(", ");
  throw notConfigured(
    "malformed_secret",
    `The value of ${names} doesn't make \`api.network.proxy\` an absolute http or https URL.`,
    `Set ${names} so that the proxy's address is a URL such as http://proxy.example.com:3128.`,
  );
}

/** Text that is not PEM is the path of a file; a relative one starts at the working directory. */
async function readPem(field: string, text: string): Promise<string> {
  if (text.includes("-----BEGIN")) return text;
  try {
    return await readFile(text, "utf8");
  } catch (error) {
    const { code = "unknown" }: { readonly code?: unknown } = Object(error);
    throw notConfigured(
      "unreadable_file",
      `The file of \`api.network.${field}\` can't be read (${String(code)}).`,
      "Write PEM text, or the path of a PEM file that this process may read.",
      { field: `api.network.${field}` },
    );
  }
}
