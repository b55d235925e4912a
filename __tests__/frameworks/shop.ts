/** An API that notes what it received, its source, and a model that says what a test gives it. */

import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "langchain";
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

/** Calls one tool and then says that it is done. */
export function scripted(name: string, args: Record<string, unknown>): ReturnType<typeof fakeModel> {
  return fakeModel()
    .respondWithTools([{ name, args, id: "call_1" }])
    .respond(new AIMessage("done"))
    .respond(new AIMessage("done"));
}

/** The texts that the tools answered with, of a state of LangGraph. */
export function toolTexts(state: unknown): string[] {
  const { messages } = state as { messages: { type: string; text: string }[] };
  return messages.filter(({ type }) => type === "tool").map(({ text }) => text);
}

export function interruptsOf(state: unknown): unknown[] {
  return (state as { __interrupt__?: unknown[] }).__interrupt__ ?? [];
}
