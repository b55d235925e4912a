import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readResponseBody } from "../../../src/core/body/read-response-body.js";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import { Secret } from "../../../src/core/secrets/secret.js";
import { createSourceClient } from "../../../src/toolkit/client/create-source-client.js";
import { createApiSourceTool } from "../../../src/toolkit/create-tools.js";
import { startHttpServer } from "../../support/http-server.js";
import { runsOf } from "../../support/long-run.js";

const secret = "Kq7Lm2Xw9Rt4Bz8Hd3Vn6Jc1Yp5Gs0Qf8Wa2Te4U";
const maxBytes = 3_000;

/** A cap on bytes ends the body right behind what the model wrote. */
async function openEcho(type: string): Promise<(guess: string) => Promise<string>> {
  const { url } = await startHttpServer(({ body }, response) => {
    response.writeHead(200, { "Content-Type": type });
    const before = type === "application/json" ? '{"rows":[1,2,3],"echo":"' : "rows 1 2 3 ";
    const { guess }: { readonly guess: string } = JSON.parse(body);
    response.end(
      `${before.padEnd(maxBytes - guess.length, "x")}${guess} and more that is over the cap`,
    );
  });
  const tool = createApiSourceTool(
    {
      name: "a",
      api: { baseUrl: url, authType: "bearer", limits: { retries: 0, maxBytes, maxTokens: 2_000 } },
    },
    { credentials: { a: { token: secret } } },
  );
  return async (guess) => {
    const args = { method: "POST", path: "/", body: { guess } };
    const { content } = await tool.invoke({ type: "tool_call", id: "c", name: "a", args });
    return String(content).replace(/r_\w+/g, "r_");
  };
}

/** The same letters in another order: no beginning of the secret, of the same length. */
const wrong = (length: number): string => [...secret.slice(0, length)].reverse().join("");

describe("the end of an answer that is truncated", () => {
  it.each(["application/json", "text/plain"])(
    "gives the same answer for a right and a wrong guess of any length in %s",
    async (type) => {
      const ask = await openEcho(type);
      for (const length of [3, 4, 5, 8, 20, 39, 40]) {
        const [right, other] = [await ask(secret.slice(0, length)), await ask(wrong(length))];
        expect(right).toContain("partial");
        expect(right).toContain("1");
        expect(right).toBe(other);
      }
    },
  );
});

type Frame = readonly [type: string, head: string];

/** The beginning of a body in each kind; the guess is at its end. */
const frames: readonly Frame[] = [
  ["application/json", '{"rows":[{"id":1},{"id":2}],"echo":"'],
  ["application/x-ndjson", '{"id":1}\n{"id":2}\n{"echo":"'],
  ["text/event-stream", 'data: {"id":1}\n\ndata: {"echo":"'],
  ["text/plain", "rows "],
  ["text/html", "<!doctype html><html><body><p>one</p><p>"],
  ["application/xml", '<?xml version="1.0"?><rows><row>1</row><row>'],
  ["text/csv", "id,name\n1,one\n2,"],
  ["application/octet-stream", "\0\u0001\u0002\0"],
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["application/json; charset=utf-16le", '{"rows":[1,2],"echo":"'],
];

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(text).toString("hex"),
];

describe("readResponseBody of a truncated body", () => {
  const redactor = createRedactor([new Secret(secret)]);
  const read = async ([type, head]: Frame, filler: number, end: string): Promise<unknown> => {
    const text = `${head}${"x".repeat(filler)}${end}`;
    const encoding = type.includes("utf-16") ? "utf16le" : "latin1";
    return readResponseBody({
      bytes: Buffer.from(text, encoding),
      headers: { "content-type": type },
      incomplete: "over the cap",
      redactor,
    });
  };

  it("is the same for two bodies that differ only in whether the end is the beginning of a secret", async () => {
    const parts = fc.record({
      frame: fc.constantFrom(...frames),
      filler: fc.integer({ min: 0, max: 1_500 }),
      length: fc.integer({ min: 1, max: secret.length - 1 }),
      encode: fc.constantFrom(...encodings),
      rest: fc.constantFrom("", "\\", "%4", "&#", '"'),
    });
    await fc.assert(
      fc.asyncProperty(parts, async ({ frame, filler, length, encode, rest }) => {
        const right = await read(frame, filler, encode(secret.slice(0, length)) + rest);
        const other = await read(frame, filler, encode(wrong(length)) + rest);
        expect(right).toEqual(other);
      }),
      { numRuns: runsOf(3_000) },
    );
  });

  it("keeps what comes before its end, and reports that it is not whole", async () => {
    const rows = Array.from({ length: 200 }, (_, id) => `{"id":${id}}`).join(",");
    const { document, partial } = (await read(["application/json", `[${rows}`], 0, "")) as {
      document: unknown[];
      partial: object;
    };
    expect(document.length).toBeGreaterThan(150);
    expect(document.length).toBeLessThan(200);
    const why = "over the cap; left out for secrecy: the last 80 characters of what arrived";
    expect(partial).toMatchObject({ why });
  });

  it("says how much is left out of a short body, and that nothing is left of one", async () => {
    const short = (await read(["text/plain", ""], 100, "")) as {
      document: string;
      partial: object;
    };
    expect(short.document).toBe("x".repeat(20));
    expect(short.partial).toMatchObject({ why: expect.stringContaining("the last 80 characters") });
    expect(await read(["text/plain", ""], 50, "")).toMatchObject({
      kind: "empty",
      partial: { bytes: 50, why: expect.stringContaining("the last 50 characters") },
    });
    expect(await read(["application/x-ndjson", '{"a":1}\n{"b":'], 0, "")).toMatchObject({
      document: { a: 1 },
      partial: { why: expect.stringContaining("the last 5 characters") },
    });
  });

  it.each<[string, string, string, number]>([
    ["application/x-ndjson", '{"a":1}\n{"b":', "line", 5],
    ["text/csv", "a,b\n1,2\n3,", "line", 2],
    ["text/plain", "one\ntwo\nthr", "line", 3],
    ["text/event-stream", "data: 1\n\ndata: {", "event", 7],
  ])(
    "says of %s that its end is left out as incomplete, with and without a secret",
    async (type, text, kind, count) => {
      const why = `over the cap; left out as an incomplete ${kind}: the last ${count} characters of what arrived`;
      for (const known of [redactor, createRedactor([])]) {
        const headers = { "content-type": type };
        const incomplete = "over the cap";
        const input = { bytes: Buffer.from(text), headers, incomplete, redactor: known };
        expect((await readResponseBody(input)).partial?.why).toBe(why);
      }
    },
  );

  it("counts the hidden end of binary content in bytes", async () => {
    const { partial } = (await read(["image/png", "\x89PNG\r\n\x1a\n"], 200, "")) as {
      partial: object;
    };
    const why = "over the cap; left out for secrecy: the last 80 bytes of what arrived";
    expect(partial).toMatchObject({ why });
  });

  it("keeps all of what arrived where there is no secret to give away", async () => {
    const alone = await readResponseBody({
      bytes: Buffer.from("some te"),
      headers: { "content-type": "text/plain" },
      incomplete: "over the cap",
      redactor: createRedactor([]),
    });
    expect(alone.text).toBe("some te");
  });
});

describe("fetchBytes", () => {
  it("fails for a body that is truncated, and gives the same bytes for a right and a wrong guess", async () => {
    const { url } = await startHttpServer(({ body }, response) => {
      response.writeHead(200, { "Content-Type": "image/png", "Content-Encoding": "gzip" });
      const { guess }: { readonly guess: string } = JSON.parse(body);
      response.end(gzipSync(`${"\0".repeat(maxBytes - guess.length)}${guess} and more`));
    });
    const client = createSourceClient(
      { name: "a", api: { baseUrl: url, authType: "bearer", limits: { retries: 0, maxBytes } } },
      { credentials: { a: { token: secret } } },
    );
    const ask = (guess: string): Promise<{ readonly ok: boolean; readonly bytes?: Uint8Array }> =>
      client.fetchBytes({ method: "POST", path: "/", body: { guess } });
    const [right, other] = [await ask(secret.slice(0, 12)), await ask(wrong(12))];
    expect(right.ok).toBe(false);
    expect(Buffer.from(right.bytes ?? []).equals(Buffer.from(other.bytes ?? []))).toBe(true);
    expect(right.bytes?.length).toBeGreaterThan(2_000);
  });
});
