import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import {
  listIssuedSecrets,
  listSessionSecrets,
  withoutSessionIds,
} from "../../../src/core/secrets/issued-secrets.js";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import { Secret } from "../../../src/core/secrets/secret.js";
import { startShopTool } from "../../support/shop-tool.js";

const secret = "s3cret-9f8e7d6c";

describe("the secrets that an answer issues", () => {
  it.each([
    [`{"refresh_token":"${secret}"}`],
    [`{"data":[{"sessionId" : "${secret}"}]}`],
    [`{"redirect":"/home;jsessionid=${secret}?a=1"}`],
    [`{"redirect":"https://shop.example/callback?code=1&token=${secret}"}`],
    [`{"refresh_token":"${secret}`],
    [`access_token=1&refresh_token=${secret}&scope=a`],
    [`<Login><SessionToken>${secret}</SessionToken></Login>`],
    [`<input name="a" value="b"><meta csrf='${secret}'>`],
    [`session: ${secret}`],
    [`{"device_code":"${secret}"}`],
    [`{"token":"Bearer ${secret}"}`],
  ])("are found in %s", (body) => {
    expect(listIssuedSecrets({}, body)).toEqual([secret]);
  });

  it("are found with escapes, and redacted without", () => {
    const [found = ""] = listIssuedSecrets({}, '{"token":"a1b2\\/c3d4\\u002be5f6"}');
    expect(createRedactor([new Secret(found)]).redact("is a1b2/c3d4+e5f6.")).toBe("is [REDACTED].");
  });

  it.each([
    [{ "set-cookie": `a=${secret}; Path=/` }],
    [{ "set-cookie": ["a=b", `c = "${secret}" ; HttpOnly`] }],
    [{ authorization: `Bearer ${secret}` }],
    [{ "x-auth-token": secret }],
    [{ location: `/a?token=${secret}` }],
    [{ "set-cookie": `auth=token=${secret}&user=1` }],
    [{ "x-set-cookie": `sid=${secret}; Path=/` }],
    [{ location: `/a;jsessionid=${secret}/b` }],
  ])("are found in the headers %j", (headers) => {
    const found = listIssuedSecrets(headers).map((value) => new Secret(value));
    expect(createRedactor(found).redact(secret)).toBe("[REDACTED]");
  });

  it.each([
    ['{"token_type":"application-token","session_expires":"2026-10-01T10:00:00Z","expires_in":36000000}'],
    ['{"auth_user":"ada@example.com","auth_method":"password","authorities":["ROLE_ADMIN"]}'],
    ['{"next_page_token":"a1b2c3d4e5","user_id":"u-12345678","csrf":"short"}'],
  ])("are not what other answers contain, too: %s", (body) => {
    expect(listIssuedSecrets({ "www-authenticate": 'Bearer realm="shop-api"' }, body)).toEqual([]);
  });

  it("are few, however many an answer names", () => {
    const body = Array.from({ length: 10_000 }, (_, at) => `"token":"t0ken-${at}-abc"`).join();
    expect(listIssuedSecrets({}, body)).toHaveLength(40);
  });

  it("are of other answers only cookies that are named so, and session ids in URLs", () => {
    const cookies = ["theme=light-blue-2", `connect.sid=${secret}1`, `PHPSESSID=${secret}2`];
    const headers = {
      "set-cookie": cookies,
      "x-token": secret,
      link: `</a;jsessionid=${secret}3>; rel="next"`,
    };
    expect(listSessionSecrets(headers)).toEqual([`${secret}1`, `${secret}2`, `${secret}3`]);
  });
});

it("takes session ids out of paths, and no other parameter of a path", () => {
  const url = `/map;color=red;JSESSIONID=${secret}/a;v=2?b=;c#d`;
  expect(withoutSessionIds(url)).toBe("/map;color=red/a;v=2?b=;c#d");
});

it("a cookie of spaces does not stop the process", async () => {
  const shop = await startShopTool((_request, response) =>
    response.writeHead(200, { "set-cookie": "\u00a0".repeat(3_000) }).end("{}"),
  );
  expect(await shop.ask({ method: "GET", path: "/" })).toMatchObject({ status: 200 });
  // The test's own time limit is checked only when timers run.
  await wait(1);
}, 5_000);
