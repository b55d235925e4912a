import { describe, expect, it } from "@jest/globals";
import { readDescription } from "../../../src/cli/import/read-description.js";

const read = (request: string) => readDescription(`curl 'https://api.shop.example/v1/orders${request}`);

describe("a secret of an imported request", () => {
  it.each([
    ..."X-Session X-Session-Id X-Passwd X-Pwd X-Signature X-JWT X-Auth-User X-Api-Key X-Shop-Token X-CSRF-Token".split(
      " ",
    ),
    ..."X-Credential sessionToken X-Passphrase App-Id X-Hmac X-Pat X-Sas-Uri X-Access-Code-Secret Api_Key".split(
      " ",
    ),
  ])("is kept out of the record by the name of its header: %s", async (name) => {
    const { record, credential } = await read(`' -H '${name}: hunter2'`);
    expect(JSON.stringify(record)).not.toContain("hunter2");
    expect([record.api.headerName, credential]).toEqual([name, { token: "hunter2" }]);
  });

  it.each(
    "sig signature session session_id sid pwd passwd pass password access_token accessToken api_key apikey key appid code jwt otp hmac auth client_secret X-Amz-Signature".split(
      " ",
    ),
  )("is kept out of the record by the name of its parameter: %s", async (name) => {
    const { record, credential } = await read(`?${name}=hunter2&limit=1'`);
    expect(JSON.stringify(record)).not.toContain("hunter2");
    expect([record.api.queryParam, credential]).toEqual([name, { token: "hunter2" }]);
    expect(record.api.testEndpoint).toBe("/orders?limit=1");
  });

  it("is a variable where another one is the credential", async () => {
    const { record, secrets } = await read(
      "?sig=hunter3' -H 'Authorization: Bearer t0ps3cret' -H 'X-Passwd: hunter2'",
    );
    expect(record.api).toMatchObject({
      authType: "bearer",
      headers: { "X-Passwd": "${SHOP_X_PASSWD_SECRET}" },
      query: { sig: "${SHOP_SIG_SECRET}" },
    });
    expect(secrets).toEqual({ SHOP_X_PASSWD_SECRET: "hunter2", SHOP_SIG_SECRET: "hunter3" });
  });

  it("is never kept under a name that a program reads, such as NODE_OPTIONS", async () => {
    const line = "curl https://api.node.example/me -H 'Options: --require=/tmp/a1.js'";
    const { secrets } = await readDescription(line);
    expect(secrets).toEqual({ NODE_OPTIONS_SECRET: "--require=/tmp/a1.js" });
  });

  it.each([
    "page_token",
    "nextToken",
    "sort_key",
    "order_id",
    "keyword",
    "zip_code",
    "author",
    "design",
    "passenger",
  ])("is not what a parameter of another meaning has: %s", async (name) => {
    const { record, credential } = await read(`?${name}=hunter2'`);
    expect([record.api.testEndpoint, credential]).toEqual([`/orders?${name}=hunter2`, undefined]);
  });

  it("is not the default of a header in an OpenAPI document", async () => {
    const header = (name: string, value: string) => ({
      name,
      in: "header",
      required: true,
      schema: { default: value },
    });
    const parameters = [
      header("X-Session", "hunter2"),
      header("X-Shop", "8f3ca91b22de4470aa10b6"),
      header("X-Version", "2"),
    ];
    const document = {
      openapi: "3.0.0",
      info: { title: "Shop", version: "1" },
      servers: [{ url: "https://api.shop.example" }],
      paths: { "/orders": { get: { parameters } } },
    };
    expect((await readDescription(JSON.stringify(document))).record.api.headers).toEqual({
      "X-Version": "2",
    });
  });
});
