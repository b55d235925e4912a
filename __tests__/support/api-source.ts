/** A source with every default filled in, for tests that need only some of it. */

import type { ApiSettings, ApiSource } from "../../src/source/api-source.js";
import { parseSource } from "../../src/source/parse-source.js";

/** @param settings - In place of what the record would give. */
export function makeSource(settings: Partial<ApiSettings> = {}): ApiSource {
  const api = { baseUrl: "https://api.example.com/v1", authType: "bearer" };
  const source = parseSource({ name: "Shop", api });
  return { ...source, api: { ...source.api, ...settings } };
}
