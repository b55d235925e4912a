import { describe, expect, it } from "@jest/globals";
import { judgeReply, mayReportFailure } from "../../../src/core/call/judge-reply.js";
import type { Reply } from "../../../src/core/call/running-call.js";
import { type BuiltRequest, showRequest } from "../../../src/core/request/wire-request.js";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import { Secret } from "../../../src/core/secrets/secret.js";
import { makeSource } from "../../support/api-source.js";
import { emptyBody, jsonBody } from "../../support/response-body.js";
import { failures } from "../failure/successes.js";

const url = "https://api.example.com/v1/things/1";

function hintAfter(
  status: number,
  headers: Readonly<Record<string, string>>,
  { body, secret = "" }: { readonly body?: Uint8Array; readonly secret?: string } = {},
): Promise<string | undefined> {
  const built: BuiltRequest = {
    wire: { method: "PUT", url, headers, ...(body === undefined ? {} : { body }) },
    method: "PUT",
    url: { url, path: "/things/1", query: [], parameters: [] },
    query: [],
    reservedQueryNames: [],
    hasRules: true,
    isRead: false,
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
  const shown = showRequest(built, "https://api.example.com/v1", createRedactor([new Secret(secret)]));
  const reply: Reply = { exchange, body: emptyBody(), rateLimit: undefined, shown };
  const known = { credential: { variables: [] } };
  return judgeReply(makeSource(), built, reply, known).then((judged) => judged?.error.hint);
}

describe("judgeReply", () => {
  it.each(["If-Match", "if-match", "If-Unmodified-Since"])("reports that %s was sent", async (name) => {
    expect(await hintAfter(412, { [name]: "x" })).toContain(`condition in ${name}`);
  });

  it("reads a refused If-None-Match as something that exists already", async () => {
    expect(await hintAfter(412, { "If-None-Match": "*" })).toContain("It exists already");
  });

  it("shows of a sent body no part of a secret, wherever it is truncated", async () => {
    const secret = "Qx7Zk9vMw2Lp4RtYb8Nd3Hs6Jf1Gc5Va0Ue";
    const shown = new Set<string>();
    for (const length of [...Array(40).keys()].flatMap((at) => [150 + 10 * at, 1_960 + at])) {
      const body = Buffer.from(`"${"x".repeat(length)}${secret}"`);
      const hint = await hintAfter(422, { "Content-Type": "application/json" }, { body, secret });
      for (const piece of hint?.match(/Qx7Z[\w]*/g) ?? []) shown.add(piece);
    }
    expect([...shown]).toEqual([]);
  });

  it("speaks of no condition where none was sent", async () => {
    expect(await hintAfter(412, { "Content-Type": "text/csv" })).not.toContain("condition in");
  });
});

describe("mayReportFailure", () => {
  it("sees a sign in every body that reports a failure, and none in a plain success", () => {
    for (const [name, value] of failures)
      expect([name, mayReportFailure(200, jsonBody(value))]).toEqual([name, true]);
    expect(mayReportFailure(200, jsonBody({ ok: true, id: "a7" }))).toBe(false);
    expect(mayReportFailure(207, jsonBody({ ok: true }))).toBe(true);
  });
});
