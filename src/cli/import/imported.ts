/** What an import takes and gives: a choice; a record, the secrets that were beside it, the choices there were, and what a record can't contain. */

import type { Credential } from "../../core/credentials/credential.js";
import type { ApiSettingsRecord, ApiSourceRecord } from "../../core/record/api-source.js";

type Mutable<Members> = { -readonly [Name in keyof Members]: Members[Name] };

export type ImportedRecord = Mutable<Omit<ApiSourceRecord, "api">> & { api: Mutable<ApiSettingsRecord> };

export interface Imported {
  /** `api.baseUrl` is `""` where the document has none. */
  readonly record: ImportedRecord;
  /** Whether the document names how the credential is sent, or that it needs none. */
  readonly knowsAuth: boolean;
  /** The credential in the document; it never goes into the record. */
  readonly credential?: Credential;
  /** Values of the record's `"${NAME}"`s in the document. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The servers to choose from, and the ways to authenticate, by name. */
  readonly servers: readonly string[];
  readonly schemes: readonly string[];
  /** An OpenAPI or Swagger document, as JSON text, to be kept beside the record. */
  readonly document?: string;
  /** What a record can't express of the document, for a person to read. */
  readonly notes: readonly string[];
}

export interface ImportChoice {
  /** Which server, from 1. @default 1 */
  readonly server?: number;
  /** Which security scheme, by name. @default the first that a record can express */
  readonly scheme?: string;
  /** What the API is called, its variables too. @default the title of the document, or the host */
  readonly name?: string;
}

/** `api.shop.example.com` is called `Example`, by the label before the registry's suffix; a host of this network by the path or the port. */
export function nameUrl(url: string): string {
  const [, host = url, port = "", path = ""] =
    /^[a-z]+:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?([^?#]*)/i.exec(url) ?? [];
  const labels = host.split(".").filter((label) => !/^(?:api|www|rest|v\d+)$/i.test(label));
  const isLocal = /^(?:localhost|[\d.]+|\[.*\])$/i.test(host);
  const words = (path.match(/[a-z][a-z0-9]+/gi) ?? []).filter((word) => !/^(?:api|rest|v\d+)$/i.test(word));
  const local = words[0] ?? (port === "" ? "local" : `local ${port}`);
  const label =
    (labels.length > 1
      ? labels.at(/^(?:co|com|org|net|gov|ac)$/.test(labels.at(-2) ?? "") ? -3 : -2)
      : labels[0]) ?? host;
  const name = isLocal ? local : label.replace(/[{}]/g, "");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The environment variable of a second secret: `DATADOG_DD_APPLICATION_KEY`. */
export function nameVariable(source: string, name: string): string {
  const words = `${source} ${name}`.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
  return words.join("_").replace(/^(?=\d)/, "API_");
}
