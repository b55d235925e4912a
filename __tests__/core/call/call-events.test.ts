/** The id, the user, the attempts and the trace of a call, for those who observe it. */

import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import {
  type CallEvent,
  createSourceClient,
  journalTo,
  parseJournalLine,
  type RequestToSign,
} from "langchain-api-sources";
import { recordTo } from "langchain-api-sources/testing";
import type { ApiFields } from "../../../src/core/record/record-types.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { noSleep, splitOptions, type TestOptions } from "../../support/seams.js";
import { asRecord } from "../../support/unchecked.js";

/** How many requests of `/busy` are refused. */
let busy = 0;
/** Where `/elsewhere` leads to. */
let location = "";
const api = await startHttpServer(({ url, headers }, response) => {
  if (url.startsWith("/busy") && busy-- > 0)
    return sendJson(response, { message: "busy" }, 429, { "retry-after": "2" });
  if (url.startsWith("/elsewhere")) return sendJson(response, {}, 302, { location });
  if (url.startsWith("/moved")) return sendJson(response, {}, 302, { location: "/here" });
  if (url.startsWith("/private") && headers.authorization !== "Bearer 2-new-token")
    return sendJson(response, {}, 401);
  if (url.startsWith("/pages")) {
    const page = Number(new URL(url, "http://x").searchParams.get("page") ?? "1");
    const next = page < 3 ? { next: `/pages?page=${page + 1}` } : {};
    return sendJson(response, { items: [{ id: page }], ...next });
  }
  sendJson(response, { a: 1 });
});

function watch(options: TestOptions = {}, settings: Partial<ApiFields> = {}) {
  const events: CallEvent[] = [];
  const record = asRecord({
    name: "Shop",
    api: { baseUrl: api.url, methods: ["GET", "POST"], ...settings },
  });
  const given = { sleep: noSleep, onCall: (event: CallEvent) => events.push(event), ...options };
  return { events, client: createSourceClient(record, ...splitOptions(given)) };
}

const listAttempts = (events: readonly CallEvent[]) =>
  events.flatMap((event) => (event.phase === "attempt" ? [event] : []));
const traceparents = () => api.requests.map(({ headers }) => headers["traceparent"]);
const form = /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/;

describe("onCall", () => {
  it("receives the same callId in each event of a call, and another one for the next call", async () => {
    const { client, events } = watch();
    await client.call({ method: "GET", path: "/pages", pages: 3 });
    const first = new Set(events.map(({ callId }) => callId));
    expect(first.size).toBe(1);
    expect([...first][0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(events.filter(({ phase }) => phase === "attempt")).toHaveLength(3);
    await client.call({ method: "GET", path: "/" });
    expect(new Set(events.map(({ callId }) => callId)).size).toBe(2);
  });

  it("receives an attempt for each request on the wire, with its status and why it was repeated", async () => {
    busy = 2;
    const { client, events } = watch();
    await client.call({ method: "GET", path: "/busy" });
    expect(events.map(({ phase }) => phase)).toEqual([
      "before",
      "attempt",
      "attempt",
      "attempt",
      "after",
      "call",
    ]);
    const attempts = listAttempts(events);
    expect(attempts.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(attempts.map(({ why }) => why)).toEqual([
      undefined,
      "429, Retry-After 2",
      "429, Retry-After 2",
    ]);
    for (const { durationMs } of attempts) expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  it("receives a redirect that was followed, and a request with a new credential, as attempts", async () => {
    let token = "1-old-token";
    const credentials = {
      shop: {
        token: () => token,
        onUnauthorized: () => {
          token = "2-new-token";
        },
      },
    };
    const { client, events } = watch({ credentials }, { authType: "bearer" });
    await client.call({ method: "GET", path: "/moved" });
    await client.call({ method: "GET", path: "/private" });
    expect(listAttempts(events).map(({ status, why }) => [status, why])).toEqual([
      [302, undefined],
      [200, "a redirect"],
      [401, undefined],
      [200, "a new credential"],
    ]);
  });

  it("receives the code of an attempt that got no answer", async () => {
    const { client, events } = watch(
      {
        transport: () => {
          throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
        },
      },
      { limits: { retries: 0 } },
    );
    await client.call({ method: "GET", path: "/" });
    expect(listAttempts(events)).toMatchObject([{ code: "ECONNREFUSED" }]);
  });
});

describe("userOf", () => {
  const userOf: TestOptions["userOf"] = ({ configurable }) =>
    configurable?.["user"] as string | undefined;

  it("names the user in each event and in the journal", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "journal-")), "calls.jsonl");
    const journal = journalTo(file);
    const written: unknown[] = [];
    const events: CallEvent[] = [];
    const { client } = watch({
      userOf,
      onCall: (event) => {
        events.push(event);
        written.push(journal(event));
      },
    });
    await client.call({ method: "GET", path: "/" }, { configurable: { user: "ada" } });
    await client.call({ method: "GET", path: "/" });
    await Promise.all(written);
    expect(events.map(({ user }) => user)).toEqual([
      ..."before attempt after call".split(" ").map(() => "ada"),
      ..."before attempt after call".split(" ").map(() => undefined),
    ]);
    const [first, second] = readFileSync(file, "utf8").split("\n").map(parseJournalLine);
    expect(first).toMatchObject({ user: "ada" });
    expect(second).not.toHaveProperty("user");
  });

  it("that fails, or returns no text, costs no answer and is logged", async () => {
    const warnings: string[] = [];
    const log = (): void => {};
    const logger = {
      debug: log,
      info: log,
      error: log,
      warn: (text: string) => void warnings.push(text),
    };
    const throwing = (): string => {
      throw new Error("no user");
    };
    for (const wrong of [throwing, () => 7 as unknown as string]) {
      const { client, events } = watch({ userOf: wrong, logger });
      expect((await client.call({ method: "GET", path: "/" })).ok).toBe(true);
      expect(events.every(({ user }) => user === undefined)).toBe(true);
    }
    expect(warnings).toEqual([
      "The application's userOf failed.",
      "The application's userOf failed.",
    ]);
  });
});

describe("traces", () => {
  it("sends a traceparent only where the option is true; one trace for a call, another parent for each request", async () => {
    busy = 1;
    const { client, events } = watch({ traces: true });
    await client.call({ method: "GET", path: "/busy" });
    const sent = traceparents();
    expect(sent).toEqual([expect.stringMatching(form), expect.stringMatching(form)]);
    expect(new Set(sent.map((text) => String(text).split("-")[1])).size).toBe(1);
    expect(new Set(sent).size).toBe(2);
    expect(listAttempts(events).map(({ traceparent }) => traceparent)).toEqual(sent);
    expect(String(sent[0]).split("-")[1]).toBe(events[0]?.callId.replaceAll("-", ""));
  });

  it("sends none without the option", async () => {
    for (const options of [{}, { traces: false }])
      await watch(options).client.call({ method: "GET", path: "/" });
    expect(traceparents()).toEqual([undefined, undefined]);
  });

  it("leaves a traceparent of the record as it is", async () => {
    const own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const { client } = watch({ traces: true }, { headers: { Traceparent: own } });
    await client.call({ method: "GET", path: "/" });
    expect(traceparents()).toEqual([own]);
  });

  it("is made before the request is signed", async () => {
    const signed: RequestToSign[] = [];
    const credentials = { shop: { sign: (request: RequestToSign) => void signed.push(request) } };
    const { client } = watch({ traces: true, credentials });
    await client.call({ method: "GET", path: "/" });
    expect(signed.map(({ headers }) => headers["traceparent"])).toEqual(traceparents());
  });

  it("is no part of the digest that a person approves, nor of what they or the application are shown", async () => {
    const request = { method: "POST" as const, path: "/", body: { a: 1 } };
    const digests: unknown[] = [];
    const shown: string[] = [];
    for (const traces of [false, true]) {
      const { client, events } = watch({
        traces,
        approve: "all",
        approver: async (question) => {
          shown.push(JSON.stringify(question));
          return { type: "approve" };
        },
      });
      await client.call(request);
      shown.push(JSON.stringify((await client.preview(request)).headers));
      digests.push(events.flatMap((event) => (event.phase === "call" ? [event.digest] : [])));
    }
    expect(traceparents()).toEqual([undefined, expect.stringMatching(form)]);
    expect(digests[0]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(digests[1]).toEqual(digests[0]);
    expect(shown.slice(2)).toEqual(shown.slice(0, 2));
    expect(shown.join()).not.toContain("traceparent");
  });

  it("goes to no host for downloads, and into no recording", async () => {
    const files = await startHttpServer((_request, response) => sendJson(response, { file: 1 }));
    const folder = mkdtempSync(join(tmpdir(), "recorded-"));
    location = `http://localhost:${files.port}/report`;
    const network = { downloadHosts: ["localhost"] };
    const { client } = watch({ traces: true, transport: recordTo(folder) }, { network });
    const { ok } = await client.call({ method: "GET", path: "/elsewhere" });
    expect(ok).toBe(true);
    expect(traceparents()).toEqual([expect.stringMatching(form)]);
    expect(files.requests.map(({ headers }) => headers["traceparent"])).toEqual([undefined]);
    const recorded = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
      statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), "utf8") : "",
    );
    expect(recorded.join("")).toContain("/elsewhere");
    expect(recorded.join("")).not.toContain("traceparent");
  });

  describe("in an application with OpenTelemetry", () => {
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const spanId = "b7ad6b7169203331";
    const active = trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1 });
    afterAll(() => context.disable());

    it("continues the active span", async () => {
      context.setGlobalContextManager({
        active: () => active,
        with: (_context, run, self, ...rest) => run.call(self as never, ...rest),
        bind: (_context, target) => target,
        enable() {
          return this;
        },
        disable() {
          return this;
        },
      });
      const { client } = watch({ traces: true });
      await client.call({ method: "GET", path: "/" });
      expect(traceparents()).toEqual([`00-${traceId}-${spanId}-01`]);
    });
  });
});
