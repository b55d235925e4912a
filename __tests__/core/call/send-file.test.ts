import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  ApiSourceToolkit,
  type ApprovalRequest,
  type CallRequest,
  type ClientOptions,
  createSourceClient,
} from "langchain-api-sources";
import { type ReceivedRequest, type Respond, sendJson } from "../../support/http-server.js";
import { runsOf } from "../../support/long-run.js";
import type { TestOptions } from "../../support/seams.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../../support/shop-tool.js";

let shop: ShopTool;

const sha256 = (of: Uint8Array): string => createHash("sha256").update(of).digest("hex");
const multipart = { "Content-Type": "multipart/form-data" };

/** GET /files/… gives the bytes; a write answers 201. */
async function open(
  content: Buffer | string = Buffer.from([0, 255, 13, 10, 45, 45]),
  settings: Record<string, unknown> = {},
  options: TestOptions = {},
  respond?: Respond,
): Promise<string> {
  const serve: Respond = (request, response) => {
    if (request.method !== "GET")
      return respond ? respond(request, response) : sendJson(response, { ok: true }, 201);
    response.writeHead(200, {
      "Content-Type": "application/pdf",
      "Content-Disposition": 'attachment; filename="a.pdf"',
    });
    response.end(content);
  };
  shop = await startShopTool(serve, { limits: { retries: 0 }, ...settings }, options);
  return (await shop.ask({ method: "GET", path: "/files/1" })).file?.id;
}

const send = (body: unknown, headers: object = {}, method = "POST"): Promise<AnswerDocument> =>
  shop.ask({ method, path: "/files", body, headers });

function lastWrite(): ReceivedRequest {
  const write = shop.server.requests.findLast(({ method }) => method !== "GET");
  if (write === undefined) throw new Error("No write was received.");
  return write;
}

/** The parts as another implementation reads them: Node's `fetch`. */
async function readForm({ headers, bytes }: ReceivedRequest): Promise<[string, File | string][]> {
  const form = await new Response(Uint8Array.from(bytes), {
    headers: { "Content-Type": String(headers["content-type"]) },
  }).formData();
  return [...form.entries()];
}

describe("a body that is one file", () => {
  it.each([
    ["an object", (id: string): unknown => ({ $file: id })],
    ["JSON text", (id: string): unknown => JSON.stringify({ $file: id })],
    ["JSON text with an escape", (id: string): unknown => `{"\\u0024file":"${id}"}`],
  ])("sends its bytes, type and length, given as %s", async (_, write) => {
    const id = await open();
    expect((await send(write(id), {}, "PUT")).status).toBe(201);
    const { bytes, headers } = lastWrite();
    expect(bytes).toEqual(Buffer.from([0, 255, 13, 10, 45, 45]));
    expect(headers).toMatchObject({ "content-type": "application/pdf", "content-length": "6" });
    expect(headers["transfer-encoding"]).toBeUndefined();
  });

  it("takes any Content-Type of the call, also where the source allows no headers or has its own type", async () => {
    for (const settings of [
      { allowedHeaders: [] },
      { headers: { "content-type": "application/json" } },
      { bodyFormat: "form" },
    ]) {
      const id = await open(undefined, settings);
      expect((await send({ $file: id }, { "Content-Type": "image/x-own" })).status).toBe(201);
      expect(lastWrite().rawHeaders.filter((name) => /^content-type$/i.test(name))).toHaveLength(1);
      expect(lastWrite().headers["content-type"]).toBe("image/x-own");
    }
  });

  it("may be a new text, with its own type", async () => {
    await open();
    expect((await send({ $text: "a,b", type: "text/csv" })).status).toBe(201);
    expect(lastWrite()).toMatchObject({ body: "a,b", headers: { "content-type": "text/csv" } });
  });

  it("is data where it has another member, or is not at the top", async () => {
    await open();
    for (const body of [
      { $file: "r_x", a: 1 },
      { find: { $text: { $search: "x" } } },
      { $file: 7 },
      { $text: "x", $file: "r_x" },
    ]) {
      expect((await send(body)).status).toBe(201);
      expect(JSON.parse(lastWrite().body)).toEqual(body);
    }
  });

  it("is not sent with an id that is unknown or another thread's", async () => {
    const id = await open();
    const other = await shop.ask(
      { method: "POST", path: "/files", body: { $file: id } },
      { configurable: { thread_id: "other" } },
    );
    for (const answer of [other, await send({ $file: "r_aaaaaaaaaaaaaaaa" })]) {
      expect(answer).toMatchObject({ error: { category: "not_found" } });
      expect(answer.status).toBeUndefined();
    }
    expect(shop.server.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it("is not opened for a call that the request policy refuses", async () => {
    const names: string[] = [];
    const readFile = (name: string): undefined => void names.push(name);
    await open(
      undefined,
      { methods: ["GET", "POST"], paths: { deny: ["/secret/**"] } },
      { readFile },
    );
    for (const [method, path] of [
      ["POST", "/secret/x"],
      ["PUT", "/x"],
    ]) {
      const { error } = await shop.ask({ method, path, body: { $file: "x" } });
      expect(error.category).toBe("refused_by_policy");
    }
    expect(names).toEqual([]);
  });

  it("is refused over limits.maxFileBytes", async () => {
    const limits = { maxFileBytes: 10, retries: 0 };
    const readFile = (): { bytes: Uint8Array } => ({ bytes: new Uint8Array(11) });
    await open("x", { limits }, { readFile });
    expect((await send({ $file: "big" })).error.category).toBe("too_large");
    const parts = { a: { $text: "123456", name: "a" }, b: { $text: "123456", name: "b" } };
    expect((await send(parts, multipart)).error.category).toBe("too_large");
  });
});

describe("a multipart body", () => {
  it("has the members of the body as its parts, in their order", async () => {
    const id = await open();
    const body = {
      title: "Q3",
      count: 2,
      big: 9007199254740991,
      open: true,
      nothing: null,
      meta: { a: [1] },
      tag: ["x", "y"],
      file: { $file: id },
      other: { $file: id, name: "b.bin", type: "application/x-b" },
      note: { $text: "hä\n", name: "note.txt" },
    };
    expect(
      (await send(body, { "Content-Type": "multipart/form-data; boundary=chosen" })).status,
    ).toBe(201);
    const { headers, bytes, body: text } = lastWrite();
    expect(Number(headers["content-length"])).toBe(bytes.length);
    expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=form-[0-9a-f]{36}$/);
    const parts = await readForm(lastWrite());
    expect(parts.map(([name]) => name)).toEqual(
      "title count big open nothing meta tag tag file other note".split(" "),
    );
    const values = Object.fromEntries(parts);
    expect(values).toMatchObject({
      title: "Q3",
      count: "2",
      big: "9007199254740991",
      open: "true",
      nothing: "",
    });
    expect(text).toContain('name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":[1]}\r\n');
    const files = parts.map(([, value]) => value).filter((value) => value instanceof File);
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ["a.pdf", "application/pdf"],
      ["b.bin", "application/x-b"],
      ["note.txt", "text/plain; charset=utf-8"],
    ]);
    expect(Buffer.from((await files[0]?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(
      Buffer.from([0, 255, 13, 10, 45, 45]),
    );
    expect(await files[2]?.text()).toBe("hä\n");
  });

  it("has its files last where a name is a number, as a GraphQL upload has it", async () => {
    await open();
    const text = (body: object): object => ({ $text: JSON.stringify(body), name: "a.json" });
    const map = { 0: ["variables.file"] };
    await send({ operations: { query: "{ a }" }, map, 0: text({ a: 1 }) }, multipart);
    const parts = await readForm(lastWrite());
    expect(parts.map(([name]) => name)).toEqual(["operations", "map", "0"]);
  });

  it("has the same bytes for the same parts, and another boundary for other names, types or order", async () => {
    await open();
    const file = { $text: "x", name: "a" };
    const bodies = [
      ...[
        { a: "1", f: file },
        { a: "1", f: file },
        { f: file, a: "1" },
      ],
      ...[
        { a: "1", f: { ...file, name: "b" } },
        { a: "1", f: { ...file, type: "text/html" } },
      ],
    ];
    for (const body of bodies) await send(body, multipart);
    const writes = shop.server.requests.filter(({ method }) => method === "POST");
    expect(writes[0]?.bytes).toEqual(writes[1]?.bytes);
    expect(new Set(writes.map(({ headers }) => headers["content-type"])).size).toBe(4);
  });

  it("is written where the record asks for it, or allows no headers", async () => {
    await open(undefined, { bodyFormat: "multipart" });
    expect((await send({ a: "1" })).status).toBe(201);
    expect(await readForm(lastWrite())).toEqual([["a", "1"]]);
    expect((await send({ a: "1" }, { "Content-Type": "application/json" })).status).toBe(201);
    expect(lastWrite().headers["content-type"]).toBe("application/json");
    await open(undefined, { allowedHeaders: [] });
    expect((await send({ a: "1" }, multipart)).status).toBe(201);
    expect(await readForm(lastWrite())).toEqual([["a", "1"]]);
  });

  it("is refused unsent for a file beside the Content-Type of JSON, which the record can make data", async () => {
    const body = { file: { $text: "x", name: "a.txt" } };
    const json = { "Content-Type": "application/json" };
    await open();
    const { error } = await send(body, json);
    expect(error).toMatchObject({ category: "invalid_input" });
    expect(error.hint).toContain("Leave the Content-Type out");
    expect(shop.server.requests.every(({ method }) => method === "GET")).toBe(true);
    await open(undefined, { bodyFormat: "json" });
    expect((await send(body, json)).status).toBe(201);
    expect(JSON.parse(lastWrite().body)).toEqual(body);
  });

  it.each([
    ["a lone file", { $file: "r_x" }],
    ["a list", [1]],
    ["a text", "words"],
    ["a type with a line break", { f: { $text: "x", name: "a", type: "text/plain\r\nX-A: 1" } }],
    ["a type that is not one", { f: { $text: "x", name: "a", type: "text" } }],
  ])("is refused unsent for %s", async (_, body) => {
    await open();
    expect((await send(body, multipart)).error.category).toBe("invalid_input");
    expect(shop.server.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it.each([
    ["another member", { $file: "r_x", size: 1 }],
    ["no text", { $file: 1 }],
    ["no file", { $content: "x", name: "a" }],
    ["two files", { $text: "x", $file: "r_x", name: "a" }],
    ["an object", { $text: { $search: "coffee" } }],
  ])("has data as a part for what is not exactly a file: %s", async (_, f) => {
    await open();
    expect((await send({ f }, multipart)).status).toBe(201);
    const { body } = lastWrite();
    expect(body).toContain("Content-Type: application/json");
    expect(body).toContain(JSON.stringify(f));
  });

  it("is one because of a file in it, without a Content-Type, and a new text needs no name", async () => {
    await open();
    expect((await send({ title: "x", f: [{ $text: "hi" }] })).status).toBe(201);
    expect(lastWrite().body).toContain('name="f"; filename="file.txt"');
  });

  it("without a file is noted where the API refuses it", async () => {
    await open(undefined, {}, {}, (_request, response) =>
      sendJson(response, { message: "no file" }, 422),
    );
    const note = expect.stringContaining('{"$text":"…","name":"note.txt"}');
    const text = { name: "a.txt", type: "text/plain", text: "hi" };
    expect((await send({ file: text }, multipart)).notes).toEqual([note]);
    expect((await send({ file: { $text: "hi", name: "a.txt" } }, multipart)).notes).toBeUndefined();
    expect((await send({ file: text })).notes).toBeUndefined();
    expect((await send("--b\r\n\r\nhi", multipart)).error.hint).toContain('{"$text":');
  });

  it("does not carry out another method by a part", async () => {
    await open(undefined, { methods: ["GET", "POST"] });
    expect((await send({ _method: "DELETE" }, multipart)).error.category).toBe("refused_by_policy");
  });

  it("lets no name, of a part or a file, break out of its header", async () => {
    await open();
    const name = fc.string({
      unit: fc.constantFrom(
        '"',
        "\r",
        "\n",
        "\r\nX-Injected: 1\r\n\r\n",
        "a",
        "ö",
        ";",
        "\\",
        "%",
        "\0",
        "--",
      ),
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(name, name, async (part, file) => {
        expect(
          (await send({ [`p${part}`]: { $text: "content", name: file } }, multipart)).status,
        ).toBe(201);
        const { headers, body } = lastWrite();
        const boundary = String(headers["content-type"]).split("boundary=")[1];
        const lines = body.split("\r\n");
        expect(lines).toHaveLength(7);
        expect(lines[0]).toBe(`--${boundary}`);
        expect(lines[1]).toMatch(
          /^Content-Disposition: form-data; name="[^"]*"; filename="[^"]*"(?:; filename\*=UTF-8''[\w.~!%-]*)?$/,
        );
        expect(lines.slice(2)).toEqual([
          "Content-Type: text/plain; charset=utf-8",
          "",
          "content",
          `--${boundary}--`,
          "",
        ]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("any bytes", () => {
  it("are the same after they were received and sent, raw and as a part", async () => {
    const sizes = fc.oneof(
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: 5_000_000 }),
    );
    let content: Buffer = Buffer.alloc(0);
    const received = new Map<string, Buffer>();
    shop = await startShopTool((request, response) => {
      if (request.method !== "GET") {
        received.set(request.url, request.bytes);
        return sendJson(response, {}, 201);
      }
      response.writeHead(200, { "Content-Type": "application/octet-stream" });
      response.end(content);
    });
    await fc.assert(
      fc.asyncProperty(sizes, fc.constantFrom("bytes", "text", "utf-8"), async (size, kind) => {
        content = randomBytes(size);
        if (kind === "text") content = content.map((byte) => 97 + (byte % 26)) as Buffer;
        if (kind === "utf-8") content = Buffer.from(content.toString("latin1"), "utf8");
        const { file } = await shop.ask({ method: "GET", path: "/x.bin" });
        // A body of white space is empty.
        if (content.toString().trim() === "") return expect(file).toBeUndefined();
        const id = file.id ?? file;
        await shop.ask({ method: "PUT", path: "/raw", body: { $file: id } });
        expect(received.get("/raw")?.equals(content)).toBe(true);
        await shop.ask({
          method: "POST",
          path: "/form",
          body: { f: { $file: id } },
          headers: multipart,
        });
        const write = shop.server.requests.at(-1);
        const [[, part] = []] = write === undefined ? [] : await readForm(write);
        expect(part instanceof File && Buffer.from(await part.arrayBuffer()).equals(content)).toBe(
          true,
        );
        shop.server.requests.length = 0;
      }),
      { numRuns: runsOf(25) },
    );
  }, 120_000);
});

describe("a file of the application's own", () => {
  it("is read by its name, with the call's context, and described by what the application gives", async () => {
    const asked: unknown[] = [];
    const readFile: ClientOptions["readFile"] = (name, { threadId }) => {
      asked.push([name, threadId]);
      return name === "reports/q3.pdf"
        ? { bytes: Buffer.from("%PDF"), type: "application/pdf" }
        : undefined;
    };
    await open(undefined, {}, { readFile });
    const call = (name: string): Promise<AnswerDocument> =>
      shop.ask(
        { method: "PUT", path: "/x", body: { f: { $file: name } }, headers: multipart },
        { configurable: { thread_id: "t" } },
      );
    expect((await call("reports/q3.pdf")).status).toBe(201);
    const [[, file] = []] = await readForm(lastWrite());
    expect(file).toMatchObject({ name: "q3.pdf", type: "application/pdf" });
    expect((await call("other.pdf")).error.category).toBe("not_found");
    expect(asked).toEqual([
      ["reports/q3.pdf", "t"],
      ["other.pdf", "t"],
    ]);
  });

  it.each(["../x", "a/../b", "/etc/passwd", "a\\b", "a\nb", "x".repeat(256)])(
    "is never looked for by the name %j",
    async (name) => {
      const asked: string[] = [];
      await open(undefined, {}, { readFile: (given) => void asked.push(given) });
      expect((await send({ $file: name })).error.category).toBe("invalid_input");
      expect(asked).toEqual([]);
    },
  );
});

describe("a kept file with a credential", () => {
  const key = "canary-4f1e8a7c22";
  const leaks: Record<string, Buffer> = {
    "/plain": Buffer.from(`id,key\r\n1,${key}\r\n`),
    "/utf-16": Buffer.from(`\ufeffid,key\r\n1,${key}\r\n`, "utf16le"),
    "/utf-16-of-no-type": Buffer.from(`\ufeffid,key\r\n1,${key}\r\n`, "utf16le"),
    "/utf-16-in-bytes": Buffer.concat([
      Buffer.from([1, 255]),
      Buffer.from(key, "utf16le").swap16(),
    ]),
    "/bytes": Buffer.concat([Buffer.from([0, 255, 1, 0, 0]), Buffer.from(key)]),
    "/base64": Buffer.concat([Buffer.from([0, 255, 1, 0, 0]), Buffer.from(btoa(key))]),
    "/clean": Buffer.from("id,key\r\n1,none\r\n"),
  };
  const leak: Respond = (request, response) => {
    const type = request.url === "/utf-16" ? "text/csv" : "application/octet-stream";
    response.writeHead(200, { "Content-Type": type });
    response.end(leaks[request.url] ?? "");
  };

  it.each([
    // A credential that is known when the file is kept, and one that is known when it is sent.
    ["of the source that it came from", "shop"],
    ["of the source that it is sent to", "store"],
    ["of a third source that was called before", "third"],
  ])("%s is sent to no source, raw or as a part", async (_, owner) => {
    shop = await startShopTool(leak);
    const api = { baseUrl: shop.server.url, authType: "bearer" } as const;
    const toolkit = await ApiSourceToolkit.fromSources(
      [
        { name: "Shop", api },
        { name: "Store", api },
        { name: "Third", api },
      ],
      { credentials: ({ slug }) => ({ token: slug === owner ? key : "another-token-77" }) },
    );
    const [from, to, third] = toolkit.listClients();
    const answer = async (client: typeof from, request: object): Promise<AnswerDocument> =>
      JSON.parse((await client?.call(request, { threadId: "t" }))?.content ?? "");
    await answer(third, { path: "/clean" });
    for (const path of Object.keys(leaks)) {
      const { file } = await answer(from, { path });
      const $file = file.id ?? file;
      const bodies: object[] = [{ body: { $file } }];
      bodies.push({ body: { f: { $file } }, headers: multipart });
      for (const body of bodies) {
        const sent = await answer(to, { method: "POST", path: "/in", ...body });
        if (path === "/clean") expect(sent.status).toBe(200);
        else expect(sent.error?.category).toBe("refused_by_policy");
        expect(JSON.stringify(sent)).not.toContain(key);
      }
    }
    const writes = shop.server.requests.filter(({ method }) => method === "POST");
    expect(writes).toHaveLength(2);
    expect(writes.some(({ body }) => body.includes(key))).toBe(false);
  });
});

describe("the bytes of a file are judged as a body is", () => {
  const json = { "Content-Type": "application/json" };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const utf16 = { "Content-Type": "text/plain; charset=utf-16le" };

  it.each<[string, string | Buffer, object]>([
    ["a form", "a=1&_method=DELETE", form],
    ["a form that is not UTF-8", Buffer.from("a=\xff&_method=DELETE", "latin1"), form],
    ["JSON", '{"_method":"DELETE"}', json],
    ["JSON that is broken", '{"a\\q":1,"_method":"DELETE"', json],
    ["JSON after a byte order mark", '\ufeff{"_method":"DELETE"}', json],
    ["JSON of another type", '{"_method":"DELETE"}', { "Content-Type": "application/x-own" }],
    ["a text in another charset", Buffer.from("_method=DELETE", "utf16le"), utf16],
  ])("which %s names another method in: it is not sent", async (_, content, headers) => {
    const readFile = () => ({ bytes: Buffer.from(content) });
    await open(undefined, { methods: ["GET", "POST"] }, { readFile });
    expect((await send({ $file: "x" }, headers)).error?.category).toBe("refused_by_policy");
    expect(shop.server.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it.each([{ $file: "x" }, { $text: "DELETE", name: "x" }])(
    "also as a part that names another method: %j",
    async (part) => {
      const readFile = () => ({ bytes: Buffer.from("DELETE") });
      await open(undefined, { methods: ["GET", "POST"] }, { readFile });
      for (const name of ["_method", "verb"])
        expect((await send({ [name]: part }, multipart)).error?.category).toBe("refused_by_policy");
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ["multipart/mixed; boundary=b", {}],
    ["Message/http", {}],
    ["application/json; charset=utf-16", {}],
    ["image/png, multipart/mixed; boundary=b", {}],
    ["png", {}],
    ["application/x-www-form-urlencoded", { bodyFormat: "json" }],
    ["text/xml", { bodyFormat: "json" }],
  ])("by its type, too: %s is refused with %j", async (type, settings) => {
    const readFile = () => ({ bytes: Buffer.from("x"), type });
    await open(undefined, settings, { readFile });
    for (const headers of [{ "Content-Type": type }, {}])
      expect((await send({ $file: "x" }, headers)).error?.category).toBe("refused_by_policy");
    expect(shop.server.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it("and what harms nothing is sent", async () => {
    const content = Buffer.from(
      '<a href="/x?a=1&b=%25252525252525252525252F">_method=DELETE</a>\n{"_method":1}',
    );
    const readFile = () => ({ bytes: Buffer.concat([Buffer.from([0, 1]), content]) });
    await open(undefined, { methods: ["GET", "POST"] }, { readFile });
    expect((await send({ $file: "x" }, { "Content-Type": "application/pdf" })).status).toBe(201);
    expect(
      (await send({ $file: "x" }, { "Content-Type": "image/svg+xml; charset=x" })).status,
    ).toBe(201);
  });
});

describe("the approval of an upload", () => {
  type Write = (id: string) => object;

  /** What a person is shown of this body, and of its files: one kept as `id`, those that the application reads with this content. */
  async function ask(
    content: string | Buffer,
    write: Write,
    headers = {},
  ): Promise<ApprovalRequest> {
    const questions: ApprovalRequest[] = [];
    const approver: ClientOptions["approver"] = async (request) => {
      questions.push(request);
      return { type: "reject" };
    };
    const readFile: ClientOptions["readFile"] = (name) => ({ bytes: Buffer.from(content), name });
    const id = await open(undefined, {}, { approve: "writes", approver, readFile });
    await send(write(id), headers);
    const [question] = questions;
    if (question === undefined) throw new Error("No one was asked.");
    return question;
  }

  it.each<[string, string | Buffer, string, string]>([
    ["text by its type", "a\nb", "text/csv", "a\nb"],
    ["text by its bytes", '{"amount":9000}', "image/png", '{"amount":9000}'],
    ["a form", "a=x%20y&b=%5Fz", "application/x-www-form-urlencoded", "a = x y\nb = _z"],
    ["a declared charset", Buffer.from("hä", "latin1"), "text/plain; charset=windows-1252", "hä"],
    ["a byte order mark", Buffer.from("\ufeffhä", "utf16le"), "text/plain", "hä"],
    ["invisible characters", "a\u202eb\u200bc\0", "text/plain", "a\\u{202e}b\\u{200b}c\\u{0}"],
  ])("shows %s as the receiver reads it", async (_, content, type, text) => {
    const facts = `${Buffer.from(content).length} bytes, SHA-256 ${sha256(Buffer.from(content))}`;
    const { body, files } = await ask(content, () => ({ $file: "x" }), { "Content-Type": type });
    expect(body).toBe(`file x (${type}, ${facts}):\n${text}`);
    expect(files).toMatchObject([{ type }]);
  });

  it.each<[string, string | Buffer, string]>([
    ["is not text", Buffer.from([0, 255, 1]), "image/png"],
    ["has a charset that is unknown here", "+ADw-b+AD4-", "text/plain; charset=utf-7"],
  ])("names size and SHA-256 of what %s", async (_, content, type) => {
    const bytes = Buffer.from(content);
    const { body } = await ask(content, () => ({ $file: "x" }), { "Content-Type": type });
    expect(body).toBe(`file x (${type}, binary, ${bytes.length} bytes, SHA-256 ${sha256(bytes)})`);
  });

  it.each([20_000, 300_000])("shows how many of %i characters follow unseen", async (length) => {
    const { body = "" } = await ask("x".repeat(length), () => ({ $file: "x" }), {
      "Content-Type": "text/plain",
    });
    const [, shown = "", unseen = ""] =
      /:\n(x+)… \((\d+) more characters not shown\)$/.exec(body) ?? [];
    expect(body.indexOf("…")).toBe(10_000);
    expect(shown.length + Number(unseen)).toBe(length);
  });

  it("takes no charset but utf-8 in the type of a part", async () => {
    await open();
    for (const charset of ["utf-16le", '"windows-1252"', "utf-7"]) {
      const part = { $text: "pay 9000", name: "a.txt", type: `text/plain; charset=${charset}` };
      expect((await send({ f: part }, multipart)).error?.category).toBe("invalid_input");
    }
    const part = { $text: "pay 9000", name: "a.txt", type: "text/plain; charset=UTF-8" };
    expect((await send({ f: part }, multipart)).status).toBe(201);
  });

  it("shows and sends a kept file in the charset of its response, and takes no other", async () => {
    const latin1 = "text/plain; charset=windows-1252";
    shop = await startShopTool(({ method }, response) => {
      response.writeHead(method === "POST" ? 201 : 200, { "content-type": latin1 });
      response.end(Buffer.from("hä", "latin1"));
    });
    const shown: unknown[] = [];
    const approver: ClientOptions["approver"] = async ({ body }) => {
      shown.push(body);
      return { type: "approve" };
    };
    const client = createSourceClient(
      { name: "Shop", api: { baseUrl: shop.server.url } },
      { approve: "writes", approver },
    );
    const call = async (request: CallRequest): Promise<AnswerDocument> =>
      JSON.parse((await client.call(request, { threadId: "t" })).content);
    const { file } = await call({ path: "/a.txt" });
    const body = { $file: file.id ?? file };
    const post = (headers: Record<string, string>) =>
      call({ method: "POST", path: "/in", body, headers });
    expect(await post({ "Content-Type": "text/csv" })).toMatchObject({ status: 201 });
    expect((await post({})).status).toBe(201);
    for (const charset of ["utf-16le", "utf-8"])
      expect((await post({ "Content-Type": `text/csv; charset=${charset}` })).error?.category).toBe(
        "invalid_input",
      );
    const sent = shop.server.requests.filter(({ method }) => method === "POST");
    expect(sent.map(({ headers }) => headers["content-type"])).toEqual([
      "text/csv; charset=windows-1252",
      latin1,
    ]);
    expect(shown.map((text) => String(text).split("\n")[1])).toEqual(["hä", "hä"]);
  });

  it("escapes what does not show, and line breaks, in the names of parts and files", async () => {
    const name = "a\u202efdp.exe\u200b\nb = 1\u2028";
    const { body, files } = await ask("", () => ({ [name]: { $text: "x", name } }), multipart);
    const shown = "a\\u{202e}fdp.exe\\u{200b}\\nb = 1\\u{2028}";
    expect(files).toMatchObject([{ part: shown, name: shown }]);
    expect(body).toMatch(/^[\x20-\x7e]+$/);
    expect(body).toContain(`${shown} = file ${shown} (`);
  });

  it("takes no bytes from a model, which a person could not read", async () => {
    await open();
    const $base64 = "aGk=";
    for (const [body, headers] of [
      [{ $base64 }, {}],
      [JSON.stringify({ $base64 }), {}],
      [{ f: { $base64, name: "x" } }, multipart],
    ] as const) {
      expect((await send(body, headers)).error?.category).toBe("refused_by_policy");
      const input = { method: "POST", path: "/files", body, headers };
      const [tool] = shop.toolkit.getTools({ answers: "whole" });
      expect(String(await tool?.invoke(input))).toContain("refused_by_policy");
      const [client] = shop.toolkit.listClients();
      expect(await client?.tool.execute(input)).toContain("refused_by_policy");
      expect(shop.server.requests.every(({ method }) => method === "GET")).toBe(true);
      expect(await client?.call(input)).toMatchObject({ ok: true });
      shop.server.requests.length = 0;
    }
  });

  it("shows each file's name, type, size and SHA-256", async () => {
    const note = { $text: "hi", name: "n.txt" };
    const write: Write = (id) => ({ title: "Q3\nfile = x", file: { $file: id }, note });
    const { files, body } = await ask("", write, multipart);
    const pdf = { name: "a.pdf", type: "application/pdf", bytes: 6 };
    const hash = sha256(Buffer.from([0, 255, 13, 10, 45, 45]));
    const text = {
      name: "n.txt",
      type: "text/plain; charset=utf-8",
      bytes: 2,
      sha256: sha256(Buffer.from("hi")),
    };
    expect(files).toEqual([
      { part: "file", ...pdf, sha256: hash },
      { part: "note", ...text },
    ]);
    expect(body?.split("\n")).toEqual([
      "title = Q3\\nfile = x",
      `file = file a.pdf (application/pdf, binary, 6 bytes, SHA-256 ${hash})`,
      `note = file n.txt (text/plain; charset=utf-8, 2 bytes, SHA-256 ${text.sha256}): hi`,
    ]);
    expect((await ask("", (id) => ({ $file: id }))).files).toEqual([{ ...pdf, sha256: hash }]);
    expect((await ask("", () => ({ a: 1 }))).files).toBeUndefined();
  });
});
