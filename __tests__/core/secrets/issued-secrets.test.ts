import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import {
  listIssuedLeaves,
  listSessionCookies,
  listSessionSecrets,
  withoutSessionIds,
} from "../../../src/core/secrets/issued-secrets.js";
import { startShopTool } from "../../support/shop-tool.js";

const secret = "s3cret-9f8e7d6c";

describe("the sessions that an answer issues", () => {
  it("are cookies that are named so, and session ids in URLs", () => {
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

it.each<[string[], object | undefined]>([
  [["a=1; Path=/"], { name: "a", value: "1", endMs: undefined }],
  [["b=1"], undefined],
  [["ab=1"], undefined],
  [
    ["a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
    { name: "a", value: "1", endMs: 1_010_000 },
  ],
  [["a=1; expires=Thu, 01 Jan 1970 02:00:00 GMT"], { name: "a", value: "1", endMs: 7_200_000 }],
  [["a=1; Max-Age=0"], undefined],
  [["a=; Path=/"], undefined],
  [["a=1", "a=2"], { name: "a", value: "2", endMs: undefined }],
  [["a.x1=v=w; HttpOnly"], { name: "a.x1", value: "v=w", endMs: undefined }],
])("reads the session cookie of %j", (lines, expected) => {
  expect(listSessionCookies({ "set-cookie": lines }, "a", 1_000_000).at(-1)).toEqual(expected);
});

it("a cookie of spaces does not stop the process", async () => {
  const shop = await startShopTool((_request, response) =>
    response.writeHead(200, { "set-cookie": "\u00a0".repeat(3_000) }).end("{}"),
  );
  expect(await shop.ask({ method: "GET", path: "/" })).toMatchObject({ status: 200 });
  // The test's own time limit is checked only when timers run.
  await wait(1);
}, 5_000);

describe("listIssuedLeaves", () => {
  it("lists what is named as something issued, in JSON and in a form, and nothing that anyone may know", () => {
    const answer = {
      access_token: "acc3ss-0123456789",
      token_type: "bearer-token-0123",
      token_endpoint: "0-endpoint-of-tokens",
      data: [{ ticket: "ST-1234-abcdef" }, { session_id: 1234567890, user_id: "user-12345678" }],
      code: null,
    };
    const issued = ["acc3ss-0123456789", "ST-1234-abcdef", "1234567890"];
    expect(listIssuedLeaves(JSON.stringify(answer))).toEqual(issued);
    expect(listIssuedLeaves("refresh_token=r3fresh-0123456789&scope=read-all-0123")).toEqual([
      "r3fresh-0123456789",
    ]);
    expect(listIssuedLeaves("<html>token=1</html>")).toEqual([]);
  });

  it("lists no more than a registry remembers beside others, and walks any depth", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `t0ken-number-${index}`);
    expect(listIssuedLeaves(JSON.stringify({ tokens: { token: many } }))).toHaveLength(50);
    const deep = `${"[".repeat(5_000)}{"token":"t0ken-in-the-deep"}${"]".repeat(5_000)}`;
    expect(listIssuedLeaves(deep)).toEqual(["t0ken-in-the-deep"]);
  });
});
