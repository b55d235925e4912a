/** The signers of docs/recipes.md, as they are written there. */

import { createHash, createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { transform } from "@swc/core";
import { createSourceClient, type RequestSigner } from "langchain-api-sources";
import { readBlocks } from "../../support/documents.js";
import { type Respond, sendJson, startHttpServer } from "../../support/http-server.js";

type SignForAws = (
  service: string,
  region: string,
  keys: object,
  now?: () => Date,
) => RequestSigner;

/** What is used of another library for the same signatures. */
interface OtherLibrary {
  sign(request: object, keys: object): { readonly headers?: Readonly<Record<string, unknown>> };
}

async function load(name: string) {
  const block = readBlocks("docs/recipes.md").find(({ text }) =>
    text.startsWith(`// ${name}.ts\n`),
  );
  const { code } = await transform(block?.text ?? "", {
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
  });
  const path = resolve(`.cache/documented-signers/${name}.mjs`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
  return import(pathToFileURL(path).href);
}

const { default: aws4 }: { default: OtherLibrary } = await import(String("aws4"));
const { signForAws }: { signForAws: SignForAws } = await load("aws");
const { signByHmac }: { signByHmac: (secret: string) => RequestSigner } = await load("hmac");

/** The keys of Amazon's examples. */
const keys = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

describe("the signer for AWS", () => {
  /** Computes the signature of what arrived anew, by another library; answers as S3 does. */
  const check =
    (service: string): Respond =>
    (request, response) => {
      const { authorization = "", ...headers } = request.headers;
      const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(";") ?? [];
      const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
      const { headers: expected } = aws4.sign(
        {
          service,
          region: "eu-central-1",
          method: request.method,
          path: request.url,
          headers: signed,
        },
        keys,
      );
      const isBody =
        headers["x-amz-content-sha256"] ===
        createHash("sha256").update(request.bytes).digest("hex");
      const isRight =
        isBody && names.includes("host") && expected?.["Authorization"] === authorization;
      if (isRight) sendJson(response, { method: request.method, url: request.url });
      else
        sendJson(
          response,
          { Code: "SignatureDoesNotMatch", SignatureProvided: authorization },
          403,
        );
    };
  it.each(["s3", "execute-api"])(
    "is accepted by a server that checks each signature: %s",
    async (service) => {
      const server = await startHttpServer(check(service));
      const client = createSourceClient(
        { name: "Bucket", api: { baseUrl: server.url } },
        { credentials: { bucket: signForAws(service, "eu-central-1", keys) } },
      );
      for (const input of [
        { path: "/" },
        { path: "/reports/2026/ä b (1).csv" },
        { path: "/a?b=2&a=1&empty=&z=%2B" },
        { path: "/a", query: { "x-id": "Get Object", filter: "ü*" } },
        { method: "PUT", path: "/a/new.json", body: { name: "Zoë" } },
        { method: "POST", path: "/a?uploads=", body: {} },
        { method: "DELETE", path: "/a" },
      ]) {
        const { content } = await client.call({ method: "GET", ...input } as never);
        expect(JSON.parse(content)).toMatchObject({ status: 200 });
      }
    },
  );
});

it("the signer by HMAC is accepted by an API that checks it", async () => {
  const server = await startHttpServer((request, response) => {
    const { "x-time": time, "x-signature": signature } = request.headers;
    const sha256 = createHash("sha256").update(request.bytes).digest("hex");
    const text = [time, request.method, request.url, sha256].join("\n");
    const isRight =
      createHmac("sha256", "s3cret-of-the-shop").update(text).digest("hex") === signature;
    sendJson(response, { time, signature }, isRight ? 200 : 401);
  });
  const shop = createSourceClient(
    { name: "Shop", api: { baseUrl: server.url } },
    { credentials: { shop: signByHmac("s3cret-of-the-shop") } },
  );
  const { content } = await shop.call({ method: "POST", path: "/orders?x=1", body: { a: 1 } });
  expect(JSON.parse(content)).toMatchObject({
    status: 200,
    data: { time: expect.stringMatching(/^\d{13}$/), signature: "[REDACTED]" },
  });
});
