/** Files of `call`: what --form sends, and what --output and --full write. */

import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { openCommandLine } from "../support/command-line.js";
import { sendJson, startHttpServer } from "../support/http-server.js";

const bytes = randomBytes(3_000);

/** The `Content-Disposition` of the next response. */
let disposition: string | undefined;

const command = await openCommandLine("cli-files");
const { line: run, put, list } = command;
const api = await startHttpServer(({ url, method }, response) => {
  if (method === "POST") return sendJson(response, { ok: true }, 201);
  if (url.startsWith("/me")) return sendJson(response, { login: "ada" });
  if (url.startsWith("/none")) return sendJson(response, { message: "Not Found" }, 404);
  const named = disposition === undefined ? {} : { "content-disposition": disposition };
  response.writeHead(200, { "content-type": "application/pdf", ...named });
  response.end(bytes);
});

beforeEach(async () => {
  disposition = undefined;
  await put("sources/shop.json", { name: "Shop", api: { baseUrl: api.url } });
});

const read = (name: string): Promise<Buffer> => readFile(join(command.cwd, name));
const sentCount = (): number => api.requests.length;

describe("call --output", () => {
  it("saves the bytes as they were received, and prints what they are", async () => {
    const { code, stdout } = await run("call shop GET /report --output report.pdf");
    expect([code, stdout]).toEqual([0, "Saved report.pdf: application/pdf, 3000 bytes.\n"]);
    expect(await read("report.pdf")).toEqual(bytes);
    const { stdout: json } = await run("call shop GET /report --output other.pdf --json");
    expect(JSON.parse(json)).toMatchObject({
      output: "other.pdf",
      type: "application/pdf",
      bytes: 3_000,
    });
  });

  it("does not overwrite a file without --force, and sends nothing", async () => {
    await put("report.pdf", "mine");
    const before = sentCount();
    const { code, stderr } = await run("call shop GET /report --output report.pdf");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--force")]);
    expect((await read("report.pdf")).toString()).toBe("mine");
    expect(sentCount()).toBe(before);
    expect((await run("call shop GET /report --output report.pdf --force")).code).toBe(0);
    expect(await read("report.pdf")).toEqual(bytes);
  });

  it.each([
    ['attachment; filename="../../evil.sh"', "evil.sh"],
    [undefined, "report"],
  ])("saves %p in a directory as %s", async (named, name) => {
    disposition = named;
    await mkdir(join(command.cwd, "in"));
    expect((await run("call shop GET /report --output in")).code).toBe(0);
    expect(await list("in")).toEqual([name]);
    const again = await run("call shop GET /report --output in");
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("exists already")]);
  });

  it.each(["missing/report.pdf", "missing/"])(
    "sends nothing for %s, whose directory is missing",
    async (path) => {
      const before = sentCount();
      const { code, stderr } = await run(`call shop GET /report --output ${path}`);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^The directory .* does not exist\./),
      ]);
      expect(sentCount()).toBe(before);
    },
  );

  it("saves nothing of an error, and exits by its status", async () => {
    const { code, stdout } = await run("call shop GET /none --output a.json");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      4,
      { status: 404, error: { category: "not_found" } },
    ]);
    expect(await list()).toEqual(["sources"]);
  });

  it.each(["--select a", "--pages 2", "--full", "--curl"])("excludes %s", async (flag) => {
    expect((await run(`call shop GET /me --output a.json ${flag}`)).code).toBe(2);
  });
});

it("call --full writes the bytes of a binary body and nothing else", async () => {
  const { code, stdout } = await run("call shop GET /report --full");
  expect([code, Buffer.from(stdout, "latin1").equals(bytes)]).toEqual([0, true]);
});

describe("call --form", () => {
  const readParts = async (): Promise<FormData> => {
    const { headers, bytes: body } = api.requests.at(-1) ?? { headers: {}, bytes: Buffer.alloc(0) };
    return new Response(Uint8Array.from(body), {
      headers: { "content-type": headers["content-type"] ?? "" },
    }).formData();
  };

  it("sends texts and files as multipart, a repeated label as parts of their own", async () => {
    await put('a "b".pdf', bytes);
    await put("b.txt", "two");
    const line =
      'call shop POST /files --form title=A=1 --form file=@a~"b".pdf --form file=@b.txt --form title=';
    expect((await run(line)).code).toBe(0);
    const parts = await readParts();
    expect(parts.getAll("title")).toEqual(["A=1", ""]);
    const files = parts.getAll("file") as File[];
    expect(files.map(({ name }) => name)).toEqual(['a "b".pdf', "b.txt"]);
    const sent = await files[0]?.arrayBuffer();
    expect(Buffer.from(sent ?? new ArrayBuffer())).toEqual(bytes);
  });

  it("is multipart without a file too, whatever Content-Type is given", async () => {
    await run("call shop POST /files --form a=b --header Content-Type:~text/plain");
    expect((await readParts()).get("a")).toBe("b");
  });

  it.each([
    ["--form a", "label"],
    ["--form file=@missing", "can't be read"],
    ["--form file=@/dev/zero", "can't be read"],
    ["--form a=b --body {}", "cannot be used with"],
    ["--form a=b --curl", "cannot be used with"],
  ])("refuses %s and sends nothing", async (flags, words) => {
    const before = sentCount();
    const { code, stderr } = await run(`call shop POST /files ${flags}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(sentCount()).toBe(before);
  });
});
