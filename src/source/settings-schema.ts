/** The zod schemas of the groups of settings: `api.limits`, `api.network`, `api.paths`, `api.endpoints`, and the documents. */

import { z } from "zod";
import { maxTimerMs } from "../runtime.js";
import {
  type EndpointExample,
  httpMethods,
  type Preflight,
  preflights,
  quotaScopes,
  type SourceLimits,
  type SourceNetwork,
} from "./api-source.js";
import { fillSecrets, findSecretNames, hasBrokenSecret } from "./field-syntax.js";
import { createRule, type Flaw } from "./flaw.js";
import { hasDotSegment } from "./path-readings.js";
import {
  brokenSecretFlaw,
  createImplication,
  createOptional,
  secretStringSchema,
  wordsSchema,
} from "./schema-parts.js";

/** Below the longest string Node can make (about 536 million characters), so that a body can become text. */
const maxBodyBytes = 500_000_000;

const integer = (from: number, to: number) => z.int().min(from).max(to);

export const limitsSchema: z.ZodType<SourceLimits> = z.looseObject({
  timeoutMs: integer(1, maxTimerMs)
    .default(30_000)
    .meta({
      description: "The deadline of a whole call, waits and retries included, in milliseconds.",
      fix: `Write milliseconds from 1 to ${maxTimerMs} (the longest timer), such as 30000.`,
    }),
  maxBytes: integer(1, maxBodyBytes).default(10_000_000).meta({
    description: "The largest body that is read, in bytes after decompression.",
    fix: "Write bytes from 1 to 500000000, such as 10000000.",
  }),
  maxTokens: createOptional(integer(1, 10_000_000), {
    description: "The budget of one answer, in tokens; the toolkit's `maxTokens` when left out.",
    default: 2_000,
    fix: "Write a whole number from 1 to 10000000, such as 5000.",
  }),
  retries: integer(0, 10).default(2).meta({
    description: "How often a request that can't repeat a write is sent again; 0 turns retries off.",
    fix: "Write a whole number from 0 (no retries) to 10, such as 2.",
  }),
  maxWaitMs: integer(0, maxTimerMs)
    .default(10_000)
    .meta({
      description: "The longest single wait for a rate limit inside a call, in milliseconds; 0 never waits.",
      fix: `Write milliseconds from 0 (never wait) to ${maxTimerMs}, such as 10000.`,
    }),
  maxPages: integer(1, 10_000).default(50).meta({
    description: "How many pages a call with `pages` reads at most.",
    fix: "Write a whole number from 1 to 10000, such as 50.",
  }),
  pagesTimeoutMs: integer(1, maxTimerMs)
    .default(120_000)
    .meta({
      description: "The deadline of a whole call with `pages`, in milliseconds.",
      fix: `Write milliseconds from 1 to ${maxTimerMs}, such as 120000.`,
    }),
  requestsPerMinute: createOptional(integer(1, 1_000_000), {
    description: "The quota this source keeps to, in requests per minute.",
    fix: "Write a whole number from 1 to 1000000, such as 60.",
  }),
  quotaScope: createOptional(z.enum(quotaScopes), {
    description:
      "What `requestsPerMinute` is counted for: each credential, or the source as a whole where the API counts per application.",
    default: "credential",
    fix: 'Write "credential" or "source".',
  }),
  concurrency: createOptional(integer(1, 10_000), {
    description: "How many requests of this source run at the same time.",
    fix: "Write a whole number from 1 to 10000, such as 4.",
  }),
});

const pemSchema = secretStringSchema.min(1);

export const networkSchema: z.ZodType<SourceNetwork> = z
  .looseObject({
    proxy: createOptional(z.string().superRefine(createRule(findProxyFlaw)), {
      description:
        'The URL of an HTTP proxy; "${NAME}" for a password in it. The environment\'s proxy variables are not read.',
      examples: ["http://proxy.example.com:3128"],
      fix: 'Write the proxy\'s address, such as "http://proxy.example.com:3128".',
    }),
    ca: createOptional(pemSchema, {
      description: "PEM text, or a path to it, of certificate authorities to trust in addition to Node's.",
    }),
    cert: createOptional(pemSchema, {
      description: "PEM text, or a path to it, of the client certificate; comes with `key`.",
    }),
    key: createOptional(pemSchema, {
      description:
        'PEM text, or a path to it, of the client certificate\'s key; "${NAME}" keeps it out of the record.',
    }),
    allowLocalAddresses: z.boolean().default(false).meta({
      description:
        "Whether a public-looking host name may resolve to a loopback, link-local or metadata address.",
      fix: "Write true or false, without quotes.",
    }),
  })
  .meta({
    // A certificate without its key proves nothing, and a key without its certificate names no one (RFC 8446, 4.4.2).
    allOf: [
      createImplication({ required: ["cert"] }, { required: ["key"] }),
      createImplication({ required: ["key"] }, { required: ["cert"] }),
    ],
  });

/** What is known of an API besides its record, and what is made of it. */
export const knowledgeShape: {
  openapi: z.ZodExactOptional<z.ZodString>;
  guide: z.ZodExactOptional<z.ZodString>;
  preflight: z.ZodExactOptional<z.ZodType<Preflight>>;
} = {
  openapi: createOptional(wordsSchema.superRefine(createRule(findDocumentFlaw)), {
    description:
      "The path of the API's OpenAPI 3 or Swagger 2 document (JSON or YAML); a relative one starts at this file.",
    examples: ["shop.openapi.json"],
    fix: 'Write the path of a file, such as "shop.openapi.json".',
  }),
  guide: createOptional(wordsSchema.superRefine(createRule(findDocumentFlaw)), {
    description:
      "The path of a Markdown file that says how this API is used; a relative one starts at this file.",
    examples: ["shop.md"],
    fix: 'Write the path of a file, such as "shop.md".',
  }),
  preflight: createOptional(z.enum(preflights), {
    description:
      "What becomes of a call that contradicts `openapi`: `refuse` answers it unsent, `warn` sends it and says so, `off` doesn't look.",
    default: "refuse",
    fix: 'Write "refuse", "warn" or "off", or leave it out.',
  }),
};

const patternSchema = z
  .string()
  .superRefine(createRule(findPatternFlaw))
  .meta({ pattern: "^(/(\\*{1,2}|[^*/?#\\\\\\s{}]*))+$" });

export const pathsSchema: z.ZodType<{ allow?: string[]; deny?: string[] }> = z.looseObject({
  allow: createOptional(z.array(patternSchema).min(1), {
    description: "The only paths that may be called.",
    fix: 'List at least one pattern, such as ["/issues/**"]; left out, every path is allowed.',
  }),
  deny: createOptional(z.array(patternSchema), {
    description: "Paths that may not be called; wins over `allow`.",
    fix: 'List patterns, such as ["/admin/**"].',
  }),
});

const exampleShape = {
  method: z.enum(httpMethods).meta({
    description: "The method in capitals.",
    fix: 'Write "GET", "POST", "PUT", "DELETE" or "PATCH", in capitals.',
  }),
  path: z.string().superRefine(createRule(findExamplePathFlaw)).meta({
    description: "The path below the base URL; {name} for what varies.",
    pattern: "^/[^\\s]*$",
    fix: 'Write a path below the base URL, such as "/issues".',
  }),
  about: wordsSchema.meta({
    description: "What it is for, in a few words.",
    fix: "Write in a few words what the call is for.",
  }),
  query: createOptional(z.unknown(), { description: "Example query parameters." }),
  body: createOptional(z.unknown(), { description: "An example body; not with GET." }),
};

export const endpointsSchema: z.ZodType<EndpointExample[]> = z.array(
  z.looseObject(exampleShape).meta({
    allOf: [createImplication({ properties: { method: { const: "GET" } } }, { not: { required: ["body"] } })],
    fix: 'Write { "method": "GET", "path": "/issues", "about": "open issues" }.',
  }),
);

function findProxyFlaw(text: string): Flaw | undefined {
  if (hasBrokenSecret(text)) return brokenSecretFlaw;
  // A proxy that is a secret as a whole is checked when the secret is known.
  if (/^\$\{[^{}]*\}$/.test(text)) return undefined;
  const sample = fillSecrets(text, () => "1");
  const url = URL.canParse(sample) ? new URL(sample) : undefined;
  if (!url || !/^https?:\/\//i.test(text) || url.hostname === "") {
    return {
      message: "is not an absolute http or https URL",
      fix: 'Write the proxy\'s address, such as "http://proxy.example.com:3128".',
    };
  }
  const isPlain = url.password !== "" && findSecretNames(/\/\/([^/]*)@/.exec(text)?.[1] ?? "").length === 0;
  if (!isPlain) return undefined;
  return {
    message: "carries a password",
    fix: 'Put it into the environment: "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".',
  };
}

/** A pattern is a path from the base URL on; a whole segment may be `*` (any one) or `**` (any number). */
function findPatternFlaw(pattern: string): Flaw | undefined {
  if (!pattern.startsWith("/")) {
    return { message: "does not begin with `/`", fix: 'Begin it with a slash, such as "/issues/**".' };
  }
  if (/[?#\\\s\p{Cc}]/u.test(pattern)) {
    const message = "holds `?`, `#`, a backslash, a space or a control character, which no path has";
    return { message, fix: "Leave out the query and write a space as %20." };
  }
  if (/[{}]/.test(pattern)) {
    return {
      message: "holds a brace, which matches itself alone",
      fix: 'Write "*" in place of a {name} segment.',
    };
  }
  const hasPartialStar = pattern
    .split("/")
    .some((segment) => segment.includes("*") && segment !== "*" && segment !== "**");
  if (hasPartialStar) {
    return {
      message: "has a `*` that is part of a segment",
      fix: 'Let `*` (one segment) or `**` (any number) stand alone between slashes, such as "/users/*/repos/**".',
    };
  }
  if (!hasDotSegment(pattern)) return undefined;
  return {
    message: "has a `.` or `..` segment, which no request has",
    fix: "Write the path that it leads to.",
  };
}

function findExamplePathFlaw(path: string): Flaw | undefined {
  if (path.startsWith("/") && !path.startsWith("//") && !/[\s\\\p{Cc}]/u.test(path)) return undefined;
  return {
    message: "is no path below the base URL",
    fix: 'Begin it with one slash, such as "/issues"; write a space as %20.',
  };
}

/** Documents are read from disk: an address that answers something else tomorrow would change what an agent may do. */
function findDocumentFlaw(path: string): Flaw | undefined {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return undefined;
  return {
    message: "is an address, and documents are not fetched",
    fix: "Save the document beside the record, and write its file name here.",
  };
}
