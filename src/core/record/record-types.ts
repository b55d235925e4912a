/** The types of a record as it may be written. Generated from the zod schemas: the test `record-types` writes it with UPDATE_DOCS=1. */

import type { CredentialPlace, Notes, PageRequest } from "./field-rules.js";

export interface CredentialVariables extends Notes {
  /** The variable of the username. */
  readonly username?: string | undefined;
  /** The variable of the password. */
  readonly password?: string | undefined;
}

export interface OAuth2Record extends Notes {
  /** How a token is obtained (RFC 6749, RFC 8628). */
  readonly grant: "client_credentials" | "refresh_token" | "authorization_code" | "device_code";
  /** The authorization server; endpoints left out are looked up there (RFC 8414). */
  readonly issuer?: string | undefined;
  /** The token endpoint: https, or this machine. Secrets go to this host and no other; {name} in its host takes only a value that is in `variables`. */
  readonly tokenUrl?: string | undefined;
  /** Where a person agrees: grant `authorization_code`. */
  readonly authorizationUrl?: string | undefined;
  /** Where a device code is requested: grant `device_code`. */
  readonly deviceAuthorizationUrl?: string | undefined;
  /** The application's name at the authorization server; may be "${NAME}". */
  readonly clientId: string;
  /** The application's secret, as "${NAME}". Left out for a public client. */
  readonly clientSecret?: string | undefined;
  /** How the client secret is sent: `basic` in a header, `post` in the body. Left out: `basic` with a secret, else `none`. */
  readonly clientAuthentication?: "basic" | "post" | "none" | undefined;
  /** The first refresh token of grant `refresh_token`, as "${NAME}". Left out: `SHOP_REFRESH_TOKEN` for the tool `shop`. */
  readonly refreshToken?: string | undefined;
  /** The requested scopes: a list, or one string with spaces. */
  readonly scopes?: readonly string[] | string | undefined;
  /** The API that the token is for, where the server serves several. */
  readonly audience?: string | undefined;
  /** The absolute URI of the API that the token is for (RFC 8707). */
  readonly resource?: string | undefined;
  /** More parameters of each token request; may contain "${NAME}". */
  readonly tokenParameters?: Readonly<Record<string, string>> | undefined;
  /** More parameters of the page where a person agrees. */
  readonly authorizationParameters?: Readonly<Record<string, string>> | undefined;
  /** Where the browser returns with the code, as registered; `completeAuthorization` takes that URL. */
  readonly redirectUri?: string | undefined;
}

export interface LoginBasicRecord extends Notes {
  /** The username, or "${NAME}". */
  readonly username: string;
  /** The password, as "${NAME}". */
  readonly password: string;
}

export interface LoginRecord extends Notes {
  /** The method of the login call. @default "POST" */
  readonly method?: "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | undefined;
  /** Its path below the base URL. */
  readonly path: string;
  /** Headers of the login call alone; may contain "${NAME}". */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** HTTP Basic on the login call. */
  readonly basic?: LoginBasicRecord | undefined;
  /** The JSON to send; its strings may contain "${NAME}". */
  readonly body?: unknown;
  /** The form fields to send, instead of `body`. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** A JMESPath to the token in the answer; "@" is all of it. `header:NAME` is the header that has it. */
  readonly tokenAt?: string | undefined;
  /** The session cookie that the answer sets and each call sends, instead of `tokenAt` and `authType`. */
  readonly cookie?: string | undefined;
  /** A JMESPath to its lifetime in seconds. Left out: until a 401. */
  readonly expiresInSecondsAt?: string | undefined;
  /** Its lifetime in seconds, where the answer does not contain it. */
  readonly expiresInSeconds?: number | undefined;
}

export interface PathsRecord extends Notes {
  /** The only paths that may be called. */
  readonly allow?: readonly string[] | undefined;
  /** Paths that may not be called; wins over `allow`. */
  readonly deny?: readonly string[] | undefined;
}

export interface EndpointRecord extends Notes {
  /** The method in capitals. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
  /** The path below the base URL; {name} for what varies. */
  readonly path: string;
  /** Its purpose in a few words. */
  readonly about: string;
  /** Example query parameters. */
  readonly query?: unknown;
  /** An example body; not with GET. */
  readonly body?: unknown;
}

export interface ErrorRuleRecord extends Notes {
  /** A JMESPath that is true when a 2xx body means this failure. */
  readonly when: string;
  /** The kind of failure. Left out: what the body reports. */
  readonly category?:
    | "bad_request"
    | "unauthorized"
    | "forbidden"
    | "not_found"
    | "conflict"
    | "validation"
    | "rate_limited"
    | "server_error"
    | undefined;
  /** The meaning of the failure, in words. Left out: what the body reports. */
  readonly message?: string | undefined;
}

export interface PagingFields extends Notes {
  /** The paths that the rule is for. Left out: all. */
  readonly paths?: readonly string[] | undefined;
  /** Where the rows are: member names joined by dots, an index for a place in a list (`1.items`); `@` when the body is the list. Left out: they are found. */
  readonly rows?: string | undefined;
  /** A JMESPath to the number of all rows. */
  readonly total?: string | undefined;
  /** A JMESPath to the cursor, URL or path of the next page, or the header that has it, `header:NAME`; null, empty or false: the last page. */
  readonly next?: string | undefined;
  /** Where `next` is sent: `query:NAME`, `body:NAME` (`body:page.cursor` inside `page`) or `header:NAME`. Left out when it is a URL or a path. */
  readonly send?: string | undefined;
  /** Whether the cursor is sent without the other parameters of the request. Default: false. */
  readonly alone?: boolean | undefined;
  /** Where the page number is sent: `query:NAME` or `body:NAME`. */
  readonly page?: string | undefined;
  /** The number of the first page. @default 1 */
  readonly first?: number | undefined;
  /** Where the number of rows to skip is sent: `query:NAME` or `body:NAME`. */
  readonly offset?: string | undefined;
}

export type PagingRuleRecord = PagingFields & PageRequest;

export interface JobsRecord extends Notes {
  /** A JMESPath to the job's state. */
  readonly status: string;
  /** The states of a finished job. */
  readonly done: readonly string[];
  /** The states of a failed job. Left out: the usual ones. */
  readonly failed?: readonly string[] | undefined;
  /** A JMESPath to the job's URL or path in the response that started it, or the header that has it, `header:NAME`. Left out: it is found. */
  readonly location?: string | undefined;
  /** A JMESPath to the URL of the result, in the finished job; it is read then. */
  readonly result?: string | undefined;
}

export interface NetworkRecord extends Notes {
  /** The URL of an HTTP proxy, with "${NAME}" for a password. The environment's proxy variables are not read. */
  readonly proxy?: string | undefined;
  /** Certificate authorities to trust beside Node's: PEM text, or a path to it. */
  readonly ca?: string | undefined;
  /** The client certificate: PEM text, or a path to it; comes with `key`. */
  readonly cert?: string | undefined;
  /** The certificate's key: PEM text, or a path to it; "${NAME}" keeps it out of the record. */
  readonly key?: string | undefined;
  /** Hosts that a GET may be redirected to, without the credential: a host, or `*.HOST` for every host below it; with `:port`, at that port alone. More: docs/files.md#redirected-downloads. */
  readonly downloadHosts?: readonly string[] | undefined;
  /** Whether a public-looking host name may resolve to this machine, its link, or a cloud's metadata service. @default false */
  readonly allowLocalAddresses?: boolean | undefined;
}

export interface RateLimitHeadersRecord extends Notes {
  /** The number of requests that the window allows. */
  readonly limit?: string | undefined;
  /** The number that is left. */
  readonly remaining?: string | undefined;
  /** The window's end: seconds from now, an epoch or a date. */
  readonly reset?: string | undefined;
  /** The wait before the next request, in place of `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

export interface LimitsRecord extends Notes {
  /** The deadline of a whole call, waits and retries included. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** The largest JSON body that is read, in decompressed bytes. @default 10000000 */
  readonly maxBytes?: number | undefined;
  /** The largest other body that is read, and the most bytes of files in one request; `maxBytes` where a record sets only that. More: docs/files.md. @default 25000000 */
  readonly maxFileBytes?: number | undefined;
  /** The budget of one answer, in tokens. Left out: the toolkit's `maxTokens`. @default 2000 */
  readonly maxTokens?: number | undefined;
  /** How many times a request that can't repeat a write is sent again. @default 2 */
  readonly retries?: number | undefined;
  /** The longest single wait for a rate limit inside a call. @default 10000 */
  readonly maxWaitMs?: number | undefined;
  /** The most pages of a call with `pages`. @default 50 */
  readonly maxPages?: number | undefined;
  /** The deadline of a whole call with `pages`. @default 120000 */
  readonly pagesTimeoutMs?: number | undefined;
  /** The quota that this source keeps to. */
  readonly requestsPerMinute?: number | undefined;
  /** Whether `requestsPerMinute` counts for each credential, or for the whole source. @default "credential" */
  readonly quotaScope?: "credential" | "source" | undefined;
  /** How many requests of this source run at once. */
  readonly concurrency?: number | undefined;
  /** The names of the API's quota headers, where they are not the common ones. More: docs/limits.md. */
  readonly rateLimitHeaders?: RateLimitHeadersRecord | undefined;
}

export interface ApiFields extends Notes {
  /** The absolute http(s) URL that every request stays under, without query, fragment or user name. {name} in it is filled from `variables`. */
  readonly baseUrl: string;
  /** A path that GET answers only to a valid credential; the connection test calls it. */
  readonly testEndpoint?: string | undefined;
  /** How the credential is sent. Left out: no authentication. More: docs/credentials.md. */
  readonly authType?: "bearer" | "header" | "query" | "basic" | undefined;
  /** The header of authType `header`. */
  readonly headerName?: string | undefined;
  /** The query parameter of authType `query`. */
  readonly queryParam?: string | undefined;
  /** The word before a bearer token; `""` sends the bare token. @default "Bearer" */
  readonly authScheme?: string | undefined;
  /** The environment variable(s) of the credential, instead of those named after the tool: a name, a list that is tried in order, or for basic `{ "username": …, "password": … }`. Never the credential itself. */
  readonly credentialEnv?: string | readonly string[] | CredentialVariables | undefined;
  /** Gets the token from an authorization server and renews it; with authType bearer, header or query. More: docs/credentials.md. */
  readonly oauth2?: OAuth2Record | undefined;
  /** Gets the token by a login call, and another when it expires or the API answers 401. More: docs/credentials.md. */
  readonly login?: LoginRecord | undefined;
  /** Headers of every request, such as an API version or a second key; may contain "${NAME}". */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Query parameters of every request; may contain "${NAME}". */
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Values for {name} in `baseUrl` and `testEndpoint`: a tenant's host, an account's id; may contain "${NAME}". With basic, {username} is the username. */
  readonly variables?: Readonly<Record<string, string | number>> | undefined;
  /** How a body is written whose call names no Content-Type (JSON, a form, plain text, XML, CSV, NDJSON or YAML); a form has bracketed nesting, unless the operation's document has another. Left out: what the operation of the document takes, else JSON. More: docs/files.md. */
  readonly bodyFormat?: "json" | "form" | "multipart" | undefined;
  /** The methods that the agent may use. Left out: all five. */
  readonly methods?: readonly ("GET" | "POST" | "PUT" | "DELETE" | "PATCH")[] | undefined;
  /** The paths that the agent may call: `*` is one segment, `**` any number of them. */
  readonly paths?: PathsRecord | undefined;
  /** `allow` where a parameter such as `method` does not mean the request's method. More: docs/security.md#the-request-policy-what-may-be-sent. */
  readonly methodParameter?: "allow" | undefined;
  /** The only extra headers that the agent may send. Left out: all but those that identify the caller, route or override, which have to be named here. More: docs/security.md#the-request-policy-what-may-be-sent. */
  readonly allowedHeaders?: readonly string[] | undefined;
  /** More headers of a response that its answer shows; not `Set-Cookie`. More: docs/answers.md. */
  readonly responseHeaders?: readonly string[] | undefined;
  /** Examples of calls for the model: `method`, `path`, `about`, and optionally `query` and `body`. */
  readonly endpoints?: readonly EndpointRecord[] | undefined;
  /** A JMESPath that is true when a 2xx body means failure, or a list of `{ when, category?, message? }`, of which the first that is true counts. More: docs/records.md#errorwhen. */
  readonly errorWhen?: string | readonly ErrorRuleRecord[] | undefined;
  /** A JMESPath that is true when a body reports an expired token, whatever the status; it is then renewed once. More: docs/credentials.md#renewal. */
  readonly expiredWhen?: string | undefined;
  /** How the API pages, where its answers do not show it: a rule, a list of rules, or `"none"`. More: docs/records.md#paging. */
  readonly paging?: PagingRuleRecord | readonly PagingRuleRecord[] | "none" | undefined;
  /** Requests that change nothing although they are not GET: not held by `approve: "writes"`, and they may be paged and retried. */
  readonly reads?: readonly string[] | undefined;
  /** How jobs report their state. Left out: by the words that many APIs share. More: docs/jobs.md. */
  readonly jobs?: JobsRecord | undefined;
  /** The path, relative to this file, of the API's OpenAPI 3 or Swagger 2 document (JSON, or YAML of at most 10,000,000 characters). More: docs/api-knowledge.md. */
  readonly openapi?: string | undefined;
  /** The path, relative to this file, of a Markdown file about the API's use. More: docs/api-knowledge.md. */
  readonly guide?: string | undefined;
  /** Whether its content reaches other sources only where a person approves it (the option `flow`). More: docs/security.md#data-of-one-source. */
  readonly confidential?: boolean | undefined;
  /** The slugs of the sources that the content of a confidential source may reach. */
  readonly sharesWith?: readonly string[] | undefined;
  /** The header that takes an idempotency key: writes then carry one and may be retried. */
  readonly idempotencyHeader?: string | undefined;
  /** How this source is reached. */
  readonly network?: NetworkRecord | undefined;
  /** Limits on time, size and rate. */
  readonly limits?: LimitsRecord | undefined;
}

export type ApiSettingsRecord = ApiFields & CredentialPlace;

/** One HTTP API that becomes one tool of an agent. The credential is never in this file: it comes from the environment, a store or a function. Keys that begin with `x-` are free for your own notes. */
export interface ApiSourceRecord extends Notes {
  /** The address of this schema, for editors. More: docs/records.md#completion-in-an-editor. */
  readonly $schema?: string | undefined;
  /** The kind of source. @default "api" */
  readonly type?: "api" | undefined;
  /** The API's name; the tool's name is made from it: `"GitHub Issues"` gives `github_issues`. Left out: the host. */
  readonly name?: string | undefined;
  /** The tool's name, where the one made from `name` does not fit. */
  readonly slug?: string | undefined;
  /** The API's purpose in one line; the model reads it. */
  readonly tagline?: string | undefined;
  /** The URL of a picture, for user interfaces. */
  readonly icon?: string | undefined;
  /** The API itself. */
  readonly api: ApiSettingsRecord;
}
