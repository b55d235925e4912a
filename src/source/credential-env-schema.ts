/** The zod schema of `api.credentialEnv`: names of variables, in one of three forms. */

import { z } from "zod";
import type { CredentialEnv } from "./api-source.js";
import { environmentNameSchema } from "./text-schema.js";

const pairShape = {
  username: environmentNameSchema
    .exactOptional()
    .meta({ description: "Names the variable of the username." }),
  password: environmentNameSchema
    .exactOptional()
    .meta({ description: "Names the variable of the password." }),
};

export const credentialEnvKeys: readonly string[] = Object.keys(pairShape);

export const credentialEnvSchema: z.ZodType<CredentialEnv> = z.union([
  environmentNameSchema,
  z.array(environmentNameSchema).min(1),
  z.strictObject(pairShape).meta({ minProperties: 1 }),
]);
