/** How a given value is shown in a problem: short, and never one that may be a secret. */

import { redactedMarker } from "../secrets/secret.js";
import { isPlainObject, type PlainData } from "./copy-plain-data.js";
import { isCredentialKey } from "./inline-credentials.js";

const maxLength = 80;

/** Fields whose text may be a secret, or where people paste one by mistake. */
const secretFields: ReadonlySet<string> = new Set([
  ...["headers", "query", "variables", "credentialEnv", "key", "cert", "ca"],
  ...["headerName", "queryParam", "authScheme", "auth"],
]);

/**
 * Shows a value as JSON text of at most 80 characters; of a list or an object only the size or the keys, because a
 * credential may be anywhere in it. `[REDACTED]` stands for a text at a place where secrets are found.
 */
export function presentGiven(path: readonly PropertyKey[], value: PlainData | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `a list of ${value.length}`;
  const isSecretPlace = path.some(
    (step) => typeof step === "string" && (secretFields.has(step) || isCredentialKey(step)),
  );
  if (isPlainObject(value)) return isSecretPlace ? "an object" : presentKeys(Object.keys(value));
  if (typeof value !== "string")
    return isSecretPlace && typeof value === "number" ? "a number" : String(value);
  if (isSecretPlace && value !== "") return redactedMarker;
  return clip(JSON.stringify(maskUrl(value).slice(0, maxLength)));
}

function presentKeys(keys: readonly string[]): string {
  return clip(`{${keys.slice(0, 10).join(", ")}}`);
}

/** Hides all up to the last `@` (a password may hold a slash), and the values of a query, in what may be a URL. */
function maskUrl(text: string): string {
  const [scheme = ""] = /^[a-z]+:\/{0,2}/i.exec(text) ?? [];
  const rest = text.slice(scheme.length);
  const at = rest.lastIndexOf("@");
  const shown = at < 0 ? rest : `${redactedMarker}${rest.slice(at)}`;
  return scheme + shown.replace(/=[^&#]*/g, `=${redactedMarker}`);
}

function clip(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
