import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import { recordTo } from "langchain-api-sources/testing";
import { authTypes, canaries, canaryFinder, credentials, toRecord } from "../../support/canary-toolkit.js";
import { echoes, startEchoApi } from "../../support/echo-api.js";
import { useDirectory } from "../../support/temporary-directory.js";

const directory = useDirectory();
const api = await startEchoApi();

describe("a recorded session with an API that echoes every secret in every encoding", () => {
  it("leaves no canary in any file", async () => {
    const records = authTypes.map((authType) => toRecord(authType, `${api.url}/v1`));
    const toolkit = await ApiSourceToolkit.fromSources(records, {
      credentials,
      secrets: { SECOND: canaries.second, THIRD: canaries.third },
      transport: recordTo(directory()),
    });
    const tools = toolkit.getTools();
    const secrets = {
      bearer: canaries.bearer,
      header: canaries.header,
      query: canaries.query,
      basic: canaries.password,
    };
    let calls = 0;
    for (const authType of authTypes) {
      api.secrets = [secrets[authType], canaries.second];
      const tool = tools.find(({ name }) => name === authType);
      for (const echo of Object.keys(echoes)) {
        const args = { method: "GET", path: `/${echo}` };
        await tool?.invoke({ type: "tool_call", id: "c", name: authType, args });
        calls += 1;
      }
    }
    const files = readdirSync(directory());
    expect(files).toEqual(["basic.json", "bearer.json", "header.json", "query.json"]);
    let entries = 0;
    for (const name of files) {
      const text = readFileSync(directory(name), "utf8");
      entries += JSON.parse(text).entries.length;
      expect(canaryFinder.find(text)).toBeUndefined();
      for (const { response } of JSON.parse(text).entries) {
        const body = response?.body;
        const shown =
          typeof body === "string" ? body : Buffer.from(body?.base64 ?? "", "base64").toString("latin1");
        expect(canaryFinder.find(shown)).toBeUndefined();
      }
    }
    expect(entries).toBeGreaterThan(calls * 0.9);
  });
});
