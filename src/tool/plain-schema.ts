/** The input of a tool for hosts other than LangChain: a schema that each converter of JSON Schema passes through whole. */

/** A JSON Schema of one member. A type alias, so that it fits where a host asks for JSON. */
export type PlainMember = {
  type: "string" | "integer" | "array" | "object";
  description?: string;
  enum?: string[];
  items?: PlainMember;
  properties?: Record<string, PlainMember>;
  required?: string[];
  additionalProperties?: false;
};

/** A JSON Schema of an object, whose optional members have a plain type and may be left out. */
export interface PlainSchema {
  type: "object";
  properties: Record<string, PlainMember>;
  required: string[];
  additionalProperties: false;
}

/**
 * Gives each optional member a plain type: some hosts flatten `anyOf` to nothing, and only the strict modes of some providers want each
 * member to be required.
 *
 * @param strict - A schema as `createCallSchema` describes it.
 */
export function toPlainSchema(strict: object): PlainSchema {
  const text = JSON.stringify(strict);
  const { properties: members, required }: PlainSchema = JSON.parse(text);
  const isOptional = (name: string): boolean => JSON.stringify(members[name]).includes('{"type":"null"}');
  const properties: PlainSchema["properties"] = JSON.parse(
    JSON.stringify(members),
    (_name, value) => Object(value).anyOf?.[0] ?? value,
  );
  return {
    type: "object",
    properties,
    required: required.filter((name) => !isOptional(name)),
    additionalProperties: false,
  };
}
