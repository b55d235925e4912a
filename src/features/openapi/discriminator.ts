/** Reads `discriminator`: the value of one member names the schema that an object is of (OpenAPI 3.1, section 4.8.25). */

import { decodePercent } from "../../core/base/text.js";
import { type ApiDocument, asList, asObject, asString, type Plain } from "./api-document.js";

type Follow = ApiDocument["follow"];

/** No schema is made of more. */
const maxBranches = 200;
/** The most schemas that one branch is looked at by, those that it is made of: they may lead in a circle. */
const maxSchemas = 200;
const maxMapped = 2_000;

/** A value of the member, and the schema that it is mapped to. */
interface Mapped {
  readonly value: string;
  /** The end of a reference to the schema, such as `/components/schemas/Cat` or `/cat.json`. */
  readonly end: string;
}

/** The branches of a schema, where it has some. */
function findKeyword(schema: Plain): "oneOf" | "anyOf" | undefined {
  if (asList(schema["oneOf"]).length > 0) return "oneOf";
  return asList(schema["anyOf"]).length > 0 ? "anyOf" : undefined;
}

function findMember(schema: Plain): string | undefined {
  return asString(asObject(schema["discriminator"])["propertyName"]);
}

function listMapped(schema: Plain): Mapped[] {
  const mapping = asObject(asObject(schema["discriminator"])["mapping"]);
  const entries = Object.entries(mapping).slice(0, maxMapped);
  return entries.map(([value, target]) => ({ value, end: writeEnd(String(target)) }));
}

/** @param target - The name of a schema, or a reference to it as seen from its own file. */
function writeEnd(target: string): string {
  const path = decodePercent(target)
    .replace(/^(?:\.{1,2}\/)+/, "")
    .replace("#", "");
  return path.startsWith("/") ? path : `/${path}`;
}

/** The schema with what its discriminator says in the words of JSON Schema: each branch has its own value of the member. */
export function applyDiscriminator(schema: Plain, follow: Follow): Plain {
  const member = findMember(schema);
  if (member === undefined) return schema;
  const keyword = findKeyword(schema);
  if (keyword === undefined) return limitMember(schema, member);
  const mapped = listMapped(schema);
  const branches = asList(schema[keyword]).slice(0, maxBranches);
  const named = branches.map((branch) => {
    const values = listNames(branch, mapped);
    if (values.length === 0) return branch;
    const isOther = hasOtherValues(follow, branch, { member, values }, { schemas: maxSchemas });
    return isOther ? branch : joinMember(branch, member, values);
  });
  return { ...schema, [keyword]: named };
}

/** A reference to a schema that has a name: a file has none (OpenAPI 3.1). */
const schemaName = /\/(?:schemas|definitions)\/([^/]+)$/;

/** The values that name a branch: those that are mapped to its schema, else the schema's own name. */
function listNames(branch: unknown, mapped: readonly Mapped[]): readonly string[] {
  const reference = asString(asObject(branch)["$ref"]);
  if (reference === undefined) return [];
  const path = decodePercent(reference).replaceAll("~1", "/");
  const own = mapped.filter(({ end }) => path.endsWith(end));
  if (own.length > 0) return own.map(({ value }) => value);
  const [, name] = schemaName.exec(reference) ?? [];
  return name === undefined ? [] : [name];
}

/** Values of one member. */
interface Stated {
  readonly member: string;
  readonly values: readonly string[];
}

/** Whether a branch states values of the member, or a type, that the given ones do not fit: what it states itself counts. */
function hasOtherValues(
  follow: Follow,
  branch: unknown,
  stated: Stated,
  left: { schemas: number },
): boolean {
  left.schemas -= 1;
  if (left.schemas < 0) return false;
  const found = follow(branch);
  const schema = findKeyword(found) === undefined ? limitMember(found, stated.member) : found;
  const {
    type = "string",
    enum: values,
    const: only,
  } = follow(asObject(schema["properties"])[stated.member]);
  const listed = only === undefined ? asList(values) : [only];
  const isListed = listed.length === 0 || stated.values.every((each) => listed.includes(each));
  if (!isListed || ![type].flat().includes("string")) return true;
  const parts = asList(schema["allOf"]).slice(0, maxBranches);
  return parts.some((part) => hasOtherValues(follow, part, stated, left));
}

function joinMember(branch: unknown, member: string, values: readonly string[]): Plain {
  return { required: [member], properties: { [member]: { enum: values } }, allOf: [branch] };
}

/** The schema that others are made of: its member has the values that its mapping knows. */
function limitMember(schema: Plain, member: string): Plain {
  const values = listMapped(schema).map(({ value }) => value);
  const properties = asObject(schema["properties"]);
  const own = asObject(properties[member]);
  const isStated = ["enum", "const", "$ref"].some((name) => own[name] !== undefined);
  const isOther = findMember(schema) !== member;
  if (values.length === 0 || isOther || isStated || own["type"] !== "string") return schema;
  return { ...schema, properties: { ...properties, [member]: { ...own, enum: values } } };
}

/** Whether others are made of the schema by `allOf`, each under a name of its discriminator: they have members of their own. */
export function isMadeInto(schema: Plain): boolean {
  return schema["discriminator"] !== undefined && findKeyword(schema) === undefined;
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
