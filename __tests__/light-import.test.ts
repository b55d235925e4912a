/** Importing the package costs nearly nothing over what it stands on: what only a call needs is loaded by the call. */

import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "@jest/globals";

const root = resolve("src");
const light = [
  "source",
  "tool",
  "toolkit",
  "client",
  "connection",
  "credentials",
  "store",
  "view",
  "secrets",
  "registry",
  "disk",
  "journal",
  "oauth",
  "json",
  "policy",
  "approval",
  "confidential",
];
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

  it("runs no file of the rooms that only a call needs", () => {
    expect(loaded).toContain("toolkit/api-source-toolkit.ts");
    const rooms = loaded.filter((file) => file.includes("/")).map((file) => file.split("/")[0] ?? "");
    expect(rooms.filter((room) => !light.includes(room))).toEqual([]);
  });

  it("runs the doors of the large rooms, not what is behind them", () => {
    expect(loaded.filter((file) => file.startsWith("connection/"))).toEqual([
      "connection/test-connection.ts",
    ]);
    expect(loaded.filter((file) => file.startsWith("confidential/"))).toEqual(["confidential/loaded.ts"]);
    expect(loaded.filter((file) => file.startsWith("oauth/"))).toEqual(["oauth/file-token-store.ts"]);
    expect(loaded.filter((file) => /^(?:policy|approval)\//.test(file)).sort()).toEqual([
      "policy/parse-query.ts",
      "policy/read-scalar.ts",
    ]);
    expect(loaded.filter((file) => /^(?:store|view)\//.test(file)).sort()).toEqual([
      "store/create-memory-store.ts",
      "view/load-projection.ts",
    ]);
  });

  it("loads only the packages that it depends on", () => {
    const foreign = [...packages].filter((name) => !name.startsWith("node:")).sort();
    expect(foreign).toEqual(["@langchain/core/messages", "@langchain/core/tools", "dotenv", "zod"]);
  });
});
