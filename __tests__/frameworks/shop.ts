/** An API that notes what it received, its source, and a model that says what a test gives it. */

import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

export interface Shop {
  readonly api: HttpServer;
  readonly record: { readonly name: string; readonly api: { readonly baseUrl: string } };
  /** The writes that arrived. */
  writes(): string[];
  open(options?: ClientOptions): Promise<ApiSourceToolkit>;
}

export async function startShop(): Promise<Shop> {
  const api = await startHttpServer((request, response) =>
    sendJson(response, { did: `${request.method} ${request.url}` }),
  );
  const record = { name: "Shop", api: { baseUrl: api.url } };
  return {
    api,
    record,
    writes: () => api.requests.filter(({ method }) => method !== "GET").map(({ body }) => body),
    open: (options = {}) => ApiSourceToolkit.fromSources([record], options),
  };
}

export const write = { method: "POST", path: "/orders", body: '{"item":"chair"}' };
export const approve = { decisions: [{ type: "approve" }] };

export interface ScriptedCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

type Step = (last: BaseMessage | undefined) => readonly ScriptedCall[];

/** Makes calls by the last message, and where there are none says that it is done. It has no state, and runs with each version of LangChain. */
class ScriptedModel extends BaseChatModel {
  readonly #calls: Step;

  constructor(calls: Step) {
    super({});
    this.#calls = calls;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const calls = this.#calls(messages.at(-1));
    const message = new AIMessage({
      content: calls.length === 0 ? "done" : "",
      tool_calls: calls.map((call, index) => ({
        ...call,
        id: `call_${index}`,
        type: "tool_call" as const,
      })),
    });
    return { generations: [{ message, text: message.text }] };
  }
}

/** Calls one tool and then says that it is done. */
export function scripted(name: string, args: Record<string, unknown>): BaseChatModel {
  return scriptedCalls(() => [{ name, args }]);
}

/** @param calls - Gives the calls by what was requested; they are made at once, and their answers end the turn. */
export function scriptedCalls(calls: (request: string) => readonly ScriptedCall[]): BaseChatModel {
  return new ScriptedModel((last) => (last?.type === "tool" ? [] : calls(String(last?.text))));
}

/** The texts that the tools answered with, of a state of LangGraph. */
export function toolTexts(state: unknown): string[] {
  const { messages } = state as { messages: { type: string; text: string }[] };
  return messages.filter(({ type }) => type === "tool").map(({ text }) => text);
}

export interface Interruption {
  readonly id: string;
  readonly value: { readonly request: { readonly body: string } };
}

export function interruptsOf(state: unknown): Interruption[] {
  return (state as { __interrupt__?: Interruption[] }).__interrupt__ ?? [];
}
