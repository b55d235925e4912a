/** A source on a real server, called as an agent calls it, and tested; every answer is held to the contract and searched for secrets. */

import { inspect } from "node:util";
import { expect } from "@jest/globals";
import { ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { AIMessage, createAgent, fakeModel } from "langchain";
import {
  ApiSourceToolkit,
  type CallArtifact,
  type ClientOptions,
  type ErrorCategory,
} from "langchain-api-sources";
import { asRecord } from "../../support/unchecked.js";
import { findSecret } from "./secrets.js";

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
  /** One call with a ToolCall. */
  call(input: CallInput): Promise<SourceAnswer>;
  /** One call with bare arguments, as a program makes it: the content alone. */
  callPlain(input: CallInput): Promise<string>;
  /** Asks a kept answer again, with the toolkit's reader. */
  readKept(input: { readonly id: string; readonly select?: string }): Promise<SourceAnswer>;
  /** The same calls through an agent loop, then a last word. */
  runAgent(inputs: readonly CallInput[]): Promise<SourceAnswer[]>;
}

const keyOrder =
  "status error data contentType file notes headers rateLimit total pages next job partial waited shortened kept summary".split(
    " ",
  );

/** Makes the tool of one record; no secret may be found in anything that it gives. */
export function testSource(
  record: Readonly<Record<string, unknown>>,
  options: ClientOptions,
  secrets: readonly string[],
): TestedSource {
  const opened = openTools(record, options, secrets);
  const invoke = async (position: 0 | 1, args: object): Promise<SourceAnswer> => {
    const tool = (await opened)[position];
    const message: unknown = await tool.invoke({ type: "tool_call", id: "call_1", name: tool.name, args });
    if (!ToolMessage.isInstance(message)) throw new Error("The tool gave no ToolMessage.");
    return readMessage(message, secrets);
  };
  return {
    call: (input) => invoke(0, input),
    readKept: (input) => invoke(1, input),
    callPlain: async (input) => String(await (await opened)[0].invoke({ ...input })),
    runAgent: async (inputs) => runAgent(await opened, inputs, secrets),
  };
}

/** The source's tool, and the reader of kept answers. */
type Tools = readonly [StructuredToolInterface, StructuredToolInterface];

async function openTools(record: object, options: ClientOptions, secrets: readonly string[]): Promise<Tools> {
  // Nothing comes from the environment of this machine.
  const toolkit = await ApiSourceToolkit.fromSources([asRecord(record)], options, {
    readEnvironment: () => undefined,
  });
  const [tool, reader] = toolkit.getTools();
  if (tool === undefined || reader === undefined) throw new Error("A tool is missing.");
  expect(findSecret(inspect([toolkit, tool], { depth: 12, showHidden: true }), secrets)).toBeUndefined();
  return [tool, reader];
}

async function runAgent(
  tools: Tools,
  inputs: readonly CallInput[],
  secrets: readonly string[],
): Promise<SourceAnswer[]> {
  const model = fakeModel();
  inputs.forEach((args, index) => {
    const call = { type: "tool_call" as const, id: `call_${index}`, name: tools[0].name, args: { ...args } };
    model.respond(new AIMessage({ content: "", tool_calls: [call] }));
  });
  model.respond(new AIMessage("Done."));
  const agent = createAgent({ model, tools: [...tools] });
  const state = await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
  expect(state.messages.at(-1)?.text).toBe("Done.");
  expect(findSecret(inspect(state, { depth: null }), secrets)).toBeUndefined();
  return state.messages
    .filter((message) => ToolMessage.isInstance(message))
    .map((message) => readMessage(message, secrets));
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
