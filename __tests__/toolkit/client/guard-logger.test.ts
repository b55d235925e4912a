/** The fields of a log in the kinds of logger that services use. */

import { Console } from "node:console";
import { Writable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { type ClientOptions, createSourceClient } from "langchain-api-sources";

type Logger = NonNullable<ClientOptions["logger"]>;
const silent = (): void => {};

/** Makes one call, which is one line at the level `info`. */
async function callWith(logger: Logger) {
  const record = { name: "Shop", api: { baseUrl: "https://api.shop.example" } };
  const client = createSourceClient(record, { logger, transport: () => ({ body: { a: 1 } }) });
  return client.call({ method: "GET", path: "/items" });
}

describe("the option logger", () => {
  it("gives a logger as winston and console are the text, then the fields", async () => {
    const lines: unknown[] = [];
    const info: Logger["info"] = (...line) => void lines.push(line);
    await callWith({ debug: silent, info, warn: silent, error: silent });
    const fields = { source: "shop", method: "GET", path: "/items", status: 200 };
    expect(lines).toEqual([["Call", expect.objectContaining(fields)]]);
  });

  it("gives a logger as pino is, which has `bindings()`, the fields, then the text", async () => {
    const lines: unknown[] = [];
    const pino = {
      level: "info",
      bindings: () => ({}),
      info(this: unknown, ...line: unknown[]) {
        lines.push([this === pino, ...line]);
      },
      debug: silent,
      warn: silent,
      error: silent,
    };
    await callWith(pino);
    const fields = { source: "shop", method: "GET", path: "/items", status: 200 };
    expect(lines).toEqual([[true, expect.objectContaining(fields), "Call"]]);
  });

  it("writes the fields to a console", async () => {
    let text = "";
    const stream = new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    });
    await callWith(new Console(stream, stream));
    expect(text).toContain("Call");
    expect(text).toContain("source: 'shop'");
  });

  it("that throws, or rejects, costs no answer and ends no process", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const failures = [
      () => {
        throw new Error("disk full");
      },
      async () => Promise.reject(new Error("no network")),
    ];
    for (const info of failures)
      expect((await callWith({ debug: silent, info, warn: silent, error: silent })).ok).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});
