/** Runs of LangGraph graphs that have one node. */

import { MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import type { ToolNode } from "@langchain/langgraph/prebuilt";
import type { ApprovalQuestion } from "langchain-api-sources";

/** What a run gives: its messages, and the questions that it waits for. */
export interface RunState {
  readonly messages: readonly { readonly content: unknown }[];
  readonly __interrupt__?: readonly { readonly id: string; readonly value: ApprovalQuestion }[];
}

/** Makes a graph of the node. @returns how it is run. */
export function openNode<State>(work: unknown, checkpointer: MemorySaver = new MemorySaver()) {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("work", work as ToolNode)
    .addEdge("__start__", "work")
    .compile({ checkpointer });
  return async (input: unknown, configurable: object): Promise<State> =>
    (await graph.invoke(input as never, { configurable })) as State;
}

/** The checkpoints as they are now: a run of the copy resumes what a run of the original resumed too. */
export function copyCheckpoints(saver: MemorySaver): MemorySaver {
  const copied = new MemorySaver();
  copied.storage = structuredClone(saver.storage);
  copied.writes = structuredClone(saver.writes);
  return copied;
}
