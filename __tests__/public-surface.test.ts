import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { entryPoints } from "../scripts/entry-points.mjs";
import { connectionVerdicts } from "../src/core/failure/cause.js";
import * as surface from "../src/index.js";
import { codesOf, readTable } from "./support/documents.js";

const page = "docs/api.md";

/** Every member of a type: the list fails to compile when one comes, goes, or changes its name, and where an optional one does not accept `undefined`. */
type MembersOf<Type> = {
  readonly [Name in keyof Type]-?: Partial<Pick<Type, Name>> extends Pick<Type, Name>
    ? Record<Name, undefined> extends Pick<Type, Name>
      ? true
      : "does not accept undefined"
    : true;
};

const options: MembersOf<surface.ClientOptions> = {
  approve: true,
  approver: true,
  countTokens: true,
  credentials: true,
  flow: true,
  interrupts: true,
  logger: true,
  maxTokens: true,
  onCall: true,
  readApiResponse: true,
  readFile: true,
  redis: true,
  responseScope: true,
  responseStore: true,
  secrets: true,
  summarizer: true,
  tokenStore: true,
  toolNames: true,
  traces: true,
  transport: true,
  userOf: true,
};

const requestMembers: MembersOf<surface.CallRequest> = {
  ...{ method: true, path: true, query: true, body: true, headers: true },
  ...{ select: true, pages: true, wait: true, until: true },
};
const contextMembers: MembersOf<surface.CallContext> = {
  ...{ context: true, configurable: true, threadId: true, signal: true },
  ...{ onProgress: true, store: true, run: true },
};

/** The code spans of the first cell of each row. */
const listCodes = (ofPage: string, heading: string): string[] =>
  readTable(ofPage, heading).flatMap(([cell = ""]) => codesOf(cell));
const firstCodes = (heading: string): string[] => listCodes(page, heading).sort();

/** Of each row the entry point of its first cell with each export of its second. */
const entriesAndExports = (): string[] =>
  readTable(page, "Entry point | Export").flatMap(([entry = "", names = ""]) =>
    codesOf(names).map((name) => `${codesOf(entry)[0]},${name}`),
  );

const sorted = (members: object): string[] => Object.keys(members).sort();

/** By entry point, the values that it exports. */
const exported = new Map<string, string[]>();

beforeAll(async () => {
  for (const subpath of Object.keys(entryPoints)) {
    const name = `langchain-api-sources${subpath.slice(1)}`;
    exported.set(name, sorted(await import(name)));
  }
});

describe("docs/api.md", () => {
  it("has every export of the package, and no other", () => {
    expect(firstCodes("Export")).toEqual(exported.get("langchain-api-sources"));
  });

  it("has every export of the other entry points, and no other", () => {
    const others = [...exported].filter(([name]) => name !== "langchain-api-sources");
    const expected = others.flatMap(([name, values]) => values.map((value) => `${name},${value}`));
    expect(entriesAndExports().sort()).toEqual(expected.sort());
  });

  it("has every option, and no other", () => {
    expect(firstCodes("Option")).toEqual(sorted(options));
  });

  it("has every member of a request and of a context, and no other", () => {
    expect(firstCodes("Member of a request")).toEqual(sorted(requestMembers));
    expect(firstCodes("Member of a context")).toEqual(sorted(contextMembers));
  });

  it("has every method of a toolkit and of a client, and no other", () => {
    // These two are for the package's own entry points.
    const internal = new Set(["constructor", "listClients", "openRuntime"]);
    const methods = Object.getOwnPropertyNames(surface.ApiSourceToolkit.prototype);
    expect(firstCodes("Method of a toolkit")).toEqual(
      methods.filter((name) => !internal.has(name)).sort(),
    );
    const client = surface.createSourceClient({ api: { baseUrl: "https://api.example" } });
    expect([...firstCodes("Method of a client"), "source"].sort()).toEqual(sorted(client));
  });
});

describe("the program that tests CommonJS", () => {
  it("uses every export", () => {
    const program = readFileSync("scripts/commonjs-program.cjs", "utf8");
    const unused = [...exported.values()]
      .flat()
      .filter((name) => !program.includes(`    ${name}: `));
    expect(unused).toEqual([]);
  });
});

describe("langchain-api-sources", () => {
  it("is one file of named exports, with no `export *`", () => {
    expect(readFileSync("src/index.ts", "utf8")).not.toMatch(/export \*|export default/);
  });
});

describe("the reference", () => {
  it("has every error category in its table, in their order", () => {
    expect(listCodes("docs/answers.md", "Category")).toEqual([...surface.errorCategories]);
  });

  it("has every verdict of the connection test in its table, in their order", () => {
    expect(listCodes("docs/connection-test.md", "Verdict")).toEqual([...connectionVerdicts]);
  });
});
