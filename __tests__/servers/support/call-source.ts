/** A source on a real server, called as an agent calls it; every answer is held to the contract and searched for secrets. */

import { inspect } from "node:util";
import { expect } from "@jest/globals";
import { ToolMessage } from "@langchain/core/messages";
import { AIMessage, createAgent, fakeModel } from "langchain";
import type { ClientOptions } from "../../../src/client/client-options.js";
import type { CallArtifact } from "../../../src/client/outcome.js";
import type { ErrorCategory } from "../../../src/errors.js";
import { type ApiSourceTool, createApiSourceTool } from "../../../src/toolkit/create-api-source-tool.js";
import { findSecret } from "./find-secret.js";

export interface CallInput {
  readonly method: string;
  readonly path: string;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly headers?: unknown;
  readonly select?: string;
}

/** The answer document of design section 4. */
export interface AnswerDocument {
  readonly status?: number;
  readonly error?: {
    readonly message: string;
    readonly category: ErrorCategory;
    readonly retryable: boolean;
    readonly retryAfterSeconds?: number;
    readonly code?: string;
    readonly details?: unknown;
    readonly hint: string;
  };
  readonly data?: unknown;
  readonly contentType?: string;
  readonly rateLimit?: Readonly<Record<string, unknown>>;
  readonly next?: CallInput;
  readonly partial?: { readonly bytes: number; readonly why: string };
  readonly shortened?: { readonly id?: string; readonly try?: readonly string[] };
}

export interface SourceAnswer extends AnswerDocument {
  /** The document as the model reads it. */
  readonly content: string;
  readonly artifact: CallArtifact;
}

export interface TestedSource {
  readonly tool: ApiSourceTool;
  /** One call with a ToolCall. */
  call(input: CallInput): Promise<SourceAnswer>;
  /** One call with bare arguments, as a program makes it: the content alone. */
  callPlain(input: CallInput): Promise<string>;
  /** The same calls through an agent loop, then a last word. */
  runAgent(inputs: readonly CallInput[]): Promise<SourceAnswer[]>;
}

const keyOrder = [
  "status",
  "error",
  "data",
  "contentType",
  "rateLimit",
  "next",
  "partial",
  "shortened",
  "summary",
];

/** Makes the tool of one record; no secret may be found in anything that it gives. */
export function testSource(
  record: Readonly<Record<string, unknown>>,
  options: ClientOptions,
  secrets: readonly string[],
): TestedSource {
  const tool = createApiSourceTool(record, { readEnvironment: () => undefined, ...options });
  expect(findSecret(inspect(tool, { depth: 12, showHidden: true }), secrets)).toBeUndefined();
  const read = (message: ToolMessage): SourceAnswer => readMessage(message, secrets);
  return {
    tool,
    call: async (args) => {
      const call = { type: "tool_call", id: "call_1", name: tool.name, args } as const;
      return read((await tool.invoke(call)) as unknown as ToolMessage);
    },
    callPlain: async (args) => String(await tool.invoke({ ...args } as never)),
    async runAgent(inputs) {
      const model = fakeModel();
      inputs.forEach((args, index) => {
        const call = { type: "tool_call" as const, id: `call_${index}`, name: tool.name, args: { ...args } };
        model.respond(new AIMessage({ content: "", tool_calls: [call] }));
      });
      model.respond(new AIMessage("Done."));
      const agent = createAgent({ model, tools: [tool] });
      const state = await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
      expect(state.messages.at(-1)?.text).toBe("Done.");
      expect(findSecret(inspect(state, { depth: null }), secrets)).toBeUndefined();
      return state.messages.filter((message) => ToolMessage.isInstance(message)).map(read);
    },
  };
}

function readMessage(message: ToolMessage, secrets: readonly string[]): SourceAnswer {
  const { content, artifact, status } = message;
  if (typeof content !== "string") throw new Error("The content is no text.");
  const shown = `${content}\n${JSON.stringify(artifact)}\n${inspect(message, { depth: null, showHidden: true })}`;
  expect(findSecret(shown, secrets)).toBeUndefined();
  const document = JSON.parse(content) as AnswerDocument;
  const keys = Object.keys(document);
  expect(keys).toEqual(keyOrder.filter((key) => keys.includes(key)));
  // LangChain leaves the status of a success out in some paths.
  expect(status === "error").toBe(document.error !== undefined);
  expect(artifact.category).toBe(document.error?.category);
  return { ...document, content, artifact };
}
