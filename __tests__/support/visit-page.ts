/** A browser without a screen: opens an inspector's page, keeps its cookie, and sends what the page sends. */

import type { CallableSource } from "../../src/extras/inspector/page-change.js";

/** What the page was told since it was opened. */
interface PageState {
  readonly calls: Record<string, unknown>[];
  readonly running: Record<string, unknown>[];
  readonly questions: { readonly nonce: string; readonly [name: string]: unknown }[];
  readonly sources: readonly CallableSource[];
}

export type PageVisit = Awaited<ReturnType<typeof visitPage>>;

export async function visitPage(address: string) {
  const { origin } = new URL(address);
  const { headers } = await fetch(address, { redirect: "manual" });
  const cookie = (headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
  const base = `${origin}${headers.get("location")}`.replace(/\/$/, "");
  const received: string[] = [];
  const get = async (path: string) => {
    const response = await fetch(`${base}${path}`, { headers: { cookie } });
    const body = await response.text();
    received.push(body, JSON.stringify([...response.headers]));
    return { status: response.status, body };
  };
  await get("/");
  const postBody = async (path: string, body: object) => {
    const headers = { cookie, origin, "content-type": "application/json" };
    const response = await fetch(`${base}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    received.push(text);
    return { status: response.status, text };
  };
  return {
    /** What every address of the page begins with. */
    base,
    cookie,
    /** Everything that was received. */
    received,
    get,
    getJson: async (path: string): Promise<Record<string, unknown>> =>
      JSON.parse((await get(path)).body),
    post: async (path: string, body: object) => (await postBody(path, body)).status,
    /** Makes a call on the page, and waits for its end. */
    send: async (call: object): Promise<Record<string, unknown>> =>
      JSON.parse((await postBody("/send", call)).text),
    /** Follows the events until this is true. */
    async until(isReached: (state: PageState) => boolean): Promise<PageState> {
      const { body } = await fetch(`${base}/events`, { headers: { cookie } });
      const decoder = new TextDecoder();
      const calls: Record<string, unknown>[] = [];
      let text = "";
      for await (const chunk of body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const events = text.split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) {
          received.push(event);
          const change: PageState = JSON.parse(event.replace(/^data: /, ""));
          calls.push(...change.calls);
          // Leaving the loop ends the stream.
          if (isReached({ ...change, calls })) return { ...change, calls };
        }
      }
      throw new Error("The events ended.");
    },
  };
}
