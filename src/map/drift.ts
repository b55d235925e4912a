/** Where a description and what it describes have drifted apart: the record beside it, and an answer of the API. */

import { applyNativeNumbers, type JsonValue } from "../json/exact-number.js";
import type { ApiSource } from "../source/api-source.js";
import { clipText } from "../text.js";
import { findValueFlaws, type ValueFlaw, writeRule } from "./check-value.js";
import type { Description } from "./description.js";
import { findJson } from "./operation.js";
import { asList, asObject, asString, type Plain } from "./parse-document.js";
import type { Route } from "./routes.js";

const maxFlaws = 3;

/** What of the record doesn't fit the description: its servers, its security, its test endpoint; and what was left out of it. */
export function findRecordDrift(description: Description, { api }: ApiSource): string[] {
  const { document, otherServers } = description;
  const found: string[] = [];
  const list = (words: readonly string[]): string => clipText(words.join(", "), 200);
  if (otherServers.length > 0)
    found.push(
      `\`api.baseUrl\` is none of the servers that \`api.openapi\` names (${list(otherServers.map(({ url }) => url))}): its paths are taken to stand below \`api.baseUrl\`.`,
    );
  const path = (api.testEndpoint ?? "").split(/[?#]/, 1)[0] ?? "";
  const route = path === "" ? undefined : findTestRoute(description, path);
  if (path !== "" && route === undefined && !/[{}]/.test(path))
    found.push(`\`api.openapi\` has no GET ${clipText(path, 100)}, which is \`api.testEndpoint\`.`);
  found.push(...findSecurityDrift(description, api, route));
  if (document.unfollowed.length > 0)
    found.push(
      `\`api.openapi\` refers to what is not read (${list(document.unfollowed)}): that part of it is not known.`,
    );
  return found;
}

function findTestRoute(description: Description, path: string): Route | undefined {
  const routes = description.match(path).flatMap((match) => match.routes);
  return routes.find(({ method }) => method === "GET");
}

function findSecurityDrift(
  { document, readOperation }: Description,
  api: ApiSource["api"],
  route: Route | undefined,
): string[] {
  const own = route === undefined ? undefined : readOperation(route).security;
  const required = (own ?? asList(document.head["security"])).map((each) => Object.keys(asObject(each)));
  if (required.length === 0 || required.some((names) => names.length === 0)) return [];
  const schemes = asObject(document.head["securitySchemes"]);
  const wanted = required.map((names) =>
    names.map((name) => nameCarrier(document.follow(Object.hasOwn(schemes, name) ? schemes[name] : {}))),
  );
  const carriers = listCarriers(api);
  if (wanted.some((each) => each.every((carrier) => carrier === undefined || carriers.includes(carrier))))
    return [];
  const asked = [...new Set(wanted.map((each) => each.join(" and ")))].join(", or ");
  const sent = api.authType === undefined ? "no credential" : `"${api.authType}"`;
  return [
    `By \`api.openapi\` the API takes its credential as ${clipText(asked, 200)}, and the record sends ${sent}: check \`api.authType\`.`,
  ];
}

/** How a record can send a credential, by the words of `nameCarrier`. */
function listCarriers({ authType, headerName = "", queryParam, headers, query }: ApiSource["api"]): string[] {
  const names = [...Object.keys(headers), ...(authType === "header" ? [headerName] : [])];
  const isAuthorization = /^(?:bearer|basic)$/.test(authType ?? "");
  const inHeaders = [...names, ...(isAuthorization ? ["authorization"] : [])].map((name) =>
    name.toLowerCase(),
  );
  return [
    ...(authType === undefined ? [] : [authType]),
    // A record may write the whole header by itself.
    ...(inHeaders.includes("authorization") && authType === "header" ? ["bearer", "basic"] : []),
    ...inHeaders.map((name) => `header ${name}`),
    ...Object.keys(query).map((name) => `query ${name}`),
    `query ${queryParam}`,
  ];
}

/** `undefined` for what a record can't say anything of: certificates, cookies, signatures. */
function nameCarrier({ type, in: place, name, scheme }: Plain): string | undefined {
  if (type === "apiKey" && place === "header") return `header ${String(name).toLowerCase()}`;
  if (type === "apiKey" && place === "query") return `query ${name}`;
  if (type === "oauth2" || type === "openIdConnect") return "bearer";
  const word = type === "http" ? asString(scheme)?.toLowerCase() : type;
  return word === "bearer" || word === "basic" ? word : undefined;
}

/** Where an answer to the test endpoint doesn't fit the schema that the description has for it. */
export function findAnswerDrift(
  description: Description,
  answer: { readonly path: string; readonly status: number; readonly document: JsonValue },
): string[] {
  const route = findTestRoute(description, answer.path);
  if (route === undefined) return [];
  const { answers } = description.readOperation(route);
  const status = String(answer.status);
  const shown = `GET ${clipText(answer.path, 100)}`;
  const described = [status, `${status.charAt(0)}XX`, "default"]
    .map((wanted) => answers.find((each) => each.status.toUpperCase() === wanted.toUpperCase()))
    .find((each) => each !== undefined);
  if (described === undefined)
    return answers.length === 0 ? [] : [`\`api.openapi\` has no answer ${status} for ${shown}.`];
  const schema = findJson(described.media)?.schema;
  const { document } = description;
  const flaws = findValueFlaws(
    { document, schema, direction: "answer" },
    applyNativeNumbers(answer.document),
  );
  const kinds = new Map(flaws.map((flaw) => [writeRule(flaw), describeFlaw(flaw)]));
  const words = [...kinds.values()].slice(0, maxFlaws).join("; ");
  return words === "" ? [] : [`The answer doesn't fit what \`api.openapi\` says of ${shown}: ${words}.`];
}

function describeFlaw({ kind, at, expected, given }: ValueFlaw): string {
  const where = at === "" ? "it" : `\`${clipText(at, 100)}\``;
  if (kind === "missing") return `${where} is missing`;
  if (kind === "unknown") return `${where} is not described`;
  return kind === "type"
    ? `${where} is of type ${given} instead of ${expected.join(" or ")}`
    : `${where} has a value that is not listed`;
}
