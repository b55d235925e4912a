import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { apiSourceJsonSchema, createSourceClient, loadSources, parseSource } from "langchain-api-sources";
import {
  type CompiledPrograms,
  compilePrograms,
  listTypeErrors,
  runProgram,
} from "./support/compiled-programs.js";
import { runDocumented } from "./support/doc-runs.js";
import {
  type CodeBlock,
  codesOf,
  listPages,
  readBlocks,
  readTable,
  replaceRuns,
} from "./support/documents.js";
import { sendJson, startHttpServer } from "./support/http-server.js";
import { isLongRun } from "./support/long-run.js";
import { playedPages } from "./support/played-page.js";
import { adapt, compiledOnly, programCases, writePreload } from "./support/readme-programs.js";
import { openTestFolder } from "./support/test-folder.js";
import { asRecord } from "./support/unchecked.js";

const api = await startHttpServer(({ url, headers }, response) => {
  if (headers.authorization === undefined)
    return sendJson(response, { message: "Requires authentication" }, 401);
  return sendJson(response, url === "/user" ? { login: "someone" } : makeRepositories());
});
let texts: Record<string, string> = {};

beforeAll(async () => {
  texts = await runDocumented();
  if (process.env["UPDATE_DOCS"] === undefined) return;
  for (const page of listPages()) {
    await writeFile(page, replaceRuns(await readFile(page, "utf8"), texts));
  }
}, 120_000);

const pages = listPages();
/** The blocks of the pages that no other test plays from top to bottom. */
const blocks = pages.filter((page) => !playedPages.includes(page)).flatMap(readBlocks);
const at = ({ page, line }: CodeBlock): string => `${page}:${line}`;
const isProgram = ({ language }: CodeBlock): boolean => language === "ts" || language === "js";
/** Their packages are installed by `npm run test:frameworks`, which compiles and runs them. */
const frameworkPrograms = blocks.filter((block) => isProgram(block) && block.page === "docs/frameworks.md");
const programs = blocks.filter((block) => isProgram(block) && !frameworkPrograms.includes(block));
const runs = blocks.filter(({ run }) => run !== undefined);
const isManifest = ({ text }: CodeBlock): boolean => text.includes('"overrides"');
const jsons = blocks.filter(({ language, run }) => language === "json" && run === undefined);
const records = jsons.filter((block) => !isManifest(block));
const shells = blocks.filter(({ language }) => language === "sh");
const nameOf = ({ text }: CodeBlock): string =>
  /^\/\/ ([\w-]+\.(?:ts|mjs))\n/.exec(text)?.[1]?.replace(/\.mjs$/, ".ts") ?? "";

describe("the blocks of code", () => {
  it("are each of a kind that is tested", () => {
    const tested = new Set([...programs, ...frameworkPrograms, ...runs, ...jsons, ...shells]);
    expect(
      blocks.filter((block) => !tested.has(block)).map(({ page, language }) => [page, language]),
    ).toEqual([]);
    expect(tested.size).toBe(blocks.length);
  });

  it("are all found: there are two fences for each", () => {
    const fences = pages.flatMap((page) => readFileSync(page, "utf8").match(/^```/gm) ?? []);
    expect(pages.flatMap(readBlocks)).toHaveLength(fences.length / 2);
  });
});

describe("a block that is marked as the output of a run", () => {
  it("has each run's name on a page", () => {
    expect(new Set(runs.map(({ run }) => run))).toEqual(new Set(Object.keys(texts)));
  });

  it.each(runs.map((block) => [at(block), block] as const))("%s is what the run prints", (_at, block) => {
    const now = readBlocks(block.page).find(({ run }) => run === block.run);
    expect(now?.text).toBe(`${texts[block.run ?? ""]}\n`);
  });
});

describe("a record", () => {
  it.each(records.map((block) => [at(block), block.text] as const))("%s is a valid source", (_at, text) => {
    expect(parseSource(JSON.parse(text)).type).toBe("api");
  });
});

describe("a command", () => {
  const { scripts, version } = JSON.parse(readFileSync("package.json", "utf8"));
  const commands = shells.flatMap(({ text }) =>
    text.split(/\n|&&/).flatMap((line) => line.replace(/#.*/, "").trim() || []),
  );

  it.each([...new Set(commands)])("%s can be given", (command) => {
    const [, program = "", verb = "", first = ""] =
      /^(?:[A-Z_]+=\S+ )?(\S+) (\S+)(?: (\S+))?/.exec(command) ?? [];
    expect(program).toBe("npm");
    if (verb === "run") expect(Object.keys(scripts)).toContain(first);
    else if (verb === "install") expect(first).toBe(`./langchain-api-sources-${version}.tgz`);
    else expect(["ci", "test", "pack"]).toContain(verb);
  });

  it("names files that exist", () => {
    const paths = commands.flatMap((command) => command.match(/__tests__\/\S+/g) ?? []);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe("README", () => {
  const markdown = readFileSync("README.md", "utf8");

  it("is at most 10,500 bytes", () => {
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(10_500);
  });

  it("has only programs that run as they are saved, on every version of Node.js", () => {
    const named = readBlocks("README.md").filter(isProgram);
    expect(named.map(({ text }) => /^\/\/ [\w-]+\.mjs\n/.test(text))).toEqual(named.map(() => true));
  });

  it("shows what it is, the demo, a whole program, and the smallest record, in this order, in its first 100 lines", () => {
    const [demo] = shells;
    const [program] = programs;
    const [smallest] = records;
    expect(demo?.text).toContain("npm ci && npm run demo");
    expect(program?.text).toContain("fakeModel");
    expect(Object.keys(JSON.parse(smallest?.text ?? "{}"))).toEqual(["api"]);
    const lines = [0, demo?.line ?? 0, program?.line ?? 0, smallest?.line ?? 0, 100];
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
  });
});

describe("the reference", () => {
  it("has every field of a record in a table of one of its pages, and no other", () => {
    const documented = pages
      .flatMap((page) => readTable(page, "Field"))
      .map(([cell = ""]) => codesOf(cell)[0]);
    expect([...new Set(documented)].sort()).toEqual(listFields(apiSourceJsonSchema).sort());
  });

  it("has every key of an answer in its table, in their order", () => {
    expect(readTable("docs/answers.md", "Key").map(([cell = ""]) => codesOf(cell)[0])).toEqual(
      "status error data contentType file notes headers rateLimit total pages next job partial waited shortened kept summary".split(
        " ",
      ),
    );
  });

  describe("in its table of authTypes", () => {
    const rows = readTable("README.md", "`authType`");

    it("has all four", () => {
      expect(rows.map(([type = ""]) => codesOf(type)[0])).toEqual(["bearer", "header", "query", "basic"]);
    });

    it.each(rows)(
      "says what %s puts on the wire, and from which variables",
      async (type = "", sent = "", variables = "") => {
        const authType = codesOf(type)[0];
        const record = { name: "Name", api: { baseUrl: api.url, authType, ...namesFor(authType) } };
        const [first = "", second = ""] = codesOf(variables);
        const environment: Record<string, string> = { [first]: "0-first", [second]: "0-second" };
        const client = createSourceClient(
          asRecord(record),
          {},
          { readEnvironment: (name) => environment[name] },
        );
        await client.call({ method: "GET", path: "/" });
        const request = api.requests.at(-1);
        const headers = request?.rawHeaders.map((text, index, all) => `${text}: ${all[index + 1]}`) ?? [];
        const expected = (codesOf(sent)[0] ?? "")
          .replace("<token>", "0-first")
          .replace("<headerName>", "X-Key")
          .replace("<queryParam>", "key")
          .replace("<base64 of username:password>", Buffer.from("0-first:0-second").toString("base64"));
        expect([...headers, request?.url.slice(1)]).toContain(expected);
      },
    );
  });

  it("links to places that exist", () => {
    const broken = pages.flatMap((page) => findBrokenLinks(page));
    expect(broken).toEqual([]);
  });
});

describe(".env.example", () => {
  const names: string[] = [...(readFileSync(".env.example", "utf8").match(/^[A-Z][A-Z0-9_]*(?==)/gm) ?? [])];

  it("has a variable for each source of README and examples, and for each ${NAME}", async () => {
    const sources = await loadSources("examples/sources");
    // The recipes are for other people's APIs.
    const own = records.filter(({ page }) => !/(?:recipes|credentials)\.md$/.test(page));
    const described = own.map(({ text }) => parseSource(JSON.parse(text)));
    for (const { slug, api } of [...sources, ...described]) {
      if (api.authType !== undefined)
        expect(names.some((name) => name.startsWith(slug.toUpperCase()))).toBe(true);
      const text = JSON.stringify(api);
      for (const [, name] of text.matchAll(/\$\{(\w+)\}/g)) expect(names).toContain(name);
    }
  });

  it("has every variable that a program reads", () => {
    const read = programs.flatMap(({ text }) =>
      [...text.matchAll(/process\.env\["(\w+)"\]/g)].map(([, name]) => name),
    );
    expect(read.filter((name) => !names.includes(name ?? ""))).toEqual([]);
  });
});

describe("a program of the documentation", () => {
  const home = openTestFolder();
  let compiled: CompiledPrograms;

  beforeAll(async () => {
    const record = records.find(({ text }) => text.includes('"type": "api"'))?.text ?? "";
    await home.write("sources/github.json", record.replace("https://api.github.com", api.url));
    await home.write(".env", readFileSync(".env.example", "utf8"));
    compiled = await compilePrograms({
      folder: "readme",
      programs: Object.fromEntries(programs.map((block) => [nameOf(block), block.text])),
    });
  }, 60_000);

  it("has no error of type", async () => {
    expect(await listTypeErrors("readme")).toBe("");
  }, 60_000);

  it("has its own name, and is run, or has a reason why not", () => {
    expect(programs.map(nameOf).sort()).toEqual(
      [...Object.keys(programCases), ...Object.keys(compiledOnly)].sort(),
    );
  });

  const ofReadme = programs.filter(({ page }) => page === "README.md").map(nameOf);
  const run = Object.entries(programCases).filter(([name]) => isLongRun || ofReadme.includes(name));

  it.each(run)("%s does what it says", async (name, program) => {
    const path = compiled.pathOf(name);
    const runnable = path.replace(/\.js$/, ".run.js");
    const preload = path.replace(/\.js$/, ".preload.js");
    await writeFile(runnable, adapt(await readFile(path, "utf8"), api, await findFreePort()));
    if (program.script !== undefined) await writeFile(preload, writePreload(program.script));
    const { stdout, stderr } = await runProgram(runnable, {
      directory: home.path,
      env: program.env ?? {},
      // LangChain alone takes longer to load than most programs to run.
      nodeOptions: program.script === undefined ? [] : ["--import", preload],
    });
    expect(stderr).toBe("");
    let from = 0;
    for (const part of program.prints) {
      expect(stdout.slice(from)).toContain(part);
      from = stdout.indexOf(part, from) + part.length;
    }
    expect(api.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(program.requests);
    if (program.authorization !== undefined)
      expect(new Set(api.requests.map(({ headers }) => headers.authorization))).toEqual(
        new Set([program.authorization]),
      );
  });
});

async function findFreePort(): Promise<number> {
  const server = await startHttpServer();
  await server.close();
  return server.port;
}

function namesFor(authType: string | undefined): Record<string, string> {
  if (authType === "header") return { headerName: "X-Key" };
  return authType === "query" ? { queryParam: "key" } : {};
}

/** Enough to be too many for a small budget. */
function makeRepositories(): unknown[] {
  return Array.from({ length: 60 }, (_, index) => ({
    id: index + 1,
    name: `repository-${index + 1}`,
    open_issues_count: (index * 7 + 3) % 11,
    description: "What it is for, at some length, as people write it. ".repeat(10),
    html_url: `https://github.example/repository-${index + 1}`,
  }));
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
}

/** Paths of the record's own fields: those of `paths`, `network` and `limits` too, not what a list or a map holds. */
function listFields(schema: SchemaNode): string[] {
  const properties = schema.properties ?? schema.anyOf?.find((option) => option.properties)?.properties;
  return Object.entries(properties ?? {}).flatMap(([name, node]) => [
    name,
    ...listFields(node).map((inner) => `${name}.${inner}`),
  ]);
}

function findBrokenLinks(page: string): string[] {
  const markdown = readFileSync(page, "utf8");
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return links
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !listAnchors(readFileSync(file, "utf8")).includes(anchor);
    })
    .map((target) => `${page}: ${target}`);
}

function listAnchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}
