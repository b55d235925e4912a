import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { startChild } from "../support/child-process.js";
import { compilePrograms } from "../support/compiled-programs.js";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { startPostgres } from "./support/postgres.js";
import { startRedisServer } from "./support/redis-server.js";

const api = await startHttpServer((_request, response) => sendJson(response, { ok: true }));
const [postgres, redis] = await Promise.all([startPostgres(), startRedisServer()]);
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));
const bodies = (): string[] => api.requests.map(({ body }) => body).sort();

describe.each(["PostgresStore", "a store of one's own on plain Redis"])(
  "two processes with PostgresSaver and %s",
  (kind) => {
    it("send each approved request once when both resume 200 runs within the same millisecond", async () => {
      const { directory } = await compilePrograms({ folder: "approval-processes" });
      const store = kind === "PostgresStore" ? {} : { redis: `redis://127.0.0.1:${redis.port}` };
      const given = {
        entry: join(directory, "src/index.js"),
        api: api.url,
        postgres: postgres.url,
        ...store,
      };
      const open = () =>
        startChild<string[]>("__tests__/servers/support/approval-process.mjs", given);
      const children = [await open(), await open()];
      for (let round = 0; round < 20; round += 1) {
        const threads = Array.from({ length: 10 }, (_, index) => `${kind} ${round} ${index}`);
        await children[0]?.ask({ threads });
        const atMs = Date.now() + 50;
        await Promise.all(children.map((child) => child.ask({ threads, atMs })));
      }
      await Promise.all(children.map((child) => child.end()));
      const sent = bodies();
      expect(sent).toHaveLength(new Set(sent).size);
      // A claim may be refused because both wrote it slowly; then it is sent by neither.
      expect(sent.length).toBeGreaterThan(100);
    }, 300_000);
  },
);
