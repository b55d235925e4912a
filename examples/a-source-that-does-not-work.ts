/**
 * A source that doesn't work, and how its connection report leads to one that does: no credential, a wrong one, a test endpoint
 * that isn't there, a key where none belongs, a server that is gone. No key, no model.
 *
 *   npm run example:a-source-that-does-not-work
 */

import { type ApiSourceRecord, type ConnectionReport, testConnection } from "langchain-api-sources";
import { shopCredentials, startShopServer } from "./shop-server.js";
import { say } from "./transcript.js";

const shop = await startShopServer();
const record = {
  name: "Shop",
  api: {
    baseUrl: `${shop.url}/header`,
    authType: "header",
    headerName: "X-Api-Key",
    testEndpoint: "/account",
  },
} satisfies ApiSourceRecord;

try {
  say("bold", "1. A record from a colleague, and nothing in the environment");
  await test(record);

  say("bold", "\n2. The key was pasted from the wrong line");
  const wrong = { credentials: { shop: { apiKey: shopCredentials.query } } };
  await test(record, wrong);

  say("bold", "\n3. The right key: the server lets it in, and doesn't know the test endpoint");
  const right = { credentials: { shop: { apiKey: shopCredentials.header } } };
  await test(record, right);

  say("bold", "\n4. With a path that is there");
  await test({ ...record, api: { ...record.api, testEndpoint: "/me" } }, right);

  say("bold", "\n5. A key written into the record: it is refused before anything is sent");
  const keyed = {
    ...record,
    api: { ...record.api, testEndpoint: "/me", headers: { "X-API-KEY": "abc" } },
  };
  await test(keyed, right);

  say("bold", "\n6. The port of last week");
  const gone = { ...record, api: { ...record.api, baseUrl: "http://127.0.0.1:9/header" } };
  await test(gone, right);
} finally {
  await shop.close();
}

type Options = NonNullable<Parameters<typeof testConnection>[1]>;

/** Every failure is a report: the test never throws for one. */
async function test(source: ApiSourceRecord, options: Options = {}): Promise<void> {
  print(await testConnection(source, options));
  for (const { method, url, credential, status } of shop.requests.splice(0))
    say("dim", `   the server received ${method} ${url} [${credential}] and answered ${status}`);
}

function print({
  ok,
  verdict,
  status,
  credentialVerified,
  message,
  fix,
  curl,
  warnings,
}: ConnectionReport): void {
  say(ok ? "green" : "yellow", `   ${verdict}${status === undefined ? "" : ` (status ${status})`}`);
  console.log(`   ${message}`);
  if (fix !== "") console.log(`   Fix: ${fix.replaceAll("\n", "\n        ")}`);
  // A line to paste: the secret is a variable in it.
  if (!ok && curl !== undefined) console.log(`   Try: ${curl}`);
  if (ok)
    console.log(
      `   Is it the credential that lets the call in? ${credentialVerified ? "yes" : "not shown"}`,
    );
  for (const warning of warnings) console.log(`   Warning: ${warning}`);
}
