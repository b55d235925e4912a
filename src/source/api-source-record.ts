/** What a record may look like before it is read: every field but `api.baseUrl` is optional. */

import type {
  AuthType,
  BodyFormat,
  CredentialEnv,
  EndpointExample,
  HttpMethod,
  SourceLimits,
  SourceNetwork,
} from "./api-source.js";

export interface ApiSourceRecord {
  readonly $schema?: string;
  readonly type?: "api";
  /** What people call the API. @default the host of `api.baseUrl` */
  readonly name?: string;
  /** The tool's name. @default made from `name` */
  readonly slug?: string;
  readonly tagline?: string;
  readonly icon?: string;
  readonly api: ApiSettingsRecord;
}

/** The `api` member of a record; `ApiSettings` says what each field means and what its default is. */
export interface ApiSettingsRecord {
  readonly baseUrl: string;
  readonly testEndpoint?: string;
  readonly authType?: AuthType;
  readonly headerName?: string;
  readonly queryParam?: string;
  readonly authScheme?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A number or a boolean means its text. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** A number means its text. */
  readonly variables?: Readonly<Record<string, string | number>>;
  readonly credentialEnv?: CredentialEnv;
  readonly bodyFormat?: BodyFormat;
  readonly methods?: readonly HttpMethod[];
  readonly paths?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  readonly methodParameter?: "allow";
  readonly allowedHeaders?: readonly string[];
  readonly endpoints?: readonly EndpointExample[];
  readonly errorWhen?: string;
  readonly idempotencyHeader?: string;
  readonly network?: Partial<SourceNetwork>;
  readonly limits?: Partial<SourceLimits>;
}
