/** From a curl line to a record: its base URL, how its credential is sent, which other values are secrets, and its path as the test endpoint. */

import { hasSecretName } from "../../core/base/secret-name.js";
import { decodePercent } from "../../core/base/text.js";
import type { Credential } from "../../core/credentials/credential.js";
import type { AuthType } from "../../core/record/api-source.js";
import { type Imported, type ImportedRecord, nameUrl, nameVariable } from "./imported.js";
import { type CurlRequest, readCurl } from "./read-curl.js";

/**
 * @param name - What the API is called. Default: by its host.
 * @throws ApiSourceError `invalid_input` for a line without an http(s) URL.
 */
export function createFromCurl(text: string, name?: string): Imported {
  const request = readCurl(text);
  const { bodyFormat, method, url } = request;
  const { baseUrl, path, token } = findBase(url);
  const api: ImportedRecord["api"] = { baseUrl };
  const record: ImportedRecord = { type: "api", name: name ?? nameUrl(baseUrl), api };
  const auth = new AuthFinder(record);
  auth.read(request);
  if (token !== undefined) api.variables = { token: auth.keep("token", token) };
  if (bodyFormat !== undefined) api.bodyFormat = bodyFormat;
  const test = hideIds(path) + writePublicQuery(url);
  const notes = [...request.notes, ...auth.notes];
  if (method === "GET" && !/[{}]/.test(test)) api.testEndpoint = test;
  else notes.push("The request is not a GET that can serve as `testEndpoint`.");
  const knowsAuth = api.authType !== undefined || api.variables !== undefined;
  const { credential, secrets } = auth;
  return { record, knowsAuth, credential, secrets, servers: [baseUrl], schemes: [], notes };
}

/** The credential as a path segment: a number, a colon and a key, after a word, as in Telegram's `/bot123456:ABC-DEF1234ghIkl/getMe`. */
const tokenSegment = /^([a-z]{0,10})(\d+(?::|%3A)[\w-]{10,})$/i;

interface Base {
  /** The origin and the path up to a version: `https://api.example.com/v1`; a credential in the path is `{token}`. */
  readonly baseUrl: string;
  /** The path below it. */
  readonly path: string;
  readonly token?: string;
}

function findBase({ origin, pathname }: URL): Base {
  const all = pathname.split("/").filter(Boolean);
  const index = all.findIndex((segment) => tokenSegment.test(segment));
  const [, prefix = "", token] = tokenSegment.exec(all[index] ?? "") ?? [];
  const end = pathname.endsWith("/") && all.length > 0 ? "/" : "";
  // A placeholder of a documentation is one again: no call can be made with it.
  const write = (segments: readonly string[]): string =>
    `/${segments.join("/")}${end}`.replace(/%7B/gi, "{").replace(/%7D/gi, "}");
  if (token !== undefined)
    return {
      baseUrl: [origin, ...all.slice(0, index), `${prefix}{token}`].join("/"),
      path: write(all.slice(index + 1)),
      token: decodePercent(token),
    };
  let length = 0;
  for (const [at, segment] of all.slice(0, -1).slice(0, 5).entries()) {
    const isVersion = /^v\d[\w.]*$|^\d{4}-\d{2}(?:-\d{2})?$|^\d+\.\d+$/i.test(segment);
    const isRoot = /^(?:api|rest|jsonapi|\d)$/i.test(segment) && at === length;
    if (isVersion || isRoot) length = at + 1;
  }
  return { baseUrl: [origin, ...all.slice(0, length)].join("/"), path: write(all.slice(length)) };
}

/** A path without what may be a secret, or the id of something: `{id}` replaces letters of both cases and digits, and for hexadecimal. */
function hideIds(path: string): string {
  return path.replace(/[\w:-]{20,}/g, (word) => {
    const isMixed = /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
    return isMixed || /^(?=.*\d)[\da-f-]+$/i.test(word) ? "{id}" : word;
  });
}

function writePublicQuery({ searchParams }: URL): string {
  const kept = [...searchParams].filter(
    ([name, value]) => !hasSecretName(name, "query") && !hasSecretLooks(value) && !/[{}]/.test(value),
  );
  return kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
}

/** What a program sets by itself, a browser sends, or the package decides. */
const ownHeader =
  /^(?:host|connection|content-(?:type|length)|user-agent|accept(?:-(?:encoding|language|charset))?|origin|referer|pragma|cache-control|dnt|te|priority|upgrade-insecure-requests|if-.*|sec-.*|postman-token|x-requested-with|authorization|idempotency-key|x-request-id|x-b3-.*|traceparent|range|expect|transfer-encoding)$/i;

/** A session's id, a key: long, without a space, letters and digits mixed. Versions, dates and words are not. */
export function hasSecretLooks(value: string): boolean {
  const isAddress = value.includes("//") || /^(?:application|audio|image|multipart|text|video)\//.test(value);
  return /^[\w.~+/=:-]{20,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !isAddress;
}

/** A value in place of a secret in documentation: `$TOKEN`, `<token>`, `{{token}}`, `YOUR_API_KEY`, `xxxx`, `****`. */
function isPlaceholder(value: string): boolean {
  return /^\$|^<.*>$|^\{.*\}$|^\[.*\]$|^:|\byour[\b_ -]|^[x*.•…]+$|^$/i.test(value.trim());
}

/** Finds what authenticates; the first is the credential, every further one a `"${NAME}"`. */
class AuthFinder {
  readonly secrets: Record<string, string> = {};
  readonly notes: string[] = [];
  credential: Credential | undefined;
  readonly #record: ImportedRecord;

  constructor(record: ImportedRecord) {
    this.#record = record;
  }

  read({ headers, basic, url }: CurlRequest): void {
    if (basic !== undefined) this.#addBasic(basic);
    const [authorization] = headers.filter(([name]) => /^authorization$/i.test(name));
    if (authorization !== undefined) this.#readAuthorization(authorization[1]);
    for (const [name, value] of headers) {
      const isVendorType = /^accept$/i.test(name) && /^application\/vnd\./i.test(value);
      if (/^cookie$/i.test(name)) this.notes.push("It sends cookies, which a record doesn't carry.");
      else if (ownHeader.test(name) && !isVendorType) continue;
      else if (hasSecretName(name, "header")) this.#add("header", name, value);
      else this.#addConstant(name, value);
    }
    for (const [name, value] of url.searchParams)
      if (hasSecretName(name, "query")) this.#add("query", name, value);
    const [username = "", password = ""] = [url.username, url.password].map(decodePercent);
    if (username !== "") this.#addBasic({ username, password });
  }

  /** @returns the reference that the record has in place of a secret. */
  keep(name: string, value: string): string {
    const named = nameVariable(this.#record.name ?? "api", name);
    // Programs read variables such as NODE_OPTIONS, and a line chooses both names: this one ends as the name of a secret.
    const variable = /_(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(named) ? named : `${named}_SECRET`;
    if (!isPlaceholder(value)) this.secrets[variable] = value;
    return `\${${variable}}`;
  }

  #readAuthorization(value: string): void {
    const { api } = this.#record;
    const [, word = "", rest = value] = /^([A-Za-z][\w-]*)[ ]+(\S.*)$/.exec(value) ?? [];
    if (/^(?:digest|oauth|ntlm|negotiate|hawk|aws4.*|hmac.*)$/i.test(word) && /[=,]/.test(rest))
      this.notes.push(`Authorization: ${word} signs each request, which a record can't express.`);
    else if (/^basic$/i.test(word)) {
      const [username = "", ...password] = Buffer.from(rest, "base64").toString("utf8").split(":");
      const isKnown = !isPlaceholder(rest) && password.length > 0;
      this.#addBasic({ username: isKnown ? username : "", password: password.join(":") });
    } else if (api.authType === undefined) {
      this.#add("bearer", "authorization", rest);
      if (word !== "Bearer") api.authScheme = word;
    }
  }

  #addBasic(credential: { readonly username: string; readonly password: string }): void {
    this.#add("basic", "authorization", credential.username, credential);
  }

  #add(type: AuthType, name: string, value: string, credential: Credential = { token: value }): void {
    const { api } = this.#record;
    if (api.authType === undefined) {
      api.authType = type;
      if (type === "header") api.headerName = name;
      if (type === "query") api.queryParam = name;
      if (!isPlaceholder(value)) this.credential = credential;
    } else if (type === "header") api.headers = { ...api.headers, [name]: this.keep(name, value) };
    else if (type === "query") api.query = { ...api.query, [name]: this.keep(name, value) };
  }

  #addConstant(name: string, value: string): void {
    const { api } = this.#record;
    if (isPlaceholder(value) || /[{}$]/.test(value)) return;
    api.headers = { ...api.headers, [name]: hasSecretLooks(value) ? this.keep(name, value) : value };
  }
}
