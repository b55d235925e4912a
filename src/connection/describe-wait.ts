/** A number of seconds in words a person can judge. */

const units = [
  [86_400, "days"],
  [3_600, "hours"],
  [60, "minutes"],
] as const;

/** Such as "7 s", "603 s (about 10 minutes)" or "90,000 s (about 25 hours)"; up to two minutes stay as they are. */
export function describeWait(seconds: number): string {
  const plain = `${seconds.toLocaleString("en-US", { maximumFractionDigits: 1 })} s`;
  if (seconds <= 120) return plain;
  // From two of a unit on, so that nothing is said of "1 hours", and rounding misleads little.
  const [size, unit] = units.find(([unitSeconds]) => seconds >= 2 * unitSeconds) ?? [60, "minutes"];
  return `${plain} (about ${Math.round(seconds / size).toLocaleString("en-US")} ${unit})`;
}
