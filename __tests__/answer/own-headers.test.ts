import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../support/http-server.js";

const token = "t0ken-of-the-headers";
let sent: Record<string, string> = {};
const server = await startHttpServer((_request, response) => sendJson(response, { ok: true }, 200, sent));

async function headersOf(headers: Record<string, string>): Promise<unknown> {
  sent = headers;
  const record = { name: "Shop", api: { baseUrl: server.url, authType: "bearer" as const } };
  const shop = createSourceClient(record, { credentials: { shop: { token } } });
  return JSON.parse((await shop.call({ method: "GET", path: "/" })).content).headers;
}

describe("the headers of an answer", () => {
  it("contain what the API itself defines", async () => {
    expect(await headersOf({ "X-Export-Id": "exp_7", ETag: "1" })).toEqual({
      etag: "1",
      "x-export-id": "exp_7",
    });
  });

  it("do not contain what frameworks, proxies and caches add", async () => {
    const added = [
      ...["X-Powered-By", "X-Request-Id", "X-Cache", "X-Served-By", "X-Frame-Options", "X-Runtime"],
      ...[
        "X-Amz-Cf-Id",
        "X-Content-Type-Options",
        "X-Varnish",
        "X-Envoy-Upstream-Service-Time",
        "X-RateLimit-Limit",
      ],
      ...[
        "X-AspNet-Version",
        "X-XSS-Protection",
        "X-Correlation-Id",
        "X-B3-TraceId",
        "Server",
        "Via",
        "CF-Ray",
      ],
    ];
    expect(await headersOf(Object.fromEntries(added.map((name) => [name, "9"])))).toBeUndefined();
  });

  it("are few, short and without a secret", async () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`X-Shop-${index}`, `${index}`]));
    expect(Object.keys(Object(await headersOf(many)))).toHaveLength(5);
    expect(await headersOf({ "X-Note": "a".repeat(101) })).toBeUndefined();
    expect(await headersOf({ "X-Echo": token })).toEqual({ "x-echo": "[REDACTED]" });
  });
});
