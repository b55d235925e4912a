/** Turns a record that was found right into a source: every default filled in, unknown keys kept. */

import type { ApiSettings, ApiSource } from "./api-source.js";
import type { ApiSettingsRecord, ApiSourceRecord } from "./api-source-record.js";
import { defaultLimits, defaultSettings } from "./default-settings.js";
import { fillPlaceholders } from "./find-placeholders.js";
import { splitBaseUrl } from "./split-base-url.js";
import { toToolName } from "./tool-name.js";

/** Takes a record that the schema accepted. `slug` is `""` when neither it nor the name gives one. */
export function fillDefaults(record: ApiSourceRecord): ApiSource {
  const name = record.name?.trim() ?? toHostName(record.api.baseUrl) ?? "";
  return {
    ...record,
    type: "api",
    name,
    slug: record.slug ?? toToolName(name),
    api: fillSettings(record.api),
  };
}

/**
 * The host of a base URL without its port: a name that a port chosen at random doesn't change. A placeholder stands
 * there by its name. Undefined when there is no host, or a user name in front of it.
 */
export function toHostName(baseUrl: string): string | undefined {
  const parts = splitBaseUrl(baseUrl);
  if (!parts || parts.host === "" || parts.authority.includes("@")) return undefined;
  return fillPlaceholders(parts.host, (name) => name).toLowerCase();
}

function fillSettings(api: ApiSettingsRecord): ApiSettings {
  return {
    ...api,
    authScheme: api.authScheme ?? defaultSettings.authScheme,
    headers: { ...api.headers },
    query: toTexts(api.query),
    variables: toTexts(api.variables),
    bodyFormat: api.bodyFormat ?? defaultSettings.bodyFormat,
    methods: [...new Set(api.methods ?? defaultSettings.methods)],
    paths: { ...api.paths },
    endpoints: api.endpoints ?? [],
    network: { ...defaultSettings.network, ...api.network },
    limits: { ...defaultLimits, ...api.limits },
  };
}

function toTexts(values: Readonly<Record<string, string | number | boolean>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
