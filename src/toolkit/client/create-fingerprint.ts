/** The opaque name of a caller, by which the quotas of several users are kept apart, in Redis too. */

import { scryptSync } from "node:crypto";
import { anonymousCaller, type Traffic } from "../../core/call/running-call.js";

/** How many names are remembered: making one takes 2 ms. */
const maxFingerprints = 1_000;

/**
 * Creates the function that names a caller: the same name in every process.
 *
 * The name is stored in Redis, so it is stretched (scrypt, 2 ms, 1 MB) with the source as its salt, and truncated: a password
 * can't be looked up in a list of hashes, nor guessed as fast as from a plain one.
 */
export function createFingerprint(): Traffic["nameCaller"] {
  const known = new Map<string, string>();
  return ({ slug }, owners) => {
    if (owners.every((owner) => owner === "")) return anonymousCaller;
    const text = JSON.stringify([slug, ...owners]);
    const found = known.get(text);
    if (found !== undefined) return found;
    const salt = `langchain-api-sources:${slug}`;
    const name = scryptSync(text, salt, 15, { N: 1024 }).toString("base64url");
    if (known.size >= maxFingerprints) known.clear();
    known.set(text, name);
    return name;
  };
}
