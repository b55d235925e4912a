import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { entryPoints } from "../scripts/entry-points.mjs";
import type { LoadOptions } from "../src/core/record/load-sources.js";
import type { MemoryStoreOptions } from "../src/core/store/create-memory-store.js";
import type { ApiCodeToolOptions } from "../src/extras/code/create-api-code-tool.js";
import type { InspectorOptions } from "../src/extras/inspector/create-inspector.js";
import type { McpServerOptions } from "../src/extras/mcp/create-mcp-server.js";
import type { RecordOptions, ReplayFault, ReplayOptions } from "../src/extras/testing/testing.js";
import type { DescribeInput } from "../src/features/openapi/describe-api.js";
import * as surface from "../src/index.js";
import type { WholeOptions } from "../src/toolkit/client/call-for-code.js";
import type { ModelSummarizerOptions } from "../src/toolkit/model-summarizer.js";
import { codesOf, readTable } from "./support/documents.js";

const page = "docs/api.md";

/** Every member of a type: the list fails to compile when one comes, goes, or changes its name, and where an optional one does not accept `undefined`. */
type MembersOf<Type> = {
  readonly [Name in keyof Type]-?: Partial<Pick<Type, Name>> extends Pick<Type, Name>
    ? Record<Name, undefined> extends Pick<Type, Name>
      ? true
      : "does not accept undefined"
    : true;
};

type Toolkit = surface.ApiSourceToolkit;
type OptionsOf<Method extends "getTools" | "testConnections"> = NonNullable<Parameters<Toolkit[Method]>[0]>;
type SecondOf<Method extends "readResponse" | "readFile"> = NonNullable<Parameters<Toolkit[Method]>[1]>;
type LoadingAlone = Omit<
  NonNullable<Parameters<typeof surface.ApiSourceToolkit.fromDirectory>[1]>,
  keyof surface.ClientOptions
>;
type TestingAlone = Omit<
  NonNullable<Parameters<typeof surface.testConnection>[1]>,
  keyof surface.ClientOptions
>;

const options: MembersOf<surface.ClientOptions> = {
  approve: true,
  approver: true,
  countTokens: true,
  credentials: true,
  flow: true,
  interrupts: true,
  logger: true,
  maxTokens: true,
  onCall: true,
  readApiResponse: true,
  readFile: true,
  redis: true,
  responseScope: true,
  responseStore: true,
  secrets: true,
  summarizer: true,
  tokenStore: true,
  toolNames: true,
  transport: true,
};

interface OtherOptions {
  readonly fromDirectory: MembersOf<LoadingAlone>;
  readonly loadSources: MembersOf<LoadOptions>;
  readonly testConnection: MembersOf<TestingAlone>;
  readonly getTools: MembersOf<OptionsOf<"getTools">>;
  readonly testConnections: MembersOf<OptionsOf<"testConnections">>;
  readonly readResponse: MembersOf<SecondOf<"readResponse">>;
  readonly readFile: MembersOf<SecondOf<"readFile">>;
  readonly read: MembersOf<surface.ReadPart>;
  readonly callWhole: MembersOf<WholeOptions>;
  readonly describe: MembersOf<DescribeInput>;
  readonly modelSummarizer: MembersOf<ModelSummarizerOptions>;
  readonly createMemoryStore: MembersOf<MemoryStoreOptions>;
  readonly journalTo: MembersOf<surface.JournalOptions>;
  readonly createApiCodeTool: MembersOf<ApiCodeToolOptions>;
  readonly createMcpServer: MembersOf<McpServerOptions>;
  readonly createInspector: MembersOf<InspectorOptions>;
  readonly recordTo: MembersOf<RecordOptions>;
  readonly replayFrom: MembersOf<ReplayOptions>;
  readonly fail: MembersOf<ReplayFault>;
}

const otherOptions: OtherOptions = {
  fromDirectory: { onInvalid: true },
  loadSources: { onInvalid: true, logger: true },
  testConnection: { signal: true },
  getTools: { answers: true, strict: true, interrupts: true },
  testConnections: { concurrency: true, signal: true },
  readResponse: { select: true, threadId: true },
  readFile: { threadId: true },
  read: { select: true, find: true, offset: true, limit: true },
  callWhole: { followsPages: true, isRaw: true },
  describe: { path: true, method: true, find: true, guide: true },
  modelSummarizer: { maxInputTokens: true, maxSummaryTokens: true },
  createMemoryStore: { maxBytes: true, ttlMs: true },
  journalTo: { maxBytes: true },
  createApiCodeTool: {
    ...{ writes: true, timeoutMs: true, cpuMs: true, memoryBytes: true },
    ...{ maxCalls: true, concurrency: true, maxTokens: true },
  },
  createMcpServer: { session: true, approve: true, tools: true, version: true },
  createInspector: { approve: true, calls: true, journal: true, port: true },
  recordTo: { redact: true },
  replayFrom: { delays: true },
  fail: {
    ...{ path: true, method: true, times: true, status: true, headers: true },
    ...{ body: true, reset: true, timeout: true, truncate: true },
  },
};

const requestMembers: MembersOf<surface.CallRequest> = {
  ...{ method: true, path: true, query: true, body: true, headers: true },
  ...{ select: true, pages: true, wait: true, until: true },
};
const contextMembers: MembersOf<surface.CallContext> = {
  ...{ context: true, configurable: true, threadId: true, signal: true },
  ...{ onProgress: true, store: true, run: true },
};

/** The code spans of the first cell of each row, sorted. */
const firstCodes = (heading: string): string[] =>
  readTable(page, heading)
    .flatMap(([cell = ""]) => codesOf(cell))
    .sort();

/** The first code spans of the first two cells of each row. */
const firstPairs = (heading: string): string[][] =>
  readTable(page, heading).map((cells) => cells.slice(0, 2).flatMap((cell) => codesOf(cell)[0] ?? []));

const sorted = (members: object): string[] => Object.keys(members).sort();

/** By entry point, the values that it exports. */
const exported = new Map<string, string[]>();

beforeAll(async () => {
  for (const subpath of Object.keys(entryPoints)) {
    const name = `langchain-api-sources${subpath.slice(1)}`;
    exported.set(name, sorted(await import(name)));
  }
});

describe("docs/api.md", () => {
  it("has every export of the package, and no other", () => {
    expect(firstCodes("Export")).toEqual(exported.get("langchain-api-sources"));
  });

  it("has every export of the other entry points, and no other", () => {
    const rows = firstPairs("Entry point | Export");
    const others = [...exported].filter(([name]) => name !== "langchain-api-sources");
    const expected = others.flatMap(([name, values]) => values.map((value) => [name, value]));
    expect(rows.map(String).sort()).toEqual(expected.map(String).sort());
  });

  it("has every option, and no other", () => {
    expect(firstCodes("Option")).toEqual(sorted(options));
  });

  it("has every option of the other functions, and no other", () => {
    const rows = firstPairs("Of | Member");
    const expected = Object.entries(otherOptions).flatMap(([name, members]) =>
      Object.keys(members).map((member) => [name, member]),
    );
    expect(rows.map(String).sort()).toEqual(expected.map(String).sort());
  });

  it("has every member of a request and of a context, and no other", () => {
    expect(firstCodes("Member of a request")).toEqual(sorted(requestMembers));
    expect(firstCodes("Member of a context")).toEqual(sorted(contextMembers));
  });

  it("has every method of a toolkit and of a client, and no other", () => {
    // These two are for the package's own entry points.
    const internal = new Set(["constructor", "listClients", "openRuntime"]);
    const methods = Object.getOwnPropertyNames(surface.ApiSourceToolkit.prototype);
    expect(firstCodes("Method of a toolkit")).toEqual(methods.filter((name) => !internal.has(name)).sort());
    const client = surface.createSourceClient({ api: { baseUrl: "https://api.example" } });
    expect([...firstCodes("Method of a client"), "source"].sort()).toEqual(sorted(client));
  });
});

describe("the program that tests CommonJS", () => {
  it("uses every export", () => {
    const program = readFileSync("scripts/commonjs-program.cjs", "utf8");
    const unused = [...exported.values()].flat().filter((name) => !program.includes(`    ${name}: `));
    expect(unused).toEqual([]);
  });
});
