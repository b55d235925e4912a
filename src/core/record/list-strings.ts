/** The strings in the settings of a record. */

/** Every string in plain data. Recursion is safe here: a record has a depth that is capped. */
export function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(listStrings)
    : [];
}
