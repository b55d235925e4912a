/** The runs of docs/api-knowledge.md: a map, an operation, a search, and a mistake that is caught. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiSourceToolkit } from "../../src/index.js";
import { shopDescription } from "../map/shop-description.js";

const guide =
  "# Shop guide\n\nOrders are made by customers.\n\n## Money\n\n**Important:** amounts are in cents.\n";

/** @param layOut - Writes JSON text over several lines. */
export async function runKnowledge(layOut: (json: string) => string): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), "knowledge-"));
  try {
    await writeFile(join(directory, "shop.openapi.json"), JSON.stringify(shopDescription));
    await writeFile(join(directory, "shop.md"), guide);
    const file = join(directory, "shop.json");
    // Nothing listens there: what is caught is never sent.
    const api = { baseUrl: "http://127.0.0.1:9/v1", openapi: "shop.openapi.json", guide: "shop.md" };
    await writeFile(file, JSON.stringify({ name: "Shop", api }));
    const tools = (await ApiSourceToolkit.fromFile(file)).getTools();
    const ask = async (name: string, input: Record<string, unknown>): Promise<string> =>
      String(await tools.find((tool) => tool.name === name)?.invoke(input as never));
    const { map, ...frame } = JSON.parse(await ask("describe_api", { source: "shop" })).data;
    const wrong = { customer: "c_1", curency: "eur", lines: [{ sku: "A-1", quantity: "2" }] };
    return {
      "knowledge-frame": layOut(JSON.stringify(frame)),
      "knowledge-map": map,
      "knowledge-operation": layOut(
        await ask("describe_api", { source: "shop", path: "/orders", method: "POST" }),
      ),
      "knowledge-found": layOut(await ask("describe_api", { source: "shop", find: "refund money" })),
      "knowledge-mistake": layOut(await ask("shop", { method: "POST", path: "/orders", body: wrong })),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}
