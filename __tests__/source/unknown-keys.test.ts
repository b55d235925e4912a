import { describe, expect, it } from "@jest/globals";
import { SourceRecordError } from "../../src/errors.js";
import { parseSource } from "../../src/source/parse-source.js";

describe("parseSource of a record with thousands of unknown keys", () => {
  it("refuses it, and does not let a misspelt rule pass behind them", () => {
    const flood = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`unknown member ${at}`, at]));
    const api = { baseUrl: "https://api.example", ...flood, metods: ["GET"] };
    let thrown: unknown;
    try {
      parseSource({ name: "Shop", api });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(SourceRecordError);
    expect(String((thrown as SourceRecordError).message)).toContain("more than 500 unknown keys");
  });
});
