import { describe, expect, it } from "@jest/globals";
import { createUrlReader } from "../../src/policy/create-url-reader.js";

describe("createUrlReader", () => {
  it("parses a text once, and another for itself", () => {
    const readUrl = createUrlReader();
    const first = readUrl("https://a.test/v1");
    expect(readUrl("https://a.test/v1")).toBe(first);
    expect(readUrl("https://b.test/v1").host).toBe("b.test");
    expect(readUrl("https://a.test/v1").host).toBe("a.test");
  });

  it("remembers a bounded number of them", () => {
    const readUrl = createUrlReader();
    const first = readUrl("https://a.test/0");
    for (let index = 1; index <= 100; index += 1) readUrl(`https://a.test/${index}`);
    expect(readUrl("https://a.test/0")).not.toBe(first);
    expect(readUrl("https://a.test/0").href).toBe(first.href);
  });

  it("throws for what is no URL, each time", () => {
    const readUrl = createUrlReader();
    expect(() => readUrl("no url")).toThrow("Invalid URL");
    expect(() => readUrl("no url")).toThrow("Invalid URL");
  });
});
