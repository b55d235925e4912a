/** JavaScript over the sources as one LangChain tool, and what a model reads before it writes code for it. */

import type { ApiSource } from "../source/api-source.js";
import { clipAtGrapheme, clipText } from "../text.js";
import { AnsweringTool } from "../toolkit/answering-tool.js";
import type { ApiSourceToolkit } from "../toolkit/api-source-toolkit.js";
import { type CodeSchema, createCodeSchema } from "../toolkit/tool-schema.js";
import { answerCode } from "./answer-code.js";
import { type ApiCodeToolOptions, type CodeSettings, codeToolName } from "./running-code.js";
import { writeApi } from "./show-run.js";
import { createSandboxThreads } from "./threads.js";

export type { ApiCodeToolOptions };

/** A LangChain tool that runs code over the sources. */
export type ApiCodeTool = AnsweringTool<CodeSchema>;

const defaults: CodeSettings = {
  writes: "refuse",
  timeoutMs: 60_000,
  cpuMs: 10_000,
  memoryBytes: 128_000_000,
  maxCalls: 200,
  concurrency: 8,
};

/**
 * Makes `run_api_code`: its input is `{ code }`, the body of an async function in JavaScript (or TypeScript, where sucrase is installed),
 * which runs in QuickJS with `api.<slug>.get(…)`, `kept(id)`, `state` and `console.log`, and nothing else of this process.
 *
 * @param toolkit - Whose sources, credentials, limits, approvals and kept responses it uses.
 * @throws ApiSourceError `not_configured` where the package quickjs-emscripten is not installed.
 *
 * @example
 * const tools = [...toolkit.getTools(), createApiCodeTool(toolkit)];
 */
export function createApiCodeTool(toolkit: ApiSourceToolkit, options: ApiCodeToolOptions = {}): ApiCodeTool {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings: CodeSettings = { ...defaults, ...Object.fromEntries(given) };
  const clients = toolkit.listClients();
  const sources = clients.map(({ source }) => source);
  const { cpuMs, memoryBytes, maxCalls } = settings;
  const slugs = sources.map(({ slug }) => slug);
  const threads = createSandboxThreads({ sources: slugs, cpuMs, memoryBytes, maxCalls });
  return new AnsweringTool({
    name: codeToolName,
    description: describeTool(sources, settings),
    schema: createCodeSchema(),
    metadata: { apiSource: codeToolName },
    mayWait: () => true,
    answer: async (input, context) => {
      const runtime = await toolkit.openRuntime();
      return answerCode({ clients, runtime, threads, settings }, input["code"], context);
    },
  });
}

/** OpenAI and others refused longer descriptions. */
const maxCharacters = 1_023;

const writeRules: Readonly<Record<CodeSettings["writes"], string>> = {
  refuse: " Only GET is sent.",
  approve: " A write waits for a person.",
  allow: "",
};

/** The signature, an example, the limits, and as many sources as fit. */
function describeTool(sources: readonly ApiSource[], settings: CodeSettings): string {
  const { writes, timeoutMs, cpuMs, memoryBytes, maxCalls, concurrency } = settings;
  const others = writes === "refuse" ? "" : " also post, put, patch, delete, with body;";
  const before =
    "Runs JavaScript (the body of an async function) over these APIs, in a sandbox; what it returns is the answer. Best for joining, counting, grouping, many calls.";
  const after = [
    `await api.<source>.get(path, { query, headers, pages });${others} gives { ok, status, data, headers, error, total, pages, next }. data is whole; pages: 20 follows up to 20 pages; a failed call does not throw: look at ok. kept(id): a kept response. state: an object that lasts from run to run. console.log goes into log.`,
    ...(sources.some(({ api }) => api.openapi !== undefined)
      ? ["api.<source>.describe(), ({ path, method }) or ({ find }) tells its endpoints."]
      : []),
    ...writeExample(sources),
    `GETs may run in parallel (Promise.all).${writeRules[writes]} Limits: ${timeoutMs / 1_000} s (${cpuMs / 1_000} s of computing), ${maxCalls} calls, ${concurrency} at a time, ${Math.round(memoryBytes / 1_000_000)} MB.`,
  ].join("\n");
  const text = `${before}\n${listSources(sources, maxCharacters - before.length - after.length - 2)}\n${after}`;
  return text.length <= maxCharacters ? text : `${clipAtGrapheme(text, maxCharacters - 1)}…`;
}

/** With their taglines where they fit, else their names alone. */
function listSources(sources: readonly ApiSource[], room: number): string {
  for (const length of [160, 80, 40]) {
    const about = ({ name, tagline }: ApiSource): string => clipText(tagline || name, length);
    const text = sources.map((source) => `${writeApi(source.slug)}: ${about(source)}`).join("\n");
    if (text.length <= room) return text;
  }
  return clipText(`Sources: ${sources.map(({ slug }) => slug).join(", ")}`, room);
}

/** With one source, its first endpoint. */
function writeExample([source, ...others]: readonly ApiSource[]): string[] {
  if (source === undefined) return [];
  const endpoint =
    others.length === 0 ? source.api.endpoints.find(({ method }) => method === "GET") : undefined;
  const { path, query } = endpoint ?? { path: "/orders", query: { status: "open" } };
  const options = query === undefined ? "" : `query: ${JSON.stringify(query)}, `;
  return [
    `Example: const { data } = await ${writeApi(source.slug)}.get(${JSON.stringify(clipText(path, 80))}, { ${options.length > 80 ? "" : options}pages: 20 });`,
    endpoint === undefined ? "return data.items.filter((each) => each.total > 100).length;" : "return data;",
  ];
}
