/** Writes seconds the way a person reads them. */

/** `45 seconds`; from two minutes on also `(about 18 minutes)` or `(about 3 hours)`. */
export function writeDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const exact = whole === 1 ? "1 second" : `${whole} seconds`;
  if (whole < 120) return exact;
  if (whole < 7_200) return `${exact} (about ${Math.round(whole / 60)} minutes)`;
  if (whole < 172_800) return `${exact} (about ${Math.round(whole / 3_600)} hours)`;
  return `${exact} (about ${Math.round(whole / 86_400)} days)`;
}
