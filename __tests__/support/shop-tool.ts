/** A tool and its reader on a server of the test, and their answers as documents. */

import { ApiSourceToolkit } from "langchain-api-sources";
import { type Respond, startHttpServer } from "./http-server.js";
import { splitOptions, type TestOptions } from "./seams.js";

/** As parsed: tests look into it freely. */
export type AnswerDocument = ReturnType<typeof JSON.parse>;

export type ShopTool = Awaited<ReturnType<typeof startShopTool>>;

/** @param settings - More members of `api`; without authentication unless they say so. */
export async function startShopTool(
  respond: Respond,
  settings: Record<string, unknown> = {},
  options: TestOptions = {},
) {
  const server = await startHttpServer(respond);
  const record = { name: "Shop", api: { baseUrl: server.url, ...settings } };
  const toolkit = await ApiSourceToolkit.fromSources([record], ...splitOptions(options));
  const [tool, reader] = toolkit.getTools();
  const invoke = async (
    which: typeof tool,
    input: unknown,
    config?: unknown,
  ): Promise<AnswerDocument> =>
    JSON.parse(String(await which?.invoke(input as never, config as never)));
  return {
    server,
    toolkit,
    /** Calls the source's tool. */
    ask: (input: unknown, config?: unknown) => invoke(tool, input, config),
    /** Calls `read_api_response`. */
    read: (input: unknown, config?: unknown) => invoke(reader, input, config),
  };
}
