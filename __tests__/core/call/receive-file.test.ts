import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { type ClientOptions, createSourceClient } from "langchain-api-sources";
import type { Respond } from "../../support/http-server.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../../support/shop-tool.js";

let shop: ShopTool;

const bytes = Buffer.from([0, 1, 2, 255, 254, 0, 7]);
const sha256 = (of: Uint8Array): string => createHash("sha256").update(of).digest("hex");

const sends =
  (body: string | Buffer, headers: Record<string, string>): Respond =>
  (_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  };

async function get(
  respond: Respond,
  settings: Record<string, unknown> = {},
  options: ClientOptions = {},
): Promise<AnswerDocument> {
  shop = await startShopTool(respond, { limits: { retries: 0 }, ...settings }, options);
  return shop.ask({ method: "GET", path: "/files/report.bin" });
}

describe("the file of an answer", () => {
  it("describes bytes, and its id reads them again", async () => {
    const { file } = await get(sends(bytes, { "Content-Type": "application/octet-stream" }));
    expect(file).toEqual({
      id: expect.stringMatching(/^r_[0-9a-z]{16}$/),
      name: "report.bin",
      type: "application/octet-stream",
      bytes: 7,
    });
    expect(await shop.toolkit.readFile(file.id)).toEqual(Uint8Array.from(bytes));
  });

  it("is its id for text, XML and CSV that are shown whole, and absent for JSON and without a body", async () => {
    for (const [type, body] of [
      ["text/plain", "words"],
      ["application/xml", "<a><b>1</b></a>"],
      ["text/csv", "a,b\n1,2"],
    ] as const) {
      const { file, data } = await get(sends(body, { "Content-Type": type }));
      expect(file).toMatch(/^r_[0-9a-z]{16}$/);
      expect(data).toBeDefined();
      expect(await shop.toolkit.readFile(file)).toEqual(Uint8Array.from(Buffer.from(body)));
    }
    expect((await get(sends("{}", { "Content-Type": "application/json" }))).file).toBeUndefined();
    expect((await get(sends("", { "Content-Type": "text/plain" }))).file).toBeUndefined();
  });

  it("is described where a text is shortened, and its hash is in the artifact alone", async () => {
    const text = "a line of words\n".repeat(3_000);
    shop = await startShopTool(sends(text, { "Content-Type": "text/plain" }));
    const client = createSourceClient({ name: "Shop", api: { baseUrl: shop.server.url } });
    const { content, artifact } = await client.call({ method: "GET", path: "/a.txt" });
    const { file, shortened } = JSON.parse(content);
    expect(file).toEqual({
      id: shortened.id,
      name: "a.txt",
      type: "text/plain",
      bytes: text.length,
    });
    expect(artifact.file).toEqual({ ...file, sha256: sha256(Buffer.from(text)) });
  });

  it("shows a gzip file opened, and keeps it as it was", async () => {
    const packed = gzipSync('{"rows":[1,2]}');
    const { data, file } = await get(sends(packed, { "Content-Type": "application/gzip" }));
    expect(data).toEqual({ rows: [1, 2] });
    expect(file).toMatchObject({ type: "application/gzip", bytes: packed.length });
    expect(await shop.toolkit.readFile(file.id)).toEqual(Uint8Array.from(packed));
    expect((await shop.read({ id: file.id, select: "rows[1]" })).data).toBe(2);
  });

  it("takes its name from Content-Disposition, made safe", async () => {
    const disposition =
      "attachment; filename=\"../../x.sh\"; filename*=UTF-8''..%2F..%2Fb%0A%E2%80%AE.sh";
    const headers = { "Content-Type": "image/png", "Content-Disposition": disposition };
    const { file, headers: shown } = await get(sends(bytes, headers));
    expect(file.name).toBe("b.sh");
    expect(shown["content-disposition"]).toBe("b.sh");
  });

  it("is unknown to another thread", async () => {
    const respond = sends(bytes, { "Content-Type": "image/png" });
    shop = await startShopTool(respond);
    const input = { method: "GET", path: "/a.png" };
    const { file } = await shop.ask(input, { configurable: { thread_id: "one" } });
    expect(await shop.toolkit.readFile(file.id, { threadId: "one" })).toEqual(
      Uint8Array.from(bytes),
    );
    expect(await shop.toolkit.readFile(file.id, { threadId: "two" })).toBeUndefined();
    expect(await shop.toolkit.readFile(file.id)).toBeUndefined();
  });

  it("keeps a secret that is shown redacted in the bytes alone", async () => {
    const secret = "sk-live-0123456789abcdef";
    const settings = { authType: "bearer" };
    const options = { credentials: { shop: { token: secret } } };
    const respond = sends(`key ${secret} end`, { "Content-Type": "text/plain" });
    const { data, file } = await get(respond, settings, options);
    expect(data).toBe("key [REDACTED] end");
    expect(Buffer.from((await shop.toolkit.readFile(file)) ?? []).toString()).toBe(
      `key ${secret} end`,
    );
    expect(JSON.stringify(await shop.read({ id: file }))).not.toContain(secret);
  });

  it("is absent for a body that did not arrive whole, and the notes give the limit", async () => {
    const limits = { maxFileBytes: 5, retries: 0 };
    const answer = await get(sends(bytes, { "Content-Type": "image/png" }), { limits });
    expect(answer.file).toBeUndefined();
    expect(answer.partial).toMatchObject({ bytes: 5 });
    expect(answer.notes.join()).toContain("larger than 5 bytes");
  });

  it("may be larger than maxBytes, which limits JSON", async () => {
    const large = Buffer.alloc(12_000_000, 1);
    const { file } = await get(sends(large, { "Content-Type": "image/png" }));
    expect(file.bytes).toBe(12_000_000);
    const json = `["${"x".repeat(11_000_000)}"]`;
    const answer = await get(sends(json, { "Content-Type": "application/json" }));
    expect(answer.partial.bytes).toBe(10_000_000);
  });

  it("is absent for an error", async () => {
    const answer = await get((_request, response) => {
      response.writeHead(500, { "Content-Type": "text/html" });
      response.end("<html><body>broken</body></html>");
    });
    expect(answer.error.category).toBe("server_error");
    expect(answer.file).toBeUndefined();
  });
});
