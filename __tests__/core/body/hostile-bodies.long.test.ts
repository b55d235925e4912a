import { describe, expect, it } from "@jest/globals";
import { readResponseBody } from "../../../src/core/body/read-response-body.js";
import type { ResponseBody } from "../../../src/core/body/response-body.js";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import { parseKeptText } from "../../../src/core/store/keep-response.js";

const nothingSecret = createRedactor([]);

async function read(type: string, text: string, cut?: string): Promise<ResponseBody> {
  const bytes = Buffer.from(text);
  return readResponseBody({
    bytes,
    headers: { "content-type": type },
    redactor: nothingSecret,
    incomplete: cut,
  });
}

const fill = (count: number, unit: (index: number) => string, separator = ""): string =>
  Array.from({ length: count }, (_, index) => unit(index)).join(separator);
const [depth, containers, values, columns] = [1_000, 500_000, 2_000_000, 10_000];
const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const json = "application/json";

/** What fits, what has one more, and what is said of that. */
const limits: readonly (readonly [string, string, (count: number) => string, number, string])[] = [
  ["levels of JSON", json, deep, depth, "nested deeper than 1,000 levels"],
  [
    "levels of XML",
    "text/xml",
    (count) => "<a>".repeat(count) + "</a>".repeat(count),
    depth,
    "nested deeper",
  ],
  [
    "lists",
    json,
    (count) => `[${fill(count - 1, () => "[]", ",")}]`,
    containers,
    "more than 500,000 objects",
  ],
  [
    "values",
    json,
    (count) => `[${fill(count, () => "1", ",")}]`,
    values,
    "more than 2,000,000 values",
  ],
  [
    "documents",
    "application/x-ndjson",
    (count) => fill(count, () => "{}", "\n"),
    containers,
    "more than 500,000",
  ],
  [
    "events",
    "text/event-stream",
    (count) => fill(count, () => "data:1\n\n"),
    containers,
    "more than 500,000",
  ],
  [
    "attributes",
    "text/xml",
    (count) => `<a ${fill(count, (at) => `a${at}="" `)}/>`,
    columns,
    "more than 10,000 columns",
  ],
];

describe("readResponseBody: more structure than a document is made of", () => {
  it.each(limits)(
    "builds no tree of more %s than its limit, keeps the whole text and says so",
    async (_, type, make, limit, said) => {
      const within = await read(type, make(limit));
      expect([within.kind, within.isTooLarge]).toEqual([
        type === "text/xml" ? "xml" : "json",
        undefined,
      ]);
      const text = make(limit + 2);
      const beyond = await read(type, text);
      expect(beyond).toMatchObject({ kind: "text", isTooLarge: true });
      expect(beyond.text === text && beyond.document === text).toBe(true);
      expect(beyond.warnings?.join(" ")).toContain(said);
      expect((await parseKeptText(text, beyond.kind, beyond.contentType)) === text).toBe(true);
    },
  );

  it("holds the limits for a truncated and for a broken body, too", async () => {
    expect(await read(json, "[".repeat(9_900_000), "the cap")).toMatchObject({
      kind: "text",
      isTooLarge: true,
    });
    expect(await read(json, `${deep(depth + 1)} and more`)).toMatchObject({
      kind: "text",
      isTooLarge: true,
    });
    expect(await read("text/plain", deep(depth + 1))).toMatchObject({
      kind: "text",
      isTooLarge: true,
    });
  });
});

/** Each is linear; a quadratic one takes minutes at this size. */
const slow: readonly (readonly [string, string, () => string])[] = [
  ["a CSV header of equal names", "text/csv", () => `${"a,".repeat(columns - 1)}a\n1`],
  ["quotes in CSV", "text/csv", () => `a\n${'"'.repeat(3e6)}`],
  ["a quote that never ends", "text/csv", () => `a,b\n"${"x,".repeat(400_000)}`],
  ["wrong closing tags", "text/xml", () => `${"<a>".repeat(999)}${"</b>".repeat(700_000)}`],
  ["angle brackets as HTML", "text/html", () => "<".repeat(3e6)],
  ["paragraphs as HTML", "text/html", () => "<p>a ".repeat(700_000)],
  ["white space and a bracket", "text/plain", () => `${" ".repeat(3e6)}{`],
  [
    "keys of underscores",
    json,
    () => `{${fill(50, (index) => `"${"_".repeat(60_000)}${index}":1`, ",")}}`,
  ],
  ["backslashes", json, () => `["${"\\\\".repeat(1.5e6)}`],
  ["line breaks as events", "text/event-stream", () => `:\n${"\r\n".repeat(1.5e6)}`],
  ["different keys", json, () => `{${fill(300_000, (index) => `"k${index}":1`, ",")}}`],
  ["line breaks in a string", json, () => `["${"\n".repeat(3e6)}"]`],
];

describe("readResponseBody: time", () => {
  it.each(slow)("ends for %s", async (_, type, make) => {
    await expect(read(type, make())).resolves.toBeDefined();
  });
});
