import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";

const token = "t0ken-of-the-headers";
let sent: Record<string, string> = {};
const server = await startHttpServer((_request, response) =>
  sendJson(response, { ok: true }, 200, sent),
);

async function headersOf(
  headers: Record<string, string>,
  responseHeaders: string[] = [],
): Promise<unknown> {
  sent = headers;
  const api = { baseUrl: server.url, authType: "bearer", responseHeaders } as const;
  const record = { name: "Shop", api };
  const shop = createSourceClient(record, { credentials: { shop: { token } } });
  return JSON.parse((await shop.call({ method: "GET", path: "/" })).content).headers;
}

describe("the headers of an answer", () => {
  it("contain what a later call may need", async () => {
    const reusable = { etag: "1", "upload-url": "/u/7", "x-export-id": "exp_7", "x-lock-key": "k" };
    expect(await headersOf({ ...reusable, "X-Plan": "gold" })).toEqual(reusable);
  });

  it("do not contain the ids of a request, and what frameworks, proxies and caches add", async () => {
    const ids = [
      "X-Request-Id",
      "X-Correlation-Id",
      "X-B3-Trace-Id",
      "Span-Id",
      "X-GitHub-Request-Id",
    ];
    const added = [
      "X-Powered-By",
      "X-Cache",
      "X-Frame-Options",
      "X-Runtime",
      "X-RateLimit-Limit",
      "CF-Ray",
    ];
    expect(
      await headersOf(Object.fromEntries([...ids, ...added].map((name) => [name, "9"]))),
    ).toBeUndefined();
  });

  it("contain what the record names, and never a cookie", async () => {
    const headers = {
      "X-Plan": "gold",
      "X-Note": "n".repeat(300),
      "Set-Cookie": "session=1",
      "X-Other": "o",
    };
    expect(await headersOf(headers, ["x-plan", "X-Note", "X-Missing"])).toEqual({
      "x-plan": "gold",
      "x-note": "n".repeat(300),
    });
  });

  it("are few, short and without a secret", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`X-Shop-${at}-Id`, `${at}`]),
    );
    expect(Object.keys(Object(await headersOf(many)))).toHaveLength(3);
    expect(await headersOf({ "X-Note-Id": "a".repeat(501) })).toBeUndefined();
    expect(await headersOf({ "X-Echo": token }, ["X-Echo"])).toEqual({ "x-echo": "[REDACTED]" });
  });

  it("contain a session or key that the API gives anew only where the record names its header", async () => {
    const given = { "X-Session-Id": "s3ssion-1a2b3c", "X-Api-Key": "k3y-1a2b3c4d" };
    expect(await headersOf({ ...given, "X-Object-Key": "objects/17" })).toEqual({
      "x-object-key": "objects/17",
    });
    expect(await headersOf(given, ["X-Api-Key"])).toEqual({ "x-api-key": "k3y-1a2b3c4d" });
  });

  it("contain no session id in a URL, and no session cookie", async () => {
    const session = "s3ssion-1a2b3c4d";
    expect(await headersOf({ Location: `/a;jsessionid=${session}`, "X-Its-Id": session })).toEqual({
      location: "/a",
      "x-its-id": "[REDACTED]",
    });
    expect(await headersOf({ "Set-Cookie": `JSESSIONID=${session}`, "X-Its-Id": session })).toEqual(
      {
        "x-its-id": "[REDACTED]",
      },
    );
  });
});
