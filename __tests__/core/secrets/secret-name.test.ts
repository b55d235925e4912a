import { expect, it } from "@jest/globals";
import { hasSecretName } from "../../../src/core/base/secret-name.js";

it("recognizes the name of a credential, and no other", () => {
  const credentials =
    "api_key apiKey X-API-Key apikeyid key access_token authToken authcode Authorization client_secret secretkey user_password passwd pwd sig X-Signature sessionid app_id";
  const others = "author authority page_token nextToken sort_key user_id monkey signal tokens_used";
  const find = (names: string) => names.split(" ").filter((name) => hasSecretName(name, "query"));
  expect([find(credentials).join(" "), find(others)]).toEqual([credentials, []]);
});
