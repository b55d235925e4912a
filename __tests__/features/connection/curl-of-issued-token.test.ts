import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { createSourceClient, testConnection } from "langchain-api-sources";
import type { ApiFields } from "../../../src/core/record/record-types.js";
import { answerWith, startRawServer } from "../../support/raw-server.js";

const run = promisify(execFile);
const env = {
  SHOP_CLIENT_ID: "public-client-1",
  SHOP_CLIENT_SECRET: "client-secret-4f81",
  SHOP_REFRESH_TOKEN: "refresh-token-77aa",
  SHOP_USER: "somebody-9",
  SHOP_PASSWORD: "login-password-3c2d",
};
const token = "access-token-0b1c2d";

const server = await startRawServer(({ target }, socket) => {
  const isIssuer = target.includes("token") || target.includes("session");
  const body = isIssuer
    ? { access_token: token, token_type: "Bearer", token, expires_in: 3600 }
    : { message: "no" };
  answerWith(socket, isIssuer ? 200 : 403, JSON.stringify(body), {
    "Content-Type": "application/json",
  });
});

type Settings = Partial<ApiFields>;

const carriers: readonly Settings[] = [
  { authType: "bearer" },
  { authType: "header", headerName: "X-Session" },
  { authType: "query", queryParam: "session" },
];

const all = (): readonly (readonly [string, Settings])[] => {
  const oauth2 = { tokenUrl: `${server.url}/token`, clientId: "${SHOP_CLIENT_ID}" } as const;
  const clientSecret = "${SHOP_CLIENT_SECRET}";
  const login = { path: "/session", tokenAt: "token" };
  const password = "${SHOP_PASSWORD}";
  const grants: readonly Settings[] = [
    { oauth2: { ...oauth2, clientSecret, grant: "client_credentials" } },
    { oauth2: { ...oauth2, clientSecret, grant: "refresh_token" } },
    { login: { ...login, body: { user: "${SHOP_USER}", password } } },
    { login: { ...login, body: { password } } },
  ];
  const both = grants.flatMap((grant) => carriers.map((carrier) => ({ ...carrier, ...grant })));
  return both.map((settings) => [JSON.stringify(settings), settings]);
};

/** Runs the line as it is printed, in a shell that holds every variable, and gives what the server received of it. */
async function paste(curl: string): Promise<string> {
  const from = server.requests.length;
  const shell = { ...env, SHOP_ACCESS_TOKEN: token, PATH: process.env["PATH"] ?? "" };
  await run("/bin/sh", ["-c", curl], { env: shell });
  const received = server.requests.slice(from);
  expect(received.length).toBe(1);
  return received.map(({ head, body }) => head + body.toString()).join("\n");
}

const secrets = [env.SHOP_CLIENT_SECRET, env.SHOP_REFRESH_TOKEN, env.SHOP_PASSWORD];

describe("the curl line of a source whose token is issued", () => {
  it("sends the access token where the test sends it, and no secret of the grant; as that of `preview`", async () => {
    const readEnvironment = (variable: string): string | undefined =>
      Reflect.get(env, variable) as string | undefined;
    for (const [name, settings] of all()) {
      const api = { baseUrl: `${server.url}/v1`, testEndpoint: "/me", ...settings };
      const report = await testConnection({ name: "Shop", api } as never, {}, { readEnvironment });
      const sent = server.requests.map(({ head }) => head).join();
      expect([name, sent.includes(token)]).toEqual([name, true]);
      expect(report.warnings.join()).toContain("$SHOP_ACCESS_TOKEN");
      const preview = await createSourceClient({ name: "Shop", api } as never).preview({
        path: "/me",
      });
      for (const curl of [report.curl ?? "", preview.curl]) {
        const received = await paste(curl);
        expect([name, ...secrets.filter((secret) => received.includes(secret))]).toEqual([name]);
        expect([name, received.includes(token)]).toEqual([name, true]);
      }
    }
  });

  it("names a variable of which nothing is read, even where a grant takes the usual one", async () => {
    const oauth2 = {
      grant: "client_credentials",
      tokenUrl: `${server.url}/token`,
      clientId: "a",
      clientSecret: "${SHOP_ACCESS_TOKEN}",
    } as const;
    const api = { baseUrl: `${server.url}/v1`, authType: "bearer", oauth2 } as const;
    const { curl } = await createSourceClient({ name: "Shop", api }).preview({ path: "/me" });
    expect(curl).toContain("$SHOP_ISSUED_TOKEN");
    expect(curl).not.toContain("$SHOP_ACCESS_TOKEN");
  });
});
