/** JavaScript over the sources as one LangChain tool. */

import { AnsweringTool } from "../toolkit/answering-tool.js";
import type { ApiSourceToolkit } from "../toolkit/api-source-toolkit.js";
import { type CodeSchema, createCodeSchema } from "../toolkit/tool-schema.js";
import { answerCode, type CodeSettings } from "./answer-code.js";
import type { Writes } from "./code-calls.js";
import { createSandboxThreads } from "./create-threads.js";
import { describeCodeTool } from "./describe-code-tool.js";
import { codeToolName } from "./show-run.js";

export interface ApiCodeToolOptions {
  /**
   * What may be sent beside GET: nothing, what a person approves (in a LangGraph run with a checkpointer, or by the toolkit's `approver`), or
   * everything. Calls that the toolkit's own `approve` names wait for a person in any case.
   *
   * @default "refuse"
   */
  readonly writes?: Writes;
  /** The whole run, waits for the APIs included, and for a person not. @default 60000 */
  readonly timeoutMs?: number;
  /** Computing alone. @default 10000 */
  readonly cpuMs?: number;
  /** What the code may hold. @default 128000000 */
  readonly memoryBytes?: number;
  /** @default 200 */
  readonly maxCalls?: number;
  /** How many calls are under way at the same time. @default 8 */
  readonly concurrency?: number;
  /** The budget of the answer. @default that of the toolkit, else 2000 */
  readonly maxTokens?: number;
}

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
  const threads = createSandboxThreads(settings.memoryBytes);
  const clients = toolkit.listClients();
  const description = describeCodeTool(
    clients.map(({ source }) => source),
    settings,
    settings.writes,
  );
  return new AnsweringTool({
    name: codeToolName,
    description,
    schema: createCodeSchema(),
    metadata: { apiSource: codeToolName },
    mayWait: () => true,
    answer: async (input, context) => {
      const runtime = await toolkit.openRuntime();
      return answerCode({ clients, runtime, threads, settings }, input["code"], context);
    },
  });
}
