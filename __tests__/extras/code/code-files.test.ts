import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { type Answer, openCode } from "./open-code.js";

const token = "tok-9f8e7d6c5b";
const another = "tok-of-another-source";
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3, 255]);
const files: Record<string, readonly [type: string, bytes: Buffer]> = {
  "/a.csv": ["text/csv", Buffer.from("id,name\r\n1,é\r\n")],
  "/a.png": ["image/png", png],
  "/secret.csv": ["text/csv", Buffer.from(`id,key\r\n1,${token}\r\n`)],
  "/secret.png": ["image/png", Buffer.concat([png, Buffer.from(token)])],
  "/marked": ["application/octet-stream", Buffer.from(`\ufeffkey ${token}`, "utf16le")],
  "/unmarked": ["application/octet-stream", Buffer.from(`key ${token}`, "utf16le")],
  "/another.png": ["image/png", Buffer.concat([png, Buffer.from(another)])],
  "/large-secret.png": [
    "image/png",
    Buffer.concat([png, Buffer.alloc(10_000_001), Buffer.from(token)]),
  ],
  "/small.gz": ["application/gzip", gzipSync(`{"key":"${token}"}`)],
  // What it opens to is longer than `limits.maxBytes`.
  "/long.gz": ["application/gzip", gzipSync(`${" ".repeat(20_000_001)}${token}`)],
  "/twice.gz": ["application/gzip", gzipSync(gzipSync(`key ${token}`))],
  "/broken.gz": ["application/gzip", gzipSync(`key ${token}`).subarray(0, 25)],
  "/clean.gz": ["application/gzip", gzipSync(" ".repeat(20_000_001))],
  "/large.png": ["image/png", Buffer.concat([png, Buffer.alloc(10_000_001)])],
};

const server = await startHttpServer((request, response) => {
  const [type, bytes] = files[request.url] ?? [];
  if (type === undefined) return sendJson(response, { received: request.body });
  response.writeHead(200, { "content-type": type });
  response.end(bytes);
});
const { run: runCode } = await openCode(
  { baseUrl: server.url, authType: "bearer", limits: { maxBytes: 20_000_000 } },
  { writes: "allow" },
  { credentials: { shop: { token } } },
);
const run = (code: string, thread_id = "files"): Promise<Answer> =>
  runCode(code, { configurable: { thread_id } });

const why = (promise: string): string =>
  `await ${promise}.then(() => "given", (error) => error.message)`;

describe("file(id) in code", () => {
  it("has the facts, the text and the bytes of a file, and each reading is a call", async () => {
    const { data, calls } =
      await run(`const { file: { id } } = await api.shop.get("/a.csv"); const csv = await file(id);
      const image = await file((await api.shop.get("/a.png")).file.id);
      return [csv.name, csv.type, csv.bytes, csv.sha256, await csv.text(), await csv.base64(), await image.base64()]`);
    const csv = files["/a.csv"]?.[1] ?? png;
    expect(data).toEqual([
      "a.csv",
      "text/csv",
      csv.length,
      createHash("sha256").update(csv).digest("hex"),
      csv.toString(),
      csv.toString("base64"),
      png.toString("base64"),
    ]);
    expect(calls).toMatchObject({ used: 7, sent: 2 });
  });

  it("redacts the text of a file, and refuses the bytes of one that contains a secret", async () => {
    const { data } =
      await run(`const [csv, image] = await Promise.all(["/secret.csv", "/secret.png"].map(async (path) => file((await api.shop.get(path)).file.id)));
      return [await csv.text(), ${why("csv.base64()")}, ${why("image.base64()")}, ${why("image.text()")}]`);
    expect(data).toEqual([
      "id,key\r\n1,[REDACTED]\r\n",
      expect.stringContaining("contains a credential"),
      expect.stringContaining("contains a credential"),
      expect.stringContaining("not text"),
    ]);
    expect(JSON.stringify(data)).not.toContain("$file");
  });

  it("refuses the bytes of a file with a secret in UTF-16, which is text by its byte order mark", async () => {
    const { data } =
      await run(`const [marked, unmarked] = await Promise.all(["/marked", "/unmarked"].map(async (path) => file((await api.shop.get(path)).file.id)));
      return [await marked.text(), ${why("marked.base64()")}, ${why("unmarked.base64()")}]`);
    expect(data).toEqual([
      "key [REDACTED]",
      expect.stringContaining("contains a credential"),
      expect.stringContaining("contains a credential"),
    ]);
  });

  it.each([
    ["/small.gz", expect.stringContaining("contains a credential")],
    ["/long.gz", expect.stringContaining("contains a credential")],
    ["/twice.gz", expect.stringContaining("contains a credential")],
    ["/broken.gz", expect.stringContaining("contains a credential")],
    ["/clean.gz", "given"],
  ])("judges the bytes of gzip by what they open to: %s", async (path, expected) => {
    const { data } = await run(`const { file: { id } } = await api.shop.get("${path}");
      return ${why("(await file(id)).base64()")}`);
    expect(data).toEqual(expected);
  });

  it("refuses the bytes of a file with a secret that a function gave for another source", async () => {
    const { run, toolkit } = await openCode(
      { baseUrl: server.url, authType: "bearer" },
      {},
      {
        sources: [{ name: "Shop" }, { name: "Another" }],
        credentials: ({ slug }) => ({ token: slug === "shop" ? token : another }),
      },
    );
    await toolkit.listClients()[1]?.call({ path: "/a.csv" });
    const { data } = await run(`const { file: { id } } = await api.shop.get("/another.png");
      return ${why("(await file(id)).base64()")}`);
    expect(data).toContain("contains a credential");
  });

  it("refuses the content of a file of more than 10 MB, and gives its facts", async () => {
    const { data } = await run(
      `const open = async (path) => file((await api.shop.get(path)).file.id);
      const [large, secret] = [await open("/large.png"), await open("/large-secret.png")];
      return [large.bytes, ${why("large.base64()")}, ${why("secret.base64()")}]`,
    );
    const isSent = expect.stringContaining("more than 10 MB: send it by { $file: id }");
    expect(data).toEqual([10_000_014, isSent, expect.not.stringContaining("$file")]);
  });

  it("does not find a file of another thread", async () => {
    const { data: id } = await run("return (await api.shop.get('/a.csv')).file.id", "anna");
    const found = `return ${why(`file(${JSON.stringify(id)})`)}`;
    expect((await run(found, "anna")).data).toBe("given");
    expect((await run(found, "ben")).data).toContain("there is no file");
  });

  it("sends a kept file by its id", async () => {
    const { data } = await run(
      `const { file } = await api.shop.get("/a.csv"); return (await api.shop.post("/copy", { body: { $file: file.id } })).ok`,
    );
    expect(data).toBe(true);
    expect(server.requests.at(-1)).toMatchObject({ method: "POST", body: "id,name\r\n1,é\r\n" });
  });

  it("sends bytes and texts that code made, as a body and as parts", async () => {
    const { data } = await run(
      `const raw = await api.shop.post("/raw", { body: { $base64: "aWQsbmFtZQo=" } });
      const form = await api.shop.post("/form", { headers: { "Content-Type": "multipart/form-data" },
        body: { label: "a", note: { $text: "one", name: "n.txt" }, image: { $base64: "AQID", name: "i.png", type: "image/png" } } });
      return [raw.ok, form.ok]`,
    );
    expect(data).toEqual([true, true]);
    const [raw, form] = server.requests;
    expect(raw?.body).toBe("id,name\n");
    expect(form?.body).toMatch(/name="note"; filename="n\.txt"\r\n.*\r\n\r\none\r\n/);
    const image = form?.body.split(/name="image"; filename="i\.png"\r\n/)[1];
    expect(image?.split("\r\n").slice(0, 3)).toEqual([
      "Content-Type: image/png",
      "",
      "\u0001\u0002\u0003",
    ]);
  });

  it("refuses what is not base64 unsent", async () => {
    const body = '{ file: { $base64: "not base64!", name: "x" } }';
    const { data } = await run(
      `return (await api.shop.post("/form", { headers: { "Content-Type": "multipart/form-data" }, body: ${body} })).error.message`,
    );
    expect(data).toContain("not base64 with padding");
    expect(server.requests).toEqual([]);
  });
});
