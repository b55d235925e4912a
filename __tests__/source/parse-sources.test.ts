import { describe, expect, it } from "@jest/globals";
import { SourceRecordError } from "../../src/errors.js";
import { silentLogger } from "../../src/runtime.js";
import { parseSource } from "../../src/source/parse-source.js";
import { parseSources } from "../../src/source/parse-sources.js";

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
    }
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
