/**
 * One API behind four doors, one for each way to send a credential: the record, the variable that holds the secret, and what the
 * server receives. No key, no model.
 *
 *   npm run example:four-auth-types
 */

import { type ApiSourceRecord, ApiSourceToolkit, defineSource } from "langchain-api-sources";
import { shopCredentials, startShopServer } from "./shop-server.js";
import { say } from "./transcript.js";

const shop = await startShopServer();
const records: readonly ApiSourceRecord[] = [
  defineSource({
    name: "Shop bearer",
    api: { baseUrl: `${shop.url}/bearer`, authType: "bearer", testEndpoint: "/me" },
  }),
  defineSource({
    name: "Shop header",
    api: {
      baseUrl: `${shop.url}/header`,
      authType: "header",
      headerName: "X-Api-Key",
      testEndpoint: "/me",
    },
  }),
  defineSource({
    name: "Shop query",
    api: {
      baseUrl: `${shop.url}/query`,
      authType: "query",
      queryParam: "api_key",
      testEndpoint: "/me",
    },
  }),
  defineSource({
    name: "Shop basic",
    api: { baseUrl: `${shop.url}/basic`, authType: "basic", testEndpoint: "/me" },
  }),
];

// A deployment sets these in the environment, or in a .env file that `loadEnvFile()` reads. A record never holds one.
Object.assign(process.env, {
  SHOP_BEARER_TOKEN: shopCredentials.bearer,
  SHOP_HEADER_API_KEY: shopCredentials.header,
  SHOP_QUERY_API_KEY: shopCredentials.query,
  SHOP_BASIC_USERNAME: shopCredentials.basic.username,
  SHOP_BASIC_PASSWORD: shopCredentials.basic.password,
});

try {
  const toolkit = await ApiSourceToolkit.fromSources(records);
  const tools = toolkit.getTools({ answers: "whole" });
  for (const [index, tool] of tools.entries()) {
    const { authType, headerName, queryParam } = records[index]?.api ?? {};
    const how = { authType, headerName, queryParam };
    say("bold", `\n${tool.name}  ${JSON.stringify(how)}`);
    const variables = Object.keys(process.env).filter((name) =>
      name.startsWith(tool.name.toUpperCase()),
    );
    console.log(`  secret in        ${variables.sort().join(", ")}`);
    // The model names the endpoint alone: the credential is added on the way, and taken out of what comes back.
    const answer = await tool.invoke({ method: "GET", path: "/me" });
    for (const { method, url, credential } of shop.requests.splice(0))
      console.log(`  server received  ${method} ${url}  [${credential}]`);
    console.log(`  model saw        ${answer}`);
  }

  say("bold", "\nThe connection test: whether each credential is really what lets the call in");
  for (const { source, ok, verdict, credentialVerified } of await toolkit.testConnections())
    console.log(
      `  ${source.padEnd(12)} ${ok ? "ok" : verdict}, credential verified: ${credentialVerified}`,
    );
} finally {
  await shop.close();
}
