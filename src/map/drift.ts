/** Where a description and what it describes have drifted apart: the record beside it, and an answer of the API. */

import { applyNativeNumbers, type JsonValue } from "../json/exact-number.js";
import type { ApiSource } from "../source/api-source.js";
import { clipText } from "../text.js";
import { findValueFlaws, type ValueFlaw } from "./check-value.js";
import type { Description } from "./description.js";
import { findJson } from "./operation.js";
import { asList, asObject, asString, type Plain } from "./parse-document.js";
import { listServers, toDocumentPaths } from "./place-paths.js";
import type { Route } from "./routes.js";

const maxFlaws = 3;

/** What of the record doesn't fit the description: its servers, its security, its test endpoint; and what was left out of it. */
export function findRecordDrift(description: Description, { api }: ApiSource): string[] {
  const { document, placement } = description;
  const servers = listServers(document);
  const { unfollowed } = document;
  const route = api.testEndpoint === undefined ? undefined : findTestRoute(description, api.testEndpoint);
  return [
    ...(placement.otherServers === undefined
      ? []
      : [
          `\`api.baseUrl\` is none of the servers that \`api.openapi\` names (${clipText(servers.join(", "), 200)}): its paths are taken to stand below \`api.baseUrl\`.`,
        ]),
    ...(api.testEndpoint !== undefined && route === undefined && !/[{}]/.test(api.testEndpoint)
      ? [
          `\`api.openapi\` has no GET ${clipText(api.testEndpoint.split(/[?#]/, 1)[0] ?? "", 100)}, which is \`api.testEndpoint\`.`,
        ]
      : []),
    ...findSecurityDrift(description, api, route),
    ...(unfollowed.length === 0
      ? []
      : [
          `\`api.openapi\` refers to what is not read (${clipText(unfollowed.join(", "), 200)}): that part of it is not known.`,
        ]),
  ];
}

function findTestRoute({ placement, routes }: Description, testEndpoint: string): Route | undefined {
  const path = testEndpoint.split(/[?#]/, 1)[0] ?? "";
  return toDocumentPaths(placement, path)
    .flatMap((each) => routes.match(each))
    .flatMap((match) => match.routes)
    .find(({ method }) => method === "GET");
}

function findSecurityDrift(
  description: Description,
  api: ApiSource["api"],
  route: Route | undefined,
): string[] {
  const { document } = description;
  const own = route === undefined ? undefined : description.readOperation(route).security;
  const required = (own ?? asList(document.head["security"])).map((each) => Object.keys(asObject(each)));
  if (required.length === 0 || required.some((names) => names.length === 0)) return [];
  const schemes = asObject(
    asObject(document.head["components"])["securitySchemes"] ?? document.head["securityDefinitions"],
  );
  const carriers = listCarriers(api);
  const wanted = required.map((names) =>
    names.map((name) =>
      nameCarrier(document.follow(Object.hasOwn(schemes, name) ? schemes[name] : undefined)),
    ),
  );
  const fits = wanted.some((each) => each.every((carrier) => carrier === undefined || carriers.has(carrier)));
  if (fits) return [];
  const asked = [...new Set(wanted.map((each) => each.join(" and ")))].join(", or ");
  const sent = api.authType === undefined ? "no credential" : `"${api.authType}"`;
  return [
    `By \`api.openapi\` the API takes its credential as ${clipText(asked, 200)}, and the record sends ${sent}: check \`api.authType\`.`,
  ];
}

/** How a record can send a credential, by the words of `nameCarrier`. */
function listCarriers({ authType, headerName, queryParam, headers, query }: ApiSource["api"]): Set<string> {
  const own = {
    bearer: ["bearer", "header authorization"],
    basic: ["basic", "header authorization"],
    header: [`header ${(headerName ?? "").toLowerCase()}`],
    query: [`query ${queryParam ?? ""}`],
  };
  return new Set([
    ...(authType === undefined ? [] : own[authType]),
    ...(authType === "header" && /^authorization$/i.test(headerName ?? "") ? ["bearer", "basic"] : []),
    ...Object.keys(headers).map((name) => `header ${name.toLowerCase()}`),
    ...Object.keys(query).map((name) => `query ${name}`),
  ]);
}

/** `undefined` for what a record can't say anything of: certificates, cookies, signatures. */
function nameCarrier(scheme: Plain): string | undefined {
  const { type, in: place } = scheme;
  const name = asString(scheme["name"]) ?? "";
  if (type === "apiKey" && place === "header") return `header ${name.toLowerCase()}`;
  if (type === "apiKey" && place === "query") return `query ${name}`;
  if (type === "basic") return "basic";
  if (type === "oauth2" || type === "openIdConnect") return "bearer";
  const word = asString(scheme["scheme"])?.toLowerCase();
  return type === "http" && (word === "bearer" || word === "basic") ? word : undefined;
}

/** Where an answer to the test endpoint doesn't fit the schema that the description has for it. */
export function findAnswerDrift(
  description: Description,
  {
    path,
    status,
    document: answered,
  }: { readonly path: string; readonly status: number; readonly document: JsonValue },
): string[] {
  const route = findTestRoute(description, path);
  if (route === undefined) return [];
  const { answers } = description.readOperation(route);
  const answer =
    answers.find((each) => each.status === String(status)) ??
    answers.find((each) => each.status.toUpperCase() === `${String(status).charAt(0)}XX`) ??
    answers.find((each) => each.status === "default");
  if (answer === undefined)
    return answers.length === 0
      ? []
      : [`\`api.openapi\` has no answer ${status} for GET ${clipText(path, 100)}.`];
  const json = findJson(answer.media);
  if (json === undefined) return [];
  const { document } = description;
  const flaws = findValueFlaws(json.schema, applyNativeNumbers(answered), { document, direction: "answer" });
  const words = [
    ...new Map(flaws.map((flaw) => [`${flaw.kind} ${flaw.place}`, describeFlaw(flaw)])).values(),
  ];
  if (words.length === 0) return [];
  return [
    `The answer doesn't fit what \`api.openapi\` says of GET ${clipText(path, 100)}: ${words.slice(0, maxFlaws).join("; ")}.`,
  ];
}

function describeFlaw({ kind, at, expected, given }: ValueFlaw): string {
  const where = at === "" ? "it" : `\`${clipText(at, 100)}\``;
  if (kind === "missing") return `${where} is missing`;
  if (kind === "unknown") return `${where} is not described`;
  return kind === "type"
    ? `${where} is of type ${given} instead of ${expected.join(" or ")}`
    : `${where} has a value that is not listed`;
}
