// Programs of `run_api_code`.

import { hostileProgram } from "../hostile-programs.mjs";

export async function openDoor({ fc, load, api, canary, hear }) {
  const { ApiSourceToolkit } = await load("index.js");
  const { createApiCodeTool } = await load("extras/code/create-api-code-tool.js");
  const settings = { baseUrl: api.baseUrl, authType: "bearer", limits: { retries: 0, timeoutMs: 5_000 } };
  const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: settings }], {
    credentials: { shop: { token: canary } },
  });
  const tool = createApiCodeTool(toolkit, { timeoutMs: 5_000, cpuMs: 2_000, writes: "allow" });
  // Code may sleep for ten minutes: a cancelled run ends at once.
  const mostMs = 15_000;
  return {
    arbitrary: hostileProgram(fc),
    async run(code) {
      const call = { type: "tool_call", id: "1", name: "run_api_code", args: { code } };
      const message = await tool.invoke(call, { signal: AbortSignal.timeout(mostMs) });
      hear("message", message.content);
      hear("artifact", message.artifact);
    },
    isExpected: ({ name }) => ["AbortError", "TimeoutError"].includes(name),
  };
}
