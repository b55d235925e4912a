import { describe, expect, it } from "@jest/globals";
import type { BuiltRequest } from "../../src/client/build-request.js";
import type { Reply } from "../../src/client/create-sender.js";
import { judgeReply } from "../../src/client/judge-reply.js";
import { createRedactor } from "../../src/secrets/redactor.js";
import { makeSource } from "../support/api-source.js";
import { emptyBody } from "../support/response-body.js";

const url = "https://api.example.com/v1/things/1";

function hintAfter(status: number, headers: Readonly<Record<string, string>>): Promise<string | undefined> {
  const built: BuiltRequest = {
    wire: { method: "PUT", url, headers },
    method: "PUT",
    url: { url, path: "/things/1", query: [], parameters: [] },
    query: [],
    reservedQueryNames: [],
    hasRules: true,
  };
  const exchange = {
    status,
    headers: {},
    body: new Uint8Array(),
    url,
    attempts: 1,
    waits: [],
    durationMs: 1,
  };
  const reply: Reply = { exchange, body: emptyBody(), rateLimit: undefined };
  return judgeReply(makeSource(), built, reply, createRedactor([])).then((judged) => judged?.error.hint);
}

describe("judgeReply", () => {
  it.each(["If-Match", "if-match", "If-Unmodified-Since"])("says that %s was sent", async (name) => {
    expect(await hintAfter(412, { [name]: "x" })).toContain(`the condition in ${name}`);
  });

  it("reads a refused If-None-Match as something that exists already", async () => {
    expect(await hintAfter(412, { "If-None-Match": "*" })).toContain("It exists already");
  });

  it("speaks of no condition where none was sent", async () => {
    expect(await hintAfter(412, { "Content-Type": "text/csv" })).not.toContain("the condition in");
  });
});
