import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { loadEnvFile } from "langchain-api-sources";

describe("loadEnvFile", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "env-"));
    process.env["LAS_PRESENT"] = "kept";
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    for (const name of ["LAS_PRESENT", "LAS_NEW"]) delete process.env[name];
  });

  it("sets what is not set, keeps what is, and returns the names only", () => {
    const path = join(folder, ".env");
    writeFileSync(path, "LAS_PRESENT=overwritten\nLAS_NEW=new\n");
    expect(loadEnvFile(path)).toEqual(["LAS_PRESENT", "LAS_NEW"]);
    expect(process.env["LAS_PRESENT"]).toBe("kept");
    expect(process.env["LAS_NEW"]).toBe("new");
  });

  it("reads `.env` of the working directory, and is content without one", () => {
    const cwd = process.cwd();
    process.chdir(folder);
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
    const path = join(folder, "missing.env");
    expect(() => loadEnvFile(path)).toThrow(
      expect.objectContaining({ category: "not_configured", message: expect.stringContaining(path) }),
    );
  });
});
