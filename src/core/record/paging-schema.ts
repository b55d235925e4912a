/** The zod schemas of `api.paging` and `api.reads`. */

import { z } from "zod";
import type { PagingRule } from "./paging-rule.js";
import { has, type Rule, writeRules } from "./rules.js";
import {
  createFilledList,
  createOptional,
  createRule,
  findFramingProblem,
  wordsSchema,
} from "./schema-parts.js";
import { patternSchema } from "./settings-schema.js";

const ways = ["next", "page", "offset"];

/** How the next page is requested is one thing: what the answer names, a page number, or a number of rows. */
export const pagingRules: readonly Rule[] = [
  {
    when: {},
    needs: { anyOf: ways.map((way) => has(way)) },
    field: "next",
    message: "is missing: a rule has one of `next`, `page` and `offset`",
    fix: 'Add one, such as "next": "meta.continuation" with "send": "query:skipToken", or "page": "query:p", or "offset": "query:startAt".',
  },
  ...ways.flatMap((one, index) =>
    ways.slice(index + 1).map((other) => ({
      when: has(one),
      needs: { not: has(other) },
      field: other,
      message: `is given beside \`${one}\`: a rule has one of \`next\`, \`page\` and \`offset\``,
      fix: "Keep one.",
    })),
  ),
  {
    when: has("send"),
    needs: has("next"),
    field: "send",
    message: "has no effect without `next`, the value that it sends",
    fix: "Add `next`, or remove this field.",
  },
  {
    when: has("first"),
    needs: has("page"),
    field: "first",
    message: "has no effect without `page`, whose first number it is",
    fix: "Add `page`, or remove this field.",
  },
];

const carrierFix = 'Write where it is sent, such as "query:skipToken", "body:page.cursor"';
const placeSchema = z
  .string()
  .regex(/^(?:query:[^\s\p{Cc}]+|body:[^\s\p{Cc}.]+(?:\.[^\s\p{Cc}.]+)*)$/u, {
    error: "is not `query:NAME` or `body:NAME`",
  })
  .meta({ fix: `${carrierFix}.` });
const carrierSchema = z
  .string()
  .regex(
    /^(?:query:[^\s\p{Cc}]+|body:[^\s\p{Cc}.]+(?:\.[^\s\p{Cc}.]+)*|header:[!#$%&'*+.^_`|~0-9A-Za-z-]+)$/u,
    { error: "is not `query:NAME`, `body:NAME` or `header:NAME`" },
  )
  .superRefine(
    createRule((text) =>
      text.startsWith("header:") ? findFramingProblem(text.slice("header:".length)) : undefined,
    ),
  )
  .meta({ fix: `${carrierFix} or "header:X-Next".` });

/** Member names joined by dots, a name with other characters in double quotes; `@` is the document. */
const memberPathSchema = z
  .string()
  .regex(/^(?:@|(?:[A-Za-z_]\w*|"[^"\\]+")(?:\.(?:[A-Za-z_]\w*|"[^"\\]+"))*)$/, {
    error: "is not a path of member names",
  })
  .meta({ fix: 'Write member names joined by dots, such as "data.items"; "@" is the body itself.' });

const ruleSchema: z.ZodType<PagingRule> = z
  .looseObject({
    paths: createOptional(createFilledList(patternSchema), {
      description: "The paths that the rule is for: `*` is one segment, `**` any number of them.",
      examples: [["/employees/**"]],
      fix: 'List at least one pattern, such as ["/employees/**"]; left out, the rule is for every path.',
    }),
    rows: createOptional(memberPathSchema, {
      description: "Where the list of rows is: member names joined by dots; `@` when the body is the list.",
      examples: ["data.items"],
    }),
    total: createOptional(wordsSchema, {
      description: "A JMESPath that finds how many rows there are in all.",
      examples: ["meta.total"],
    }),
    next: createOptional(wordsSchema, {
      description:
        "A JMESPath that finds the cursor, URL or path of the next page; null, empty or false: the last page.",
      examples: ["meta.continuation"],
    }),
    send: createOptional(carrierSchema, {
      description: "Where the value of `next` is sent; left out when it is a URL or a path.",
      examples: ["query:skipToken"],
    }),
    page: createOptional(placeSchema, {
      description: "Where the page number is sent.",
      examples: ["query:p"],
    }),
    first: createOptional(z.int().min(0).max(1_000), {
      description: "The number of the first page.",
      default: 1,
      fix: "Write a whole number, usually 0 or 1.",
    }),
    offset: createOptional(placeSchema, {
      description: "Where the number of rows to skip is sent.",
      examples: ["query:startAt"],
    }),
  })
  .meta({
    ...writeRules(pagingRules),
    fix: 'Write a rule, such as { "next": "meta.continuation", "send": "query:skipToken" }.',
  });

export const pagingSchema: z.ZodType<"none" | PagingRule | PagingRule[]> = z
  .union([ruleSchema, createFilledList(ruleSchema), z.literal("none")])
  .meta({
    fix: 'Write a rule, such as { "next": "meta.continuation", "send": "query:skipToken" }, a list of rules, or "none".',
  });

export const readsSchema: z.ZodType<string[]> = createFilledList(
  z
    .string()
    .regex(/^(?:POST|PUT|PATCH|DELETE) \//, {
      error: "does not begin with POST, PUT, PATCH or DELETE, a space, and a path",
      abort: true,
    })
    .superRefine((text, context) => {
      const pattern = patternSchema.safeParse(text.slice(text.indexOf(" ") + 1));
      for (const { message } of pattern.error?.issues ?? []) context.addIssue({ code: "custom", message });
    })
    .meta({
      fix: 'Write a method and a path, such as "POST /search/**": `*` is one segment, `**` any number.',
    }),
);
