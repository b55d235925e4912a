/** The names that the objects of a document have to which a reference may lead: schemas, parameters, bodies, answers, examples, paths and their like, of OpenAPI 3 and Swagger 2. */

const schemaWords = [
  "$anchor",
  "$comment",
  "$defs",
  "$dynamicAnchor",
  "$dynamicRef",
  "$id",
  "$schema",
  "additionalItems",
  "additionalProperties",
  "allOf",
  "anyOf",
  "contains",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "definitions",
  "dependentSchemas",
  "deprecated",
  "description",
  "discriminator",
  "else",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "externalDocs",
  "format",
  "if",
  "items",
  "maxContains",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "not",
  "nullable",
  "oneOf",
  "pattern",
  "patternProperties",
  "prefixItems",
  "properties",
  "propertyNames",
  "readOnly",
  "required",
  "then",
  "title",
  "type",
  "unevaluatedItems",
  "unevaluatedProperties",
  "uniqueItems",
  "writeOnly",
  "xml",
];

/** The names of all other objects. */
const otherWords = [
  "allowEmptyValue",
  "allowReserved",
  "authorizationUrl",
  "attribute",
  "bearerFormat",
  "callbacks",
  "collectionFormat",
  "consumes",
  "content",
  "contentType",
  "encoding",
  "explode",
  "expression",
  "externalValue",
  "flow",
  "flows",
  "headers",
  "in",
  "links",
  "name",
  "namespace",
  "openIdConnectUrl",
  "operationId",
  "operationRef",
  "parameters",
  "prefix",
  "produces",
  "propertyName",
  "refreshUrl",
  "requestBody",
  "responses",
  "schema",
  "schemes",
  "scheme",
  "server",
  "servers",
  "style",
  "summary",
  "tags",
  "tokenUrl",
  "url",
  "variables",
  "wrapped",
];

/** Names whose value is data, whatever it has. */
const dataWords = [
  "const",
  "enum",
  "example",
  "examples",
  "value",
  "x-enum-descriptions",
  "x-enum-varnames",
];

/** Names whose value is data beside a name of an object: alone, `default` is as well the name of a profile with its keys. */
const dataWordsBesideOthers = ["default", "dependentRequired", "mapping", "scopes", "security"];

const objectNames = new Set([...schemaWords, ...otherWords]);
const dataNames = new Set(dataWords);
const dataNamesBesideOthers = new Set(dataWordsBesideOthers);

export function isObjectWord(name: string): boolean {
  return objectNames.has(name);
}

/**
 * Whether the value is data of the document's author, such as an example.
 *
 * @param isObject - Whether a name of an object is beside it.
 */
export function isDataWord(name: string, isObject: boolean): boolean {
  return dataNames.has(name) || (isObject && dataNamesBesideOthers.has(name));
}
