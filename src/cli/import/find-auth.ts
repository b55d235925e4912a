/** From the headers and parameters of requests to how a record sends its credential, and which other values are secrets. */

import { hasSecretName } from "../../core/base/secret-name.js";
import { decodePercent } from "../../core/base/text.js";
import type { Credential } from "../../core/credentials/credential.js";
import type { AuthType } from "../../core/record/api-source.js";
import { type ImportedRecord, isPlaceholder, nameVariable, type SampleRequest } from "./imported.js";

/** What a program sets by itself, a browser sends, or the package decides. */
const ownHeader =
  /^(?:host|connection|content-(?:type|length)|user-agent|accept(?:-(?:encoding|language|charset))?|origin|referer|cookie|pragma|cache-control|dnt|te|priority|upgrade-insecure-requests|if-.*|sec-.*|postman-token|x-requested-with|authorization|idempotency-key|x-request-id|x-b3-.*|traceparent|range|expect|transfer-encoding)$/i;

/** A session's id, a key: long, without a space, letters and digits mixed. Versions, dates and words are not. */
export function hasSecretLooks(value: string): boolean {
  const isAddress = value.includes("//") || /^(?:application|audio|image|multipart|text|video)\//.test(value);
  return /^[\w.~+/=:-]{20,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !isAddress;
}

/** By what the document marks as secret, and by the name. */
export function isSecret(
  place: "header" | "query",
  [name, value]: readonly [name: string, value: string],
  { secretNames = [], secretValues = [] }: SampleRequest,
): boolean {
  // A short one is in other values by chance.
  const isMarked = secretValues.some((each) => value === each || (each.length > 3 && value.includes(each)));
  return isMarked || hasSecretName(name, place) || secretNames.includes(name.toLowerCase());
}

/** Finds what authenticates; the first is the credential, every further one a `"${NAME}"`. */
export class AuthFinder {
  readonly secrets: Record<string, string> = {};
  readonly notes: string[] = [];
  credential: Credential | undefined;
  readonly #record: ImportedRecord;
  readonly #seen = new Set<string>();

  constructor(record: ImportedRecord) {
    this.#record = record;
  }

  read(request: SampleRequest, url: URL): void {
    const { headers, basic } = request;
    if (basic !== undefined) this.#addBasic(basic);
    const [authorization] = headers.filter(([name]) => /^authorization$/i.test(name));
    if (authorization !== undefined) this.#readAuthorization(authorization[1]);
    for (const [name, value] of headers) {
      const isVendorType = /^accept$/i.test(name) && /^application\/vnd\./i.test(value);
      if (/^cookie$/i.test(name)) this.notes.push("It sends cookies, which a record doesn't carry.");
      else if (ownHeader.test(name) && !isVendorType) continue;
      else if (isSecret("header", [name, value], request)) this.#add("header", name, value);
      else this.#addConstant(name, value);
    }
    for (const [name, value] of url.searchParams)
      if (isSecret("query", [name, value], request)) this.#add("query", name, value);
    const [username = "", password = ""] = [url.username, url.password].map(decodePercent);
    if (username !== "") this.#addBasic({ username, password });
  }

  /** The first token of a path: a record has one for all its calls. */
  readPath(token: string | undefined): void {
    if (token === undefined || this.#record.api.variables !== undefined) return;
    this.#record.api.variables = { token: this.#keep("token", token) };
  }

  /** @returns the reference that the record has in place of a secret. */
  #keep(name: string, value: string): string {
    const named = nameVariable(this.#record.name ?? "api", name);
    // Programs read variables such as NODE_OPTIONS, and a document chooses both names: this one ends as the name of a secret.
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
    } else {
      this.#add("bearer", "authorization", rest);
      if (word !== "Bearer" && api.authType === "bearer") api.authScheme ??= word;
    }
  }

  #addBasic(credential: { readonly username: string; readonly password: string }): void {
    this.#add("basic", "authorization", credential.username, credential);
  }

  #add(type: AuthType, name: string, value: string, credential: Credential = { token: value }): void {
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
    const isKnown = Object.keys(api.headers ?? {}).some((each) => each.toLowerCase() === name.toLowerCase());
    if (isKnown || isPlaceholder(value) || /[{}$]/.test(value)) return;
    api.headers = { ...api.headers, [name]: hasSecretLooks(value) ? this.#keep(name, value) : value };
  }
}
