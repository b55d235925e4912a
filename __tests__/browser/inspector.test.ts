/** The page of the inspector in Chromium, on the built package. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { InspectorOptions } from "langchain-api-sources/inspector";
import { type Browser, chromium, type Page, type Response } from "playwright-core";
import { type InspectedShop, openInspectedShop, script } from "../support/inspected-shop.js";
import { useDirectory } from "../support/temporary-directory.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const screenshots = ".cache/screenshots";
const order = { method: "POST", path: "/orders", body: { sku: "SKU-4", quantity: 2 } };

const directory = useDirectory();
let browser: Browser;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    // In a container.
    args: ["--no-sandbox"],
  });
}, 60_000);
afterAll(() => browser.close());
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Visit extends InspectedShop {
  readonly tab: Page;
  /** What the browser received. */
  readonly responses: Response[];
  /** Uncaught errors and messages of the console. */
  readonly problems: string[];
}

async function open(settings: InspectorOptions = {}): Promise<Visit> {
  const opened = await openInspectedShop(settings);
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  context.setDefaultTimeout(10_000);
  const tab = await context.newPage();
  const responses: Response[] = [];
  const problems: string[] = [];
  context.on("response", (response) => {
    // The address leads to the page, and has no body.
    if (response.status() !== 303) responses.push(response);
  });
  tab.on("pageerror", (error) => problems.push(String(error)));
  tab.on("console", (message) => problems.push(message.text()));
  tab.on("dialog", (dialog) => problems.push(dialog.message()));
  await tab.goto(opened.page.url);
  closing.push(opened.page.close, () => context.close());
  return { ...opened, tab, responses, problems };
}

const listed = (tab: Page) => tab.getByRole("list", { name: "Calls" }).getByRole("button");
const whole = (tab: Page) => tab.getByRole("region", { name: "Whole body" });

describe("the page", () => {
  it("lists calls as they end, opens one by the keyboard, and runs a query on the whole body", async () => {
    const { shop, tab, problems } = await open();
    await shop.call({ path: "/busy" });
    await shop.call({ path: "/missing" });
    await shop.call({ path: "/orders" });
    await listed(tab).nth(2).waitFor();
    expect(await listed(tab).allInnerTexts()).toEqual([
      expect.stringMatching(/^200 GET \/orders/),
      expect.stringMatching(/^404 GET \/missing[\s\S]*not_found/),
      expect.stringMatching(/^200 GET \/busy[\s\S]*2 requests/),
    ]);
    await listed(tab).first().press("Enter");
    await tab.getByRole("heading", { name: "GET /orders" }).waitFor();
    await whole(tab).getByText('"city": "Utrecht"').first().waitFor();
    expect(await tab.locator(".omitted").count()).toBeGreaterThan(0);
    const folding = tab.locator("summary").filter({ hasText: "Whole body" });
    await folding.press("Enter");
    expect(await whole(tab).isVisible()).toBe(false);
    await folding.press("Enter");
    await tab.getByLabel("Ask this answer").fill("length(orders)");
    await tab.keyboard.press("Enter");
    await tab
      .getByRole("region", { name: "Result of the query" })
      .getByText("60", { exact: true })
      .waitFor();
    expect(new URL(tab.url()).search).toBe("");
    expect(problems).toEqual([]);
  });

  it("filters by words, failures among them, and stays after a reload", async () => {
    const { shop, tab } = await open();
    for (const path of ["/me", "/missing", "/orders"]) await shop.call({ path });
    await listed(tab).nth(2).waitFor();
    await tab.getByLabel("Filter").fill("shop failed");
    await tab.getByText("1 of 3 calls").waitFor();
    expect(await listed(tab).allInnerTexts()).toEqual([expect.stringContaining("/missing")]);
    await tab.reload();
    await tab.getByText("3 calls", { exact: true }).waitFor();
  });

  it("makes a call, where the inspector does: it is shown while it runs, and opens when it ends", async () => {
    const { tab, answerSlow } = await open({ calls: true });
    await tab.getByText("Make a call").click();
    await tab.getByLabel("Path below the base URL").fill("/slow");
    await tab.getByLabel("Select").fill("name");
    await tab.keyboard.press("Enter");
    await tab.getByLabel("Running requests").getByText("/slow").waitFor();
    answerSlow();
    await tab.getByRole("heading", { name: "GET /slow" }).waitFor();
    await tab
      .getByRole("region", { name: "Answer as the model saw it" })
      .getByText('"Ada"')
      .waitFor();
    expect(await tab.getByLabel("Running requests").getByText("/slow").count()).toBe(0);
    expect(await (await open()).tab.getByText("Make a call").count()).toBe(0);
  });

  it("offers the methods that the record permits, and says which setting permits more", async () => {
    const { tab } = await open({ calls: true });
    await tab.getByText("Make a call").click();
    const methods = tab.getByLabel("Method", { exact: true }).getByRole("option");
    expect(await methods.allInnerTexts()).toEqual(["GET", "POST"]);
    await tab
      .getByText("To permit more, change the record of shop: api.methods (GET, POST).")
      .waitFor();
  });

  it("fills the form with a call that was made, and sends it again as it was", async () => {
    const { shop, api, tab } = await open({ calls: true });
    await shop.call({ path: "/orders", query: { page: "2" }, headers: { "X-Trace": "a-1" } });
    await tab.getByText("1 call", { exact: true }).waitFor();
    await listed(tab).first().click();
    await tab.getByRole("button", { name: "Use this call again" }).click();
    await tab.getByRole("button", { name: "Send", exact: true }).click();
    await tab.getByText("2 calls", { exact: true }).waitFor();
    const [first, second] = api.requests.map(({ url, headers }) => [url, headers["x-trace"]]);
    expect(second).toEqual(first);
    expect(second).toEqual(["/v1/orders?page=2", "a-1"]);
    await tab.getByLabel("Other members").fill("[1]");
    await tab.getByRole("button", { name: "Send", exact: true }).click();
    await tab.getByText("Other members are not a JSON object.").waitFor();
    expect(api.requests).toHaveLength(2);
  });

  it("tells names, texts and numbers of a document apart by their colours", async () => {
    const { shop, tab } = await open();
    await shop.call({ path: "/me" });
    await listed(tab).first().click();
    const answer = tab.getByRole("region", { name: "Answer as the model saw it" });
    await answer.getByText('"Ada"').waitFor();
    const parts = ["name", "text", "number"].map((kind) => answer.locator(`.${kind}`));
    expect(await Promise.all(parts.map((part) => part.last().innerText()))).toEqual([
      '"name"',
      '"Ada"',
      "1",
    ]);
  });

  it("copies the answer, the input and the curl line as they are", async () => {
    const { shop, tab } = await open();
    const { content } = await shop.call({ path: "/orders" });
    await tab.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await listed(tab).first().click();
    const copied: string[] = [];
    for (const name of ["Copy Answer", "Copy Input", "Copy As curl"]) {
      await tab.getByRole("button", { name }).click();
      await tab.getByRole("button", { name: name.replace("Copy", "Copied") }).waitFor();
      copied.push(await tab.evaluate(() => navigator.clipboard.readText()));
    }
    expect(copied).toEqual([
      content,
      '{"path":"/orders"}',
      expect.stringMatching(/^curl .*\/v1\/orders$/),
    ]);
  });

  it("lists the last 1,000 calls", async () => {
    const journal = directory("calls.jsonl");
    const line = { time: "2026-01-01T00:00:00Z", source: "shop", method: "GET", ms: 1 };
    const lines = Array.from({ length: 1_500 }, (_, index) =>
      JSON.stringify({ ...line, path: `/n/${index}` }),
    );
    writeFileSync(journal, `${lines.join("\n")}\n`);
    const { tab, shop } = await open({ journal });
    await tab.getByText("1000 calls").waitFor();
    const last = listed(tab).getByText("/n/500", { exact: true });
    await last.click();
    await tab.getByText("A journal has no inputs and answers").waitFor();
    await shop.call({ path: "/me" });
    await last.waitFor({ state: "detached" });
  });
});

describe("an approval on the page", () => {
  it("takes a second click at the same place for none of the next question", async () => {
    const { shop, api, tab } = await open({ approve: true });
    // The page's time goes on where the test moves it.
    await tab.clock.install();
    await tab.clock.pauseAt(Date.now() + 60_000);
    const held = [shop.call(order), shop.call(order)];
    const approve = tab.getByRole("button", { name: "Approve", exact: true });
    await approve.nth(1).waitFor();
    expect(await approve.first().isDisabled()).toBe(true);
    await tab.clock.runFor(2_000);
    const { x = 0, y = 0 } = (await approve.first().boundingBox()) ?? {};
    await tab.mouse.click(x + 5, y + 5);
    await tab.waitForFunction(() => document.querySelectorAll("article").length === 1);
    expect((await approve.boundingBox())?.y).toBe(y);
    await tab.mouse.click(x + 5, y + 5);
    expect(await approve.isDisabled()).toBe(true);
    await Promise.race(held);
    await tab.clock.runFor(900);
    await tab.mouse.click(x + 5, y + 5);
    expect(api.requests).toHaveLength(1);
    await tab.clock.runFor(1_000);
    await approve.click();
    await Promise.all(held);
    expect(api.requests).toHaveLength(2);
  });

  it("sends it as it was edited, and asks no more where the approval lasts", async () => {
    const { shop, api, tab } = await open({ approve: true });
    const edited = shop.call(order);
    await tab.getByText("Edit the call").click();
    const input = tab.getByLabel("The call as it should be");
    const text = await input.inputValue();
    await input.fill("{");
    await tab.getByRole("button", { name: "Send as edited" }).click();
    await tab.getByText("Nothing was sent").waitFor();
    await input.fill(text.replace("SKU-4", "SKU-9"));
    await tab.getByRole("button", { name: "Send as edited" }).click();
    expect(await edited).toMatchObject({ ok: true });
    const lasting = shop.call(order, { threadId: "t-1" });
    await tab.getByLabel("Approve also every later POST /orders").check();
    await tab.getByRole("button", { name: "Approve", exact: true }).click();
    await lasting;
    await shop.call(order, { threadId: "t-1" });
    expect(api.requests.map(({ body }) => JSON.parse(body).sku)).toEqual([
      "SKU-9",
      "SKU-4",
      "SKU-4",
    ]);
  });

  it("rejects it by the button, and by Enter in the reason", async () => {
    const { shop, api, tab } = await open({ approve: true });
    const first = shop.call(order);
    await tab.getByRole("button", { name: "Reject", exact: true }).click();
    expect(JSON.parse((await first).content).error).toMatchObject({ code: "rejected" });
    await tab.locator(".questions article").waitFor({ state: "detached" });
    const second = shop.call(order);
    await tab.getByLabel("Reason of a rejection").fill("Not today.");
    await tab.getByRole("button", { name: "Reject", exact: true }).click({ trial: true });
    await tab.keyboard.press("Enter");
    expect(JSON.parse((await second).content).error).toMatchObject({ message: "Not today." });
    expect(api.requests).toEqual([]);
  });
});

describe("what others put on the page", () => {
  it("stays text in every field", async () => {
    const journal = directory("calls.jsonl");
    const fields = [
      "source",
      "method",
      "path",
      "status",
      "category",
      "approval",
      "digest",
      "thread",
    ];
    const line = {
      time: script,
      ms: 1,
      ...Object.fromEntries(fields.map((name) => [name, script])),
    };
    writeFileSync(journal, `${JSON.stringify({ ...line, time: script })}\n`);
    const { shop, tab, problems } = await open({ approve: true, journal });
    await listed(tab).first().waitFor();
    await shop.call(
      { path: `/script${encodeURIComponent(script)}`, query: { q: script } },
      { threadId: script },
    );
    await shop.call({ path: "/missing", headers: { "X-Trace": script } });
    await shop.call({ path: script });
    await tab.getByText("4 calls", { exact: true }).waitFor();
    for (const [index] of (await listed(tab).all()).entries()) {
      await listed(tab).nth(index).click();
      await tab.locator(".facts").waitFor();
      const ask = tab.getByLabel("Ask this answer");
      await tab.waitForLoadState("networkidle").catch(() => undefined);
      if ((await ask.count()) > 0) await ask.fill(script).then(() => tab.keyboard.press("Enter"));
    }
    const held = shop.call({ ...order, body: { [script]: script } }, { threadId: script });
    await tab.locator("article .lines").getByText("<script>").first().waitFor();
    expect(await tab.locator("body").innerText()).toContain("<script>");
    expect(
      await tab.evaluate(() => [document.title, document.scripts.length, document.images.length]),
    ).toEqual([...["API calls", 1, 0]]);
    await tab.getByRole("button", { name: "Reject", exact: true }).click();
    await held;
    expect(problems).toEqual([]);
  });

  it("comes from one place, and is at most 120 kB before the first call", async () => {
    const { tab, responses } = await open({ approve: true });
    await tab.getByText("No calls yet").waitFor();
    const files = responses.filter((each) => !each.url().endsWith("/events"));
    const sizes = await Promise.all(files.map(async (each) => (await each.body()).length));
    const names = files.map((each) => each.url().replace(tab.url(), ""));
    expect(names.sort()).toEqual(["", "page.css", "page.js"]);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(120_000);
  });
});

describe("a reader", () => {
  const check = async (tab: Page): Promise<unknown[]> => {
    // The page's own policy lets no script in; the browser's tools may.
    const found: unknown = await tab.evaluate(`${axe}; axe.run().then(({ violations }) =>
      violations.map(({ id, impact, nodes }) => [id, impact, nodes.map(({ html }) => html.slice(0, 120))]))`);
    return found as unknown[];
  };

  it("has light and dark, wide and 400 pixels, with nothing that axe objects to", async () => {
    const { shop, tab } = await open({ approve: true, calls: true });
    for (const path of ["/busy", "/missing", "/me"])
      await shop.call({ path }, { threadId: "thread-12" });
    await shop.call({ path: "/orders", query: { sort: "-created" } }, { threadId: "thread-12" });
    expect(await check(tab)).toEqual([]);
    await listed(tab).first().click();
    await whole(tab).waitFor();
    const image =
      process.env["UPDATE_DOCS"] === undefined ? `${screenshots}/call.png` : "docs/inspector.png";
    await tab.screenshot({ path: image });
    expect(await check(tab)).toEqual([]);
    const held = shop.call(order);
    await tab.getByRole("button", { name: "Approve", exact: true }).waitFor();
    await tab.screenshot({ path: `${screenshots}/approval.png` });
    expect(await check(tab)).toEqual([]);
    await tab.emulateMedia({ colorScheme: "dark" });
    await tab.screenshot({ path: `${screenshots}/dark.png` });
    expect(await check(tab)).toEqual([]);
    await tab.setViewportSize({ width: 400, height: 860 });
    await tab.screenshot({ path: `${screenshots}/narrow.png` });
    expect(await check(tab)).toEqual([]);
    await tab.getByRole("button", { name: "Reject", exact: true }).click();
    await held;
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  });
});
