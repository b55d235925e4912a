/** Reads `discriminator`: the value of one member names the schema that an object is of (OpenAPI 3.1, section 4.8.25). */

import { type ApiDocument, asList, asObject, asString, type Plain } from "./api-document.js";

type Follow = ApiDocument["follow"];

/** No schema is made of more. */
const maxBranches = 200;
const maxDepth = 5;

/** The branches of a schema, where it has some. */
function findKeyword(schema: Plain): "oneOf" | "anyOf" | undefined {
  if (asList(schema["oneOf"]).length > 0) return "oneOf";
  return asList(schema["anyOf"]).length > 0 ? "anyOf" : undefined;
}

function findMember(schema: Plain): string | undefined {
  return asString(asObject(schema["discriminator"])["propertyName"]);
}

/** The schema with what its discriminator says in the words of JSON Schema: each branch has its own value of the member. */
export function applyDiscriminator(schema: Plain, follow: Follow): Plain {
  const member = findMember(schema);
  if (member === undefined) return schema;
  const mapping = Object.entries(asObject(asObject(schema["discriminator"])["mapping"]));
  const keyword = findKeyword(schema);
  if (keyword === undefined)
    return limitMember(
      schema,
      member,
      mapping.map(([value]) => value),
    );
  const branches = asList(schema[keyword]).slice(0, maxBranches);
  const named = branches.map((branch) => {
    const values = listNames(branch, mapping);
    const isDeclared = hasOtherValues(follow, branch, member, values, 0);
    return values.length === 0 || isDeclared ? branch : joinMember(branch, member, values);
  });
  return { ...schema, [keyword]: named };
}

/** The values that name a branch: those that are mapped to its schema, else the schema's own name. */
function listNames(
  branch: unknown,
  mapping: readonly (readonly [value: string, target: unknown])[],
): readonly string[] {
  const reference = asString(asObject(branch)["$ref"]);
  if (reference === undefined) return [];
  const name = readLast(reference);
  const mapped = mapping.filter(([, target]) => readLast(String(target)) === name);
  return mapped.length === 0 ? [name] : mapped.map(([value]) => value);
}

/** The name of a schema, by a reference to it or as it is. */
function readLast(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

/** Whether a branch states values of the member, or a type, that the names do not fit: what it states itself counts. */
function hasOtherValues(
  follow: Follow,
  branch: unknown,
  member: string,
  names: readonly string[],
  depth: number,
): boolean {
  if (depth > maxDepth) return false;
  const schema = follow(branch);
  const {
    type = "string",
    enum: values,
    const: only,
  } = follow(asObject(schema["properties"])[member]);
  const listed = only === undefined ? asList(values) : [only];
  const isListed = listed.length === 0 || names.every((name) => listed.includes(name));
  if (!isListed || ![type].flat().includes("string")) return true;
  const parts = asList(schema["allOf"]).slice(0, maxBranches);
  return parts.some((part) => hasOtherValues(follow, part, member, names, depth + 1));
}

function joinMember(branch: unknown, member: string, values: readonly string[]): Plain {
  return { required: [member], properties: { [member]: { enum: values } }, allOf: [branch] };
}

/** The schema that others are made of: its member has the values that its mapping knows. */
function limitMember(schema: Plain, member: string, values: readonly string[]): Plain {
  const properties = asObject(schema["properties"]);
  const own = asObject(properties[member]);
  const isStated = ["enum", "const", "$ref"].some((name) => own[name] !== undefined);
  if (values.length === 0 || isStated || own["type"] !== "string") return schema;
  return { ...schema, properties: { ...properties, [member]: { ...own, enum: values } } };
}

/** The branch that an object names; where it names none, a schema of the names. Undefined without a discriminator. */
export function findNamedBranch(schema: Plain, value: Plain): unknown {
  const member = findMember(schema);
  const keyword = findKeyword(schema);
  if (member === undefined || keyword === undefined) return undefined;
  const listOwn = (branch: unknown): readonly unknown[] =>
    asList(asObject(asObject(asObject(branch)["properties"])[member])["enum"]);
  const branches = asList(schema[keyword]).slice(0, maxBranches);
  // A branch without a name may be meant by any value.
  if (branches.some((branch) => listOwn(branch).length === 0)) return undefined;
  const chosen = branches.find((branch) => listOwn(branch).includes(value[member]));
  const names = { enum: branches.flatMap(listOwn) };
  return chosen ?? { required: [member], properties: { [member]: names } };
}
