import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { sendJson } from "../../support/http-server.js";
import { runsOf } from "../../support/long-run.js";
import { startShopTool } from "../../support/shop-tool.js";

const users = ["alice", "bruno"];
/** What happens to the requests of one call, one after the other; then it is answered. */
const call = fc.record({
  user: fc.constantFrom(...users),
  steps: fc.array(fc.constantFrom("busy", "later", "reset", "renew", "redirect"), { maxLength: 4 }),
});

it.each([
  { authType: "bearer" },
  { authType: "header", headerName: "X-Key" },
  { authType: "query", queryParam: "key" },
])("two users of one source never send each other's credential: %j", async (auth) => {
  const renewals = new Map(users.map((user) => [user, 0]));
  const provide = (user: string) => ({
    token: async () => `${user}-t0ken-${renewals.get(user)}-4Kq9XmZw`,
    onUnauthorized: async () => void renewals.set(user, (renewals.get(user) ?? 0) + 1),
  });
  const scripts = new Map<string, string[]>();
  const shop = await startShopTool(
    ({ url, headers }, response) => {
      const { pathname, searchParams } = new URL(url, "http://shop");
      const step = scripts.get(pathname.split("/")[2] ?? "")?.shift();
      const sent = headers.authorization ?? headers["x-key"] ?? searchParams.get("key");
      seen.push([pathname.split("/")[1], /(\w+)-t0ken/.exec(String(sent))?.[1]]);
      if (step === "reset") response.destroy();
      else if (step === "redirect") response.writeHead(302, { location: `${pathname}/on` }).end();
      else if (step === "later") sendJson(response, {}, 429, { "retry-after": "0" });
      else sendJson(response, {}, step === "busy" ? 503 : step === "renew" ? 401 : 200);
    },
    { ...auth, limits: { retries: 3 } },
    {
      credentials: (_source, { configurable }) => provide(String(configurable?.["user"])),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms % 5)),
    },
  );
  const seen: unknown[][] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 12 }), async (calls) => {
      const asked = calls.map(async ({ user, steps }) => {
        const id = `c${scripts.size}`;
        scripts.set(id, [...steps]);
        const input = { method: "GET", path: `/${user}/${id}` };
        const answer = await shop.ask(input, { configurable: { user } });
        // A call that waits for a rate limit of another call may be answered unsent.
        return "status" in answer ? [user] : [];
      });
      const answered = (await Promise.all(asked)).flat();
      expect(seen.length).toBeGreaterThanOrEqual(answered.length);
      expect(seen.splice(0).filter(([asker, sender]) => asker !== sender)).toEqual([]);
    }),
    { numRuns: runsOf(12) },
  );
});
