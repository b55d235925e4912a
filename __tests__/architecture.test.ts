import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { entryPoints } from "../scripts/entry-points.mjs";
import { measureSources, measureText } from "../scripts/measure-sources.mjs";
import { codesOf, readTable } from "./support/documents.js";
import { useDirectory } from "./support/temporary-directory.js";

/** From the lowest to the highest: a file imports from its own floor, or from those below it. `index` is above `toolkit`. */
const floors = ["core", "features", "toolkit", "index", "extras", "cli"] as const;

/** The rooms of the core, in their order: a room imports values only from rooms before it. */
const coreRooms = [
  "base",
  "secrets",
  "record",
  "credentials",
  "request",
  "http",
  "body",
  "failure",
  "paging",
  "query",
  "view",
  "answer",
  "store",
  "call",
] as const;

/** What the command may import besides its own files and public names. */
const openToTheCommand = ["core/base/", "core/record/", "core/credentials/", "features/openapi/"];

/** Which folders own a foreign package. Types may be imported anywhere in `typePackages`. */
const packages: Readonly<Record<string, readonly string[]>> = {
  "core/base": ["zod"],
  "core/record": ["zod"],
  "core/store": ["zod"],
  "core/credentials": ["dotenv", "zod"],
  "core/http": ["axios", "axios-retry", "rate-limiter-flexible"],
  "core/body": ["htmlparser2", "papaparse"],
  "core/query": ["@jmespath-community/jmespath"],
  "features/oauth": ["oauth4webapi", "zod"],
  "features/openapi": ["yaml"],
  "features/approval": ["@langchain/core"],
  toolkit: ["@langchain/core", "zod"],
  "extras/code": ["quickjs-emscripten"],
  "extras/mcp": ["@langchain/core", "@modelcontextprotocol/server"],
  "extras/middleware": ["@langchain/core", "langchain"],
  "extras/testing": ["zod"],
  "extras/inspector": ["preact"],
  "extras/keyring": ["@napi-rs/keyring"],
  // The server's package, for its transport over standard input and output.
  cli: ["commander", "@clack/prompts", "@modelcontextprotocol/server", "dotenv"],
};
const typePackages: Readonly<Record<string, readonly string[]>> = { "core/credentials": ["axios"] };

/** Which folders may use the file system and HTTP. */
const builtIns: Readonly<Record<string, readonly string[]>> = {
  "core/base": ["node:fs/promises"],
  "core/record": ["node:fs", "node:fs/promises"],
  "core/http": ["node:http", "node:https"],
  "features/oauth": ["node:fs/promises"],
  "features/openapi": ["node:fs", "node:fs/promises"],
  "toolkit/directory": ["node:fs", "node:fs/promises"],
  // It is opened when it is made, so that a place that cannot be written is refused.
  "toolkit/journal": ["node:fs", "node:fs/promises"],
  // The WebAssembly of the sandbox.
  "extras/code": ["node:fs"],
  "extras/testing": ["node:fs", "node:fs/promises"],
  "extras/inspector": ["node:fs/promises", "node:http"],
  cli: ["node:fs", "node:fs/promises", "node:http"],
};
const restricted = ["node:fs", "node:fs/promises", "node:http", "node:https"];
const maxLines = 300;

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** Whether it runs when it is reached, and not when its file is loaded. */
  readonly isLazy: boolean;
  readonly names: readonly string[];
}

/** Every import, re-export and dynamic import of a file. */
function readImports(text: string): Import[] {
  const code = dropComments(text);
  const imports: Import[] = [];
  for (const match of code.matchAll(
    /^(?:import|export)\s+(type\s+)?([^"';]*?)\s*from\s*"([^"]+)"/gm,
  )) {
    const listed = /\{([^}]*)\}/.exec(match[2] ?? "")?.[1]?.split(",") ?? [];
    const names = listed.map((name) => name.trim()).filter(Boolean);
    const typeOnly =
      match[1] !== undefined ||
      (names.length > 0 && names.every((name) => name.startsWith("type ")));
    imports.push({
      specifier: match[3] ?? "",
      typeOnly,
      isLazy: false,
      names: names.map((name) => name.replace(/^type /, "").replace(/ as .*/, "")),
    });
  }
  for (const match of code.matchAll(
    /^import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|\brequire\(\s*"([^"]+)"\s*\)/gm,
  )) {
    const [, loaded, ...lazy] = match;
    const specifier = loaded ?? lazy.find(Boolean) ?? "";
    imports.push({ specifier, typeOnly: false, isLazy: loaded === undefined, names: [] });
  }
  return imports;
}

function dropComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

function findPlace(names: readonly string[], name: string): number {
  return names.indexOf(name);
}

/** One sentence per violation; empty for a tree that keeps to the floors. */
function checkArchitecture(root: string): string[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const edges = new Map<string, string[]>();
  const violations = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const imports = readImports(text);
    edges.set(
      file,
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .map((each) => findTarget(root, file, each)),
    );
    return [...checkFile(file, text), ...imports.flatMap((each) => checkImport(root, file, each))];
  });
  return [...violations, ...findCycles(edges)];
}

function checkFile(file: string, text: string): string[] {
  const lines = text.split("\n").length - 1;
  const found = lines > maxLines ? [`${file} has ${lines} lines; ${maxLines} is the most.`] : [];
  const [floor, room] = placeOf(file);
  if (!floors.some((each) => each === floor)) found.push(`${file} is on no floor.`);
  if (floor === "core" && !coreRooms.some((each) => each === room))
    found.push(`${file} is in no room of the core.`);
  if (!file.startsWith("core/credentials/") && /\bprocess\.env\b/.test(dropComments(text)))
    found.push(`${file} reads process.env.`);
  return found;
}

function checkImport(root: string, file: string, given: Import): string[] {
  const { specifier, typeOnly } = given;
  if (specifier.startsWith("node:"))
    return typeOnly || !restricted.includes(specifier) || owns(builtIns, file, specifier)
      ? []
      : [`${file} may not import ${specifier}.`];
  if (!specifier.startsWith(".")) {
    const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
    return owns(packages, file, name) || (typeOnly && owns(typePackages, file, name))
      ? []
      : [`${file} imports the foreign package ${name}.`];
  }
  const target = findTarget(root, file, given);
  const [floor, room] = placeOf(file);
  const [ofFloor, ofRoom] = placeOf(target);
  const height = (name: string): number => findPlace(floors, name);
  if (height(ofFloor) > height(floor))
    return [`${file} imports ${target}, which is on a higher floor.`];
  if (floor === "cli") return checkCommand(root, file, target, given);
  if (floor !== ofFloor || room === ofRoom) return [];
  if (floor === "features" || floor === "extras")
    return [`${file} imports ${target}: ${floor} do not know each other.`];
  const order = (name: string): number => findPlace(coreRooms, name);
  return floor === "core" && !typeOnly && order(ofRoom) > order(room)
    ? [`${file} imports a value from ${target}, a room after its own.`]
    : [];
}

/** The command uses public doors: an entry point, or names that `index` exports, from the file that has them. */
function checkCommand(root: string, file: string, target: string, { names }: Import): string[] {
  const isEntry = Object.values(entryPoints).some(({ source }) => source === `src/${target}`);
  if (
    isEntry ||
    target === "index.ts" ||
    target.startsWith("cli/") ||
    openToTheCommand.some((folder) => target.startsWith(folder))
  )
    return [];
  const index = readImports(readFileSync(join(root, "index.ts"), "utf8"));
  const exported = index
    .filter((each) => findTarget(root, "index.ts", each) === target)
    .flatMap((each) => each.names);
  const hidden = names.filter((name) => !exported.includes(name));
  return hidden.length === 0 && names.length > 0
    ? []
    : [`${file} imports ${hidden.join(", ") || "all"} of ${target}, which is not public.`];
}

/** `core/http/limits/x.ts` is in the room `http` of the floor `core`. */
function placeOf(file: string): [floor: string, room: string] {
  const [floor = "", room = ""] = file.split(/[\\/]/);
  return [floor.replace(/\.tsx?$/, ""), room];
}

function owns(
  table: Readonly<Record<string, readonly string[]>>,
  file: string,
  name: string,
): boolean {
  return Object.entries(table).some(
    ([folder, names]) => file.startsWith(`${folder}/`) && names.includes(name),
  );
}

function findTarget(root: string, file: string, { specifier }: Import): string {
  const target = relative(root, resolve(root, dirname(file), specifier)).replace(/\.js$/, ".ts");
  return existsSync(join(root, `${target}x`)) ? `${target}x` : target;
}

/** Imports of types count: a circle of types is as hard to read as one of values. */
function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push(`Cycle: ${[...path.slice(path.indexOf(file)), file].join(" -> ")}.`);
      return;
    }
    if (done.has(file)) return;
    for (const target of edges.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

describe("src", () => {
  it("keeps to its floors", () => {
    expect(checkArchitecture("src")).toEqual([]);
  });
});

/** Importing the package costs nearly nothing over what it stands on: what only a call needs is loaded by the call. */
describe("importing the package", () => {
  const light = [
    "index.ts",
    "toolkit/",
    "core/base/",
    "core/secrets/",
    "core/record/",
    "core/credentials/",
  ];
  const files = new Set<string>();
  const foreign = new Set<string>();
  const load = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const each of readImports(readFileSync(join("src", file), "utf8"))) {
      if (each.typeOnly || each.isLazy) continue;
      if (each.specifier.startsWith(".")) load(findTarget("src", file, each));
      else if (!each.specifier.startsWith("node:")) foreign.add(each.specifier);
    }
  };
  load("index.ts");

  it("runs the doors of the rooms that only a call needs, and nothing behind them", () => {
    expect(files).toContain("toolkit/api-source-toolkit.ts");
    expect(
      [...files].filter((file) => !light.some((place) => file.startsWith(place))).sort(),
    ).toEqual([
      "core/request/parse-query.ts",
      "core/request/write-query.ts",
      "core/store/response-store.ts",
      "core/view/load-projection.ts",
      "features/confidential/loaded.ts",
      "features/oauth/file-token-store.ts",
    ]);
  });

  it("loads only the packages that it depends on", () => {
    expect([...foreign].sort()).toEqual([
      "@langchain/core/messages",
      "@langchain/core/tools",
      "dotenv",
      "zod",
    ]);
  });
});

describe("the ruler", () => {
  /** Code lines of a function. */
  const mostLines = 50;
  /** What `src` has today, as `npm run ruler -- --comments --conditionals` lists it: each number may only fall. */
  const mostInvertedComments = 0;
  const mostNestedConditionals = 0;
  const files = measureSources("src");

  it("finds no function over 50 lines", () => {
    const long = files.flatMap(({ file, functions }) =>
      functions
        .filter(({ lines }) => lines > mostLines)
        .map(({ name, lines }) => ({ where: `${file} ${name}`, lines })),
    );
    expect(long).toEqual([]);
  });

  it("finds no new comment that does not begin with its subject, and no new conditional in another", () => {
    const inverted = files.flatMap(({ invertedComments }) => invertedComments);
    const nested = files.flatMap(({ nestedConditionals }) => nestedConditionals);
    expect(inverted.length).toBeLessThanOrEqual(mostInvertedComments);
    expect(nested.length).toBeLessThanOrEqual(mostNestedConditionals);
  });

  it("measures code, not comments and white space", () => {
    const text = `// Of what it counts.
/* Two lines
   before the code. */

export const kept = new Map<string, number>();
export const table = new Map([["a", 1]]);
/** What is this? */
export function choose(a: number): string {
  // The comment is not a line.

  const nested = a === 1 ? "ä" : a === 2 ? "b" : "c";
  const apart = a === 1 ? () => (a === 2 ? nested : "b") : "c";
  return [nested, apart].join().replace(/ä/g, "");
}
type Made = ReturnType<typeof choose>;
`;
    expect(measureText("core/a.ts", text)).toMatchObject({
      lines: 9,
      regularExpressions: 1,
      inferredTypes: 1,
      nestedConditionals: [{ line: 11 }],
      invertedComments: [{ line: 1, text: "// Of what it counts." }],
      state: ["kept"],
      functions: [
        { name: "choose", line: 8, lines: 5 },
        { name: "apart", line: 12, lines: 1 },
      ],
    });
  });
});

describe("docs/architecture.md", () => {
  it("names no file that is not there", () => {
    const page = readFileSync("docs/architecture.md", "utf8");
    const named = new Set(page.match(/(?<=`)[a-z-]+\/[a-z/-]+\.ts(?=`)/g));
    expect([...named].filter((file) => !existsSync(`src/${file}`))).toEqual([]);
    expect(named.size).toBeGreaterThan(20);
  });

  it("names for each question a function that its file has", () => {
    const rows = readTable("docs/architecture.md", "Question | File | Function");
    const missing = rows.filter(([, file = "", name = ""]) => {
      const text = readFileSync(`src/${codesOf(file)[0]}`, "utf8");
      return !new RegExp(`^(?:export )?(?:async )?function ${codesOf(name)[0]}\\(`, "m").test(text);
    });
    expect(rows).toHaveLength(20);
    expect(missing).toEqual([]);
  });
});

describe("checkArchitecture", () => {
  const directory = useDirectory();

  function check(files: Record<string, string>): string[] {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(directory(path)), { recursive: true });
      writeFileSync(directory(path), text);
    }
    return checkArchitecture(directory());
  }

  it("names each file that does not keep to the floors", () => {
    const wrong = {
      "core/call/above.ts": 'import type { X } from "../../toolkit/a.js";\n',
      "core/record/later.ts": 'import { x } from "../call/b.js";\n',
      "features/oauth/feature.ts": 'import type { X } from "../openapi/b.js";\n',
      "extras/mcp/extra.ts": 'export { x } from "../code/b.js";\n',
      "cli/hidden.ts": 'import { hidden } from "../toolkit/a.js";\n',
      "cli/module.ts": 'await import("../toolkit/a.js");\n',
      "toolkit/foreign.ts": 'import axios from "axios";\n',
      "toolkit/lazy.ts": 'await import("axios");\n',
      "core/credentials/value.ts": 'import { create } from "axios";\n',
      "core/call/disk.ts": 'import { readFileSync } from "node:fs";\n',
      "core/call/environment.ts": "export const a = process.env;\n",
      "core/call/long.ts": "\n".repeat(maxLines + 1),
      "utils/floor.ts": "",
      "core/utils/room.ts": "",
    };
    const found = check({
      ...wrong,
      "index.ts": 'export { open } from "./toolkit/a.js";\n',
      "toolkit/c.ts": 'import { b } from "./d.js";\n',
      "toolkit/d.ts": 'import { a } from "./c.js";\n',
    });
    for (const file of Object.keys(wrong))
      expect(found.filter((text) => text.startsWith(`${file} `))).toHaveLength(1);
    expect(found.filter((text) => text.startsWith("Cycle: "))).toHaveLength(1);
    expect(found).toHaveLength(Object.keys(wrong).length + 1);
  });

  it("accepts what the floors allow", () => {
    const right = {
      "core/base/errors.ts": "",
      "core/credentials/a.ts":
        'import type { X } from "axios";\nimport { e } from "../base/errors.js";\n',
      "core/view/d.ts": 'import type { C } from "../call/e.js";\n',
      "core/call/e.ts": "",
      "toolkit/c.ts": 'import { d } from "../core/view/d.js";\nimport { join } from "node:path";\n',
      "toolkit/a.ts": "",
      "index.ts": 'export { open } from "./toolkit/a.js";\n',
      "cli/f.ts": 'import { open } from "../toolkit/a.js";\nawait import("../index.js");\n',
    };
    expect(check(right)).toEqual([]);
  });
});
