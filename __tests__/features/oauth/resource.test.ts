import { afterEach, describe, expect, it } from "@jest/globals";
import { parseSource } from "langchain-api-sources";
import {
  createTokenRecord,
  openShop,
  startTokenServer,
  type TokenServer,
} from "../../support/token-server.js";

let server: TokenServer;
afterEach(() => server.close());

const resource = "https://api.shop.example/v1";
const last = () => server.tokenRequests.at(-1);

describe("oauth2.resource (RFC 8707)", () => {
  it("is in the token requests of client_credentials and refresh_token, renewals included", async () => {
    server = await startTokenServer({ expiresIn: 600 });
    await openShop(server, { resource }).ask();
    expect(last()).toMatchObject({ grant_type: "client_credentials", resource });
    const shop = openShop(server, { resource, grant: "refresh_token" });
    for (const _ of [1, 2]) {
      await shop.ask();
      expect(last()).toMatchObject({ grant_type: "refresh_token", resource });
      server.revokeAccess();
    }
  });

  it("is where a person agrees, and in the requests for the code's tokens and their renewal", async () => {
    server = await startTokenServer();
    const shop = openShop(server, {
      resource,
      grant: "authorization_code",
      authorizationUrl: `${server.url}/authorize`,
    });
    const { auth_url: url } = (await shop.ask()).error.details;
    expect(new URL(url).searchParams.get("resource")).toBe(resource);
    await shop.completeAuthorization(server.agree(url));
    expect(last()).toMatchObject({ grant_type: "authorization_code", resource });
    server.revokeAccess();
    await shop.ask();
    expect(last()).toMatchObject({ grant_type: "refresh_token", resource });
  });

  it.each(["api.shop.example", "https://api.shop.example/#part", 7])(
    "is an absolute URI without a fragment, and not %j",
    async (given) => {
      server = await startTokenServer();
      expect(() => parseSource(createTokenRecord(server, { resource: given }))).toThrow(
        expect.objectContaining({ problems: [expect.objectContaining({ path: "api.oauth2.resource" })] }),
      );
    },
  );
});
