/** From requests (a curl line, a Postman collection) to a record: its base URL, how its credential is sent, which other values are secrets. */

import { invalidInput } from "../../core/base/errors.js";
import { hasSecretName } from "../../core/base/secret-name.js";
import { clipText, decodePercent } from "../../core/base/text.js";
import type { Credential } from "../../core/credentials/credential.js";
import { type AuthType, type EndpointExample, httpMethods } from "../../core/record/api-source.js";
import {
  countEach,
  type ImportChoice,
  type Imported,
  type ImportedRecord,
  maxEndpoints,
  nameUrl,
  nameVariable,
  noteServers,
  rankTestPath,
  type SentRequest,
  writeBasic,
} from "./imported.js";

/**
 * From requests that somebody sent or would send, those below the base URL that most of them have.
 *
 * @param title - What the collection is called.
 * @throws ApiSourceError `invalid_input` without a request.
 */
export function createFromRequests(
  requests: readonly SentRequest[],
  choice: ImportChoice,
  title?: string,
): Imported {
  const known = requests.filter(({ url }) => !url.host.includes("{{"));
  const placed = known.map((request) => ({ ...request, ...findBase(request.url) }));
  const servers = countEach(placed.map((each) => each.baseUrl)).map(([url]) => url);
  const baseUrl = servers.find((url) => url === choice.baseUrl) ?? servers[0] ?? "";
  if (placed.length === 0)
    throw invalidInput(
      "No request has an http(s) URL.",
      "A variable may be the base URL: give it with --base-url.",
    );
  const own = placed.filter((each) => each.baseUrl === baseUrl);
  const api: ImportedRecord["api"] = { baseUrl };
  const record: ImportedRecord = {
    type: "api",
    name: choice.name ?? title ?? nameUrl(baseUrl),
    api,
  };
  const auth = new AuthFinder(record);
  for (const request of own) auth.read(request);
  const [format, ...formats] = new Set(own.flatMap(({ bodyFormat }) => bodyFormat ?? []));
  // Where some take one format and some another, each call names its own.
  if (format !== undefined && formats.length === 0) api.bodyFormat = format;
  const tests = own
    .filter(({ method }) => method === "GET")
    .map((each) => each.path + writePublicQuery(each));
  const usable = tests.filter((path) => !/[{}]/.test(path));
  [api.testEndpoint] = usable.sort((one, other) => rankTestPath(one) - rankTestPath(other));
  const endpoints = own.flatMap(
    ({ method: name, path, about = path }): [string, EndpointExample][] => {
      const method = httpMethods.find((each) => each === name);
      return method === undefined
        ? []
        : [[`${method} ${path}`, { method, path, about: clipText(about, 100) }]];
    },
  );
  if (own.length > 1) api.endpoints = [...new Map(endpoints).values()].slice(0, maxEndpoints);
  const { credential, secrets } = auth;
  const all = [
    ...own.flatMap((request) => request.notes),
    ...auth.notes,
    ...noteServers(servers, choice),
  ];
  return {
    record,
    knowsAuth: api.authType !== undefined,
    credential,
    secrets,
    notes: [...new Set(all)],
  };
}

/** The origin and the path up to a version, as `https://api.example.com/v1`; and the path below it, without ids. */
function findBase({ origin, pathname }: URL): { readonly baseUrl: string; readonly path: string } {
  const all = pathname.split("/").slice(1);
  let length = 0;
  for (const [at, segment] of all.slice(0, -1).slice(0, 5).entries()) {
    const isVersion = /^v\d[\w.]*$|^\d{4}-\d{2}(?:-\d{2})?$|^\d+\.\d+$/i.test(segment);
    const isRoot = /^(?:api|rest|jsonapi|\d)$/i.test(segment) && at === length;
    if (isVersion || isRoot) length = at + 1;
  }
  // A placeholder of a documentation is one again: no call can be made with it.
  const path = `/${all.slice(length).join("/")}`.replace(/%7B/gi, "{").replace(/%7D/gi, "}");
  return { baseUrl: [origin, ...all.slice(0, length)].join("/"), path: hideIds(path) };
}

/** A path without what may be a secret, or the id of something: `{id}` replaces letters of both cases and digits, and for hexadecimal. */
function hideIds(path: string): string {
  return path.replace(/[\w:-]{20,}/g, (word) => {
    const isMixed = /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
    return isMixed || /^(?=.*\d)[\da-f-]+$/i.test(word) ? "{id}" : word;
  });
}

function writePublicQuery(request: SentRequest): string {
  const kept = [...request.url.searchParams].filter(
    (pair) =>
      !isSecret("query", pair, request) && !hasSecretLooks(pair[1]) && !/[{}]/.test(pair[1]),
  );
  return kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
}

/** Headers that a program sets by itself, a browser sends, or the package decides. */
const ownHeader =
  /^(?:host|connection|content-(?:type|length)|user-agent|accept(?:-(?:encoding|language|charset))?|origin|referer|pragma|cache-control|dnt|te|priority|upgrade-insecure-requests|if-.*|sec-.*|postman-token|x-requested-with|idempotency-key|x-request-id|x-b3-.*|traceparent|range|expect|transfer-encoding)$/i;

/** A session's id, a key: long, without a space, letters and digits mixed. Versions, dates and words are not. */
export function hasSecretLooks(value: string): boolean {
  const isAddress =
    value.includes("//") || /^(?:application|audio|image|multipart|text|video)\//.test(value);
  return (
    /^[\w.~+/=:-]{20,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !isAddress
  );
}

/** By the name, and by what a collection marks as secret. */
function isSecret(
  place: "header" | "query",
  [name, value]: readonly [name: string, value: string],
  { secretNames = [], secretValues = [] }: SentRequest,
): boolean {
  // A short one is in other values by chance.
  const isMarked = secretValues.some(
    (each) => value === each || (each.length > 3 && value.includes(each)),
  );
  return isMarked || hasSecretName(name, place) || secretNames.includes(name.toLowerCase());
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
  readonly #seen = new Set<string>();

  constructor(record: ImportedRecord) {
    this.#record = record;
  }

  read(request: SentRequest): void {
    const { headers, url } = request;
    for (const [name, value] of headers) {
      const isVendorType = /^accept$/i.test(name) && /^application\/vnd\./i.test(value);
      if (/^authorization$/i.test(name)) this.#readAuthorization(value);
      else if (/^cookie$/i.test(name))
        this.notes.push("It sends cookies, which a record doesn't carry.");
      else if (ownHeader.test(name) && !isVendorType) continue;
      else if (isSecret("header", [name, value], request)) this.#add("header", name, value);
      else this.#addConstant(name, value);
    }
    for (const [name, value] of url.searchParams)
      if (isSecret("query", [name, value], request)) this.#add("query", name, value);
    const [username = "", password = ""] = [url.username, url.password].map(decodePercent);
    if (username !== "") this.#readAuthorization(writeBasic(username, password));
  }

  /** @returns the reference that the record has in place of a secret. */
  #keep(name: string, value: string): string {
    const variable = nameVariable(this.#record.name ?? "api", name);
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
      const credential = { username, password: password.join(":") };
      this.#add("basic", "authorization", isKnown ? username : "", credential);
    } else if (api.authType === undefined) {
      this.#add("bearer", "authorization", rest);
      if (word !== "Bearer") api.authScheme = word;
    }
  }

  #add(
    type: AuthType,
    name: string,
    value: string,
    credential: Credential = { token: value },
  ): void {
    const { api } = this.#record;
    const key = `${type === "query" ? "?" : ""}${name.toLowerCase()}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (api.authType === undefined) {
      api.authType = type;
      if (type === "header") api.headerName = name;
      if (type === "query") api.queryParam = name;
      if (!isPlaceholder(value)) this.credential = credential;
    } else if (type === "header") api.headers = { ...api.headers, [name]: this.#keep(name, value) };
    else if (type === "query") api.query = { ...api.query, [name]: this.#keep(name, value) };
  }

  #addConstant(name: string, value: string): void {
    const { api } = this.#record;
    if (isPlaceholder(value) || /[{}$]/.test(value)) return;
    api.headers = {
      ...api.headers,
      [name]: hasSecretLooks(value) ? this.#keep(name, value) : value,
    };
  }
}
