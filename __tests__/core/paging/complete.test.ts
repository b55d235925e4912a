import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { TransportFunction } from "langchain-api-sources";
import {
  createGeneratedServer,
  type GeneratedServer,
  hiddenLies,
  lies,
  ruleNames,
  rules,
  type ServerPlan,
  serverPlans,
  styles,
  toRulePath,
} from "../../support/generated-server.js";
import { sendJson } from "../../support/http-server.js";
import { isLongRun } from "../../support/long-run.js";
import { startShopTool } from "../../support/shop-tool.js";

const servers = new Map<string, GeneratedServer>();
let created = 0;

function answer(given: string): Partial<ReturnType<GeneratedServer["answer"]>> {
  const { pathname, searchParams } = new URL(given, "http://x");
  return { ...servers.get(pathname.slice(1))?.answer(searchParams) };
}

/** For twenty thousand lists, which take twice as long over HTTP. */
const transport: TransportFunction = async ({ url }) => {
  const { body = {}, headers } = answer(url);
  const type = { "content-type": "application/json" };
  return { status: 200, headers: { ...type, ...headers }, body: JSON.stringify(body) };
};

const shop = await startShopTool(
  (request, response) => {
    const { body = {}, headers } = answer(request.url);
    sendJson(response, body, 200, headers);
  },
  {
    limits: { retries: 0, maxTokens: 1_000_000, maxPages: 60 },
    paging: ruleNames.flatMap((name) => {
      const rule = rules[name];
      return rule === undefined ? [] : [{ paths: [`/${toRulePath(name)}/**`], ...rule }];
    }),
  },
  { maxTokens: 1_000_000, ...(isLongRun ? { transport } : {}) },
);

interface ReadList {
  readonly complete: boolean | null;
  readonly why?: string;
  /** Whether every row that was there at the beginning was delivered exactly once. */
  readonly isWhole: boolean;
}

async function readList(plan: ServerPlan): Promise<ReadList> {
  created += 1;
  const name = `${toRulePath(plan.rule)}/list${created}`;
  const server = createGeneratedServer(name, plan);
  servers.set(name, server);
  const answer = await shop.ask({ method: "GET", path: server.path, pages: 60 });
  servers.delete(name);
  const rows = [...JSON.stringify(answer.data).matchAll(/"name":"Name (\w+)"/g)].map(([, id = ""]) => id);
  const own = rows.filter((id) => id !== "inserted");
  const isWhole =
    own.length === server.rows.length &&
    new Set(own).size === server.rows.length &&
    new Set(rows).size === rows.length;
  return { ...answer.pages, isWhole };
}

/** Rows of numbers, by name. */
class Tally {
  readonly #counts = new Map<string, Record<"servers" | "whole" | "incomplete" | "unknown", number>>();

  add(name: string, { complete }: ReadList): void {
    const counts = this.#counts.get(name) ?? { servers: 0, whole: 0, incomplete: 0, unknown: 0 };
    counts.servers += 1;
    counts[complete === true ? "whole" : complete === false ? "incomplete" : "unknown"] += 1;
    this.#counts.set(name, counts);
  }

  write(names: readonly string[]): string {
    return names
      .map((name) => {
        const { servers: all = 0, whole = 0, incomplete = 0, unknown = 0 } = this.#counts.get(name) ?? {};
        return `${name.padEnd(48)} ${all} servers: ${whole} true, ${incomplete} false, ${unknown} null`;
      })
      .join("\n");
  }
}

describe("complete", () => {
  it("is true only when every row was delivered exactly once, and for at least 45 % of generated servers", async () => {
    const tally = new Tally();
    let read = 0;
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(serverPlans, async (plan) => {
        const list = await readList(plan);
        tally.add(plan.style, list);
        tally.add(plan.lie, list);
        tally.add(`rule: ${plan.rule}`, list);
        read += 1;
        if (list.complete === true) {
          whole += 1;
          expect({ plan, isWhole: list.isWhole }).toEqual({ plan, isWhole: true });
        } else expect(typeof list.why).toBe("string");
      }),
      // The same servers in every run: a share near its limit would fail by chance.
      { numRuns: isLongRun ? 20_000 : 120, seed: 20_261_122, endOnFailure: true },
    );
    if (isLongRun)
      process.stdout.write(
        `${tally.write(styles)}\n\n${tally.write(lies)}\n\n${tally.write(ruleNames.map((name) => `rule: ${name}`))}\n${whole} of ${read}\n`,
      );
    expect(whole / read).toBeGreaterThanOrEqual(0.45);
  }, 1_800_000);

  const honest = { count: 12, size: 4, at: 1, off: -1, hasIds: true, rule: "none" } as const;

  it.each([
    [hiddenLies[0], "offset, limit and total"],
    [hiddenLies[1], "cursor, null at the end"],
    [hiddenLies[2], "pages requested, nothing reported"],
  ] as const)("can be wrong where no client can notice: %s", async (lie, style) => {
    const list = await readList({ ...honest, at: 2, lie, style });
    expect(list).toMatchObject({ complete: true, isWhole: false });
  });

  it("does not count a row that was added before the cursor while the list was read", async () => {
    const list = await readList({ ...honest, lie: hiddenLies[3], style: "cursor, null at the end" });
    expect(list).toMatchObject({ complete: true, isWhole: true });
  });
});
