import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { loadEnvFile } from "../../src/credentials/environment.js";

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

  it("names the file it could not read", () => {
    const path = join(folder, "missing.env");
    expect(() => loadEnvFile(path)).toThrow(
      expect.objectContaining({ category: "not_configured", message: expect.stringContaining(path) }),
    );
  });
});
