/** Where a description and what it describes have drifted apart: the record beside it, and an answer of the API. */

import { applyNativeNumbers, type JsonValue } from "../json/exact-number.js";
import type { ApiSource } from "../source/api-source.js";
import { clipText } from "../text.js";
import type { Route } from "./api-document.js";
import { findValueProblems, type ValueProblem, writeRule } from "./check-value.js";
import type { Description } from "./description.js";
import { findJson } from "./operation.js";
import { type Carrier, listRequirements, listSchemes, readCarrier } from "./security.js";

const maxProblems = 3;

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
  { authType, headerName = "", queryParam = "", headers, query }: ApiSource["api"],
  route: Route | undefined,
): string[] {
  const schemes = listSchemes(document);
  const wanted = listRequirements(document, route && readOperation(route)).map((names) =>
    names.flatMap((name) => readCarrier(schemes.get(name) ?? {}) ?? []),
  );
  const inHeaders = [...Object.keys(headers), ...(authType === "header" ? [headerName] : [])].map((name) =>
    name.toLowerCase(),
  );
  const isSent = ({ authType: way, name }: Carrier): boolean => {
    if (way === "query") return name === queryParam || Object.hasOwn(query, name);
    const isAuthorization = authType === "bearer" || authType === "basic";
    if (way === "header")
      return inHeaders.includes(name.toLowerCase()) || (isAuthorization && /^authorization$/i.test(name));
    // A record may write the whole header by itself.
    return way === authType || (authType === "header" && inHeaders.includes("authorization"));
  };
  if (wanted.length === 0 || wanted.some((carriers) => carriers.every(isSent))) return [];
  const names = wanted.map((carriers) =>
    carriers
      .map(({ authType: way, name }) => (way === "header" || way === "query" ? `${way} ${name}` : way))
      .join(" and "),
  );
  const sent = authType === undefined ? "no credential" : `"${authType}"`;
  return [
    `By \`api.openapi\` the API takes its credential as ${clipText([...new Set(names)].join(", or "), 200)}, and the record sends ${sent}: check \`api.authType\`.`,
  ];
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
  const [described] = [status, `${status.charAt(0)}XX`, "default"].flatMap((wanted) =>
    answers.filter((each) => each.status.toUpperCase() === wanted.toUpperCase()),
  );
  if (described === undefined)
    return answers.length === 0 ? [] : [`\`api.openapi\` has no answer ${status} for ${shown}.`];
  const schema = findJson(described.media)?.schema;
  const check = { document: description.document, schema, direction: "answer" } as const;
  const problems = findValueProblems(check, applyNativeNumbers(answer.document));
  const kinds = new Map(problems.map((problem) => [writeRule(problem), describeProblem(problem)]));
  const words = [...kinds.values()].slice(0, maxProblems).join("; ");
  return words === "" ? [] : [`The answer doesn't fit what \`api.openapi\` says of ${shown}: ${words}.`];
}

function describeProblem({ kind, at, expected, given }: ValueProblem): string {
  const says = {
    missing: "is missing",
    unknown: "is not described",
    type: `is of type ${given} instead of ${expected.join(" or ")}`,
    enum: "has a value that is not listed",
  };
  return `${at === "" ? "it" : `\`${clipText(at, 100)}\``} ${says[kind]}`;
}
