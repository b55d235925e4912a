import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { connectionVerdicts } from "../src/diagnosis/cause.js";
import * as surface from "../src/index.js";
import { codesOf, readTable } from "./support/documents.js";

/** What others import; design section 10. Taking a name away is a breaking change. */
const exportedValues = [
  "ApiSourceError",
  "ApiSourceToolkit",
  "SourceDirectory",
  "SourceRecordError",
  "apiSourceJsonSchema",
  "createApiSourceTool",
  "createMemoryStore",
  "createReadApiResponseTool",
  "createSourceClient",
  "defineSource",
  "errorCategories",
  "fileTokenStore",
  "loadEnvFile",
  "loadSources",
  "modelSummarizer",
  "parseSource",
  "projectionSummarizer",
  "testConnection",
];

/** Fails to compile when an option goes, comes, or changes its name. */
const optionNames: Record<keyof surface.ClientOptions, true> = {
  approve: true,
  approver: true,
  clock: true,
  countTokens: true,
  credentials: true,
  logger: true,
  maxTokens: true,
  onCall: true,
  random: true,
  readApiResponse: true,
  readEnvironment: true,
  redis: true,
  responseScope: true,
  responseStore: true,
  secrets: true,
  sleep: true,
  summarizer: true,
  tokenStore: true,
  transport: true,
};

const codesOfTable = (page: string, heading: string): (string | undefined)[] =>
  readTable(page, heading).map(([cell = ""]) => codesOf(cell)[0]);

describe("langchain-api-sources", () => {
  it("exports these values and no other", () => {
    expect(Object.keys(surface).sort()).toEqual(exportedValues);
  });

  it("gives a toolkit its ways in and its methods", async () => {
    expect(Object.getOwnPropertyNames(surface.ApiSourceToolkit)).toEqual(
      expect.arrayContaining(["fromSources", "fromFile", "fromDirectory"]),
    );
    const toolkit = await surface.ApiSourceToolkit.fromSources([{ api: { baseUrl: "https://api.example" } }]);
    expect(toolkit).toMatchObject({
      getTools: expect.any(Function),
      testConnections: expect.any(Function),
      interruptOn: expect.any(Function),
      readResponse: expect.any(Function),
    });
  });

  it("is one file of named exports, with no `export *`", () => {
    expect(readFileSync("src/index.ts", "utf8")).not.toMatch(/export \*|export default/);
  });
});

describe("the reference", () => {
  it("has every export in its table, and no other", () => {
    expect(codesOfTable("docs/api.md", "Export").sort()).toEqual(exportedValues);
  });

  it("has every option in its table, and no other", () => {
    expect(codesOfTable("docs/api.md", "Option").sort()).toEqual(Object.keys(optionNames).sort());
  });

  it("has every error category in its table, in their order", () => {
    expect(codesOfTable("docs/answers.md", "Category")).toEqual([...surface.errorCategories]);
  });

  it("has every verdict of the connection test in its table, in their order", () => {
    expect(codesOfTable("docs/connection-test.md", "Verdict")).toEqual([...connectionVerdicts]);
  });
});
