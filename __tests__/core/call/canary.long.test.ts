import { beforeEach, describe, expect, it } from "@jest/globals";
import type { ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import {
  authTypes,
  canaries,
  expectNoCanary,
  makeCanaryToolkit,
  openEars,
} from "../../support/canary-toolkit.js";
import { echoes, startEchoApi } from "../../support/echo-api.js";
import { encodeEverywhere } from "../../support/encode-everywhere.js";
import { createCanaryFinder } from "../../support/find-canary.js";

const all = Object.values(canaries);
/** Each API echoes its own credential and another's: a toolkit keeps all its secrets from all its answers. */
const neighbours = {
  bearer: [canaries.bearer, canaries.password],
  header: [canaries.header, canaries.query],
  query: [canaries.query, canaries.second],
  basic: [canaries.password, canaries.third, canaries.header],
} as const;

const api = await startEchoApi();
const ears = openEars();
const toolkit = await makeCanaryToolkit(`${api.url}/v1`, ears);
let readBacks = 0;

beforeEach(() => {
  ears.heard.length = 0;
});

function toolOf(name: string): StructuredToolInterface {
  const tool = toolkit.getTools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

async function call(name: string, args: unknown): Promise<ToolMessage> {
  const message: ToolMessage = await toolOf(name).invoke({
    type: "tool_call",
    id: "c",
    name,
    args,
  } as never);
  ears.hear("ToolMessage", message);
  ears.hear("content", message.content);
  ears.hear("artifact", message.artifact);
  return message;
}

async function readBack(id: string, deep: boolean): Promise<void> {
  const all = [
    { id },
    { id, select: "@" },
    { id, select: "keys(@)" },
    { id, select: "rows[*].text" },
    { id, select: "to_string(@)" },
    { id, offset: 0, limit: 3 },
    { id, find: canaries.bearer },
    { id, find: canaries.password },
    { id, find: canaries.query.slice(0, 7) },
  ];
  for (const args of deep ? all : all.slice(0, 4)) await call("read_api_response", args);
  ears.hear("readResponse", await toolkit.readResponse(id));
  ears.hear("readResponse select", await toolkit.readResponse(id, { select: "[@, rows]" }));
}

describe("the finder of canaries", () => {
  it.each(all)("finds %s in every encoding, whole or cut", (secret) => {
    const one = createCanaryFinder([secret]);
    const forms = encodeEverywhere(secret);
    const missed = forms.filter(({ text }) => one.find(`xx ${text} yy`) === undefined);
    expect(missed).toEqual([]);
    expect(one.find(`xx ${secret.slice(0, 8)}…`)).toBeDefined();
    expect(one.find(`… ${secret.slice(-8)}`)).toBeDefined();
    expect(one.find("[REDACTED] the quick brown fox jumps 0123456789 abcdef")).toBeUndefined();
  });
});

describe.each(authTypes)("authType %s", (authType) => {
  it("really puts its credential and both secrets of the record on the wire", async () => {
    readBacks = 0;
    await call(authType, { method: "GET", path: "/list" });
    const [request] = api.requests;
    const sent = new URL(request?.url ?? "", api.url).searchParams;
    const headers = request?.headers ?? {};
    const credential = {
      bearer: headers.authorization,
      header: headers["x-api-key"],
      query: sent.get("api_key"),
      basic: Buffer.from(headers.authorization?.slice(6) ?? "", "base64").toString("utf8"),
    }[authType];
    expect(credential).toContain(canaries[authType === "basic" ? "password" : authType]);
    expect(headers["x-second"]).toBe(`app ${canaries.second}`);
    expect(sent.get("third")).toBe(canaries.third);
  });

  it.each(Object.keys(echoes))("shows nothing of it when the API answers with %s", async (echo) => {
    api.secrets = neighbours[authType];
    const { artifact } = await call(authType, { method: "GET", path: `/${echo}` });
    await toolOf(authType).invoke({ method: "GET", path: `/${echo}?form=0` });
    if (artifact?.responseId !== undefined) {
      readBacks += 1;
      await readBack(artifact.responseId, authType === "bearer" || authType === "basic");
    }
    expectNoCanary(ears);
  });

  it("has large answers kept and read back", () => {
    expect(readBacks).toBeGreaterThan(10);
  });

  it("shows nothing of it when a body is sent and echoed", async () => {
    api.secrets = neighbours[authType];
    await call(authType, { method: "POST", path: "/error-message?form=1", body: { a: 1 } });
    await call(authType, { method: "POST", path: "/redirect-away?form=0", body: "[1]" });
    expectNoCanary(ears);
  });
});
