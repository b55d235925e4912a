/** An image in the message of a tool, and which models are given it. */

import type { ContentBlock } from "@langchain/core/messages";
import type { ShownImage } from "../../core/store/show-image.js";

/**
 * Providers whose LangChain packages hand on no image of a tool's message, as their messages name them. Measured: `@langchain/openai` 1.5.8 sends the
 * block as it is (Chat Completions, which refuses it, and every later request of the conversation) or its base64 as text (Responses);
 * `@langchain/google` 0.2.1 its base64 as text.
 */
const withoutImages: readonly unknown[] = ["openai", "google"];

/** An answer's text and the image beside it. */
export type ImageBlocks = readonly [ContentBlock.Text, ContentBlock.Multimodal.Image];

/** Writes both as LangChain's standard content blocks. */
export function writeImageBlocks(text: string, { type, bytes }: ShownImage): ImageBlocks {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return [
    { type: "text", text },
    { type: "image", mimeType: type, data },
  ];
}

/**
 * Whether the model that made a tool call can be given an image.
 *
 * @param config - What LangChain hands the tool: in an agent with the messages of its run, the last of which names the model's provider.
 */
export function mayShowImages(config: unknown): boolean {
  const messages: unknown = Object(Object(config).state).messages;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const provider: unknown = Object(Object(last).response_metadata).model_provider;
  return !withoutImages.includes(provider);
}
