import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { type ApiSourceRecord, createSourceClient } from "langchain-api-sources";

/** A certified authorization server from npm, with rotation and a person who agrees to everything. */
const clientId = "shop-client_1.x~y";
const clientSecret = "s3cret+with/signs=and~more:99";
const redirectUri = "http://127.0.0.1:9/callback";
const accountId = "ada";

interface OpenProvider {
  on(event: string, listen: () => void): void;
  callback(): RequestListener;
}

let authorization: Server;
let issuer: string;
const events = { issued: 0, refused: 0 };

beforeAll(async () => {
  for (const level of ["info", "warn"] as const) jest.spyOn(console, level).mockImplementation(() => {});
  // It has no types of its own; by a name that the compiler doesn't look up.
  const name: string = "oidc-provider";
  const { Provider }: { Provider: new (issuer: string, options: object) => OpenProvider } = await import(
    name
  );
  authorization = createServer();
  await new Promise<void>((done) => authorization.listen(0, "127.0.0.1", done));
  issuer = `http://127.0.0.1:${(authorization.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ["authorization_code", "refresh_token"],
        redirect_uris: [redirectUri],
        response_types: ["code"],
        scope: "openid offline_access email",
      },
    ],
    cookies: { keys: ["k"] },
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    scopes: ["openid", "offline_access", "email"],
    claims: { email: ["email"], openid: ["sub"] },
    conformIdTokenClaims: false,
    rotateRefreshToken: true,
    ttl: { AccessToken: 60, RefreshToken: 3_600 },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.com` }),
    }),
  });
  provider.on("grant.success", () => {
    events.issued += 1;
  });
  provider.on("grant.error", () => {
    events.refused += 1;
  });
  authorization.on("request", provider.callback());
}, 60_000);
afterAll(() => {
  authorization.closeAllConnections();
  authorization.close();
});

type Settings = NonNullable<ApiSourceRecord["api"]["oauth2"]>;
type OAuth2 = Omit<Settings, "clientId"> & Partial<Settings>;

function open(oauth2: OAuth2, now = { ms: 0 }) {
  const client = createSourceClient(
    {
      name: "Shop",
      api: {
        // Its own endpoint for what is known of a person takes the tokens.
        baseUrl: issuer,
        authType: "bearer",
        oauth2: { issuer, clientId, clientSecret: "$" + "{SECRET}", ...oauth2 },
      },
    },
    { secrets: { SECRET: clientSecret } },
    { clock: { now: () => Date.now() + now.ms } },
  );
  return {
    ...client,
    ask: async () => JSON.parse((await client.call({ method: "GET", path: "/me" })).content),
  };
}

/** A browser with cookies that fills in every form it is shown. */
async function browse(start: string, fields: Record<string, string> = {}): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  let init: RequestInit = {};
  for (let step = 0; step < 20; step += 1) {
    const headers = { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";")[0]?.split("=") ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    init = {};
    if (location !== null) {
      url = new URL(location, url).href;
      if (url.startsWith(redirectUri)) return url;
      continue;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) return page;
    url = new URL(action.replaceAll("&amp;", "&"), url).href;
    const hidden = [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map((match) =>
      match.slice(1, 3),
    );
    const body = new URLSearchParams({
      ...Object.fromEntries(hidden),
      ...fields,
      login: accountId,
      password: "x",
    });
    init = { method: "POST", body };
  }
  throw new Error("The pages never end.");
}

describe("oidc-provider", () => {
  it("gives tokens for a code with PKCE, reports whose they are, and rotates the refresh token", async () => {
    const now = { ms: 0 };
    const client = open(
      {
        grant: "authorization_code",
        redirectUri,
        scopes: ["openid", "offline_access", "email"],
        authorizationParameters: { prompt: "consent" },
      },
      now,
    );
    const { error } = await client.ask();
    const facts = await client.completeAuthorization(await browse(error.details.auth_url));
    expect(facts).toMatchObject({
      renewable: true,
      account: "ada@example.com",
      scopes: expect.arrayContaining(["openid", "offline_access"]),
    });
    expect((await client.ask()).data.sub).toBe(accountId);
    const before = { ...events };
    now.ms += 58_000;
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.ask()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    now.ms += 58_000;
    expect((await client.ask()).status).toBe(200);
    expect({ issued: events.issued - before.issued, refused: events.refused - before.refused }).toEqual({
      issued: 2,
      refused: 0,
    });
  });
});
