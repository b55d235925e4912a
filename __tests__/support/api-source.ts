/** A source with every default filled in, for tests that need only some of it. */

import { type ApiSource, parseSource } from "langchain-api-sources";
import type { ApiSettings } from "../../src/core/record/api-source.js";

/** @param settings - In place of what the record would give. */
export function makeSource(settings: Partial<ApiSettings> = {}): ApiSource {
  const api = { baseUrl: "https://api.example.com/v1", authType: "bearer" };
  const source = parseSource({ name: "Shop", api });
  const { authScheme, ...read } = source.api;
  const scheme = (settings.authType ?? "bearer") === "bearer" ? { authScheme } : {};
  return { ...source, api: { ...read, ...scheme, ...settings } };
}
