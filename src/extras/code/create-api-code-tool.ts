/** JavaScript over the sources as one LangChain tool, and the description that a model reads before it writes code. */

import { dropUndefined } from "../../core/base/input.js";
import { atLeast, checkOwnOptions, type OptionRule, oneOf } from "../../core/base/option-rules.js";
import { isVisible } from "../../core/base/runtime.js";
import { clipText } from "../../core/base/text.js";
import type { Approve } from "../../core/call/slots.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { AnsweringTool, type ToolText } from "../../toolkit/answering-tool.js";
import type { ApiSourceToolkit } from "../../toolkit/api-source-toolkit.js";
import { type CodeSchema, createCodeSchema } from "../../toolkit/tool/tool-schema.js";
import { answerCode } from "./answer-code.js";
import { writeApi } from "./questions.js";
import { type ApiCodeToolOptions, type CodeSettings, codeToolName } from "./running-code.js";
import { sandboxLimits } from "./sandbox-messages.js";
import { findPackages } from "./start-sandbox.js";

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

const rules: Record<keyof ApiCodeToolOptions, OptionRule> = {
  writes: oneOf("refuse", "approve", "allow"),
  timeoutMs: atLeast(1),
  cpuMs: atLeast(1),
  memoryBytes: atLeast(1),
  maxCalls: atLeast(0),
  concurrency: atLeast(1),
  maxTokens: atLeast(1),
};

/**
 * Creates `run_api_code`: its input is `{ code }`, the body of an async function in JavaScript (or TypeScript, where sucrase is installed),
 * which runs in QuickJS with `api.<slug>.get(…)`, `rows(answer)`, `kept(id)`, `file(id)`, `sleep(ms)`, `state`
 * and `console.log`, and nothing else of this process.
 *
 * @param toolkit - Whose sources, credentials, limits, approvals and kept responses it uses.
 * @throws ApiSourceError `not_configured` where the package quickjs-emscripten is not installed.
 *
 * @example
 * const tools = [...toolkit.getTools(), createApiCodeTool(toolkit)];
 */
export function createApiCodeTool(
  toolkit: ApiSourceToolkit,
  options: ApiCodeToolOptions = {},
): ApiCodeTool {
  checkOwnOptions("createApiCodeTool", options, rules);
  return createTool(toolkit, { ...defaults, ...dropUndefined(options) });
}

/** @param door - The `approve` of the door that the tool is behind. */
function createTool(
  toolkit: ApiSourceToolkit,
  settings: CodeSettings,
  door?: Approve,
): ApiCodeTool {
  const clients = toolkit.listClients();
  const sources = clients.map(({ source }) => source);
  const { cpuMs, memoryBytes, maxCalls } = settings;
  const slugs = sources.map(({ slug }) => slug);
  const describe = (shown: ReadonlySet<string>): ToolText<CodeSchema> => {
    const described = sources.filter(({ slug }) => shown.has(slug));
    return { description: describeTool(described, settings), schema: createCodeSchema() };
  };
  // A sleep between any two calls; what else is asked for beyond maxCalls is refused in words by the host.
  const limits = { ...sandboxLimits, cpuMs, memoryBytes, maxQuestions: 3 * maxCalls };
  const sandbox = { ...findPackages(), sources: slugs, limits };
  return new AnsweringTool({
    name: codeToolName,
    ...describe(new Set(slugs)),
    many: { slugs, describe },
    sends: settings.writes === "refuse" ? "reads" : "writes",
    metadata: { apiSource: codeToolName },
    mayWait: () => true,
    holdBy: (approve) => createTool(toolkit, settings, approve),
    answer: async (input, { run, ...caller }) => {
      const runtime = await toolkit.openRuntime();
      const context =
        run === undefined || runtime.interrupts === false ? caller : { ...caller, run };
      const hidden = slugs.filter((slug) => !isVisible(runtime.host.visibility, slug));
      const host = { clients, runtime, sandbox: { ...sandbox, hidden }, settings, door };
      return answerCode(host, input["code"], context);
    },
  });
}

/** A model reads it before each call; OpenAI and others refuse longer ones only above their own limit, which is not documented. */
const maxCharacters = 1_200;

const writeRules: Readonly<Record<CodeSettings["writes"], string>> = {
  refuse: " Only GET is sent.",
  approve: " A write waits for a person.",
  allow: "",
};

/** The forms of a body, for code that may write. */
const bodyForms =
  'body: JSON; multipart where a member is a file: {"$file":id}, {"$text":…} or {"$base64":…}, with name and type (its media type). XML: text with its Content-Type.';

/** The signature, the limits, and as many sources as fit. */
function describeTool(sources: readonly ApiSource[], settings: CodeSettings): string {
  const { writes, timeoutMs, cpuMs, memoryBytes, maxCalls, concurrency } = settings;
  const others = writes === "refuse" ? "" : "; also post, put, patch, delete, with body";
  const before =
    "Runs JavaScript (the body of an async function) over these APIs, in a sandbox. Best for joining, counting, grouping, many calls.";
  const after = [
    `await api.<source>.get(path, { query, headers, pages, wait, until, raw })${others} -> { ok, status, data, headers, total, error, file, pages, next, job }. data is whole (raw: true: its text; of a CSV, cells are strings); pages: 20 follows up to 20 pages; a failed call does not throw: check ok. rows(answer): its list of rows. Await also kept(id): a kept response; file(id): { name, type, bytes, text(), base64() }, and both functions; sleep(ms). state: an object, lasts from run to run, ${sandboxLimits.maxStateCharacters} characters at most. console.log goes into log.`,
    ...(writes === "refuse" ? [] : [bodyForms]),
    ...(sources.some(({ api }) => api.openapi !== undefined)
      ? ["api.<source>.describe(), ({ path, method }) or ({ find }) describes its endpoints."]
      : []),
    `GETs may run in parallel (Promise.all).${writeRules[writes]} Limits: ${timeoutMs / 1_000} s without sleep (${cpuMs / 1_000} s of computing), ${maxCalls} calls, ${concurrency} at a time, ${Math.round(memoryBytes / 1_000_000)} MB.`,
  ].join("\n");
  return `${before}\n${listSources(sources, maxCharacters - before.length - after.length - 2)}\n${after}`;
}

/** Lists the sources and their taglines where these fit, else their names alone. */
function listSources(sources: readonly ApiSource[], maxLength: number): string {
  const lines = sources.map(
    ({ slug, name, tagline }) => `${writeApi(slug)}: ${clipText(tagline || name, 80)}`,
  );
  const text = lines.join("\n");
  return text.length <= maxLength
    ? text
    : clipText(`Sources: ${sources.map(({ slug }) => slug).join(", ")}`, maxLength);
}
