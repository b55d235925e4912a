/** A decision about a source that never comes. */

import { expect, it } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { createAgent, createMiddleware, fakeModel } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import { apiSourcesMiddleware } from "langchain-api-sources/middleware";

it("a source about which the application does not decide in 5 seconds is hidden, and that is reported", async () => {
  const warnings: unknown[] = [];
  const ignore = (): void => {};
  const warn = (text: string, data?: object): void => void warnings.push([text, data]);
  const logger = { debug: ignore, info: ignore, error: ignore, warn };
  const records = ["Shop", "Payroll"].map((name) => ({
    name,
    api: { baseUrl: `https://${name.toLowerCase()}.example` },
  }));
  const toolkit = await ApiSourceToolkit.fromSources(records, { logger });
  const shown: unknown[] = [];
  const agent = createAgent({
    model: fakeModel().respond(new AIMessage("done")),
    tools: toolkit.getTools(),
    middleware: [
      apiSourcesMiddleware(toolkit, {
        visible: (slug) => (slug === "payroll" ? new Promise<boolean>(() => {}) : true),
      }),
      createMiddleware({
        name: "Watch",
        wrapModelCall: (request, handler) => {
          shown.push(...request.tools.map((each) => Object(each).name));
          return handler(request);
        },
      }),
    ],
  });
  await agent.invoke({ messages: [new HumanMessage("go")] });
  expect(shown).toEqual(["shop", "read_api_response"]);
  const fields = { source: "payroll", error: "Error: It took longer than 5000 ms." };
  const report = ["The application's visible failed.", expect.objectContaining(fields)];
  expect(warnings).toEqual([report]);
});
