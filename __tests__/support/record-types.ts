/** Writes the types of a record as it may be written, from the JSON Schema of its zod schema: each field with its sentence, default and page. */
import { writeJsonSchema } from "../../src/core/record/json-schema.js";
import { recordSchema } from "../../src/core/record/record-schema.js";

/** A part of the JSON Schema, with our own words kept. */
interface Node {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Node | false;
  readonly description?: string;
  readonly default?: unknown;
  readonly page?: string;
}

/** The interface of each object, by its place in a record. */
const names: Readonly<Record<string, string>> = {
  "": "ApiSourceRecord",
  api: "ApiFields",
  "api.credentialEnv": "CredentialVariables",
  "api.oauth2": "OAuth2Record",
  "api.login": "LoginRecord",
  "api.login.basic": "LoginBasicRecord",
  "api.paths": "PathsRecord",
  "api.endpoints": "EndpointRecord",
  "api.errorWhen": "ErrorRuleRecord",
  "api.paging": "PagingFields",
  "api.jobs": "JobsRecord",
  "api.network": "NetworkRecord",
  "api.limits": "LimitsRecord",
  "api.limits.rateLimitHeaders": "RateLimitHeadersRecord",
};

/** The types with rules between fields, which take the place of an interface. */
const joined: Readonly<Record<string, readonly [type: string, rules: string]>> = {
  ApiFields: ["ApiSettingsRecord", "CredentialPlace"],
  PagingFields: ["PagingRuleRecord", "PageRequest"],
};

const head = `/** The types of a record as it may be written. Generated from the zod schemas: the test \`record-types\` writes it with UPDATE_DOCS=1. */

import type { CredentialPlace, Notes, PageRequest } from "./field-rules.js";
`;

/** The whole file, each interface after those that it is made of. */
export function writeRecordTypes(): string {
  const interfaces = new Map<string, string>();
  writeInterface(writeJsonSchema(recordSchema, true) as Node, "", interfaces);
  return [head, ...interfaces.values()].join("\n");
}

function writeInterface(node: Node, place: string, interfaces: Map<string, string>): string {
  const name = names[place];
  if (name === undefined) throw new Error(`Name the interface of ${place} here.`);
  const fields = Object.entries(node.properties ?? {}).flatMap(([field, member]) => {
    const inner = place === "" ? field : `${place}.${field}`;
    const isNeeded = node.required?.includes(field) === true;
    return [
      ...writeComment(member),
      ...writeMember(field, writeType(member, inner, interfaces), isNeeded),
    ];
  });
  const about = place === "" ? [`/** ${node.description} */`] : [];
  const lines = [...about, `export interface ${name} extends Notes {`, ...fields, "}", ""];
  const [type = name, rules] = joined[name] ?? [];
  if (rules) lines.push(`export type ${type} = ${name} & ${rules};`, "");
  interfaces.set(name, lines.join("\n"));
  return type;
}

function writeType(node: Node, place: string, interfaces: Map<string, string>): string {
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (node.anyOf) {
    const types = node.anyOf.map((branch) => writeType(branch, place, interfaces));
    return [...new Set(types)].join(" | ");
  }
  if (node.properties) return writeInterface(node, place, interfaces);
  if (node.items) {
    const item = writeType(node.items, place, interfaces);
    return item.includes(" | ") ? `readonly (${item})[]` : `readonly ${item}[]`;
  }
  if (node.additionalProperties) {
    return `Readonly<Record<string, ${writeType(node.additionalProperties, place, interfaces)}>>`;
  }
  if (node.type === "integer") return "number";
  return node.type ?? "unknown";
}

function writeComment({ description = "", page, ...node }: Node): string[] {
  const link = page?.startsWith("#") === true ? `records.md${page}` : page;
  const sentences = [
    description,
    ...(link === undefined ? [] : [`More: docs/${link}.`]),
    ...(isShown(node.default) ? [`@default ${JSON.stringify(node.default)}`] : []),
  ];
  return [`  /** ${sentences.join(" ").replaceAll("*/", "*\\/")} */`];
}

/** An empty object or list means the same as nothing. */
function isShown(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** As the formatter writes it: a union that is too long for a line has a line for each of its types. */
function writeMember(field: string, type: string, isNeeded: boolean): string[] {
  const name = /^\w+$|^\$/.test(field) ? field : JSON.stringify(field);
  const isOptional = !isNeeded && type !== "unknown";
  const whole = isOptional ? `${type} | undefined` : type;
  const line = `  readonly ${name}${isNeeded ? "" : "?"}: ${whole};`;
  if (line.length <= 100 || !whole.includes(" | ")) return [line];
  const types = whole.split(/ \| (?![^()]*\))/).map((each) => `    | ${each}`);
  return [`  readonly ${name}${isNeeded ? "" : "?"}:`, `${types.join("\n")};`];
}
