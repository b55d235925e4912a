/** How large a body may be: what is JSON, and what is a file. */

import type { SourceLimits } from "./api-source.js";

export const defaultMaxBytes = 10_000_000;
const defaultMaxFileBytes = 25_000_000;

/** The limit of files: a record that sets `maxBytes` alone means every body. */
export function findMaxFileBytes({ maxBytes, maxFileBytes }: SourceLimits): number {
  return maxFileBytes ?? (maxBytes === defaultMaxBytes ? defaultMaxFileBytes : maxBytes);
}
