/** How a document wants the credential: its security schemes in the words of a record, and which of them its operations ask for. */

import type { AuthType } from "../source/api-source.js";
import type { ApiDocument } from "./api-document.js";
import type { Operation } from "./operation.js";
import { asList, asObject, asString, type Plain } from "./parse-document.js";

/** How a record can send what a security scheme asks for. */
export interface Carrier {
  readonly authType: AuthType;
  /** Of the header or the parameter; the word before a token in `Authorization`. */
  readonly name: string;
}

/** Each scheme by its name, its `$ref` followed. */
export function listSchemes({ head, follow }: ApiDocument): ReadonlyMap<string, Plain> {
  const schemes = Object.entries(asObject(head["securitySchemes"]));
  return new Map(schemes.map(([name, scheme]) => [name, follow(scheme)]));
}

/** The names of the schemes that are asked for together, each way that an operation, or else the document, leaves open. */
export function listRequirements({ head }: ApiDocument, operation?: Operation): string[][] {
  const given = operation?.security ?? asList(head["security"]);
  return given.map((each) => Object.keys(asObject(each)));
}

/** `undefined` for what a record can't say: certificates, cookies, signatures. */
export function readCarrier({ type, in: place, name, scheme }: Plain): Carrier | undefined {
  const word = asString(scheme)?.toLowerCase() ?? "digest";
  const key = asString(name);
  if (type === "apiKey" && key !== undefined)
    return place === "header" || place === "query" ? { authType: place, name: key } : undefined;
  if (type === "basic" || (type === "http" && word === "basic")) return { authType: "basic", name: "Basic" };
  if (type === "oauth2" || type === "openIdConnect") return { authType: "bearer", name: "Bearer" };
  const signs = /^(?:digest|hoba|mutual|negotiate|oauth|scram-.*|vapid|hawk|privatetoken|dpop)$/;
  if (type !== "http" || signs.test(word)) return undefined;
  return { authType: "bearer", name: word === "bearer" ? "Bearer" : String(scheme).trim() };
}
