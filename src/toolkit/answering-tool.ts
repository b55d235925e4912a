/** The base of our tools: a failure, wrong input included, is an answer and never a throw. */

import type { CallbackManagerForToolRun } from "@langchain/core/callbacks/manager";
import { ToolMessage } from "@langchain/core/messages";
import {
  StructuredTool,
  type ToolReturnType,
  type ToolRunnableConfig,
} from "@langchain/core/tools";
import type { z } from "zod";
import type { CallArtifact } from "../core/answer/outcome.js";
import { type CallContext, isStore } from "../core/base/runtime.js";
import type { Approve } from "../core/call/slots.js";
import type { ReadOutcome } from "../core/store/read-kept.js";
import type { ClientOptions } from "./client/client-options.js";
import { processState } from "./client/process-state.js";
import type { ImageBlocks } from "./tool/show-image-block.js";

/** The output of a tool before LangChain makes a ToolMessage of it, or the ToolMessage itself for a failure. */
type ToolOutput = [content: string | ToolMessage | ImageBlocks, artifact: CallArtifact | undefined];

export type Sends = "nothing" | "reads" | "writes";

/** The parts of a tool that a model reads beside its name. */
export interface ToolText<Schema> {
  readonly description: string;
  readonly schema: Schema;
}

/** The sources of a tool that serves many, and its text for some of them. */
interface ManySources<Schema> {
  readonly slugs: readonly string[];
  readonly describe: (slugs: ReadonlySet<string>) => ToolText<Schema>;
}

interface AnsweringToolFields<Schema extends z.ZodObject> extends ToolText<Schema> {
  readonly name: string;
  /** Goes into every ToolMessage and trace: never a secret. */
  readonly metadata: Record<string, unknown>;
  /** The kind of requests that its calls may send to an API. */
  readonly sends: Sends;
  /** Members that only some providers know, such as `input_examples`. */
  readonly extras?: Record<string, unknown>;
  /** @param config - What LangChain hands the tool, for what a context does not say. */
  readonly answer: (
    input: Record<string, unknown>,
    context: CallContext,
    config: unknown,
  ) => Promise<ReadOutcome>;
  /** For a tool of many sources, some of which may be hidden from a run. */
  readonly many?: ManySources<Schema>;
  /** Whether a call with this input may wait for a person. @default none */
  readonly mayWait?: (input: Record<string, unknown>) => boolean;
  /** Makes the same tool, whose requests also wait where `approve` of a door says so. Absent for a tool that sends none. */
  readonly holdBy?: (approve: Approve) => AnsweringTool<Schema>;
  /** As the client's options have it. */
  readonly interrupts?: ClientOptions["interrupts"] | undefined;
}

export class AnsweringTool<Schema extends z.ZodObject> extends StructuredTool<
  Schema,
  z.output<Schema>,
  z.input<Schema>,
  string
> {
  override name: string;
  override description: string;
  override schema: Schema;
  /** For hosts that ask which tools change nothing. */
  readonly sends: Sends;
  // A private member: `lc_kwargs`, JSON and inspect show what was given to the base class, and nothing of this.
  readonly #fields: AnsweringToolFields<Schema>;

  constructor(fields: AnsweringToolFields<Schema>) {
    const { name, description, schema, sends, metadata, extras } = fields;
    super({ responseFormat: "content_and_artifact", metadata, ...(extras && { extras }) });
    this.name = name;
    this.description = description;
    this.schema = schema;
    this.sends = sends;
    this.#fields = fields;
  }

  /**
   * Its text for a run that may not use some sources.
   *
   * @returns itself where none of its sources is hidden; undefined where all are.
   */
  narrow(hidden: ReadonlySet<string>): ToolText<Schema> | undefined {
    const { many } = this.#fields;
    if (many === undefined)
      return hidden.has(String(this.metadata?.["apiSource"])) ? undefined : this;
    const shown = many.slugs.filter((slug) => !hidden.has(slug));
    if (shown.length === many.slugs.length) return this;
    return shown.length === 0 ? undefined : many.describe(new Set(shown));
  }

  /** The same tool for a run in which its answers reach every model, whatever the package of its provider hands on. */
  forAnyModel(): AnsweringTool<Schema> {
    const { answer, ...fields } = this.#fields;
    return new AnsweringTool({
      ...fields,
      answer: (input, context) => answer(input, context, undefined),
    });
  }

  /** The tool behind a door that has an `approve` of its own, such as an MCP server: it holds beside the toolkit's. */
  behindDoor(approve: Approve): AnsweringTool<Schema> {
    return this.#fields.holdBy?.(approve) ?? this;
  }

  /**
   * The point where LangChain validates the input: any input gets past it, so that a wrong one is answered. Also names the
   * run, which a subclass of StructuredTool must do itself (its class name would be shown in streamed events).
   */
  override call<Input, Config extends ToolRunnableConfig | undefined>(
    input: Input,
    config?: Config,
    tags?: string[],
  ): Promise<ToolReturnType<Input, Config, string>> {
    const named: ToolRunnableConfig = { ...config, runName: config?.runName ?? this.name };
    const isPlain =
      typeof input === "object" && !Array.isArray(input) && !isNestedCall(input, config);
    const given: unknown = isPlain && input !== null ? input : { input };
    const answered: Promise<unknown> = super.call(given as z.input<Schema>, named, tags);
    return answered as Promise<ToolReturnType<Input, Config, string>>;
  }

  /** LangChain makes a string or a ToolMessage of the pair: its own types name what the caller gets, not what is returned here. */
  protected override _call(
    input: z.output<Schema>,
    runManager?: CallbackManagerForToolRun,
    config?: ToolRunnableConfig,
  ): Promise<string> {
    const output: Promise<unknown> = this.#respond(input, config, runManager);
    return output as Promise<string>;
  }

  async #respond(
    input: z.output<Schema>,
    config: ToolRunnableConfig | undefined,
    runManager: CallbackManagerForToolRun | undefined,
  ): Promise<ToolOutput> {
    const toolCallId = toolCallIdOf(config);
    const { ok, content, artifact, image } = await this.#answer(input, config, runManager);
    if (image !== undefined) {
      const { writeImageBlocks } = await import("./tool/show-image-block.js");
      return [writeImageBlocks(content, image), artifact];
    }
    if (ok || toolCallId === undefined) return [content, artifact];
    // LangChain marks everything a tool returns as a success, except a ToolMessage, which passes as it is.
    const failure = new ToolMessage({
      status: "error",
      content,
      artifact,
      name: this.name,
      tool_call_id: toolCallId,
      metadata: this.metadata,
    });
    return [failure, undefined];
  }

  #answer(
    input: Record<string, unknown>,
    config: ToolRunnableConfig | undefined,
    runManager: CallbackManagerForToolRun | undefined,
  ): Promise<ReadOutcome> {
    const { answer, mayWait } = this.#fields;
    return mayWait?.(input) === true
      ? this.#answerInRun(input, config, runManager)
      : answer(input, toCallContext(config, runManager), config);
  }

  /** Answers a call that may wait for a person. */
  async #answerInRun(
    input: Record<string, unknown>,
    config: ToolRunnableConfig | undefined,
    runManager: CallbackManagerForToolRun | undefined,
  ): Promise<ReadOutcome> {
    const { answer, interrupts = true } = this.#fields;
    // The node of a call that waits for a person may be run more than once, and the call is made once.
    const { findPausableRun, runOnce } = await import("../features/approval/langgraph-run.js");
    const { turns } = processState;
    const call = { toolName: this.name, callId: toolCallIdOf(config) ?? "", turns };
    return runOnce(config, call, (own) => {
      const run = interrupts ? findPausableRun(own) : {};
      return answer(input, { ...toCallContext(own, runManager), ...run }, own);
    });
  }
}

/**
 * LangChain takes arguments with `type: "tool_call"` for a tool call and calls with *their* `args`: a model could show one
 * method to the person who approves writes and have another carried out.
 */
function isNestedCall(input: unknown, config: ToolRunnableConfig | undefined): boolean {
  return asRecord(input)["type"] === "tool_call" && config?.toolCall !== undefined;
}

/**
 * Reads a call's context from what LangChain hands a running tool (a ToolRuntime inside `createAgent`) or a middleware, without trusting its
 * shape: outside an agent most of it is absent.
 */
export function readCallContext(config: unknown): CallContext {
  const { context, configurable, signal, store } = asRecord(config);
  const known = { ...asRecord(configurable) };
  const threadId = known["thread_id"];
  return {
    context,
    configurable: configurable === undefined ? undefined : known,
    threadId: typeof threadId === "string" ? threadId : undefined,
    signal: signal instanceof AbortSignal ? signal : undefined,
    store: isStore(store) ? store : undefined,
  };
}

/** The context of a tool's call, which reports its progress. */
function toCallContext(
  config: unknown,
  runManager: CallbackManagerForToolRun | undefined,
): CallContext {
  const { writer } = asRecord(config);
  const toolCallId = toolCallIdOf(config);
  // Calls run in parallel: this separates what they write into the run's stream.
  const call = toolCallId === undefined ? {} : { toolCallId };
  return {
    onProgress: (progress) => {
      const own = { ...progress, ...call };
      if (typeof writer === "function") writer(own);
      // For `streamMode: "tools"`. Versions of LangChain before these events lack it; a handler that fails must not fail the call.
      runManager?.handleToolEvent?.(own).catch(() => {});
    },
    ...readCallContext(config),
  };
}

/** The id of the tool call that is answered; undefined when the tool was invoked with bare arguments. */
function toolCallIdOf(config: unknown): string | undefined {
  const { id } = asRecord(asRecord(config)["toolCall"]);
  return typeof id === "string" ? id : undefined;
}

/** For reading a few members: a copy of LangChain's config would cost more than the rest. */
function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
