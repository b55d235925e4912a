/** What LangChain hands a running tool, read without trusting its shape: outside an agent most of it is absent. */

import type { CallContext, RuntimeStore } from "../runtime.js";

/** Reads a call's context from LangChain's config (a ToolRuntime inside `createAgent`). */
export function toCallContext(config: unknown): CallContext {
  const { context, configurable, signal, store, writer } = asRecord(config);
  const known = isObject(configurable) ? { ...configurable } : {};
  const threadId = asRecord(known)["thread_id"];
  return {
    ...(context === undefined ? {} : { context }),
    ...(configurable === undefined ? {} : { configurable: known }),
    ...(typeof threadId === "string" ? { threadId } : {}),
    ...(signal instanceof AbortSignal ? { signal } : {}),
    ...(isStore(store) ? { store } : {}),
    ...(typeof writer === "function" ? { onProgress: (progress) => writer(progress) } : {}),
  };
}

/** The id of the tool call that is answered; undefined when the tool was invoked with bare arguments. */
export function toolCallIdOf(config: unknown): string | undefined {
  const { id } = asRecord(asRecord(config)["toolCall"]);
  return typeof id === "string" ? id : undefined;
}

function isStore(value: unknown): value is RuntimeStore {
  const { get, put } = asRecord(value);
  return typeof get === "function" && typeof put === "function";
}

/** For reading a few members: a copy of LangChain's config would cost more than the rest. */
function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? (value as Readonly<Record<string, unknown>>) : {};
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
