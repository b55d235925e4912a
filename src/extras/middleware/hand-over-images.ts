/** Images that the reader showed, as messages that the packages of all providers hand on: some hand on none of a tool's message. */

import {
  type BaseMessage,
  type ContentBlock,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { CallArtifact } from "../../core/answer/outcome.js";
import { readerName } from "../../toolkit/create-tools.js";

/**
 * Moves the images of the reader's messages into a message behind the answers of the same step. Measured with `@langchain/openai` 1.5.8 (both APIs),
 * `anthropic` 1.5.11, `google` 0.2.1 and `google-genai` 2.3.2: each converts the blocks of such a message.
 *
 * @returns the messages for the model; those of the run stay as they are.
 */
export function handOverImages(messages: readonly BaseMessage[]): BaseMessage[] {
  const shown: BaseMessage[] = [];
  let images: ContentBlock.Standard[] = [];
  const closeStep = (): void => {
    if (images.length > 0) shown.push(new HumanMessage({ contentBlocks: images }));
    images = [];
  };
  for (const message of messages) {
    if (!ToolMessage.isInstance(message)) closeStep();
    const image = ToolMessage.isInstance(message) ? findImage(message) : undefined;
    if (image === undefined) shown.push(message);
    else {
      shown.push(image.rest);
      // The file's name stays in the answer: the API wrote it, and this is a user's message.
      const title = `Image ${image.file?.id} of ${readerName}:`;
      images.push({ type: "text", text: title }, image.block);
    }
  }
  closeStep();
  return shown;
}

interface FoundImage {
  readonly block: ContentBlock.Multimodal.Image;
  readonly file: CallArtifact["file"];
  /** The message without it. */
  readonly rest: ToolMessage;
}

/** The image in a message of the reader of kept responses. */
function findImage(message: ToolMessage): FoundImage | undefined {
  const { content, text, name, tool_call_id, artifact, metadata, id } = message;
  if (metadata?.["apiSource"] !== readerName || !Array.isArray(content)) return undefined;
  const block = content.find(({ type }) => type === "image");
  if (block === undefined) return undefined;
  const rest = new ToolMessage({
    content: text,
    tool_call_id,
    artifact,
    metadata,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
  });
  const { file }: Partial<CallArtifact> = Object(artifact);
  return { block: block as ContentBlock.Multimodal.Image, file, rest };
}
