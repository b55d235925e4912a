import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { loadEnvFile } from "langchain-api-sources";
import { useDirectory } from "../../support/temporary-directory.js";

describe("loadEnvFile", () => {
  const folder = useDirectory();
  beforeEach(() => {
    process.env["LAS_PRESENT"] = "kept";
  });
  afterEach(() => {
    for (const name of ["LAS_PRESENT", "LAS_NEW"]) delete process.env[name];
  });

  it("sets what is not set, keeps what is, and returns the names only", () => {
    const path = folder(".env");
    writeFileSync(path, "LAS_PRESENT=overwritten\nLAS_NEW=new\n");
    expect(loadEnvFile(path)).toEqual(["LAS_PRESENT", "LAS_NEW"]);
    expect(process.env["LAS_PRESENT"]).toBe("kept");
    expect(process.env["LAS_NEW"]).toBe("new");
  });

  it("reads `.env` of the working directory, and is content without one", () => {
    const cwd = process.cwd();
    process.chdir(folder());
    try {
      expect(loadEnvFile()).toEqual([]);
      writeFileSync(".env", "LAS_NEW=new\n");
      expect(loadEnvFile()).toEqual(["LAS_NEW"]);
      rmSync(".env");
      mkdirSync(".env");
      expect(() => loadEnvFile()).toThrow(expect.objectContaining({ category: "not_configured" }));
    } finally {
      process.chdir(cwd);
    }
  });

  it("names the file it could not read", () => {
    const path = folder("missing.env");
    expect(() => loadEnvFile(path)).toThrow(
      expect.objectContaining({
        category: "not_configured",
        message: expect.stringContaining(path),
      }),
    );
  });
});
