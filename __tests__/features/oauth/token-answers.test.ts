/** Answers of token endpoints as servers write them, and logins whose token is in a header. */

import { describe, expect, it } from "@jest/globals";
import { createSourceClient, type TransportFunction } from "langchain-api-sources";
import { splitOptions } from "../../support/seams.js";

const base = "https://api.shop.example";
const secrets = { SHOP_SECRET: "s3cr3t-abc-123", SHOP_PASSWORD: "pa55-word-123" };
const token = "tok-1234567890";
const oauth2 = {
  grant: "client_credentials",
  tokenUrl: `${base}/token`,
  clientId: "id",
  clientSecret: "${SHOP_SECRET}",
} as const;

async function call(api: object, transport: TransportFunction) {
  const record = { name: "Shop", api: { baseUrl: base, limits: { retries: 0 }, ...api } };
  const client = createSourceClient(record as never, { secrets, transport });
  return JSON.parse((await client.call({ method: "GET", path: "/a" })).content);
}

/** An API that answers the token request so, and says whether the call has the token. */
const answerToken = (body: unknown, status = 200): Promise<ReturnType<typeof JSON.parse>> =>
  call({ authType: "bearer", oauth2 }, ({ url, headers }) =>
    url === `${base}/token`
      ? {
          status,
          headers: { "content-type": "application/json" },
          body: typeof body === "string" ? body : JSON.stringify(body),
        }
      : { body: { isSent: headers["authorization"] === `Bearer ${token}` } },
  );

const good = { access_token: token, token_type: "bearer", expires_in: 3600 };

it.each([
  ["a byte order mark", `\u{feff}${JSON.stringify({ token })}`, token],
  ["a number that no double holds", '{"token":12345678901234567890}', "12345678901234567890"],
])("a login answer with %s is taken", async (_what, body, sent) => {
  const login = { path: "/login", tokenAt: "token" };
  const answer = await call({ authType: "bearer", login }, ({ url, headers }) =>
    url === `${base}/login`
      ? { headers: { "content-type": "application/json" }, body }
      : { body: { isSent: headers["authorization"] === `Bearer ${sent}` } },
  );
  expect(answer.data).toEqual({ isSent: true });
});

describe("a token answer", () => {
  it.each<[string, unknown]>([
    ["a list of scopes (Twitch)", { ...good, scope: ["a", "b"] }],
    ["an empty list of scopes", { ...good, scope: [] }],
    ["scopes as an object", { ...good, scope: {} }],
    ["a scope that is a number", { ...good, scope: 1 }],
    [
      "empty members",
      { ...good, scope: "", refresh_token: "", expires_in: "", id_token: "", error: "" },
    ],
    ["a lifetime as text", { ...good, expires_in: "3600" }],
    ["another token type", { ...good, token_type: "JWT" }],
    ["a token type that is no text", { ...good, token_type: 5 }],
    ["no token type", { access_token: token }],
    ["a byte order mark", `\u{feff}${JSON.stringify(good)}`],
    ["an error that is null", { ...good, error: null }],
  ])("with %s is taken", async (_what, body) => {
    expect((await answerToken(body)).data).toEqual({ isSent: true });
  });

  it.each(["dpop", "mac"])("of the type %s is refused: it has to be proved", async (type) => {
    const { error } = await answerToken({ ...good, token_type: type });
    expect(error).toMatchObject({ code: "invalid_token_answer" });
  });

  it.each<[string, unknown, string]>([
    [
      "an object",
      { error: { code: "invalid_client", message: "Unknown client" } },
      "invalid_client",
    ],
    ["an object of a status", { error: { status: 401, message: "Unknown client" } }, "401"],
    [
      "a list",
      { error: [{ type: "OAuthException", message: "Unknown client" }] },
      "OAuthException",
    ],
    ["a number", { error: 17, error_description: "Unknown client" }, "17"],
    ["a text", { error: "invalid_client", error_description: "Unknown client" }, "invalid_client"],
  ])("with the error as %s quotes it", async (_what, body, code) => {
    for (const status of [200, 400]) {
      const { error } = await answerToken(body, status);
      expect(error).toMatchObject({ code, message: expect.stringContaining("Unknown client") });
    }
  });
});

it.each(["text/plain", "text/html", "application/json"])(
  "a form that came as %s is taken",
  async (type) => {
    const answer = await call({ authType: "bearer", oauth2 }, ({ url, headers }) =>
      url === `${base}/token`
        ? { headers: { "content-type": type }, body: `access_token=${token}&expires=5183999` }
        : { body: { isSent: headers["authorization"] === `Bearer ${token}` } },
    );
    expect(answer.data).toEqual({ isSent: true });
  },
);

describe("a refusal of a token endpoint", () => {
  it.each<[string, number, unknown, string?]>([
    // developer.okta.com, "Error codes"; developer.x.com, "Response codes"; docs.apigee.com, "OAuth HTTP status code reference".
    [
      "Okta's",
      401,
      { errorCode: "invalid_client", errorSummary: "Unknown client", errorId: "oae" },
    ],
    ["a list of errors", 403, { errors: [{ code: 99, message: "Unknown client" }] }],
    [
      "Apigee's",
      401,
      {
        fault: {
          faultstring: "Unknown client",
          detail: { errorcode: "oauth.v2.InvalidClientIdentifier" },
        },
      },
    ],
    // developers.zoom.us, "OAuth errors"; docs.konghq.com, "key-auth".
    ["Zoom's", 400, { reason: "Unknown client", error: "invalid_client" }, "invalid_client"],
    ["a message alone", 401, { message: "Unknown client" }],
  ])(
    "is quoted in its own form: %s",
    async (_what, status, body, code = "token_endpoint_failed") => {
      const { error } = await answerToken(body, status);
      expect(error).toMatchObject({ code, message: expect.stringContaining("Unknown client") });
    },
  );

  // RFC 6749, section 5.2, has 400 and 401 alone: what a server in trouble writes in the body is about no grant.
  it.each([500, 502, 503])("ends no grant where the server failed with %i", async (status) => {
    for (const body of [{ message: "Unknown client" }, { error: "invalid_grant" }]) {
      const { error } = await answerToken(body, status);
      expect(error).toMatchObject({ category: "server_error", retryable: true });
    }
  });
});

describe("a wait that a token server states", () => {
  const waits: [string, Record<string, string>, object][] = [
    ["Retry-After", { "retry-after": "30" }, { error: "rate_limit_exceeded" }],
    ["X-RateLimit-Reset (Auth0)", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" }, {}],
    ["the body", {}, { error: "too_many_requests", retry_after: 30 }],
  ];
  const oauth = { authType: "bearer", oauth2 };
  const login = { authType: "bearer", login: { path: "/token", tokenAt: "access_token" } };
  const rows = waits.flatMap(([place, headers, body]) =>
    // A reset says when a window begins anew: only of a limit is that a wait.
    (place.includes("Reset") ? [429] : [429, 503]).flatMap((status) =>
      [oauth, login].map((api) => ({ place, headers, body, status, api })),
    ),
  );

  it.each(rows)("in $place of a $status is told, and kept to: $api", async (row) => {
    let nowMs = Date.UTC(2026, 2, 1);
    let requests = 0;
    const record = { name: "Shop", api: { baseUrl: base, limits: { retries: 0 }, ...row.api } };
    const transport: TransportFunction = ({ url }) => {
      if (url !== `${base}/token`) return { body: { ok: true } };
      requests += 1;
      const { status, headers, body } = row;
      return requests === 1 ? { status, headers, body } : { body: good };
    };
    const client = createSourceClient(
      record as never,
      ...splitOptions({ secrets, transport, clock: { now: () => nowMs } }),
    );
    const ask = async () => JSON.parse((await client.call({ method: "GET", path: "/a" })).content);
    const category = row.status === 429 ? "rate_limited" : "server_error";
    const error = { category, retryable: true };
    expect(await ask()).toMatchObject({ error: { ...error, retryAfterSeconds: 30 } });
    nowMs += 10_000;
    expect(await ask()).toMatchObject({ error: { ...error, retryAfterSeconds: 20 } });
    expect(requests).toBe(1);
    nowMs += 20_000;
    expect((await ask()).data).toEqual({ ok: true });
  });
});

describe("login.tokenAt", () => {
  const login = (tokenAt: string) => ({
    authType: "header",
    headerName: "X-Auth-Token",
    login: { path: "/tokens", body: { password: "${SHOP_PASSWORD}" }, tokenAt },
  });
  const transport: TransportFunction = ({ url, headers }) =>
    url === `${base}/tokens`
      ? { status: 201, headers: { "X-Subject-Token": token }, body: { token: { user: "ada" } } }
      : { body: { isSent: headers["x-auth-token"] === token, repeated: headers["x-auth-token"] } };

  it("names a header of the answer (OpenStack, Redfish), whose value is a secret", async () => {
    expect((await call(login("header:X-Subject-Token"), transport)).data).toEqual({
      isSent: true,
      repeated: "[REDACTED]",
    });
  });

  it("takes the scheme that the record sends from the value (Spring Security, Rails' devise-jwt)", async () => {
    const { data } = await call(
      { authType: "bearer", login: login("header:Authorization").login },
      ({ url, headers }) =>
        url === `${base}/tokens`
          ? { headers: { Authorization: `Bearer ${token}` }, body: {} }
          : { body: { isSent: headers["authorization"] === `Bearer ${token}` } },
    );
    expect(data).toEqual({ isSent: true });
  });

  it("is refused without the names of members that were issued", async () => {
    const key = "s3ss10n-77aa88bb99cc00dd";
    const { error } = await call(login("token"), () => ({ body: { [key]: 1, data: {} } }));
    expect(error.message).toContain("It has: [REDACTED], data.");
  });

  it("names the headers that are there where it has no such one", async () => {
    const { error } = await call(login("header:X-Token"), transport);
    expect(error.message).toContain("no token at `header:X-Token`");
    expect(error.message).toContain("x-subject-token");
    expect(error.message).not.toContain(token);
  });
});
