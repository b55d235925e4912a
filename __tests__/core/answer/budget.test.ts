/** What a whole answer costs by a real tokenizer, and what of a body it keeps. */

import { describe, expect, it } from "@jest/globals";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../../../src/core/view/count-tokens.js";
import { createDice } from "../../support/dice.js";
import { sendJson } from "../../support/http-server.js";
import { startShopTool } from "../../support/shop-tool.js";

const dice = createDice(27);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const range = (first: number, last: number, length: number): string =>
  times(length, () => String.fromCodePoint(first + dice.whole(last - first + 1))).join("");
const letters = (length: number): string => range(97, 122, length);

/** The text of the answer to `GET /x` with this body. */
async function askFor(
  body: unknown,
  type: string,
  maxTokens: number,
  {
    headers = {},
    counter,
    ...call
  }: {
    headers?: Record<string, string>;
    counter?: (text: string) => number;
    select?: string;
  } = {},
): Promise<string> {
  const shop = await startShopTool(
    (_request, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.setHeader("content-type", type);
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    },
    {},
    { maxTokens, ...(counter === undefined ? {} : { countTokens: counter }) },
  );
  const [tool] = shop.toolkit.getTools();
  return String(await tool?.invoke({ method: "GET", path: "/x", ...call } as never));
}

describe("a whole answer", () => {
  it.each<[string, () => string]>([
    ["private-use characters", () => range(0xe000, 0xf8ff, 30)],
    [
      "combining marks",
      () => times(12, (index) => `e${range(0x300, 0x36f, 1 + (index % 4))}`).join(""),
    ],
    ["random letters", () => letters(40)],
    ["random ASCII", () => range(33, 126, 40)],
    ["random characters of the basic plane", () => range(0x100, 0xd7ff, 30)],
  ])("costs at most 15 % more than its budget for %s", async (_name, make) => {
    const rows = times(400, (id) => ({ id, name: make(), note: make() }));
    const text = times(900, () => make()).join(" ");
    for (const maxTokens of [1_000, 2_000, 5_000]) {
      const list = countTokens(await askFor(rows, "application/json", maxTokens));
      const prose = countTokens(await askFor(text, "text/plain", maxTokens));
      expect(Math.max(list, prose)).toBeLessThanOrEqual(maxTokens * 1.15);
      expect(Math.min(list, prose)).toBeGreaterThan(maxTokens * 0.6);
    }
  });

  it.each([
    ["a real tokenizer", (text: string): number => countTokens(text)],
    ["characters", (text: string): number => text.length],
  ])("costs no more than its budget by %s as `countTokens`", async (_name, counter) => {
    const rows = times(300, (id) => ({ id, name: letters(50) }));
    const body = { meta: { a: 1 }, data: rows, total: 300 };
    for (const maxTokens of [300, 600, 900, 2_000]) {
      const answer = await askFor(body, "application/json", maxTokens, { counter });
      expect(counter(answer)).toBeLessThanOrEqual(maxTokens);
    }
  });

  it("is the text of a CSV where its rows with their names do not fit, and never costs more than that text", async () => {
    for (const lines of [130, 400]) {
      const rows = times(lines, (index) => `${index},${letters(6)},2025-01-02`);
      const text = ["identifier,customer_name,delivered_on", ...rows].join("\n");
      const answer = JSON.parse(await askFor(text, "text/csv", 2_000));
      if (lines === 130) expect(answer.data).toBe(text);
      else expect(answer.shortened).toBeDefined();
      expect(estimateTokens(JSON.stringify(answer.data))).toBeLessThanOrEqual(
        estimateTokens(JSON.stringify(text)),
      );
    }
  });

  it("costs no more with a long `select`, which the queries that it proposes repeat", async () => {
    const rows = times(400, (id) => ({
      id,
      name: letters(8),
      state: id % 3 === 0 ? "open" : "done",
    }));
    const short = "[?id >= `0`]";
    const long = `[?${times(150, (id) => `id != \`-${id + 1}\``).join(" && ")}]`;
    for (const maxTokens of [1_000, 2_000]) {
      const answer = await askFor(rows, "application/json", maxTokens, { select: long });
      expect(countTokens(answer)).toBeLessThanOrEqual(maxTokens * 1.15);
      expect(JSON.parse(answer).shortened.id).toEqual(expect.any(String));
    }
    const proposed = JSON.parse(await askFor(rows, "application/json", 1_000, { select: short }));
    expect(proposed.shortened.try[0]).toContain(`${short} | `);
  });

  it("costs no more with a file whose name is long", async () => {
    const headers = {
      "Content-Disposition": `attachment; filename*=UTF-8''${letters(190)}.bin`,
    };
    const bytes = "\u0000".repeat(500);
    const answer = await askFor(bytes, "application/octet-stream", 120, { headers });
    expect(countTokens(answer)).toBeLessThanOrEqual(120 * 1.5);
    expect(JSON.parse(answer).file.id).toEqual(expect.any(String));
  });

  it("keeps nothing of a write whose `select` shows as much as the body", async () => {
    const rows = times(200, (id) => ({ id, state: "open" }));
    const shop = await startShopTool((_request, response) => sendJson(response, rows, 201));
    const write = { method: "POST", path: "/x", body: {} };
    expect(await shop.ask({ ...write, select: "@" })).not.toHaveProperty("kept");
    expect(await shop.ask({ ...write, select: "[0].id" })).toHaveProperty("kept");
  });
});
