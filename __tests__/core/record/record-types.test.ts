import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  type AuthType,
  createApiSourceTool,
  createSourceClient,
  defineSource,
  listVariables,
  parseSource,
  SourceRecordError,
} from "langchain-api-sources";
import shop from "../../../recipes/github.json" with { type: "json" };
import { writeRecordTypes } from "../../support/record-types.js";

const file = "src/core/record/record-types.ts";

it("the types of a record are those of its schema (UPDATE_DOCS=1 writes them)", () => {
  const right = writeRecordTypes();
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, right);
  expect(readFileSync(file, "utf8")).toBe(right);
});

it("every field of a record has a sentence, by which an editor completes it", () => {
  const lines = readFileSync(file, "utf8").split("\n");
  const fields = lines.flatMap((line, index) =>
    line.startsWith("  readonly ") ? { line, sentence: lines[index - 1] ?? "" } : [],
  );
  expect(fields.length).toBeGreaterThan(90);
  expect(fields.filter(({ sentence }) => !/^ {2}\/\*\* [^ ]+ .* \*\/$/.test(sentence))).toEqual([]);
});

const baseUrl = "https://api.shop.example";
const words: string[] = ["GET"];

/** The compiler judges each call where it is written: a directive above a call that compiles is an error of `npm run typecheck`. */
const wrongRecords: readonly (() => unknown)[] = [
  // @ts-expect-error -- authType "header" has a headerName.
  () => parseSource(defineSource({ api: { baseUrl, authType: "header" } })),
  // @ts-expect-error -- There are four values of authType.
  () => createSourceClient({ api: { baseUrl, authType: "b" } }),
  // @ts-expect-error -- authType "query" has a queryParam.
  () => createSourceClient({ api: { baseUrl, authType: "query" } }),
  // @ts-expect-error -- A rule of paging has one of next, page and offset.
  () => createSourceClient({ api: { baseUrl, paging: { page: "query:p", offset: "query:o" } } }),
  // @ts-expect-error -- Five methods exist.
  () => createApiSourceTool({ api: { baseUrl, methods: ["GETT"] } }),
  // @ts-expect-error -- The field is authType.
  () => createSourceClient({ api: { baseUrl, authTyp: "bearer" } }),
  // @ts-expect-error -- The field is timeoutMs.
  () => listVariables({ api: { baseUrl, limits: { timeout: 1 } } }),
  // @ts-expect-error -- A record has a baseUrl.
  () => createSourceClient({ api: { authType: "bearer" } }),
  // @ts-expect-error -- A list is judged record by record.
  () => ApiSourceToolkit.fromSources([{ api: { baseUrl } }, { api: { baseUrl, authType: "b" } }]),
  // @ts-expect-error -- A constant of literals is judged, too.
  () => createSourceClient({ api: { baseUrl, authType: "header" } } as const),
  // @ts-expect-error -- And what satisfies a record.
  () => parseSource({ api: { baseUrl, authType: "header" } } satisfies ApiSourceRecord),
];

it.each(wrongRecords.map((make) => [String(make), make] as const))(
  "%s does not compile, and is refused when the record is read",
  async (_text, make) => {
    await expect((async () => make())()).rejects.toThrow(SourceRecordError);
  },
);

it("takes records whose words have the type string, and judges them when they are read", async () => {
  const written = { name: "A", api: { baseUrl, authType: "bearer", methods: ["GET"] } };
  const byType = (authType: AuthType) => ({ name: "B", api: { baseUrl, authType } });
  const toolkit = await ApiSourceToolkit.fromSources([
    written,
    byType("basic"),
    shop,
    { name: "C", api: { baseUrl, methods: ["GET"], authType: "header", headerName: "X-Key" } },
    parseSource({ name: "D", api: { baseUrl } }),
  ]);
  expect(toolkit.getTools().map(({ name }) => name)).toEqual(
    expect.arrayContaining(["a", "b", "github", "c", "d"]),
  );
  const wrong = { name: "A", api: { baseUrl, authType: "Bearer", methods: words } };
  expect(() => createSourceClient(wrong)).toThrow(SourceRecordError);
});
