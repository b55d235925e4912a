/** The zod schema of `api.errorWhen`: when a 2xx body means failure, and what it means. */

import { z } from "zod";
import {
  bodyExpressionSchema,
  createFilledList,
  createLevel,
  createOptional,
  wordsSchema,
} from "./schema-parts.js";

/** The categories that a rule may give a failure: those that an API reports. */
export const ruledCategories = [
  "bad_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "conflict",
  "validation",
  "rate_limited",
  "server_error",
] as const;

const errorRuleSchema = createLevel({
  when: bodyExpressionSchema.meta({
    description: "A JMESPath that is true when a 2xx body means this failure.",
    examples: ["code == 'E_LOCKED'"],
  }),
  category: createOptional(z.enum(ruledCategories), {
    description: "The kind of failure. Left out: what the body reports.",
  }),
  message: createOptional(wordsSchema, {
    description: "The meaning of the failure, in words. Left out: what the body reports.",
    examples: ["The order is locked by another user."],
  }),
});

export type ErrorRule = z.infer<typeof errorRuleSchema>;

export const errorWhenSchema = z
  .union([bodyExpressionSchema, createFilledList(errorRuleSchema)])
  .meta({
    fix: `Write a JMESPath, such as "ok == \`false\`", or a list such as [{ "when": "code == 'E_LOCKED'", "category": "conflict" }].`,
  });

/** The rules of a record, of which the first that is true counts. */
export function listErrorRules(
  errorWhen: string | readonly ErrorRule[] | undefined,
): readonly ErrorRule[] {
  if (errorWhen === undefined) return [];
  return typeof errorWhen === "string" ? [{ when: errorWhen }] : errorWhen;
}
