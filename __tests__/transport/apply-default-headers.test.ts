import { readFile } from "node:fs/promises";
import { describe, expect, it } from "@jest/globals";
import { applyDefaultHeaders, packageVersion } from "../../src/transport/apply-default-headers.js";

describe("applyDefaultHeaders", () => {
  it("names the version of package.json", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8"));
    expect(packageVersion).toBe(version);
  });

  it("adds what is missing and leaves what is given, in any case", () => {
    expect(applyDefaultHeaders({})).toEqual({
      Accept: "application/json, */*;q=0.5",
      "Accept-Encoding": "gzip, deflate, br",
      "Content-Type": false,
      "User-Agent": `langchain-api-sources/${packageVersion}`,
    });
    const given = { ACCEPT: "a", "accept-encoding": "identity", "content-TYPE": "b", "user-Agent": "c" };
    expect(applyDefaultHeaders(given)).toEqual(given);
  });
});
