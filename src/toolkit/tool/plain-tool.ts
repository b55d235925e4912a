/** A source as a tool for frameworks other than LangChain: plain members, a JSON Schema, and a function. */

import { z } from "zod";
import type { CallContext } from "../../core/base/runtime.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { describeSource } from "./describe-source.js";
import { createCallSchema } from "./tool-schema.js";

/** A JSON Schema of an object, whose optional members have a plain type and may be left out; what else it has fits wherever JSON Schema is taken. */
interface PlainSchema {
  type: "object";
  properties: Record<string, { type: "string" | "integer" | "array"; description?: string }>;
  required: string[];
  additionalProperties: false;
}

/** The object that a framework passes beside the input: the members of a `CallContext` and `abortSignal` are used, whatever else there is. */
export interface ExecuteOptions extends CallContext {
  /** Cancels the call, as `signal` does: the name that the AI SDK and Mastra give it. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** A tool for the AI SDK, Mastra, or the SDK of a model's provider. */
export interface PlainTool {
  /** The tool's name: the slug of the source, or its name in `toolNames`. */
  readonly name: string;
  /** The text about the tool that a model reads. */
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: PlainSchema;
  /**
   * Makes the call.
   *
   * @param input - What the model gave, unvalidated.
   * @returns The answer document as JSON text; a failure, wrong input included, is an answer too.
   * @throws The signal's reason, when the caller cancels. Nothing else.
   */
  execute(input: unknown, options?: ExecuteOptions): Promise<string>;
}

/** @param call - Makes a call of the source and gives the text of its answer. */
export function toPlainTool(
  source: ApiSource,
  name: string,
  call: (input: unknown, context: CallContext) => Promise<string>,
): PlainTool {
  const { text, more } = describeSource(source);
  return {
    name,
    description: text,
    inputSchema: JSON.parse(
      JSON.stringify(z.toJSONSchema(createCallSchema(source.api.methods, more, false))),
    ),
    execute: (input, options) => call(input, toContext(options)),
  };
}

/** The members that are a call's; a framework gives others of its own, of any shape. */
function toContext(options: ExecuteOptions | undefined): CallContext {
  const { context, configurable, threadId, onProgress, signal, abortSignal } = { ...options };
  const ending = [signal, abortSignal].find((each) => each instanceof AbortSignal);
  return {
    context,
    configurable:
      typeof configurable === "object" && configurable !== null ? configurable : undefined,
    threadId: typeof threadId === "string" ? threadId : undefined,
    onProgress: typeof onProgress === "function" ? onProgress : undefined,
    signal: ending,
  };
}
