/** Importing the package costs nearly nothing over what it stands on: what only a call needs is loaded by the call. */

import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "@jest/globals";

const root = resolve("src");
const light = ["index.ts", "toolkit/", "core/base/", "core/secrets/", "core/record/", "core/credentials/"];
const statement = /^(?:import|export)\s(?!type\b)[^;]*?from "([^"]+)";/gm;

/** Files and packages that an import of `index.ts` runs. */
function listLoaded(): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [text, target = ""] of readFileSync(file, "utf8").matchAll(statement)) {
      // `import { type A, type B }` is dropped by the compiler.
      const names = /\{([^}]*)\}/
        .exec(text)?.[1]
        ?.split(",")
        .map((name) => name.trim());
      if (names?.every((name) => name === "" || name.startsWith("type "))) continue;
      if (target.startsWith(".")) visit(join(dirname(file), target.replace(/\.js$/, ".ts")));
      else packages.add(target);
    }
  };
  visit(join(root, "index.ts"));
  return { files, packages };
}

describe("importing the package", () => {
  const { files, packages } = listLoaded();
  const loaded = [...files].map((file) => relative(root, file));

  it("runs the doors of the rooms that only a call needs, and nothing behind them", () => {
    expect(loaded).toContain("toolkit/api-source-toolkit.ts");
    expect(loaded.filter((file) => !light.some((place) => file.startsWith(place))).sort()).toEqual([
      "core/request/parse-query.ts",
      "core/store/response-store.ts",
      "core/view/load-projection.ts",
      "features/confidential/loaded.ts",
      "features/oauth/file-token-store.ts",
    ]);
  });

  it("loads only the packages that it depends on", () => {
    const foreign = [...packages].filter((name) => !name.startsWith("node:")).sort();
    expect(foreign).toEqual(["@langchain/core/messages", "@langchain/core/tools", "dotenv", "zod"]);
  });
});
