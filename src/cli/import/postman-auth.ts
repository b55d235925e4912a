/** How a request of a Postman collection authenticates: its `auth`, as a header, a parameter, or settings of OAuth 2. */

import { asString, type Plain } from "../../features/openapi/api-document.js";
import { type SentOAuth2, type SentRequest, writeBasic } from "./imported.js";
import { readPostmanPairs } from "./postman-pairs.js";

/** The settings of one kind of `auth`. */
type Settings = (name: string, preset?: string) => string;

/**
 * @param auth - Of the request, or of a folder around it.
 * @param fill - Fills in the variables of the collection.
 */
export function applyPostmanAuth(
  sample: SentRequest,
  auth: Plain,
  fill: (text: string) => string,
): SentRequest {
  const type = asString(auth["type"]) ?? "noauth";
  const values = new Map(
    readPostmanPairs(auth[type]).map(([name, value]) => [name, fill(value)] as const),
  );
  const read: Settings = (name, preset = "") => values.get(name) || preset;
  if (type === "noauth") return sample;
  if (type === "bearer")
    return withHeader(sample, "Authorization", `Bearer ${read("token", "{{token}}")}`);
  if (type === "oauth2") return withOAuth2(sample, read);
  if (type === "basic") {
    const value = writeBasic(read("username", "{{username}}"), read("password"));
    return withHeader(sample, "Authorization", value);
  }
  if (type === "apikey") return withKey(sample, read);
  const note = `Its authentication (${type.slice(0, 40)}) can't be expressed by a record.`;
  return { ...sample, notes: [...sample.notes, note] };
}

function withHeader(sample: SentRequest, name: string, value: string): SentRequest {
  return {
    ...sample,
    headers: [...sample.headers, [name, value]],
    secretNames: [name.toLowerCase()],
  };
}

function withKey(sample: SentRequest, read: Settings): SentRequest {
  const name = read("key", "X-API-Key");
  if (read("in") !== "query") return withHeader(sample, name, read("value"));
  sample.url.searchParams.append(name, read("value"));
  return { ...sample, secretNames: [name.toLowerCase()] };
}

/** A token in the collection is sent as it is; beside settings that give a new one it has no use. */
function withOAuth2(sample: SentRequest, read: Settings): SentRequest {
  const oauth2 = readOAuth2(read);
  const isInQuery = read("addTokenTo") === "queryParams";
  const token = read("accessToken", "{{token}}");
  const sent = isInQuery
    ? withQueryToken(sample, token)
    : withHeader(sample, "Authorization", `${read("headerPrefix").trim() || "Bearer"} ${token}`);
  if (typeof oauth2 !== "string") return { ...sent, oauth2 };
  return { ...sent, notes: [...sent.notes, oauth2] };
}

function withQueryToken(sample: SentRequest, token: string): SentRequest {
  sample.url.searchParams.append("access_token", token);
  return { ...sample, secretNames: ["access_token"] };
}

/** @returns a note that names the settings which are left out, where a record can't have them or the collection does not have all. */
function readOAuth2(read: Settings): SentOAuth2 | string {
  const tokenUrl = read("accessTokenUrl");
  const type = read("grant_type", "authorization_code");
  const isByPerson = /^authorization_code(?:_with_pkce)?$/.test(type);
  if (!isByPerson && type !== "client_credentials")
    return `Its OAuth 2 settings (grant ${type.slice(0, 40)}) are left out: a record has no such grant, and takes a token that you have.`;
  const authorizationUrl = isByPerson ? read("authUrl") : undefined;
  const isWhole = [tokenUrl, authorizationUrl ?? tokenUrl].every((url) =>
    /^https?:\/\/[^\s{}]+$/.test(url),
  );
  if (!isWhole)
    return "Its OAuth 2 settings are left out: the collection has no whole addresses for them. --oauth2 sets a grant.";
  const inBody = read("client_authentication") === "body";
  const settings = {
    grant: isByPerson ? ("authorization_code" as const) : ("client_credentials" as const),
    tokenUrl,
    authorizationUrl,
    scopes: read("scope").split(/\s+/).filter(Boolean),
    clientAuthentication: inBody ? ("post" as const) : undefined,
  };
  return { settings, clientId: read("clientId"), clientSecret: read("clientSecret") };
}
