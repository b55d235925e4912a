/** Finds what authenticates the requests of an import, and which other values are secrets. */

import { findHeaderKind } from "../../core/base/header-kinds.js";
import { hasSecretName } from "../../core/base/secret-name.js";
import { decodePercent } from "../../core/base/text.js";
import type { Credential } from "../../core/credentials/credential.js";
import type { AuthType } from "../../core/record/api-source.js";
import {
  type ImportedRecord,
  nameVariable,
  type SentOAuth2,
  type SentRequest,
  writeBasic,
} from "./imported.js";

/** Headers that a program sets by itself, a browser sends, or the package decides. */
const ownHeader =
  /^(?:host|connection|content-(?:type|length)|user-agent|accept(?:-(?:encoding|language|charset))?|origin|referer|pragma|cache-control|dnt|te|priority|upgrade-insecure-requests|if-.*|sec-.*|postman-token|x-requested-with|idempotency-key|x-request-id|x-b3-.*|traceparent|range|expect|transfer-encoding)$/i;

const cookieName = /^cookie$/i;
const accountName = /(?:e-?mail|user|name|id)$/i;

/** A session's id, a key: long, without a space, letters and digits mixed. Versions, dates and words are not. */
export function hasSecretLooks(value: string): boolean {
  const isAddress =
    value.includes("//") || /^(?:application|audio|image|multipart|text|video)\//.test(value);
  return (
    /^[\w.~+/=:-]{20,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !isAddress
  );
}

/** By the name, and by what a collection marks as secret. A header that the policy takes for a credential is one. */
export function isSecret(
  place: "header" | "query",
  [name, value]: readonly [name: string, value: string],
  { secretNames = [], secretValues = [] }: SentRequest,
): boolean {
  // A short one is in other values by chance.
  const isMarked = secretValues.some(
    (each) => value === each || (each.length > 3 && value.includes(each)),
  );
  const isNamed =
    hasSecretName(name, place) || (place === "header" && findHeaderKind(name) === "credential");
  // A code is a key only at some: at most APIs it is a number, a country, a status.
  if (isNamed && /^code$/i.test(name) && !hasSecretLooks(value) && !isMarked)
    return secretNames.includes(name.toLowerCase());
  return isMarked || isNamed || secretNames.includes(name.toLowerCase());
}

/** A value in place of a secret in documentation: `$TOKEN`, `<token>`, `{{token}}`, `YOUR_API_KEY`, `xxxx`, `****`. */
function isPlaceholder(value: string): boolean {
  return /^\$|^<.*>$|^\{.*\}$|^\[.*\]$|^:|\byour[\b_ -]|^[x*.•…]+$|^$/i.test(value.trim());
}

/** Finds what authenticates: `Authorization` is the credential, else the first key; every further key is a `"${NAME}"`. */
export class AuthFinder {
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
    const cookies = headers.filter(([name]) => cookieName.test(name)).map(([, value]) => value);
    this.#addCookies(cookies.join("; "));
    // The first is the credential: a key goes before the account that it belongs to (Cloudflare's X-Auth-Email).
    const keys = headers.filter(([name]) => !accountName.test(name));
    for (const [name, value] of new Set([...keys, ...headers])) {
      const isVendorType = /^accept$/i.test(name) && /^application\/vnd\./i.test(value);
      if (/^authorization$/i.test(name)) this.#readAuthorization(value);
      else if (cookieName.test(name)) continue;
      else if (ownHeader.test(name) && !isVendorType) continue;
      else if (isSecret("header", [name, value], request)) this.#add("header", name, value);
      else this.#addConstant(name, value);
    }
    for (const [name, value] of url.searchParams)
      if (isSecret("query", [name, value], request)) this.#add("query", name, value);
    const [username = "", password = ""] = [url.username, url.password].map(decodePercent);
    if (username !== "") this.#readAuthorization(writeBasic(username, password));
    if (request.oauth2 !== undefined) this.#readOAuth2(request.oauth2);
  }

  /** Cookies are a header with a variable. */
  #addCookies(value: string): void {
    const { api } = this.#record;
    if (this.#seen.has("cookie") || value === "") return;
    this.#seen.add("cookie");
    api.headers = { ...api.headers, Cookie: this.#keep("cookie", value) };
    this.notes.push(
      "It sends cookies: the record sends them as a header, from a variable. They end with their session; `login` of a record gets new ones.",
    );
  }

  /** A grant takes the place of a token, which has often expired in a collection. */
  #readOAuth2({ settings, clientId, clientSecret }: SentOAuth2): void {
    const { api } = this.#record;
    if (api.oauth2 !== undefined) return;
    if (api.authType === "basic") {
      this.notes.push(
        "Its OAuth 2 settings are left out: the record has a username and a password.",
      );
      return;
    }
    const client = { clientId: this.#keep("client_id", clientId) };
    const secret =
      settings.clientAuthentication === "none"
        ? {}
        : { clientSecret: this.#keep("client_secret", clientSecret) };
    api.oauth2 = { ...settings, ...client, ...secret };
    api.authType ??= "bearer";
    // A token that a later request sends is none beside the grant.
    this.#seen.add("authorization");
    this.credential = undefined;
    this.notes.push(`Tokens come by OAuth 2, ${settings.grant}, from ${settings.tokenUrl}.`);
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
      const credential = { username, password: password.join(":") };
      // An empty one, or an X, is a password: many APIs take a key as the username.
      const isGap = credential.password.length > 1 && isPlaceholder(credential.password);
      const isKnown = !isPlaceholder(rest) && !isGap && password.length > 0;
      this.#add("basic", "authorization", isKnown ? username : "", credential);
    } else if (this.#add("bearer", "authorization", rest) && word !== "Bearer")
      api.authScheme = word;
  }

  /** @returns whether it is the credential now. */
  #add(
    type: AuthType,
    name: string,
    value: string,
    credential: Credential = { token: value },
  ): boolean {
    const { api } = this.#record;
    const key = `${type === "query" ? "?" : ""}${name.toLowerCase()}`;
    const isAuthorization = type === "bearer" || type === "basic";
    if (this.#seen.has(key)) {
      if (isAuthorization) this.#noteOther(type, value, credential);
      return false;
    }
    this.#seen.add(key);
    if (isAuthorization) this.#moveKey();
    if (api.authType === undefined) {
      api.authType = type;
      if (type === "header") api.headerName = name;
      if (type === "query") api.queryParam = name;
      if (!isPlaceholder(value)) this.credential = credential;
      return true;
    }
    if (type === "header") api.headers = { ...api.headers, [name]: this.#keep(name, value) };
    else api.query = { ...api.query, [name]: this.#keep(name, value) };
    return false;
  }

  /** A key that was found before `Authorization` becomes one of the further ones. */
  #moveKey(): void {
    const { api } = this.#record;
    const { headerName, queryParam } = api;
    const token =
      this.credential !== undefined && "token" in this.credential ? this.credential.token : "";
    if (headerName !== undefined)
      api.headers = { ...api.headers, [headerName]: this.#keep(headerName, token) };
    if (queryParam !== undefined)
      api.query = { ...api.query, [queryParam]: this.#keep(queryParam, token) };
    delete api.headerName;
    delete api.queryParam;
    delete api.authType;
    this.credential = undefined;
  }

  /** A record has one credential for `Authorization`. */
  #noteOther(type: AuthType, value: string, credential: Credential): void {
    const isSame = type === this.#record.api.authType;
    const known = JSON.stringify(this.credential ?? credential);
    if (isSame && (isPlaceholder(value) || JSON.stringify(credential) === known)) return;
    this.notes.push(
      "Some requests send another credential in `Authorization`: the record has the first one.",
    );
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
