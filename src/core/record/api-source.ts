/** The types of a source: a record as it may be written, and what it means once it was read, with every default filled in. */

import type { z } from "zod";
import type { apiSchema } from "./api-schema.js";
import type { Notes } from "./field-rules.js";
import type { AuthType, BodyFormat, HttpMethod, OAuthGrant } from "./field-syntax.js";
import type { pagingRuleSchema } from "./paging-schema.js";
import type { recordSchema } from "./record-schema.js";
import type { ApiSourceRecord } from "./record-types.js";

export {
  authTypes,
  bodyFormats,
  clientAuthentications,
  httpMethods,
  oauthGrants,
} from "./field-syntax.js";
export type { ApiSourceRecord } from "./record-types.js";
export type { AuthType, BodyFormat, HttpMethod, OAuthGrant };

/** On every level: what was read is frozen, and a list that is written may be. */
type Frozen<Value> = Value extends object
  ? { readonly [Member in keyof Value]: Frozen<Value[Member]> }
  : Value;

/** The `api` member of a source that was read. `docs/records.md` has every field. */
export interface ApiSettings extends Frozen<z.output<typeof apiSchema>>, Notes {}

/** A record that was read: `parseSource` returns it. `docs/records.md` has every field. */
export interface ApiSource extends Omit<Frozen<z.output<typeof recordSchema>>, "api">, Notes {
  /** The API's settings, every default filled in. */
  readonly api: ApiSettings;
}

export type OAuth2Settings = NonNullable<ApiSettings["oauth2"]>;
export type LoginSettings = NonNullable<ApiSettings["login"]>;
/** An example call shown to the model in the tool's description. */
export type EndpointExample = ApiSettings["endpoints"][number];
export type SourceLimits = ApiSettings["limits"];
/** Names of headers, in any case. */
export type RateLimitHeaders = NonNullable<SourceLimits["rateLimitHeaders"]>;
export type SourceNetwork = ApiSettings["network"];
/** One variable for a token, or two for basic. A list is tried in order. */
export type CredentialEnv = NonNullable<ApiSettings["credentialEnv"]>;
/** How the jobs of an API report their state. */
export type JobSettings = NonNullable<ApiSettings["jobs"]>;

/** One way of paging; exactly one of `next`, `page` and `offset` is given. */
export type PagingRule = Frozen<z.output<typeof pagingRuleSchema>>;

/** The rules of a setting, none where the API does not page or the record does not say. */
export function listPagingRules(paging: ApiSettings["paging"]): readonly PagingRule[] {
  return paging === undefined || paging === "none" ? [] : [paging].flat();
}

/** Whether a record names documents of its API beside it. */
export function hasDocuments({ api }: ApiSource): boolean {
  return api.openapi !== undefined || api.guide !== undefined;
}

/**
 * Gives a record the types that complete and check it while it is written; the record itself stays as it is.
 *
 * @example
 * const shop = defineSource({ name: "Shop", api: { baseUrl: "https://api.shop.example/v1", authType: "bearer" } });
 * const toolkit = await ApiSourceToolkit.fromSources([shop]);
 */
export function defineSource(record: ApiSourceRecord): ApiSourceRecord {
  return record;
}
