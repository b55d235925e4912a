/** Certificates and keys may stand in the record as PEM text or as a path; from here on they are text. */

import { readFile } from "node:fs/promises";
import { ApiSourceError } from "../errors.js";
import type { SourceNetwork } from "./api-source.js";

const pemFields = ["ca", "cert", "key"] as const;

/**
 * Reads the files that `ca`, `cert` and `key` name; a relative path starts at the working directory.
 *
 * @throws ApiSourceError `not_configured`, code `unreadable_file`, that names the field and the path.
 */
export async function readNetworkFiles(network: SourceNetwork): Promise<SourceNetwork> {
  const paths = pemFields.filter(
    (field) => network[field] !== undefined && !network[field]?.includes("-----BEGIN"),
  );
  if (paths.length === 0) return network;
  const texts = await Promise.all(
    paths.map(async (field) => [field, await readPem(field, network[field] ?? "")]),
  );
  return { ...network, ...Object.fromEntries(texts) };
}

async function readPem(field: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new ApiSourceError({
      message: `The file of \`api.network.${field}\` can't be read (${code}).`,
      category: "not_configured",
      code: "unreadable_file",
      details: { field: `api.network.${field}` },
      hint: "Write PEM text, or the path of a PEM file that this process may read.",
    });
  }
}
