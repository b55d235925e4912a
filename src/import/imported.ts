/** What an import gives: a record, the secrets that stood beside it, the choices there were, and what could not be said. */

import type { Credential } from "../credentials/credential.js";
import { ApiSourceError } from "../errors.js";
import type { ApiSettingsRecord, ApiSourceRecord } from "../source/api-source.js";

type Mutable<Members> = { -readonly [Name in keyof Members]: Members[Name] };

export type ImportedRecord = Mutable<Omit<ApiSourceRecord, "api">> & { api: Mutable<ApiSettingsRecord> };

export interface Imported {
  /** `api.baseUrl` is `""` where the document has none. */
  readonly record: ImportedRecord;
  /** Whether the document says how the credential is sent, or that there is none. */
  readonly knowsAuth: boolean;
  /** The credential that stood in the document; it never goes into the record. */
  readonly credential?: Credential;
  /** Values of the record's `"${NAME}"`s that stood in the document. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The servers to choose from, and the ways to authenticate, by name. */
  readonly servers: readonly string[];
  readonly schemes: readonly string[];
  /** What the document says and a record can't, for a person to read. */
  readonly notes: readonly string[];
}

export interface ImportChoice {
  /** Which server, from 1. @default 1 */
  readonly server?: number;
  /** Which security scheme, by name. @default the first that a record can express */
  readonly scheme?: string;
  /** What stands for a variable of a Postman collection that names the base URL and has no value. */
  readonly baseUrl?: string;
}

/** The most bytes a YAML document may have: it is read a hundred times more slowly than JSON. */
export const maxYamlCharacters = 10_000_000;

export function importError(message: string, hint: string): ApiSourceError {
  return new ApiSourceError({ message, hint, category: "invalid_input" });
}

export type Plain = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one for everything else, so that a malformed document reads as one that says nothing. */
export function asObject(value: unknown): Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Plain) : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** A value that stands for a secret in documentation: `$TOKEN`, `<token>`, `{{token}}`, `YOUR_API_KEY`, `xxxx`, `****`. */
export function isPlaceholder(value: string): boolean {
  return /^\$|^<.*>$|^\{.*\}$|^\[.*\]$|^:|\byour[\b_ -]|^[x*.•…]+$|^$/i.test(value.trim());
}

/** `api.shop.example.com` is called `Example`: the label before the registry's suffix. */
export function nameHost(host: string): string {
  const labels = host.split(".").filter((label) => !/^(?:api|www|rest|v\d+)$/i.test(label));
  const label =
    (labels.length > 1
      ? labels.at(/^(?:co|com|org|net|gov|ac)$/.test(labels.at(-2) ?? "") ? -3 : -2)
      : labels[0]) ?? host;
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The environment variable of a second secret: `DATADOG_DD_APPLICATION_KEY`. */
export function nameVariable(source: string, name: string): string {
  const words = `${source} ${name}`.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
  return words.join("_").replace(/^(?=\d)/, "API_");
}
