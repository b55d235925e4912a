/** The headers every request carries unless the record or the agent gives them. */

/** This package's version, as in package.json (a test holds them together). */
export const packageVersion = "0.1.0";

const defaultHeaders: Readonly<Record<string, string | false>> = {
  Accept: "application/json, */*;q=0.5",
  // What createDecoder can decode, and nothing else.
  "Accept-Encoding": "gzip, deflate, br",
  "User-Agent": `langchain-api-sources/${packageVersion}`,
  "Content-Type": false,
};

/**
 * Returns the headers with the missing defaults added; names are compared without regard to case.
 *
 * `Content-Type: false` keeps axios from adding its own (`application/x-www-form-urlencoded`) to a write without one.
 */
export function applyDefaultHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string | false> {
  const names = Object.keys(headers);
  if (names.length === 0) return { ...defaultHeaders };
  const given = new Set(names.map((name) => name.toLowerCase()));
  const missing = Object.entries(defaultHeaders).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(missing), ...headers };
}
