import { mkdir, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "@jest/globals";
import {
  ApiSourceToolkit,
  loadSources,
  parseSource,
  type RecordProblem,
  SourceRecordError,
} from "langchain-api-sources";
import { useDirectory } from "../../support/temporary-directory.js";

const api = { baseUrl: "https://api.example.com" };

const directory = useDirectory();

async function write(file: string, content: unknown): Promise<string> {
  const path = directory(file);
  await writeFile(
    path,
    typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  );
  return path;
}

async function findProblems(path: string): Promise<readonly RecordProblem[]> {
  try {
    await loadSources(path);
  } catch (error) {
    if (error instanceof SourceRecordError) return error.problems;
    throw error;
  }
  return [];
}

describe("loadSources", () => {
  it("loads a file that holds one record", async () => {
    const path = await write("shop.json", { name: "Shop", api });
    const sources = await loadSources(path);
    expect(sources).toEqual([parseSource({ name: "Shop", api })]);
    expect(parseSource(sources[0])).toBe(sources[0]);
  });

  it("loads a file that holds a list, whatever its name ends in, and with a byte order mark", async () => {
    const records = JSON.stringify([
      { name: "B", api },
      { name: "Größe", api },
    ]);
    const sources = await loadSources(await write("sources.txt", `\uFEFF${records}`));
    expect(sources.map(({ name }) => name)).toEqual(["B", "Größe"]);
  });

  it("finds the documents of a record beside its file, and makes no toolkit without one", async () => {
    await write("shop.yaml", "openapi: 3.0.0");
    const guide = directory("guide.md");
    const path = await write("shop.json", {
      name: "Shop",
      api: { ...api, openapi: "shop.yaml", guide },
    });
    await expect(ApiSourceToolkit.fromFile(path)).rejects.toMatchObject({
      problems: [{ source: "Shop", path: "api.guide" }],
    });
    await write("guide.md", "# Guide");
    const [source] = await loadSources(path);
    expect(source?.api).toMatchObject({ openapi: directory("shop.yaml"), guide });
  });

  it("loads the JSON files of a directory by name, and no hidden ones, others, or subdirectories", async () => {
    await write("b.json", { name: "Second", api });
    await write("a.json", { name: "First", api });
    await write("C.JSON", { name: "Capital", api });
    await write(".hidden.json", "not JSON");
    await write("notes.txt", "not JSON");
    await write("a.json.bak", "not JSON");
    await mkdir(directory("folder.json"));
    await mkdir(directory("inner"));
    await write("inner/x.json", "not JSON");
    await symlink(directory("inner"), directory("link"));
    expect((await loadSources(directory())).map(({ name }) => name)).toEqual([
      "Capital",
      "First",
      "Second",
    ]);
  });

  it("lists every problem of every file in one error", async () => {
    await write("a.json", { name: "Shop", api });
    await write("b.json", { name: "Shop", api });
    await write("c.json", '{\n  "api": {,}\n}');
    await write("d.json", [
      { name: "Fine", api },
      { name: "Poor", api: { baseUrl: "ftp://x", authtype: "bearer" } },
    ]);
    await write("e.json", "[]");
    await write("f.json", "");
    await write("g.json", Buffer.from([0xff, 0xfe, 0x7b, 0]));
    await write("h.json", "null");
    await symlink(directory("nowhere"), directory("i.json"));
    const problems = await findProblems(directory());
    const list = problems.map(({ file = "", source = "", path, message }) => [
      ...[file.slice(directory().length + 1), source, path, message],
    ]);
    expect(list).toEqual([
      ["c.json", "", "", "is not JSON: line 2, column 11"],
      ["d.json", "Poor", "[1].api.authtype", "is not a known key; the nearest is `authType`"],
      ["d.json", "Poor", "[1].api.baseUrl", "is not an absolute http or https URL"],
      ["e.json", "", "", "holds an empty list"],
      ["f.json", "", "", "is empty"],
      ["g.json", "", "", "is not UTF-8 text"],
      ["h.json", "", "record", "is not an object"],
      ["i.json", "", "", "does not exist"],
      [
        "b.json",
        "Shop",
        "slug",
        `is also the name of the tool of "Shop" (${directory("a.json")}, ${api.baseUrl})`,
      ],
    ]);
    expect(problems.every(({ fix }) => fix.length > 10)).toBe(true);
  });

  it.each([
    ['{"a":1,}', 1, 8],
    ['{\r\n  "a" 1\r\n}', 2, 7],
    ['{"a":1 "b":2}', 1, 8],
    ["{'a':1}", 1, 2],
    ['{"a":1} // x', 1, 9],
    ['{"a":"b\nc"}', 1, 8],
    ['{"a":"C:\\path"}', 1, 10],
    ['{"a":1', 1, 7],
    ["[".repeat(200_000), 1, 200_001],
  ])("names the place where %.20j stops being JSON", async (text, line, column) => {
    const path = await write("a.json", text);
    expect((await findProblems(path))[0]?.message).toBe(
      `is not JSON: line ${line}, column ${column}`,
    );
  });

  it("does not print the text around an error in a file", async () => {
    const path = await write("a.json", '{ "api": { "token": "canary-5f2b9" "x" } }');
    expect(JSON.stringify(await findProblems(path))).not.toContain("canary-5f2b9");
  });

  it.each([
    ["a path that leads nowhere", "nowhere", "does not exist"],
    ["a path below a file", "file.json/x", "does not exist"],
    ["a directory without JSON", "other", "is a directory without a .json file"],
  ])("explains what is wrong with %s", async (_what, path, message) => {
    await write("file.json", { api });
    await mkdir(directory("other"));
    await write("other/readme.md", "x");
    const problems = await findProblems(directory(path));
    expect(problems).toMatchObject([{ file: directory(path), path: "", message }]);
  });
});

describe("the files beside records", () => {
  const openApi = { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: {} };

  it("are not records when a record names them, or when their name ends in .openapi.json", async () => {
    await write("shop.json", {
      name: "Shop",
      api: { ...api, openapi: "description.json", guide: "./guide.json" },
    });
    await write("description.json", openApi);
    await write("guide.json", '"Orders are never deleted."');
    await write("other.openapi.json", openApi);
    await write("other.openapi.yaml", "openapi: 3.1.0");
    expect((await loadSources(directory())).map(({ slug }) => slug)).toEqual(["shop"]);
  });
});
