/** From requests that somebody sent (curl, HAR, Postman) to a record: what is the same in them, and what is a secret. */

import type { Credential } from "../credentials/credential.js";
import type { AuthType, EndpointExample, HttpMethod } from "../source/api-source.js";
import { httpMethods } from "../source/api-source.js";
import { clipText } from "../text.js";
import { type Base, findBase, hasSecretLooks, hideIds, rankServers } from "./find-base.js";
import {
  type ImportChoice,
  type Imported,
  type ImportedRecord,
  importError,
  isPlaceholder,
  nameHost,
  nameVariable,
} from "./imported.js";

export interface SampleRequest {
  readonly method: string;
  /** Absolute, with its query. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly basic?: { readonly username: string; readonly password: string };
  readonly body?: string;
  readonly isForm?: boolean;
  /** What it is good for. */
  readonly about?: string;
  /** Headers and parameters that are said to carry a secret, in lower case. */
  readonly secretNames?: readonly string[];
  readonly notes?: readonly string[];
}

/** Names of headers and parameters that carry a secret. */
const secretHeader =
  /^(?:x-)?(?:[\w-]*-)?(?:api-?key|apikey|key|token|secret|auth|auth-?key|access-?key|app(?:lication)?-?(?:key|id)|password|pat)$|subscription-key/i;
const secretParameter =
  /^(?:api_?-?key|key|apikey|appid|app_?id|app_key|token|[a-z]*_?access_?token|api_?token|auth(?:_?token|key)?|secret|client_secret|client_id|subscription-key|password|private_token|access_?key|api-key|code|crumb|apiToken|user_?key|license_?key)$/i;
/** What a program sets by itself, a browser sends, or the package decides. */
const ownHeader =
  /^(?:host|connection|content-(?:type|length)|user-agent|accept(?:-(?:encoding|language|charset))?|origin|referer|cookie|pragma|cache-control|dnt|te|priority|upgrade-insecure-requests|if-.*|sec-.*|:.*|postman-token|x-requested-with|authorization|idempotency-key|x-request-id|range|expect|transfer-encoding)$/i;

const maxRequests = 5_000;

/** @throws ApiSourceError `invalid_input` when no request has a URL that can be read. */
export function createFromRequests(
  given: readonly SampleRequest[],
  choice: ImportChoice,
  name?: string,
): Imported {
  const parsed = given.slice(0, maxRequests).flatMap((request) => {
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    const isKnown = url !== undefined && /^https?:$/.test(url.protocol) && !url.host.includes("{{");
    return isKnown ? [{ request, url, base: findBase(url) }] : [];
  });
  const servers = rankServers(parsed.map(({ base }) => base.url));
  const base = servers[(choice.server ?? 1) - 1];
  if (base === undefined) {
    const hint =
      servers.length === 0
        ? "A variable may stand for the base URL: give it with --base-url."
        : `There are ${servers.length}: ${servers.slice(0, 20).join(", ")}.`;
    throw importError(
      servers.length === 0 ? "No request has an http(s) URL." : `There is no server ${choice.server}.`,
      hint,
    );
  }
  const own = parsed.filter((each) => each.base.url === base);
  const record: ImportedRecord = {
    type: "api",
    name: name ?? nameHost(new URL(base).hostname),
    api: { baseUrl: base },
  };
  const state = new AuthFinder(record);
  for (const { request, url } of own) state.read(request, url);
  for (const { base: found } of own) state.readPath(found.token);
  addEndpoints(record, own, state);
  if (own.some(({ request }) => request.isForm === true)) record.api.bodyFormat = "form";
  const notes = [...own.flatMap(({ request }) => request.notes ?? []), ...state.notes];
  if (record.api.testEndpoint === undefined)
    notes.push("No request is a GET that can serve as `testEndpoint`.");
  return {
    record,
    knowsAuth: record.api.authType !== undefined || record.api.variables !== undefined,
    ...(state.credential === undefined ? {} : { credential: state.credential }),
    secrets: state.secrets,
    servers,
    schemes: [],
    notes: [...new Set(notes)],
  };
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

  read({ headers, basic, secretNames = [] }: SampleRequest, url: URL): void {
    const parameters = [...url.searchParams];
    if (basic !== undefined) this.#add("basic", "authorization", "", basic);
    for (const [name, value] of headers) {
      if (/^authorization$/i.test(name)) this.#readAuthorization(value);
    }
    for (const [name, value] of headers) {
      if (/^authorization$/i.test(name) || ownHeader.test(name)) {
        if (/^cookie$/i.test(name)) this.notes.push("It sends cookies, which a record doesn't carry.");
      } else if (secretHeader.test(name) || secretNames.includes(name.toLowerCase()))
        this.#add("header", name, value);
      else if (!/^(?:x-b3-|traceparent)/i.test(name)) this.#addConstant(name, value);
    }
    const accept = headers.find(([name]) => /^accept$/i.test(name))?.[1] ?? "";
    if (/^application\/vnd\./i.test(accept)) this.#addConstant("Accept", accept);
    for (const [name, value] of parameters) {
      if (this.isSecretParameter(name, secretNames)) this.#add("query", name, value);
    }
    if (url.username !== "") {
      const pair = { username: decodePart(url.username), password: decodePart(url.password) };
      this.#add("basic", "authorization", "", pair);
    }
  }

  /** The first token of a path: a record has one for all its calls. */
  readPath(token: string | undefined): void {
    if (token === undefined || this.#record.api.variables !== undefined) return;
    const variable = nameVariable(this.#record.name ?? "api", "token");
    this.#record.api.variables = { token: `\${${variable}}` };
    this.secrets[variable] = token;
  }

  isSecretParameter(name: string, secretNames: readonly string[] = []): boolean {
    return secretParameter.test(name) || secretNames.includes(name.toLowerCase());
  }

  #readAuthorization(value: string): void {
    const [, word = "", rest = ""] = /^([A-Za-z][\w-]*)[ ]+(\S.*)$/.exec(value) ?? [];
    if (/^(?:digest|oauth|ntlm|negotiate|hawk|aws4.*|hmac.*)$/i.test(word) && /[=,]/.test(rest)) {
      this.notes.push(`Authorization: ${word} signs each request, which a record can't express.`);
    } else if (/^basic$/i.test(word)) {
      const pair = Buffer.from(rest, "base64").toString("utf8");
      const colon = pair.indexOf(":");
      const known = !isPlaceholder(rest) && colon !== -1;
      this.#add(
        "basic",
        "authorization",
        "",
        known ? { username: pair.slice(0, colon), password: pair.slice(colon + 1) } : undefined,
      );
    } else if (word === "") {
      this.#add("bearer", "authorization", value);
      this.#record.api.authScheme ??= "";
    } else {
      this.#add("bearer", "authorization", rest);
      if (word !== "Bearer" && this.#record.api.authType === "bearer") this.#record.api.authScheme ??= word;
    }
  }

  #add(type: AuthType, name: string, value: string, basic?: Credential): void {
    const { api } = this.#record;
    const key = `${type === "query" ? "?" : ""}${name.toLowerCase()}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (api.authType === undefined) {
      api.authType = type;
      if (type === "header") api.headerName = name;
      if (type === "query") api.queryParam = name;
      if (basic !== undefined && "username" in basic && !isPlaceholder(basic.username))
        this.credential = basic;
      else if (type !== "basic" && !isPlaceholder(value)) this.credential = { token: value };
      return;
    }
    if (type === "bearer" || type === "basic") return;
    const variable = nameVariable(this.#record.name ?? "api", name);
    if (type === "header") api.headers = { ...api.headers, [name]: `\${${variable}}` };
    else api.query = { ...api.query, [name]: `\${${variable}}` };
    if (!isPlaceholder(value)) this.secrets[variable] = value;
  }

  #addConstant(name: string, value: string): void {
    const { api } = this.#record;
    const isKnown = Object.keys(api.headers ?? {}).some((each) => each.toLowerCase() === name.toLowerCase());
    if (isKnown || isPlaceholder(value) || /[{}$]/.test(value)) return;
    const variable = nameVariable(this.#record.name ?? "api", name);
    const isSecret = hasSecretLooks(value);
    if (isSecret) this.secrets[variable] = value;
    api.headers = { ...api.headers, [name]: isSecret ? `\${${variable}}` : value };
  }
}

/** A few endpoints, and the lightest GET as the test endpoint. */
function addEndpoints(
  record: ImportedRecord,
  requests: readonly { readonly request: SampleRequest; readonly url: URL; readonly base: Base }[],
  auth: AuthFinder,
): void {
  const found = new Map<string, EndpointExample>();
  const tests: string[] = [];
  for (const { request, url, base } of requests) {
    const method = httpMethods.find((each: HttpMethod) => each === request.method);
    const segments = url.pathname.split("/").filter(Boolean).slice(base.length);
    const end = url.pathname.endsWith("/") && segments.length > 0 ? "/" : "";
    const path = hideIds(`/${decodeBraces(segments.join("/"))}${end}`);
    if (method === undefined) continue;
    const kept = [...url.searchParams].filter(
      ([name, value]) => !auth.isSecretParameter(name, request.secretNames) && !hasSecretLooks(value),
    );
    const query = kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
    const about = clipText(request.about ?? path, 100);
    if (!found.has(`${method} ${path}`)) found.set(`${method} ${path}`, { method, path, about });
    if (method === "GET" && !/[{}]/.test(path + query)) tests.push(path + query);
  }
  const [test] = tests.sort((one, other) => rankTestPath(one) - rankTestPath(other));
  if (test !== undefined) record.api.testEndpoint = test;
  if (requests.length > 1 && found.size > 0) record.api.endpoints = [...found.values()].slice(0, 6);
}

/** A `%` that begins no byte stands for itself. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodeBraces(path: string): string {
  return path.replace(/%7B/gi, "{").replace(/%7D/gi, "}");
}

/** Smaller is better: what tells who is asking, then what is short. The specification wants a light GET that needs the credential. */
export function rankTestPath(path: string): number {
  const isSelf =
    /(?:^|[/.])@?(?:me|myself|whoami|self|viewer|current_?user|user|account|profile|auth\.test|verify)(?:$|[/?])/i.test(
      path,
    );
  return (isSelf ? 0 : 1_000) + path.split("/").length * 50 + path.length;
}
