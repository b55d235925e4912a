import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { compilePrograms } from "../support/compiled-programs.js";
import { runTokenProcesses } from "../support/token-processes.js";
import { clientSecret, createTokenRecord, startTokenServer } from "../support/token-server.js";
import { startPostgres } from "./support/postgres.js";

const entry = join(
  (await compilePrograms({ folder: "token-store-processes" })).directory,
  "src/index.js",
);
const database = await startPostgres();
afterAll(() => database.stop());
const server = await startTokenServer({ delayMs: 50 });

describe("processes with one PostgresStore", () => {
  it("refresh once when six of them need it at the same instant, for the first time and after its end", async () => {
    const record = createTokenRecord(server, { grant: "refresh_token" });
    const secrets = {
      SHOP_CLIENT_SECRET: clientSecret,
      SHOP_REFRESH_TOKEN: server.makeRefreshToken("ada"),
    };
    const input = { entry, record, secrets, postgres: database.url, calls: 5 };
    for (const refreshes of [1, 2]) {
      const answers = await runTokenProcesses(6, input);
      expect(answers.map(({ data, error }) => data?.user ?? error)).toEqual(
        Array.from({ length: 30 }, () => "ada"),
      );
      expect({ refreshes: server.tokenRequests.length, refused: server.refused }).toEqual({
        refreshes,
        refused: 0,
      });
      await database.query(
        `update store set value = jsonb_set(value, '{expiresAtMs}', '1') where value ? 'expiresAtMs'`,
      );
      server.revokeAccess();
    }
  }, 120_000);
});
