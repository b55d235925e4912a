/** What a source is: a record as it may be written, and what it means once it was read, with every default filled in. */

import type { JobSettings } from "./job-settings.js";
import type { PagingSetting } from "./paging-rule.js";

export const httpMethods = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;
export type HttpMethod = (typeof httpMethods)[number];
export const authTypes = ["bearer", "header", "query", "basic"] as const;
export type AuthType = (typeof authTypes)[number];
export const bodyFormats = ["json", "form", "multipart"] as const;
export type BodyFormat = (typeof bodyFormats)[number];

export const quotaScopes = ["credential", "source"] as const;

/** How a token is obtained: RFC 6749 sections 4.4, 6 and 4.1, and RFC 8628. */
export const oauthGrants = [
  "client_credentials",
  "refresh_token",
  "authorization_code",
  "device_code",
] as const;
export type OAuthGrant = (typeof oauthGrants)[number];

/** In an Authorization header, in the body, or not at all (RFC 6749, section 2.3). */
export const clientAuthentications = ["basic", "post", "none"] as const;

/** Where a token comes from; `docs/credentials.md` has what each grant needs. */
export interface OAuth2Settings {
  readonly grant: OAuthGrant;
  /** The authorization server's own name; endpoints that are left out are looked up there (RFC 8414). */
  readonly issuer?: string;
  /** https, or this machine. */
  readonly tokenUrl?: string;
  /** Where a person agrees, with grant `authorization_code`. */
  readonly authorizationUrl?: string;
  /** Where a device code is requested, with grant `device_code`. */
  readonly deviceAuthorizationUrl?: string;
  readonly clientId: string;
  /** `"${NAME}"`, never the secret itself. */
  readonly clientSecret?: string;
  /** @default "basic" with a client secret, "none" without */
  readonly clientAuthentication?: (typeof clientAuthentications)[number];
  /** The first refresh token of grant `refresh_token`, as `"${NAME}"`. */
  readonly refreshToken?: string;
  readonly scopes: readonly string[];
  /** Which API the token is for, where one server serves several; `resource` is its URI (RFC 8707). */
  readonly audience?: string;
  readonly resource?: string;
  /** More parameters of each token request, and of the page where a person agrees. */
  readonly tokenParameters: Readonly<Record<string, string>>;
  readonly authorizationParameters: Readonly<Record<string, string>>;
  /** Where the browser goes with the code; that URL is handed to `completeAuthorization`. */
  readonly redirectUri?: string;
}

/** A first call of the API that answers with a token. */
export interface LoginSettings {
  /** @default "POST" */
  readonly method: HttpMethod;
  /** Below the base URL. */
  readonly path: string;
  /** Headers of this call alone. */
  readonly headers: Readonly<Record<string, string>>;
  /** HTTP Basic on this call. */
  readonly basic?: { readonly username: string; readonly password: string };
  /** What is sent, as JSON, or as a form; `"${NAME}"` is replaced by a secret. */
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** A JMESPath that finds the token in the answer; or `cookie`, the name of the session cookie that it sets. */
  readonly tokenAt?: string;
  readonly cookie?: string;
  /** A JMESPath that finds its lifetime in seconds. */
  readonly expiresInSecondsAt?: string;
  /** How many seconds it lives, where the answer doesn't say. */
  readonly expiresInSeconds?: number;
}

/** An example call shown to the model in the tool's description. */
export interface EndpointExample {
  readonly method: HttpMethod;
  readonly path: string;
  readonly about: string;
  readonly query?: unknown;
  readonly body?: unknown;
}

export interface SourceLimits {
  /** The whole call, waits and retries included, in milliseconds. @default 30000 */
  readonly timeoutMs: number;
  /** The largest JSON body read, in bytes after decompression. @default 10000000 */
  readonly maxBytes: number;
  /** The largest body that is not JSON, and the most bytes of files in one request. @default 25000000, or a `maxBytes` that is set */
  readonly maxFileBytes?: number;
  /** The budget of one answer, in tokens. @default the toolkit's `maxTokens`, which is 2000 */
  readonly maxTokens?: number;
  /** How often a request that cannot repeat a write is sent again. @default 2 */
  readonly retries: number;
  /** The longest single wait for a rate limit inside a call, in milliseconds. @default 10000 */
  readonly maxWaitMs: number;
  /** How many pages a call with `pages` reads at most. @default 50 */
  readonly maxPages: number;
  /** A whole call with `pages`, in milliseconds. @default 120000 */
  readonly pagesTimeoutMs: number;
  /** The quota this process (or, with Redis, all processes) keeps to. */
  readonly requestsPerMinute?: number;
  /** What that quota is counted for: each credential, or the whole source where the API counts per application. @default "credential" */
  readonly quotaScope?: (typeof quotaScopes)[number];
  /** How many requests run at the same time. */
  readonly concurrency?: number;
  /** What the API calls its quota headers, where it does not use the common names. */
  readonly rateLimitHeaders?: RateLimitHeaders;
}

/** Names of headers, in any case. */
export interface RateLimitHeaders {
  /** How many requests the window allows. */
  readonly limit?: string;
  /** How many are left in it. */
  readonly remaining?: string;
  /** When the window starts anew: seconds from now, an epoch or a date. */
  readonly reset?: string;
  /** How long to wait before the next request: what others call `Retry-After`. */
  readonly retryAfter?: string;
}

export interface SourceNetwork {
  /** The URL of an HTTP proxy; the environment's proxy variables are not read. */
  readonly proxy?: string;
  /** PEM text, or a path to it, of certificate authorities to trust in addition to Node's. */
  readonly ca?: string;
  /** PEM text, or a path to it, of the client certificate. */
  readonly cert?: string;
  /** PEM text, or a path to it, of the client certificate's key; may be `"${NAME}"`. */
  readonly key?: string;
  /** Whether a public-looking host name may resolve to a loopback, link-local or metadata address. @default false */
  readonly allowLocalAddresses: boolean;
  /** Hosts that a GET may be redirected to, without the credential: a host, or `*.` and a host; an optional `:port`. */
  readonly downloadHosts?: readonly string[];
}

/** One variable for a token, or two for basic. A list is tried in order. */
export type CredentialEnv =
  | string
  | readonly string[]
  | { readonly username?: string; readonly password?: string };

export interface ApiSettings {
  /** Absolute http(s) URL; may hold `{name}` placeholders. */
  readonly baseUrl: string;
  /** A path that GET answers only to a valid credential; the connection test calls it. */
  readonly testEndpoint?: string;
  /** How the credential is carried; absent means no authentication. */
  readonly authType?: AuthType;
  /** The header of authType `header`. */
  readonly headerName?: string;
  /** The query parameter of authType `query`. */
  readonly queryParam?: string;
  /** The word before a bearer token; `""` sends the bare token. @default "Bearer" */
  readonly authScheme: string;
  /** Constant headers; a value may hold `"${NAME}"` secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Constant query parameters; a value may hold `"${NAME}"` secrets. */
  readonly query: Readonly<Record<string, string>>;
  /** Values for `{name}` in `baseUrl` and `testEndpoint`; a value may hold `"${NAME}"`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Environment variables that hold the credential, instead of the names made from the slug. */
  readonly credentialEnv?: CredentialEnv;
  /** Where a token comes from that expires: an authorization server. */
  readonly oauth2?: OAuth2Settings;
  /** Where a token comes from that expires: a first call of the API itself. */
  readonly login?: LoginSettings;
  /** How a body is written. Absent where the record leaves it to each call: JSON, or what the call's `Content-Type` names. */
  readonly bodyFormat?: BodyFormat;
  /** Which methods the agent may use. @default all five */
  readonly methods: readonly HttpMethod[];
  /** Which paths the agent may call: `*` is one segment, `**` any number of them. `deny` wins. @default every path */
  readonly paths: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  /** `allow`: a parameter called `method` or similar does not mean the request's method here. */
  readonly methodParameter?: "allow";
  /** The only extra headers the agent may send; absent means any but those the request policy refuses. */
  readonly allowedHeaders?: readonly string[];
  /** Headers of a response that its answer shows, besides those that it always shows. */
  readonly responseHeaders?: readonly string[];
  /** Calls shown to the model as examples. */
  readonly endpoints: readonly EndpointExample[];
  /** The API's description: the path of an OpenAPI 3 or Swagger 2 document, JSON or YAML. */
  readonly openapi?: string;
  /** What a person would explain to a new colleague about this API: the path of a Markdown file. */
  readonly guide?: string;
  /** A JMESPath that is true when a 2xx body means failure. */
  readonly errorWhen?: string;
  /** A JMESPath that is true when a 2xx body reports an expired token: the token is renewed once, as after a 401. */
  readonly expiredWhen?: string;
  /** How the API pages, where its answers do not show it; of a list, the first rule whose `paths` match. "none": it does not page. */
  readonly paging?: PagingSetting;
  /** Requests that change nothing although they are not GET, such as `"POST /search/**"`. */
  readonly reads?: readonly string[];
  /** How the jobs of this API report their state. @default the states that many APIs share */
  readonly jobs?: JobSettings;
  /** Whether its content must not reach other sources unless a person approves it. @default false */
  readonly confidential?: boolean;
  /** The slugs of the sources that its content may reach, where it is confidential. @default none */
  readonly sharesWith?: readonly string[];
  /** The header in which this API takes an idempotency key. */
  readonly idempotencyHeader?: string;
  /** How this source is reached. */
  readonly network: SourceNetwork;
  /** Limits on time, size and rate. */
  readonly limits: SourceLimits;
  /** Free for your own notes. */
  readonly [note: `x-${string}`]: unknown;
}

export interface ApiSource {
  readonly type: "api";
  /** What people call the API. In a record, by default the host of `api.baseUrl`. */
  readonly name: string;
  /** The tool's name. In a record, by default made from `name`. */
  readonly slug: string;
  /** The API's purpose in one line; the model reads it. */
  readonly tagline?: string;
  /** The URL of a picture, for user interfaces. */
  readonly icon?: string;
  readonly api: ApiSettings;
  /** Free for your own notes. */
  readonly [note: `x-${string}`]: unknown;
}

/** The `api` member of a record: every field but `baseUrl` may be left out. */
export interface ApiSettingsRecord
  extends Partial<
    Omit<ApiSettings, "baseUrl" | "query" | "variables" | "network" | "limits" | "oauth2" | "login">
  > {
  readonly baseUrl: string;
  /** Constant query parameters; a value may hold `"${NAME}"` secrets. A number or a boolean means its text. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Values for `{name}` in `baseUrl` and `testEndpoint`; a value may hold `"${NAME}"`. A number means its text. */
  readonly variables?: Readonly<Record<string, string | number>>;
  readonly oauth2?: Partial<Omit<OAuth2Settings, "grant" | "clientId" | "scopes">> &
    Pick<OAuth2Settings, "grant" | "clientId"> & { readonly scopes?: string | readonly string[] };
  readonly login?: Partial<Omit<LoginSettings, "path">> & Pick<LoginSettings, "path">;
  readonly network?: Partial<SourceNetwork>;
  readonly limits?: Partial<SourceLimits>;
}

/** What a record may look like before it is read: `parseSource` fills in what is absent. */
export interface ApiSourceRecord extends Partial<Omit<ApiSource, "api">> {
  /** The address of the JSON Schema, for editors. */
  readonly $schema?: string;
  readonly api: ApiSettingsRecord;
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
