/** Swagger 2, written in OpenAPI 3's form; the only place that knows Swagger 2. */

import {
  type ApiDocument,
  asList,
  asObject,
  asString,
  type Plain,
  type RawOperation,
} from "./api-document.js";

type Follow = ApiDocument["follow"];

const maxTypes = 20;
const maxResponses = 50;

const formType = "application/x-www-form-urlencoded";
const multipartType = "multipart/form-data";

/** The members of a document but for its paths: servers, security schemes. Schemas stay where references find them. */
export function upgradeHead(top: Plain, follow: Follow): Plain {
  const schemes = Object.entries(asObject(top["securityDefinitions"]));
  const securitySchemes = Object.fromEntries(
    schemes.map(([name, scheme]) => [name, upgradeScheme(follow(scheme))]),
  );
  return { ...top, servers: listServers(top), securitySchemes };
}

function listServers(top: Plain): Plain[] | undefined {
  const schemes = asList(top["schemes"]);
  const scheme = schemes.includes("http") && !schemes.includes("https") ? "http" : "https";
  // A host is a name and a port (Swagger 2); some write a scheme before it, and a slash after it.
  const host = asString(top["host"])?.replace(/\/+$/, "");
  const whole = host?.includes("://") === true ? host : `${scheme}://${host}`;
  const origin = host === undefined ? "" : whole;
  const basePath = asString(top["basePath"])?.replace(/^(?!\/)/, "/") ?? "";
  const url = origin + basePath;
  return url === "" ? undefined : [{ url }];
}

/** The names of OAuth's flows. */
const flows: ReadonlyMap<unknown, string> = new Map([
  ["application", "clientCredentials"],
  ["accessCode", "authorizationCode"],
  ["implicit", "implicit"],
  ["password", "password"],
]);

function upgradeScheme(scheme: Plain): Plain {
  const { type, flow, authorizationUrl, tokenUrl, scopes } = scheme;
  if (type === "basic") return { ...scheme, type: "http", scheme: "basic" };
  const name = flows.get(flow);
  if (type !== "oauth2" || name === undefined) return scheme;
  return { ...scheme, flows: { [name]: { authorizationUrl, tokenUrl, scopes } } };
}

/** @param top - The document, whose `consumes` and `produces` hold where an operation has none. */
export function upgradeOperation(
  { operation, parameters }: RawOperation,
  top: Plain,
  follow: Follow,
): RawOperation {
  const given = parameters.map(follow);
  const places = (place: string): Plain[] => given.filter((each) => each["in"] === place);
  const types = (name: string): string[] =>
    asList(operation[name] ?? top[name])
      .slice(0, maxTypes)
      .map(String);
  const body = places("body").at(-1);
  const fields = places("formData");
  const requestBody =
    body === undefined
      ? upgradeForm(fields, types("consumes"))
      : upgradeBody(body, types("consumes"));
  const others = given.filter((each) => each["in"] !== "body" && each["in"] !== "formData");
  return {
    operation: {
      ...operation,
      requestBody,
      responses: upgradeResponses(operation["responses"], types("produces"), follow),
    },
    parameters: others.map(upgradeParameter),
  };
}

function upgradeBody(body: Plain, types: readonly string[]): Plain {
  const { description, required, schema } = body;
  const taken = types.length === 0 ? ["application/json"] : types;
  const content = Object.fromEntries(taken.map((type) => [type, { schema }]));
  return { description, required, content };
}

/** Files travel in a multipart body; other fields in either form, as the operation says. */
function upgradeForm(fields: readonly Plain[], types: readonly string[]): Plain | undefined {
  if (fields.length === 0) return undefined;
  const hasFile = fields.some(({ type }) => type === "file");
  const forms = types.filter((type) => type.startsWith(multipartType) || type.startsWith(formType));
  const preset = hasFile ? multipartType : formType;
  const fitting = hasFile ? [preset] : forms;
  const taken = fitting.length === 0 ? [preset] : fitting;
  const named = fields.map((field) => [String(field["name"]), field] as const);
  const needed = named.filter(([, field]) => field["required"] === true);
  const required = needed.map(([name]) => name);
  const properties = Object.fromEntries(named.map(([name, field]) => [name, readSchema(field)]));
  const encoding = Object.fromEntries(named.map(([name, field]) => [name, readStyle(field)]));
  const media = { schema: { type: "object", properties, required }, encoding };
  const content = Object.fromEntries(taken.map((type) => [type, media]));
  return { required: required.length > 0, content };
}

/** Some generators write OpenAPI 3's parameters, which have a `schema`, into Swagger 2: these stay as they are. */
function upgradeParameter(parameter: Plain): Plain {
  if (parameter["schema"] !== undefined) return parameter;
  const { name, in: place, required, description } = parameter;
  const style = place === "header" || place === "path" ? {} : readStyle(parameter);
  return { name, in: place, required, description, schema: readSchema(parameter), ...style };
}

/** A parameter is a schema itself, but for `required`, and for the type of a file. */
function readSchema(parameter: Plain): Plain {
  const { required: _required, in: _in, name: _name, ...schema } = parameter;
  return schema["type"] === "file" ? { ...schema, type: "string", format: "binary" } : schema;
}

/** `collectionFormat` as `style` and `explode`. OpenAPI 3 has no style for tabs: that name is ours. */
const styles: ReadonlyMap<unknown, Plain> = new Map<unknown, Plain>([
  ["csv", { style: "form", explode: false }],
  ["ssv", { style: "spaceDelimited", explode: false }],
  ["tsv", { style: "tabDelimited", explode: false }],
  ["pipes", { style: "pipeDelimited", explode: false }],
  ["multi", { style: "form", explode: true }],
]);

function readStyle({ type, collectionFormat = "csv" }: Plain): Plain {
  return type === "array" ? (styles.get(collectionFormat) ?? {}) : {};
}

function upgradeResponses(given: unknown, types: readonly string[], follow: Follow): Plain {
  const responses = Object.entries(asObject(given)).slice(0, maxResponses);
  return Object.fromEntries(
    responses.map(([status, response]) => [status, upgradeResponse(follow(response), types)]),
  );
}

/** One schema holds for all media types. */
function upgradeResponse(
  { description, schema, examples }: Plain,
  types: readonly string[],
): Plain {
  if (schema === undefined) return { description };
  const taken = types.length === 0 ? ["application/json"] : types;
  const found = asObject(schema);
  const own = found["type"] === "file" ? readSchema(found) : found;
  const given = asObject(examples);
  const media = taken.map((type) => [type, { schema: own, example: given[type] }]);
  return { description, content: Object.fromEntries(media) };
}
