/** What a record means where it says nothing. */

import { type ApiSettings, httpMethods, type SourceLimits } from "./api-source.js";

export const defaultLimits: SourceLimits = Object.freeze({
  timeoutMs: 30_000,
  maxBytes: 10_000_000,
  retries: 2,
  maxWaitMs: 10_000,
  maxPages: 50,
  pagesTimeoutMs: 120_000,
});

type Defaulted =
  | "authScheme"
  | "headers"
  | "query"
  | "variables"
  | "bodyFormat"
  | "methods"
  | "paths"
  | "endpoints";

export const defaultSettings: Pick<ApiSettings, Defaulted | "network" | "limits"> = Object.freeze({
  authScheme: "Bearer",
  headers: {},
  query: {},
  variables: {},
  bodyFormat: "json",
  methods: httpMethods,
  paths: {},
  endpoints: [],
  network: { allowLocalAddresses: false },
  limits: defaultLimits,
});

/**
 * Whether every default stands in these settings: they were read once already, and `authScheme` says nothing about
 * what their author meant.
 */
export function holdsEveryDefault(settings: object): boolean {
  return Object.keys(defaultSettings).every((key) => Object.hasOwn(settings, key));
}
