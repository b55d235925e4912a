/** The zod schema of `api.limits`. */

import { z } from "zod";
import { quotaScopes, type SourceLimits } from "./api-source.js";

/** The longest delay a Node timer takes; a longer one fires after 1 ms. */
const maxTimerMs = 2 ** 31 - 1;

/** Below the longest string Node can make (about 536 million characters), so that a body can become text. */
const maxBodyBytes = 500_000_000;

const shape = {
  timeoutMs: z.int().min(1).max(maxTimerMs).exactOptional().meta({
    description: "The deadline of a whole call, waits and retries included, in milliseconds.",
    default: 30_000,
  }),
  maxBytes: z.int().min(1).max(maxBodyBytes).exactOptional().meta({
    description: "The largest body that is read, in bytes after decompression.",
    default: 10_000_000,
  }),
  maxTokens: z.int().min(1).max(10_000_000).exactOptional().meta({
    description: "The budget of one answer, in tokens; the toolkit's `maxTokens` when left out.",
    default: 2_000,
  }),
  retries: z.int().min(0).max(10).exactOptional().meta({
    description: "How often a request that can't repeat a write is sent again; 0 turns retries off.",
    default: 2,
  }),
  maxWaitMs: z.int().min(0).max(maxTimerMs).exactOptional().meta({
    description: "The longest single wait for a rate limit inside a call, in milliseconds; 0 never waits.",
    default: 10_000,
  }),
  maxPages: z.int().min(1).max(10_000).exactOptional().meta({
    description: "How many pages a call with `pages` reads at the most.",
    default: 50,
  }),
  pagesTimeoutMs: z.int().min(1).max(maxTimerMs).exactOptional().meta({
    description: "The deadline of a whole call with `pages`, in milliseconds.",
    default: 120_000,
  }),
  requestsPerMinute: z
    .int()
    .min(1)
    .max(1_000_000)
    .exactOptional()
    .meta({ description: "The quota this source keeps to, in requests per minute." }),
  quotaScope: z.enum(quotaScopes).exactOptional().meta({
    description:
      "What `requestsPerMinute` is counted for: each credential, or the source as a whole where the API counts per application.",
    default: "credential",
  }),
  concurrency: z
    .int()
    .min(1)
    .max(10_000)
    .exactOptional()
    .meta({ description: "How many requests of this source run at the same time." }),
};

export const limitsKeys: readonly string[] = Object.keys(shape);

export const limitsSchema: z.ZodType<Partial<SourceLimits>> = z
  .looseObject(shape)
  .meta({ description: "Limits on time, size and rate." });
