/** The zod schemas of the groups of settings: `api.limits`, `api.network`, `api.paths`, `api.endpoints`, `api.jobs`. */

import { z } from "zod";
import { maxTimerMs } from "../base/runtime.js";
import { fillSecrets, findSecretNames, httpMethods, isProxyUrl } from "./field-syntax.js";
import type { Problem } from "./problem.js";
import {
  addConditions,
  bodyExpressionSchema,
  createFilledList,
  createLevel,
  createOptional,
  createRule,
  createWholeNumber,
  findBrokenSecret,
  headerNameSchema,
  needs,
  pathSchema,
  patternSchema,
  secretStringSchema,
  sendsNoBody,
  wordsSchema,
} from "./schema-parts.js";

const integer = (from: number, to: number, example: number) =>
  createWholeNumber(from, to).meta({
    fix: `Write a whole number from ${from} to ${to}, such as ${example}.`,
  });
const limit = (from: number, to: number, usual: number, description: string) =>
  integer(from, to, usual).default(usual).meta({ description });
const optionalLimit = (to: number, example: number, description: string) =>
  createOptional(integer(1, to, example), { description });

const defaultMaxBytes = 10_000_000;
const defaultMaxFileBytes = 25_000_000;

const rateLimitHeadersSchema = createLevel({
  limit: createOptional(headerNameSchema, {
    description: "The number of requests that the window allows.",
  }),
  remaining: createOptional(headerNameSchema, { description: "The number that is left." }),
  reset: createOptional(headerNameSchema, {
    description: "The window's end: seconds from now, an epoch or a date.",
  }),
  retryAfter: createOptional(headerNameSchema, {
    description: "The wait before the next request, in place of `Retry-After`.",
  }),
});

const limitFields = createLevel({
  timeoutMs: limit(
    1,
    maxTimerMs,
    30_000,
    "The deadline of a whole call, waits and retries included.",
  ),
  // Below the longest string Node can make (about 536 million characters), so that a body can become text.
  maxBytes: limit(
    1,
    500_000_000,
    defaultMaxBytes,
    "The largest JSON body that is read, in decompressed bytes.",
  ),
  maxFileBytes: createOptional(integer(1, 300_000_000, defaultMaxFileBytes), {
    description:
      "The largest other body that is read, and the most bytes of files in one request; `maxBytes` where a record sets only that.",
    default: defaultMaxFileBytes,
    page: "files.md",
  }),
  maxTokens: createOptional(integer(1, 10_000_000, 5_000), {
    description: "The budget of one answer, in tokens. Left out: the toolkit's `maxTokens`.",
    default: 2_000,
  }),
  retries: limit(0, 10, 2, "How many times a request that can't repeat a write is sent again."),
  maxWaitMs: limit(
    0,
    maxTimerMs,
    10_000,
    "The longest single wait for a rate limit inside a call.",
  ),
  maxPages: limit(1, 10_000, 50, "The most pages of a call with `pages`."),
  pagesTimeoutMs: limit(1, maxTimerMs, 120_000, "The deadline of a whole call with `pages`."),
  requestsPerMinute: optionalLimit(1_000_000, 60, "The quota that this source keeps to."),
  quotaScope: createOptional(z.enum(["credential", "source"]), {
    description: "Whether `requestsPerMinute` counts for each credential, or for the whole source.",
    default: "credential",
  }),
  concurrency: optionalLimit(10_000, 4, "How many requests of this source run at once."),
  rateLimitHeaders: createOptional(rateLimitHeadersSchema, {
    description: "The names of the API's quota headers, where they are not the common ones.",
    examples: [{ remaining: "X-Calls-Left", reset: "X-Calls-Reset" }],
    page: "limits.md",
  }),
});

export const limitsSchema = addConditions(limitFields, [
  needs("quotaScope", "requestsPerMinute"),
]).transform((limits) => ({
  ...limits,
  // A record that sets `maxBytes` alone means every body.
  maxFileBytes:
    limits.maxFileBytes ??
    (limits.maxBytes === defaultMaxBytes ? defaultMaxFileBytes : limits.maxBytes),
}));

const pemSchema = secretStringSchema.regex(/./s, { error: "is empty" });

const downloadHostSchema = z
  .string()
  .regex(
    /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.){0,20}[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\d{1,5})?$/i,
    "is not a host",
  )
  // A last label of digits, or of `0x`, makes it an address (WHATWG URL, 3.5).
  .refine(
    (host) => !/(?:^|\.)(?:\d+|0x[0-9a-f]*)(?::\d+)?$/i.test(host),
    "is an address, and not the name of a host",
  )
  .refine((host) => !/^\*\.[^.]+$/.test(host), "names every host of a top-level domain")
  .meta({
    fix: 'Write the name of a host, such as "*.storage.example.com" or "files.example.com:8443".',
  });

export const networkSchema = addConditions(
  createLevel({
    proxy: createOptional(z.string().superRefine(createRule(findProxyProblem)), {
      description:
        'The URL of an HTTP proxy, with "${NAME}" for a password. The environment\'s proxy variables are not read.',
      examples: ["http://proxy.example.com:3128"],
    }),
    ca: createOptional(pemSchema, {
      description: "Certificate authorities to trust beside Node's: PEM text, or a path to it.",
      secret: true,
    }),
    cert: createOptional(pemSchema, {
      description: "The client certificate: PEM text, or a path to it; comes with `key`.",
      secret: true,
    }),
    key: createOptional(pemSchema, {
      description:
        'The certificate\'s key: PEM text, or a path to it; "${NAME}" keeps it out of the record.',
      secret: true,
    }),
    downloadHosts: createOptional(z.array(downloadHostSchema), {
      description:
        "Hosts that a GET may be redirected to, without the credential: a host, or `*.HOST` for every host below it; with `:port`, at that port alone.",
      examples: [["*.storage.example.com"]],
      page: "files.md#redirected-downloads",
    }),
    allowLocalAddresses: z.boolean().default(false).meta({
      description:
        "Whether a public-looking host name may resolve to this machine, its link, or a cloud's metadata service.",
    }),
  }),
  // A certificate without its key proves nothing (RFC 8446, 4.4.3), and a key without its certificate names no one (4.4.2).
  [needs("cert", "key"), needs("key", "cert")],
);

export const pathsSchema = createLevel({
  allow: createOptional(createFilledList(patternSchema), {
    description: "The only paths that may be called.",
    examples: [["/issues/**"]],
  }),
  deny: createOptional(z.array(patternSchema), {
    description: "Paths that may not be called; wins over `allow`.",
    examples: [["/admin/**"]],
  }),
});

const endpointSchema = addConditions(
  createLevel({
    method: z.enum(httpMethods).meta({ description: "The method in capitals." }),
    path: pathSchema.meta({
      description: "The path below the base URL; {name} for what varies.",
      fix: 'Begin it with one slash, such as "/issues"; write a space as %20.',
    }),
    about: wordsSchema.meta({
      description: "Its purpose in a few words.",
      examples: ["open issues"],
    }),
    query: createOptional(z.unknown(), { description: "Example query parameters." }),
    body: createOptional(z.unknown(), { description: "An example body; not with GET." }),
  }),
  [sendsNoBody("body")],
);

export const endpointsSchema = z.array(
  endpointSchema.meta({
    fix: 'Write { "method": "GET", "path": "/issues", "about": "open issues" }.',
  }),
);

const statesSchema = createFilledList(wordsSchema);

export const jobsSchema = createLevel({
  status: bodyExpressionSchema.meta({
    description: "A JMESPath to the job's state.",
    examples: ["state"],
  }),
  done: statesSchema.meta({
    description: "The states of a finished job.",
    examples: [["done"]],
  }),
  failed: createOptional(statesSchema, {
    description: "The states of a failed job. Left out: the usual ones.",
    examples: [["failed"]],
  }),
  location: createOptional(wordsSchema, {
    description:
      "A JMESPath to the job's URL or path in the response that started it, or the header that has it, `header:NAME`. Left out: it is found.",
    examples: ["links.self"],
  }),
  result: createOptional(bodyExpressionSchema, {
    description: "A JMESPath to the URL of the result, in the finished job; it is read then.",
    examples: ["file"],
  }),
});

function findProxyProblem(text: string): Problem | undefined {
  const broken = findBrokenSecret(text);
  // A proxy that is a secret as a whole is checked when the secret is known.
  if (broken !== undefined || /^\$\{[^{}]*\}$/.test(text)) return broken;
  if (!isProxyUrl(fillSecrets(text, () => "1")))
    return { message: "is not an absolute http or https URL" };
  const user = /\/\/([^/]*)@/.exec(text)?.[1] ?? "";
  if (!/:./.test(user) || findSecretNames(user).length > 0) return undefined;
  return {
    message: "carries a password",
    fix: 'Put it into the environment: "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".',
  };
}
