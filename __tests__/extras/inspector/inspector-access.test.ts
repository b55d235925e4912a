/** Who may see the page: attacks by other origins, other names, other pages of this machine, and programs without the token. */

import { type IncomingHttpHeaders, request as sendRequest } from "node:http";
import { afterAll, describe, expect, it } from "@jest/globals";
import { openInspectedShop } from "../../support/inspected-shop.js";
import { visitPage } from "../../support/visit-page.js";

const opened = await openInspectedShop({ approve: true, calls: true });
await opened.shop.call({ path: "/orders" });
afterAll(() => opened.page.close());

const { base, cookie } = await visitPage(opened.page.url);
const { hostname, port, origin, search, searchParams } = new URL(opened.page.url);
const own = new URL(base).pathname;
const gets = ["/", "/page.js", "/page.css", "/events", "/call?id=1", "/whole?id=1"].map(
  (path) => own + path,
);
const posts = ["/decide", "/send"].map((path) => own + path);
/** Of any program of this machine, which does not know the path. */
const outside = [
  "/",
  "/page.js",
  "/events",
  "/call?id=1",
  "/?token=",
  "/?token=x",
  `${own}x/page.js`,
  own,
];
const nothing = { status: 403, body: "" };

/** Sends exactly these headers. */
function send(
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ hostname, port, path, method, headers }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => {
        body += chunk.toString();
        // A stream of events does not end.
        if (path.endsWith("/events")) response.destroy();
      });
      response.on("close", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on("error", reject);
    sent.end(method === "POST" ? "{}" : undefined);
  });
}

describe("the address of the page", () => {
  it("gives a browser, once, a cookie that no script, no other site and no other port can use", async () => {
    const { page } = await openInspectedShop();
    const first = await fetch(page.url, { redirect: "manual" });
    expect([first.status, await first.text()]).toEqual([303, ""]);
    const path = first.headers.get("location") ?? "";
    expect(path).toMatch(/^\/[\w-]{43}\/$/);
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^api_sources_inspector=[\\w-]{43}; Path=${path}; HttpOnly; SameSite=Strict$`),
      ),
    ]);
    const second = await fetch(page.url, { redirect: "manual" });
    expect([second.status, second.headers.getSetCookie()]).toEqual([403, []]);
    expect(await second.text()).toContain("opened before");
    await page.close();
  });

  it("leads to the page, which loads nothing from elsewhere", async () => {
    const { status, headers, body } = await send(`${own}/`, { cookie });
    expect(status).toBe(200);
    expect(body).toMatch(/^<!doctype html>/);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|https?:/);
  });

  it("is of 127.0.0.1, with a token of 256 bits that the page does not contain", async () => {
    expect(hostname).toBe("127.0.0.1");
    const token = searchParams.get("token") ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    const paths = ["/", "/page.css", "/call?id=1"];
    const answers = await Promise.all(paths.map((path) => send(own + path, { cookie })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.some(({ body }) => body.includes(token))).toBe(false);
  });
});

const json = { origin, "content-type": "application/json" };

describe("a request without the cookie", () => {
  it.each(["", "x", "0".repeat(43)])("gets nothing, with the cookie %j neither", async (value) => {
    const headers: Record<string, string> =
      value === "" ? {} : { cookie: `api_sources_inspector=${value}` };
    for (const path of gets) expect(await send(path, headers)).toMatchObject(nothing);
    for (const path of posts)
      expect(await send(path, { ...json, ...headers }, "POST")).toMatchObject(nothing);
  });
});

describe("a request with the cookie", () => {
  it("gets the page again, which was reloaded, and posts JSON with its own origin", async () => {
    for (const path of ["/", "/events"])
      expect(await send(own + path, { cookie, "sec-fetch-site": "same-origin" })).toMatchObject({
        status: 200,
      });
    // A decision about nothing: it passed the door.
    expect(await send(`${own}/decide`, { cookie, ...json }, "POST")).toMatchObject({ status: 404 });
  });

  it.each(outside)("gets nothing from GET %s, outside of the path", async (path) => {
    expect(await send(path, { cookie })).toMatchObject(nothing);
  });

  it.each(["localhost", "rebound.example", "127.0.0.1", "127.0.0.1.rebound.example"])(
    "gets nothing under the name %s, which could be rebound",
    async (name) => {
      for (const host of name === "127.0.0.1" ? [name, `${name}:1`] : [name, `${name}:${port}`])
        expect(await send(`${own}/events`, { cookie, host })).toMatchObject(nothing);
      expect(await send(`/${search}`, { host: `${name}:1` })).toMatchObject(nothing);
    },
  );

  it.each([
    ...["https://other.example", "null", "http://127.0.0.1:1", "http://localhost"].map((name) => ({
      origin: name,
    })),
    ...["cross-site", "same-site"].map((site) => ({ "sec-fetch-site": site })),
  ])("gets nothing for another page: %j", async (headers) => {
    for (const path of gets)
      expect(await send(path, { cookie, ...headers })).toMatchObject(nothing);
    for (const path of "origin" in headers ? posts : [])
      expect(await send(path, { cookie, ...json, ...headers }, "POST")).toMatchObject(nothing);
  });

  it.each([
    ["without its origin", { "content-type": "application/json" }, "POST"],
    ["as a form", { origin, "content-type": "text/plain" }, "POST"],
    ["by another method", json, "PUT"],
  ])("can't post %s", async (_how, headers, method) => {
    expect(await send(`${own}/decide`, { cookie, ...headers }, method)).toMatchObject(nothing);
  });

  it.each(["/../package.json", "/constructor", "/call?id=99", "/whole?id=x", "//x/y", "//["])(
    "gets nothing from GET %s, which does not exist",
    async (path) => {
      expect(await send(own + path, { cookie })).toMatchObject({ status: 404, body: "" });
    },
  );
});
