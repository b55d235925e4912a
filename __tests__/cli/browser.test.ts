import { afterEach, expect, it } from "@jest/globals";
import { openCallbackListener } from "../../src/cli/browser.js";

let listener: Awaited<ReturnType<typeof openCallbackListener>>;
afterEach(() => listener.close());

it("takes the first callback that carries the state, and nothing else that comes", async () => {
  listener = await openCallbackListener("http://127.0.0.1/callback", new AbortController().signal);
  const taken: string[] = [];
  const waiting = listener.wait("right", async (url) => {
    taken.push(url);
    return "done";
  });
  const ask = async (query: string, init: RequestInit = {}): Promise<number> =>
    (await fetch(`${listener.redirectUri}${query}`, init)).status;
  for (const query of ["?code=1&state=wrong", "?code=1", "?code=1&state=", "/more?code=1&state=right"]) {
    expect([query, await ask(query)]).toEqual([query, 400]);
  }
  expect(await ask("?code=1&state=right", { method: "POST" })).toBe(400);
  expect(taken).toEqual([]);
  expect(await ask("?code=2&state=right")).toBe(200);
  expect(await ask("?code=3&state=right")).toBeGreaterThanOrEqual(400);
  expect(await waiting).toBe("done");
  expect(taken).toEqual([`${listener.redirectUri}?code=2&state=right`]);
});
