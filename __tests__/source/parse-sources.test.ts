import { describe, expect, it } from "@jest/globals";
import { SourceRecordError } from "../../src/errors.js";
import { silentLogger } from "../../src/runtime.js";
import { parseSource, parseSources } from "../../src/source/parse-source.js";

const api = { baseUrl: "https://api.example.com" };

describe("parseSources", () => {
  it("reads records and sources in their order", () => {
    const read = parseSource({ name: "B", api });
    const sources = parseSources([{ name: "A", api }, read]);
    expect(sources.map(({ slug }) => slug)).toEqual(["a", "b"]);
    expect(sources[1]).toBe(read);
  });

  it("lists the problems of every record, collisions included", () => {
    try {
      parseSources([{ name: "A", api }, null, { name: "a", api }, { name: "B", api: { baseUrl: 1 } }]);
      throw new Error("accepted");
    } catch (error) {
      if (!(error instanceof SourceRecordError)) throw error;
      expect(error.problems.map(({ path }) => path)).toEqual(["[1]", "[3].api.baseUrl", "slug"]);
      expect(error.problems.at(-1)).toEqual({
        source: "a",
        path: "slug",
        given: '"a"',
        message: `is the tool's name that "A" (${api.baseUrl}) has too`,
        fix: 'Add a `slug` of its own to one of the two, such as "slug": "other_name".',
      });
      expect(error.message).toMatch(/^3 problems in 3 of 4 records:\n/);
    }
  });

  it.each([
    ["github", "GitHub"],
    ["git-hub", "git_hub"],
  ])("counts %s and %s as one, because they read the same environment variables", (left, right) => {
    expect(() => parseSources([left, right].map((slug) => ({ slug, api })))).toThrow(SourceRecordError);
    expect(parseSources([left, "other"].map((slug) => ({ slug, api })))).toHaveLength(2);
  });

  it.each([[undefined], [{}], ["x"]])("refuses %j instead of a list", (value) => {
    expect(() => Reflect.apply(parseSources, undefined, [value])).toThrow(SourceRecordError);
  });

  it("logs unknown keys once per record", () => {
    const lines: unknown[] = [];
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line[1]) };
    parseSources(
      [
        { name: "A", colour: 1, api },
        { name: "B", api },
      ],
      { logger },
    );
    expect(lines).toEqual([{ source: "a", keys: ["colour"] }]);
  });
});
