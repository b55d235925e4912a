/** The sources of a toolkit in an agent: which of them a run may use, and older answers in few tokens. */

import { createMiddleware } from "langchain";
import {
  aFunction,
  atLeast,
  checkOwnOptions,
  type OptionRule,
} from "../../core/base/option-rules.js";
import { AnsweringTool } from "../../toolkit/answering-tool.js";
import type { ApiSourceToolkit } from "../../toolkit/api-source-toolkit.js";
import { readerName } from "../../toolkit/create-tools.js";
import { clearAnswers } from "./clear-answers.js";
import { handOverImages } from "./hand-over-images.js";
import { createVisibility, type Visible } from "./hidden-sources.js";
import { showTools } from "./show-tools.js";

export type { Visible };

export interface ApiSourcesMiddlewareOptions {
  /**
   * Decides for each model call and each tool call whether a run may use a source: its tool is not shown, and a call, its kept answers, its
   * description and its client in code are refused. One that throws, or takes longer than 5 seconds, hides the source. @default all are visible
   */
  readonly visible?: Visible | undefined;
  /**
   * From how many tokens of messages on the model is shown older answers as `{"cleared":"GET /big","status":200,"kept":"r_…"}`. Cleared are answers to a
   * GET, and shown images, that can still be read by their id; never failures, writes, and the last answer of each source. @default never
   */
  readonly clearAfterTokens?: number | undefined;
}

const rules: Record<keyof ApiSourcesMiddlewareOptions, OptionRule> = {
  visible: aFunction,
  clearAfterTokens: atLeast(1),
};

/**
 * Makes a middleware for `createAgent`. The agent has the tools of the toolkit besides. Images that `read_api_response` shows reach the models of all
 * providers with it.
 *
 * @param toolkit - The toolkit whose tools the agent has.
 * @throws ApiSourceError `not_configured` for a wrong option.
 * @example
 * const agent = createAgent({
 *   model: "openai:gpt-5-mini",
 *   tools: toolkit.getTools(),
 *   middleware: [apiSourcesMiddleware(toolkit, { visible: (slug, { context }) => Object(context).sources.includes(slug) })],
 * });
 */
export function apiSourcesMiddleware(
  toolkit: ApiSourceToolkit,
  options: ApiSourcesMiddlewareOptions = {},
) {
  checkOwnOptions("apiSourcesMiddleware", options, rules);
  const { visible, clearAfterTokens } = options;
  const slugs = toolkit.listClients().map(({ source }) => source.slug);
  const visibility = createVisibility(toolkit, slugs, visible);
  return createMiddleware({
    name: "ApiSourcesMiddleware",
    async wrapModelCall(request, handler) {
      const hidden = await visibility.findHidden(request.runtime);
      const tools = showTools(request.tools, hidden);
      const messages =
        clearAfterTokens === undefined
          ? request.messages
          : await clearAnswers(toolkit, request.messages, clearAfterTokens, request.runtime);
      return handler({ ...request, tools, messages: handOverImages(messages) });
    },
    async wrapToolCall(request, handler) {
      const hidden = await visibility.findHidden(request.runtime);
      const { tool } = request;
      const isReader = tool instanceof AnsweringTool && tool.name === readerName;
      const called = isReader ? { ...request, tool: tool.forAnyModel() } : request;
      return visibility.run(hidden, () => handler(called));
    },
  });
}
