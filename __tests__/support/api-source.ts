/** A source with every default filled in, for tests that need only some of it. */

import type { ApiSettings, ApiSource } from "../../src/source/api-source.js";

export function makeSource(settings: Partial<ApiSettings> = {}): ApiSource {
  return {
    type: "api",
    name: "Shop",
    slug: "shop",
    api: {
      baseUrl: "https://api.example.com/v1",
      authType: "bearer",
      authScheme: "Bearer",
      headers: {},
      query: {},
      variables: {},
      bodyFormat: "json",
      methods: ["GET", "POST", "PUT", "DELETE", "PATCH"],
      paths: {},
      endpoints: [],
      network: { allowLocalAddresses: false },
      limits: {
        timeoutMs: 30_000,
        maxBytes: 10_000_000,
        maxTokens: 5_000,
        retries: 2,
        maxWaitMs: 10_000,
        maxPages: 50,
        pagesTimeoutMs: 120_000,
      },
      ...settings,
    },
  };
}
