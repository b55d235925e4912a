/** The zod schema of `api.jobs`. */

import { z } from "zod";
import type { JobSettings } from "./job-settings.js";
import { createFilledList, createOptional, wordsSchema } from "./schema-parts.js";

const statesSchema = createFilledList(wordsSchema);

export const jobsSchema: z.ZodType<JobSettings> = z.looseObject({
  status: wordsSchema.meta({
    description: "A JMESPath to the job's state.",
    examples: ["state"],
    fix: 'Name the member with the state, such as "status": "state".',
  }),
  done: statesSchema.meta({
    description: "The states of a finished job.",
    examples: [["done"]],
    fix: 'List the states, such as "done": ["done"].',
  }),
  failed: createOptional(statesSchema, {
    description: "The states of a failed job; left out: the usual ones, such as `failed` and `canceled`.",
    fix: 'List the states, such as "failed": ["failed"].',
  }),
  location: createOptional(wordsSchema, {
    description: "A JMESPath to the URL of the job, in the response that started it.",
    examples: ["links.self"],
  }),
  result: createOptional(wordsSchema, {
    description: "A JMESPath to the URL of the result, in the finished job; it is read then.",
    examples: ["file"],
  }),
});
