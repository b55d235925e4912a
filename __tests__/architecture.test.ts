import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { checkArchitecture, readImports } from "./support/architecture.js";
import { useDirectory } from "./support/temporary-directory.js";

describe("src", () => {
  it("keeps to the table of rooms", () => {
    expect(checkArchitecture("src")).toEqual([]);
  });
});

describe("docs/architecture.md", () => {
  it("names at most 40 files to follow a call, and no file that is not there", () => {
    const page = readFileSync("docs/architecture.md", "utf8");
    const named = new Set(page.match(/(?<=`)[a-z-]+\/[a-z-]+\.ts(?=`)/g));
    expect([...named].filter((file) => !existsSync(`src/${file}`))).toEqual([]);
    expect(named.size).toBeGreaterThan(30);
    expect(named.size).toBeLessThanOrEqual(40);
  });
});

describe("checkArchitecture", () => {
  const directory = useDirectory();

  function makeTree(files: Record<string, string>): string {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(directory(path)), { recursive: true });
      writeFileSync(directory(path), text);
    }
    return directory();
  }

  it.each([
    [
      "a value edge that is not in the table",
      { "source/a.ts": 'import { x } from "../policy/b.js";\n', "policy/b.ts": "" },
    ],
    [
      "a type edge to the right",
      { "source/a.ts": 'import type { X } from "../client/b.js";\n', "client/b.ts": "" },
    ],
    [
      "an edge from a room that knows nobody",
      { "errors.ts": 'import { x } from "./secrets/b.js";\n', "secrets/b.ts": "" },
    ],
    ["a re-exported value", { "source/a.ts": 'export { x } from "../view/b.js";\n', "view/b.ts": "" }],
    ["a foreign package", { "client/a.ts": 'import axios from "axios";\n' }],
    ["a foreign package that is loaded lazily", { "client/a.ts": 'await import("axios");\n' }],
    [
      "the value of a package of which it may have types",
      { "credentials/a.ts": 'import { create } from "axios";\n' },
    ],
    ["a restricted built-in", { "client/a.ts": 'import { readFileSync } from "node:fs";\n' }],
    ["a read of the environment", { "client/a.ts": "export const a = process.env;\n" }],
    ["a file that is too long", { "client/a.ts": "\n".repeat(301) }],
    ["a file in no room", { "utils/a.ts": 'import { x } from "../errors.js";\n', "errors.ts": "" }],
    [
      "a cycle inside a room",
      { "client/a.ts": 'import { b } from "./b.js";\n', "client/b.ts": 'import { a } from "./a.js";\n' },
    ],
  ])("names %s", (_what, files) => {
    expect(checkArchitecture(makeTree(files))).toHaveLength(1);
  });

  it("accepts the edges of the table", () => {
    const root = makeTree({
      "errors.ts": "",
      "credentials/a.ts": 'import type { X } from "axios";\nimport { e } from "../errors.js";\n',
      "client/b.ts": 'import { a } from "../credentials/a.js";\nimport { join } from "node:path";\n',
      "toolkit/c.ts": 'import { b, type B } from "../client/b.js";\nimport type { T } from "../view/d.js";\n',
      "view/d.ts": "",
    });
    expect(checkArchitecture(root)).toEqual([]);
  });
});

describe("readImports", () => {
  it.each([
    ['import { a, type B } from "./x.js";', [{ specifier: "./x.js", typeOnly: false }]],
    ['import { type A, type B } from "./x.js";', [{ specifier: "./x.js", typeOnly: true }]],
    ['import type A from "x";', [{ specifier: "x", typeOnly: true }]],
    ['import {\n  a,\n  b,\n} from "./x.js";', [{ specifier: "./x.js", typeOnly: false }]],
    ['export type { A } from "./x.js";', [{ specifier: "./x.js", typeOnly: true }]],
    ['import "x";', [{ specifier: "x", typeOnly: false }]],
    ['const a = await import("x");', [{ specifier: "x", typeOnly: false }]],
    ['/** see import { a } from "y" */', []],
  ])("reads %j", (text, expected) => {
    expect(readImports(text)).toEqual(expected);
  });
});
