import { afterAll, describe, expect, it } from "@jest/globals";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { withSeams } from "../support/seams.js";
import { testSource } from "./support/call-source.js";
import { startGlewlwyd } from "./support/glewlwyd.js";
import { makeSecret } from "./support/secrets.js";

const get = { method: "GET", path: "/" };
const secrets = { SECRET: makeSecret(), WRONG: makeSecret(), FIRST: makeSecret() };

const server = await startGlewlwyd("shop", secrets.SECRET);
afterAll(() => server.stop());
// An API that takes what the server signed.
const api = await startHttpServer(({ headers }, response) => {
  const claims = server.readToken((headers.authorization ?? "").replace(/^Bearer /, ""));
  const { client_id: client, scope, sub } = claims ?? {};
  sendJson(response, { client, scope, isPerson: sub !== client }, claims === undefined ? 401 : 200);
});

function open(given: Record<string, unknown>, now = { ms: 0 }) {
  const client = { clientId: "shop", clientSecret: "$" + "{SECRET}" };
  const oauth2 = { issuer: `${server.url}/api/oidc`, ...client, scopes: ["read"], ...given };
  const record = { name: "Shop", api: { baseUrl: api.url, authType: "bearer", oauth2 } };
  const options = { secrets, ...withSeams({ clock: { now: () => Date.now() + now.ms } }) };
  return testSource(record, options, Object.values(secrets));
}

/** 20 calls at once with no token, then 20 near its end: each time the server gives one. */
async function callTwice(oauth2: Record<string, unknown>, isPerson: boolean): Promise<void> {
  const now = { ms: 0 };
  const shop = open(oauth2, now);
  for (const ms of [0, 58_000]) {
    now.ms = ms;
    const before = await server.countTokens();
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.call(get)));
    const expected = { status: 200, data: { client: "shop", scope: "read", isPerson } };
    for (const answer of answers) expect(answer).toMatchObject(expected);
    expect((await server.countTokens()) - before).toBe(1);
  }
}

describe("glewlwyd", () => {
  it.each(["basic", "post"])("gives 20 calls one token for client credentials by %s", (way) =>
    callTwice({ grant: "client_credentials", clientAuthentication: way }, false),
  );

  it("rotates a refresh token once for 20 calls, and refuses one that was used", async () => {
    secrets.FIRST = await server.giveRefreshToken();
    const oauth2 = { grant: "refresh_token", refreshToken: "$" + "{FIRST}" };
    await callTwice(oauth2, true);
    expect((await open(oauth2).call(get)).error?.message).toContain("answered 400");
  });

  it("gives nothing for a wrong secret or a scope that is not the client's", async () => {
    const grant = "client_credentials";
    const wrong = await open({ grant, clientSecret: "$" + "{WRONG}" }).call(get);
    expect(wrong.error?.message).toContain("answered 403");
    expect(wrong.error?.hint).toContain("clientAuthentication");
    const foreign = await open({ grant, scopes: ["write"] }).call(get);
    expect(foreign.error?.code).toBe("scope_invalid");
  });
});
