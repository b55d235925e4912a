import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { checkArchitecture } from "./support/architecture.js";
import { useDirectory } from "./support/temporary-directory.js";

describe("src", () => {
  it("keeps to its floors", () => {
    expect(checkArchitecture("src")).toEqual([]);
  });
});

describe("docs/architecture.md", () => {
  it("names no file that is not there", () => {
    const page = readFileSync("docs/architecture.md", "utf8");
    const named = new Set(page.match(/(?<=`)[a-z-]+\/[a-z/-]+\.ts(?=`)/g));
    expect([...named].filter((file) => !existsSync(`src/${file}`))).toEqual([]);
    expect(named.size).toBeGreaterThan(20);
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

  const publicNames = 'export { open } from "./toolkit/a.js";\n';

  it.each([
    [
      "an import from a higher floor",
      { "core/call/a.ts": 'import { x } from "../../features/oauth/b.js";\n' },
    ],
    ["a type from a higher floor", { "core/call/a.ts": 'import type { X } from "../../toolkit/b.js";\n' }],
    ["a value of a later room of the core", { "core/record/a.ts": 'import { x } from "../call/b.js";\n' }],
    [
      "a feature that knows another",
      { "features/oauth/a.ts": 'import type { X } from "../openapi/b.js";\n' },
    ],
    ["an extra that knows another", { "extras/mcp/a.ts": 'export { x } from "../code/b.js";\n' }],
    [
      "a name that the command uses and that is not public",
      { "index.ts": publicNames, "cli/a.ts": 'import { hidden } from "../toolkit/a.js";\n' },
    ],
    [
      "a whole module that the command loads and that is not public",
      { "index.ts": publicNames, "cli/a.ts": 'await import("../toolkit/a.js");\n' },
    ],
    ["a foreign package", { "toolkit/a.ts": 'import axios from "axios";\n' }],
    ["a foreign package that is loaded lazily", { "toolkit/a.ts": 'await import("axios");\n' }],
    [
      "the value of a package of which it may have types",
      { "core/credentials/a.ts": 'import { create } from "axios";\n' },
    ],
    ["a restricted built-in", { "core/call/a.ts": 'import { readFileSync } from "node:fs";\n' }],
    ["a read of the environment", { "core/call/a.ts": "export const a = process.env;\n" }],
    ["a file that is too long", { "core/call/a.ts": "\n".repeat(301) }],
    ["a file on no floor", { "utils/a.ts": "" }],
    ["a file in no room of the core", { "core/utils/a.ts": "" }],
    [
      "a cycle",
      { "toolkit/a.ts": 'import { b } from "./b.js";\n', "toolkit/b.ts": 'import { a } from "./a.js";\n' },
    ],
  ])("names %s", (_what, files) => {
    expect(checkArchitecture(makeTree(files))).toHaveLength(1);
  });

  it("accepts what the floors allow", () => {
    const root = makeTree({
      "core/base/errors.ts": "",
      "core/credentials/a.ts": 'import type { X } from "axios";\nimport { e } from "../base/errors.js";\n',
      "core/view/d.ts": 'import type { C } from "../call/e.js";\n',
      "core/call/e.ts": "",
      "toolkit/c.ts": 'import { d } from "../core/view/d.js";\nimport { join } from "node:path";\n',
      "toolkit/a.ts": "",
      "index.ts": publicNames,
      "cli/f.ts": 'import { open } from "../toolkit/a.js";\nawait import("../index.js");\n',
    });
    expect(checkArchitecture(root)).toEqual([]);
  });
});
