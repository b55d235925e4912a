/** The rules among the auth fields, in JSON Schema's words; `find-cross-field-flaws.ts` states them for the parser. */

import { defaultSettings } from "./default-settings.js";
import { headerNamePattern } from "./header-rules.js";
import { implies, type JsonSchema } from "./implies.js";
import { parameterNamePattern } from "./text-schema.js";

const authTypeIs = (authType: string): JsonSchema => ({
  required: ["authType"],
  properties: { authType: { const: authType } },
});

const needsAuthType: JsonSchema = { required: ["authType"] };

export const authConditions: JsonSchema[] = [
  ...["headerName", "queryParam", "credentialEnv"].map((key) => implies({ required: [key] }, needsAuthType)),
  // A record that was read once already holds the default scheme, whatever its author wrote.
  implies({ required: ["authScheme"], not: { required: Object.keys(defaultSettings) } }, needsAuthType),
  implies(authTypeIs("header"), {
    required: ["headerName"],
    properties: { headerName: { pattern: headerNamePattern.source } },
  }),
  implies(authTypeIs("query"), {
    required: ["queryParam"],
    properties: { queryParam: { pattern: parameterNamePattern.source } },
  }),
  implies(authTypeIs("basic"), { properties: { credentialEnv: { maxItems: 2 } } }),
  implies(
    { required: ["authType"], not: authTypeIs("basic") },
    { properties: { credentialEnv: { type: ["string", "array"] } } },
  ),
];
