/** Older answers of a conversation in few tokens: their place, and the id by which they are read again. */

import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { CallArtifact } from "../../core/answer/outcome.js";
import { isRead } from "../../core/request/is-read.js";
import { readCallContext } from "../../toolkit/answering-tool.js";
import type { ApiSourceToolkit } from "../../toolkit/api-source-toolkit.js";
import { readerName } from "../../toolkit/create-tools.js";

/** An answer that may be cleared. */
interface Clearable {
  readonly index: number;
  readonly message: ToolMessage;
  readonly artifact: Partial<CallArtifact>;
  readonly id: string;
}

/**
 * Clears the oldest answers until the messages have no more than so many tokens.
 *
 * @param runtime - LangChain's: a kept answer belongs to the thread.
 * @returns the messages for the model; those of the run stay as they are.
 */
export async function clearAnswers(
  toolkit: ApiSourceToolkit,
  messages: readonly BaseMessage[],
  maxTokens: number,
  runtime: unknown,
): Promise<BaseMessage[]> {
  const { answers, kept } = await toolkit.openRuntime();
  const shown = [...messages];
  const count = (message: BaseMessage): number =>
    answers.countTokens(message.text) + (hasImage(message) ? imageTokens : 0);
  let tokens = shown.reduce((sum, message) => sum + count(message), 0);
  if (tokens <= maxTokens) return shown;
  const context = readCallContext(runtime);
  for (const { index, message, artifact, id } of listClearable(toolkit, messages)) {
    if (tokens <= maxTokens) break;
    if ((await kept.load(id, context, "application")) === undefined) continue;
    const cleared = clear(message, artifact, id);
    tokens += count(cleared) - count(message);
    shown[index] = cleared;
  }
  return shown;
}

/** The tokens that a provider counts for a large image: Anthropic 1,600, others less. */
const imageTokens = 1_600;

function hasImage({ content }: BaseMessage): boolean {
  return Array.isArray(content) && content.some(({ type }) => type === "image");
}

/**
 * Answers to a GET of this toolkit that have an id, and images that the reader showed, the oldest first, without the last answer of each source and
 * the last image.
 */
function listClearable(
  toolkit: ApiSourceToolkit,
  messages: readonly BaseMessage[],
): readonly Clearable[] {
  const slugs = new Set(toolkit.listClients().map(({ source }) => source.slug));
  const last = new Map<string, number>();
  const found = messages.flatMap((message, index): Clearable[] => {
    if (!ToolMessage.isInstance(message)) return [];
    const artifact: Partial<CallArtifact> = Object(message.artifact);
    const { source = "", request = "", responseId: id, category } = artifact;
    const isShown = source === readerName && hasImage(message);
    if (!slugs.has(source) && !isShown) return [];
    last.set(source, index);
    const isReading = isShown || isReadLine(request);
    const isFailure = message.status === "error" || category !== undefined;
    const names = id !== undefined && message.text.includes(id);
    return isReading && !isFailure && names ? [{ index, message, artifact, id }] : [];
  });
  return found.filter(({ index, artifact }) => last.get(artifact.source ?? "") !== index);
}

/** Whether a request line is that of a GET that writes nothing: its query may contain a GraphQL mutation. */
function isReadLine(line: string): boolean {
  const [method = "", target = ""] = line.split(/ (.*)/s, 2);
  const [path = "", query = ""] = target.split(/\?(.*)/s, 2);
  const parameters = [...new URLSearchParams(query)];
  return method === "GET" && isRead({ method, path, parameters }, []);
}

function clear(
  message: ToolMessage,
  { request, status }: Partial<CallArtifact>,
  id: string,
): ToolMessage {
  const { name, tool_call_id, artifact, metadata, status: outcome } = message;
  const content = JSON.stringify({ cleared: request, status, kept: id });
  return new ToolMessage({
    content,
    tool_call_id,
    artifact,
    ...(message.id !== undefined && { id: message.id }),
    ...(name !== undefined && { name }),
    ...(metadata !== undefined && { metadata }),
    ...(outcome !== undefined && { status: outcome }),
  });
}
