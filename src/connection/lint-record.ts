/** What is questionable about a record although it can be read: each rule is a sentence that names the field. */

import type { ApiSource } from "../source/api-source.js";
import { lintBaseUrl } from "./lint-base-url.js";
import { lintTestEndpoint } from "./lint-test-endpoint.js";

/** Judges the record alone; nothing is asked of anyone. */
export function lintRecord(source: ApiSource): string[] {
  return [
    ...lintTestEndpoint(source),
    ...lintBaseUrl(source),
    ...lintUnusedFields(source),
    ...lintName(source),
  ];
}

function lintUnusedFields({ api }: ApiSource): string[] {
  const { authType, headerName, queryParam, authScheme, variables, baseUrl, testEndpoint = "" } = api;
  const unused = (field: string, uses: string): string =>
    `\`api.${field}\` has no effect: ${uses}, and \`api.authType\` is "${authType}". Remove it, or correct \`api.authType\`.`;
  const templates = `${baseUrl} ${testEndpoint}`;
  return [
    ...(headerName !== undefined && authType !== "header"
      ? [unused("headerName", 'only "header" uses it')]
      : []),
    ...(queryParam !== undefined && authType !== "query"
      ? [unused("queryParam", 'only "query" uses it')]
      : []),
    // Every source has a scheme; another than the default was written by somebody.
    ...(authScheme !== "Bearer" && authType !== "bearer"
      ? [unused("authScheme", 'only "bearer" uses it')]
      : []),
    ...Object.keys(variables)
      .filter((name) => !templates.includes(`{${name}}`))
      .map(
        (name) =>
          `\`api.variables.${name}\` has no effect: {${name}} stands neither in \`api.baseUrl\` nor in \`api.testEndpoint\`.`,
      ),
    ...lintUnusedByMethods(api),
  ];
}

function lintUnusedByMethods({ methods, bodyFormat, idempotencyHeader }: ApiSource["api"]): string[] {
  const hasBody = methods.some((method) => method === "POST" || method === "PUT" || method === "PATCH");
  const why = `\`api.methods\` allows only ${methods.join(", ")}`;
  return [
    ...(bodyFormat === "form" && !hasBody
      ? [`\`api.bodyFormat\` has no effect: ${why}, which send no body.`]
      : []),
    ...(idempotencyHeader !== undefined && methods.every((method) => method === "GET")
      ? [`\`api.idempotencyHeader\` has no effect: ${why}, which never writes.`]
      : []),
  ];
}

/** A name made from the host is a poor one. */
function lintName({ name, slug, api }: ApiSource): string[] {
  const [, host = ""] = /^https?:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(api.baseUrl) ?? [];
  const isHost = name.toLowerCase() === host.replace(/[{}]/g, "").toLowerCase();
  return [
    ...(isHost
      ? [`\`name\` is missing, so the tool is called ${slug} after its host: give the API's name.`]
      : []),
  ];
}
