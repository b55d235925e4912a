/** Code over the APIs that a server of a test plays. */

import { type ApiSourceRecord, ApiSourceToolkit } from "langchain-api-sources";
import {
  type ApiCodeTool,
  type ApiCodeToolOptions,
  createApiCodeTool,
} from "langchain-api-sources/code";
import { splitOptions, type TestOptions } from "../../support/seams.js";

export type Answer = ReturnType<typeof JSON.parse>;
export type Run = (code: unknown, config?: object) => Promise<Answer>;

type CodeTestOptions = TestOptions & {
  readonly sources?: readonly {
    readonly name: string;
    readonly slug?: string;
    readonly tagline?: string;
  }[];
};

/** @param api - Of each source; they are not sent again. */
export async function openCode(
  api: ApiSourceRecord["api"],
  options: ApiCodeToolOptions = {},
  { sources = [{ name: "Shop" }], ...clientOptions }: CodeTestOptions = {},
): Promise<{ readonly run: Run; readonly tool: ApiCodeTool; readonly toolkit: ApiSourceToolkit }> {
  const records = sources.map((source) => ({ ...source, api: { limits: { retries: 0 }, ...api } }));
  const toolkit = await ApiSourceToolkit.fromSources(records, ...splitOptions(clientOptions));
  const tool = createApiCodeTool(toolkit, options);
  const run: Run = async (code, config) =>
    JSON.parse(await tool.invoke({ code } as never, config as Parameters<typeof tool.invoke>[1]));
  return { run, tool, toolkit };
}
