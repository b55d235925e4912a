import { createHash, randomBytes } from "node:crypto";
import { afterEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { ApprovalRequest, ClientOptions } from "langchain-api-sources";
import { type ReceivedRequest, type Respond, sendJson } from "../support/http-server.js";
import { runsOf } from "../support/long-run.js";
import { withSeams } from "../support/seams.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../support/shop-tool.js";

let shop: ShopTool;
afterEach(() => shop.close());

const sha256 = (of: Uint8Array): string => createHash("sha256").update(of).digest("hex");
const multipart = { "Content-Type": "multipart/form-data" };

/** GET /files/… gives the bytes; a write answers 201. */
async function open(
  content: Buffer | string = Buffer.from([0, 255, 13, 10, 45, 45]),
  settings: Record<string, unknown> = {},
  options: ClientOptions = {},
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
      await shop.close();
    }
    await open();
  });

  it("is data where it has another member, or is not at the top", async () => {
    await open();
    for (const body of [
      { $file: "r_x", a: 1 },
      { find: { $text: { $search: "x" } } },
      { $text: "x" },
      { $file: 7 },
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
    await open(undefined, { methods: ["GET", "POST"], paths: { deny: ["/secret/**"] } }, { readFile });
    const path = "/secret/x";
    expect((await shop.ask({ method: "POST", path, body: { $file: "x" } })).error.category).toBe(
      "refused_by_policy",
    );
    expect((await shop.ask({ method: "PUT", path: "/x", body: { $file: "x" } })).error.category).toBe(
      "refused_by_policy",
    );
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
    expect((await send(body, { "Content-Type": "multipart/form-data; boundary=chosen" })).status).toBe(201);
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

  it("keeps the digits of numbers in JSON text", async () => {
    await open();
    await send('{"id":12345678901234567890,"row":{"id":12345678901234567890}}', multipart);
    expect(lastWrite().body.match(/12345678901234567890/g)).toHaveLength(2);
  });

  it("has a new boundary each time", async () => {
    await open();
    await send({ a: 1 }, multipart);
    const first = lastWrite().headers["content-type"];
    await send({ a: 1 }, multipart);
    expect(lastWrite().headers["content-type"]).not.toBe(first);
  });

  it("is written where the record asks for it, or allows no headers", async () => {
    await open(undefined, { bodyFormat: "multipart" });
    expect((await send({ a: "1" })).status).toBe(201);
    expect(await readForm(lastWrite())).toEqual([["a", "1"]]);
    expect((await send({ a: "1" }, { "Content-Type": "application/json" })).error.category).toBe(
      "refused_by_policy",
    );
    await shop.close();
    await open(undefined, { allowedHeaders: [] });
    expect((await send({ a: "1" }, multipart)).status).toBe(201);
    expect(await readForm(lastWrite())).toEqual([["a", "1"]]);
  });

  it.each([
    ["a lone file", { $file: "r_x" }],
    ["a list", [1]],
    ["a text", "words"],
    ["a file with another member", { f: { $file: "r_x", size: 1 } }],
    ["a file that is not a string", { f: { $file: 1 } }],
    ["a text without a name", { f: { $text: "x" } }],
    ["a type with a line break", { f: { $text: "x", name: "a", type: "text/plain\r\nX-A: 1" } }],
    ["a type that is not one", { f: { $text: "x", name: "a", type: "text" } }],
    ["both", { f: { $text: "x", $file: "r_x", name: "a" } }],
  ])("is refused unsent for %s", async (_, body) => {
    await open();
    expect((await send(body, multipart)).error.category).toBe("invalid_input");
    expect(shop.server.requests.every(({ method }) => method === "GET")).toBe(true);
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
        expect((await send({ [`p${part}`]: { $text: "content", name: file } }, multipart)).status).toBe(201);
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
    const sizes = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 5_000_000 }));
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
        if (content.length === 0) return expect(file).toBeUndefined();
        expect(file.sha256).toBe(sha256(content));
        await shop.ask({ method: "PUT", path: "/raw", body: { $file: file.id } });
        expect(received.get("/raw")?.equals(content)).toBe(true);
        await shop.ask({
          method: "POST",
          path: "/form",
          body: { f: { $file: file.id } },
          headers: multipart,
        });
        const write = shop.server.requests.at(-1);
        const [[, part] = []] = write === undefined ? [] : await readForm(write);
        expect(part instanceof File && Buffer.from(await part.arrayBuffer()).equals(content)).toBe(true);
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
      return name === "reports/q3.pdf" ? { bytes: Buffer.from("%PDF"), type: "application/pdf" } : undefined;
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

  it("that fails is an error without its message", async () => {
    const readFile = (): never => {
      throw new Error("/home/private/path");
    };
    await open(undefined, {}, { readFile });
    const answer = await send({ $file: "x" });
    expect(answer.error.category).toBe("not_configured");
    expect(JSON.stringify(answer)).not.toContain("private");
  });
});

describe("200 failures of an upload", () => {
  it("never cause a second write, unless the API reported that nothing was processed", async () => {
    const kinds = ["reset", "late reset", "401", "429", "429 later", "503", "503 later"] as const;
    let kind: (typeof kinds)[number] = "reset";
    let writes = 0;
    const id = await open(
      undefined,
      { limits: { retries: 2, timeoutMs: 5_000 } },
      withSeams({ sleep: async () => {} }),
      (_request, response) => {
        writes += 1;
        if (kind === "reset") return void response.destroy();
        if (kind === "late reset") {
          response.writeHead(201, { "Content-Length": "100" });
          response.write("{");
          return void setImmediate(() => response.destroy());
        }
        const [status, later] = kind.split(" ");
        response.writeHead(Number(status), later ? { "Retry-After": "1" } : {});
        response.end();
      },
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...kinds), fc.boolean(), async (chosen, isForm) => {
        count += 1;
        [kind, writes] = [chosen, 0];
        const sent = shop.server.requests.length;
        const body = isForm ? { f: { $file: id } } : { $file: id };
        await shop.ask({ method: "POST", path: `/upload/${count}`, body, headers: isForm ? multipart : {} });
        // A 429 with Retry-After is taken for not processed.
        if (chosen !== "429 later") expect(writes).toBeLessThanOrEqual(1);
        const bodies = shop.server.requests.slice(sent).map(({ bytes }) => sha256(bytes));
        expect(new Set(bodies).size).toBeLessThanOrEqual(1);
      }),
      { numRuns: runsOf(200) },
    );
  }, 60_000);
});

describe("the approval of an upload", () => {
  it("shows each file's name, type, size and SHA-256", async () => {
    const questions: ApprovalRequest[] = [];
    const approver: ClientOptions["approver"] = async (request) => {
      questions.push(request);
      return { type: "approve" };
    };
    const id = await open(undefined, {}, { approve: "writes", approver });
    await send(
      { title: "Q3\nfile = x", file: { $file: id }, note: { $text: "hi", name: "n.txt" } },
      multipart,
    );
    const facts = {
      name: "a.pdf",
      type: "application/pdf",
      bytes: 6,
      sha256: sha256(Buffer.from([0, 255, 13, 10, 45, 45])),
    };
    expect(questions[0]?.files).toEqual([
      { part: "file", ...facts },
      {
        part: "note",
        name: "n.txt",
        type: "text/plain; charset=utf-8",
        bytes: 2,
        sha256: sha256(Buffer.from("hi")),
      },
    ]);
    expect(questions[0]?.body?.split("\n")).toEqual([
      "title = Q3\\nfile = x",
      `file = file a.pdf (application/pdf, 6 bytes, SHA-256 ${facts.sha256})`,
      `note = file n.txt (text/plain; charset=utf-8, 2 bytes, SHA-256 ${sha256(Buffer.from("hi"))}): hi`,
    ]);
    await send({ $file: id });
    expect(questions[1]?.files).toEqual([facts]);
    await send({ a: 1 });
    expect(questions[2]?.files).toBeUndefined();
  });

  it("has a digest that is the same for the same parts, and another for other bytes, names, types or order", async () => {
    const digests: string[] = [];
    const approver: ClientOptions["approver"] = async ({ digest }) => {
      digests.push(digest);
      return { type: "reject" };
    };
    await open(undefined, {}, { approve: "writes", approver });
    const file = { $text: "x", name: "a" };
    const bodies = [
      { a: "1", f: file },
      { a: "1", f: file },
      { f: file, a: "1" },
      { a: "1", f: { ...file, $text: "y" } },
      { a: "1", f: { ...file, name: "b" } },
      { a: "1", f: { ...file, type: "text/html" } },
      { a: '1"\r\n\r\nx', f: file },
    ];
    for (const body of bodies) await send(body, multipart);
    expect(digests[0]).toBe(digests[1]);
    expect(new Set(digests).size).toBe(bodies.length - 1);
  });
});
