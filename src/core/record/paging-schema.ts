/** The zod schemas of `api.paging` and `api.reads`. */

import { z } from "zod";
import {
  addConditions,
  bodyExpressionSchema,
  createFilledList,
  createLevel,
  createOptional,
  createRule,
  createWholeNumber,
  excludes,
  findFramingProblem,
  needs,
  needsOneOf,
  patternSchema,
  wordsSchema,
} from "./schema-parts.js";

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

/** Member names joined by dots, a name with other characters in double quotes, a place in a list by its index; `@` is the document. */
const memberPathSchema = z
  .string()
  .regex(/^(?:@|(?:\w+|"[^"\\]+")(?:\.(?:\w+|"[^"\\]+"))*)$/, {
    error: "is not a path of member names",
  })
  .meta({
    fix: 'Write member names joined by dots, such as "data.items", or "1.items" in a list; "@" is the body itself.',
  });

/** How the next page is requested is one thing: what the answer names, a page number, or a number of rows. */
export const pagingRuleSchema = addConditions(
  createLevel({
    paths: createOptional(createFilledList(patternSchema), {
      description: "The paths that the rule is for. Left out: all.",
      examples: [["/employees/**"]],
    }),
    rows: createOptional(memberPathSchema, {
      description:
        "Where the rows are: member names joined by dots, an index for a place in a list (`1.items`); `@` when the body is the list. Left out: they are found.",
      examples: ["data.items"],
    }),
    total: createOptional(bodyExpressionSchema, {
      description: "A JMESPath to the number of all rows.",
      examples: ["meta.total"],
    }),
    next: createOptional(wordsSchema, {
      description:
        "A JMESPath to the cursor, URL or path of the next page, or the header that has it, `header:NAME`; null, empty or false: the last page.",
      examples: ["meta.continuation"],
    }),
    send: createOptional(carrierSchema, {
      description:
        "Where `next` is sent: `query:NAME`, `body:NAME` (`body:page.cursor` inside `page`) or `header:NAME`. Left out when it is a URL or a path.",
      examples: ["query:skipToken"],
    }),
    alone: z.boolean().optional().meta({
      description:
        "Whether the cursor is sent without the other parameters of the request. Default: false.",
    }),
    page: createOptional(placeSchema, {
      description: "Where the page number is sent: `query:NAME` or `body:NAME`.",
      examples: ["query:p"],
    }),
    first: createOptional(createWholeNumber(0, 1_000), {
      description: "The number of the first page.",
      default: 1,
      fix: "Write a whole number, usually 0 or 1.",
    }),
    offset: createOptional(placeSchema, {
      description: "Where the number of rows to skip is sent: `query:NAME` or `body:NAME`.",
      examples: ["query:startAt"],
    }),
  }),
  [
    needsOneOf(["next", "page", "offset"]),
    excludes("next", "page"),
    excludes("next", "offset"),
    excludes("page", "offset"),
    needs("send", "next"),
    needs("alone", "send"),
    needs("first", "page"),
  ],
);

export const pagingSchema = z
  .union([pagingRuleSchema, createFilledList(pagingRuleSchema), z.literal("none")])
  .meta({
    fix: 'Write a rule, such as { "next": "meta.continuation", "send": "query:skipToken" }, a list of rules, or "none".',
  });

export const readsSchema = createFilledList(
  z
    .string()
    .regex(/^(?:POST|PUT|PATCH|DELETE) \//, {
      error: "does not begin with POST, PUT, PATCH or DELETE, a space, and a path",
    })
    .superRefine(
      createRule((text) =>
        patternSchema.safeParse(dropStars(text.slice(text.indexOf(" ") + 1))).error?.issues.at(0),
      ),
    )
    .meta({
      fix: 'Write a method and a path, such as "POST /search/**" or "POST /*.list": `*` is one segment or a part of one, `**` any number.',
    }),
);

/** One `*` in a segment stands for any characters of it. */
function dropStars(path: string): string {
  return path.replace(/([^/*])\*(?=[^/*]|\/|$)|(?<=\/)\*(?=[^/*])/g, "$1x");
}
