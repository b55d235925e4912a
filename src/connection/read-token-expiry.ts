/** What a JSON Web Token says of its own validity (RFC 7519, sections 4.1.4 and 4.1.5); no signature is checked. */

const maxTokenCharacters = 20_000;

/** Why the token is not valid now, such as "expired at 2024-05-01T12:00:00Z"; undefined when it is, or is no JWT. */
export function readTokenExpiry(token: string, nowMs: number): string | undefined {
  const parts = token.trim().split(".");
  if (token.length > maxTokenCharacters || parts.length !== 3) return undefined;
  const claims = parseObject(parts[1] ?? "");
  if (parseObject(parts[0] ?? "") === undefined || claims === undefined) return undefined;
  const expiresMs = toMs(claims["exp"]);
  if (expiresMs !== undefined && expiresMs <= nowMs) {
    return `is a JWT that expired at ${present(expiresMs)} (${describeSpan(nowMs - expiresMs)} ago)`;
  }
  const startsMs = toMs(claims["nbf"]);
  return startsMs !== undefined && startsMs > nowMs
    ? `is a JWT that is not valid before ${present(startsMs)}`
    : undefined;
}

function parseObject(base64url: string): Record<string, unknown> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(base64url)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds since the epoch, as the standard has it; a date that JavaScript has none for is no date. */
function toMs(claim: unknown): number | undefined {
  if (typeof claim !== "number" || !(claim > 0)) return undefined;
  const ms = claim * 1_000;
  return Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
}

function present(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
}

function describeSpan(ms: number): string {
  const units = [
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
  ] as const;
  const [size, unit] = units.find(([unitMs]) => ms >= unitMs) ?? [1_000, "second"];
  const count = Math.floor(ms / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
