/** The types of an import: a choice goes in; a record, the secrets that were beside it, and notes on what a record can't contain come out. */

import { domainToUnicode } from "node:url";
import type { Credential } from "../../core/credentials/credential.js";
import type { ApiSourceRecord } from "../../core/record/api-source.js";
import { findSecretNames } from "../../core/record/field-syntax.js";
import { createToolName } from "../../core/record/record-schema.js";
import type { ApiFields, OAuth2Record } from "../../core/record/record-types.js";
import type { SentFormat } from "./body-format.js";

type Mutable<Members> = { -readonly [Name in keyof Members]: Members[Name] };

export type ImportedRecord = Mutable<Omit<ApiSourceRecord, "api">> & {
  api: Mutable<ApiFields>;
};

export interface Imported {
  /** `api.baseUrl` is `""` where the document has none: `missing` says what it has. */
  readonly record: ImportedRecord;
  readonly missing?: string | undefined;
  /** Whether the document names how the credential is sent, or that it needs none. */
  readonly knowsAuth: boolean;
  /** The credential in the document; it never goes into the record. */
  readonly credential?: Credential;
  /** Values of the record's `"${NAME}"`s in the document. */
  readonly secrets: Readonly<Record<string, string>>;
  /** An OpenAPI or Swagger document, as JSON text, to be kept beside the record. */
  readonly document?: string;
  /** The first request of those that were imported. */
  readonly firstCall?: FirstCall | undefined;
  /** Notes for a person: parts of the document that a record can't express, and what else there is to choose. */
  readonly notes: readonly string[];
}

/** A request to begin with. */
export interface FirstCall {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
}

/** A request that somebody sent, or would send. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** How its body is written; undefined without a body, and where that is not known. */
  readonly bodyFormat?: SentFormat | undefined;
  /** How it gets its token, where the document names that; its client stays a variable. */
  readonly oauth2?: SentOAuth2 | undefined;
  /** The purpose of the request in a few words. */
  readonly about?: string;
  /** Headers and parameters that carry a secret by the document, in lower case. */
  readonly secretNames?: readonly string[];
  /** Values that the document marks as secret. */
  readonly secretValues?: readonly string[];
  /** Notes on what a record can't contain. */
  readonly notes: readonly string[];
}

/** The settings of OAuth 2 that a collection has for a request. */
export interface SentOAuth2 {
  /** As a record has them, without the client. */
  readonly settings: Omit<OAuth2Record, "clientId" | "clientSecret">;
  /** Values that become variables of the source; `""` where the collection has none. */
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ImportChoice {
  /** One of its servers, or what takes their place: a variable of a Postman collection may name it and have no value. @default the first server */
  readonly baseUrl?: string;
  /** The file of the description: what it refers to is read beside it. Absent for a text. */
  readonly file?: string | undefined;
  /** The name of the API, and of its variables. @default the title of the document, or the host */
  readonly name?: string;
}

/** `api.shop.example.com` is called `Shop`, by the label before the registry's suffix; a host of this network `Local`. */
export function nameUrl(url: string): string {
  const [, given = url] = /^[a-z]+:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(url) ?? [];
  // A parser writes an international name as `xn--mller-kva`.
  const host = domainToUnicode(given) || given;
  if (/^(?:localhost|[\d.]+|\[.*\])$/i.test(host)) return "Local";
  const labels = host.split(".").filter((label) => !/^(?:api|www|rest|v\d+)$/i.test(label));
  const suffix = /^(?:co|com|org|net|gov|ac)$/.test(labels.at(-2) ?? "") ? 2 : 1;
  const name = (labels.at(-suffix - 1) ?? labels[0] ?? host).replace(/[{}]/g, "");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The endings of a variable that an import may name. No variable that a program reads for itself, such as NODE_OPTIONS or BASH_ENV, ends so. */
const variableEnding = /_(?:KEY|TOKEN|SECRET|PASSWORD|USERNAME|ID|VALUE)$/;

/** The beginning of every variable that an import names: the words of the source's name, as `DATADOG_`. */
function namePrefix(source: string): string {
  return `${(createToolName(source) || "api").toUpperCase()}_`;
}

/**
 * Names the environment variable of a value beside the credential: `DATADOG_DD_APPLICATION_KEY`.
 *
 * @param source - The name of the source. The document chooses it, and `name` too.
 * @param ending - What the name ends in where its own end does not say what the value is.
 */
export function nameVariable(
  source: string,
  name: string,
  ending: "SECRET" | "VALUE" = "SECRET",
): string {
  const prefix = namePrefix(source);
  const words = (name.toUpperCase().match(/[A-Z0-9]+/g) ?? []).join("_");
  const named = words.startsWith(prefix) ? words : `${prefix}${words}`;
  const isOfCredential = /^(?:TOKEN|API_KEY|USERNAME|PASSWORD)$/.test(named.slice(prefix.length));
  if (variableEnding.test(named) && !isOfCredential) return named;
  return `${named}_${ending}`.replace("__", "_");
}

/** Whether an import may name a variable of the environment: only one that is the source's by its name. */
function isOwnVariable(source: string, name: string): boolean {
  return name.startsWith(namePrefix(source)) && variableEnding.test(name);
}

/** Removes each constant that would send a variable of the environment which is not the source's: a document wrote `${HOME}` as text. */
export function dropForeignVariables(imported: Imported): Imported {
  const { record } = imported;
  const notes: string[] = [];
  const keepOwn = <Value>(
    field: string,
    constants: Readonly<Record<string, Value>> | undefined,
  ) => {
    if (constants === undefined) return undefined;
    const kept = Object.entries(constants).filter(([name, value]) => {
      const foreign = findSecretNames(String(value)).find(
        (each) => !isOwnVariable(record.name ?? "api", each),
      );
      if (foreign === undefined) return true;
      notes.push(
        `\`${field}.${name}\` is left out: it names ${foreign}, which is no variable of this source.`,
      );
      return false;
    });
    return Object.fromEntries(kept);
  };
  const { headers, query, variables } = record.api;
  const constants = {
    headers: keepOwn("headers", headers),
    query: keepOwn("query", query),
    variables: keepOwn("variables", variables),
  };
  const given = Object.entries(constants).filter(([, value]) => value !== undefined);
  const api = { ...record.api, ...Object.fromEntries(given) };
  return { ...imported, record: { ...record, api }, notes: [...imported.notes, ...notes] };
}

/** The value of `Authorization` for a username and a password. */
export function writeBasic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Notes what a person may choose in place of the first server. */
export function noteServers(urls: readonly string[], { baseUrl }: ImportChoice): string[] {
  if (urls.length < 2 || baseUrl !== undefined) return [];
  return [
    `Of ${urls.length} servers the first is used; another: --base-url. ${urls.slice(0, 20).join(", ")}`,
  ];
}

/** Each value with how often it occurs, the most frequent first. */
export function countEach(values: readonly string[]): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** How many endpoints a record shows. */
export const maxEndpoints = 6;

/** Smaller is better: what names the caller, then what is short. The specification wants a light GET that needs the credential. */
export function rankTestPath(path: string): number {
  const isSelf =
    /(?:^|[/.])@?(?:me|myself|whoami|self|viewer|current_?user|user|account|profile|auth\.test|verify)(?:$|[/?])/i.test(
      path,
    );
  return (isSelf ? 0 : 1_000) + path.split("/").length * 50 + path.length;
}
