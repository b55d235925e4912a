import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { sendJson } from "../../support/http-server.js";
import { type JobApi, type RespondAt, startJobApi } from "../../support/job-api.js";
import { runsOf } from "../../support/long-run.js";
import { noSleep } from "../../support/seams.js";
import { startShopTool } from "../../support/shop-tool.js";
import { openTestFolder } from "../../support/test-folder.js";

const folder = openTestFolder();
let api: JobApi;

const start = { method: "POST", path: "/exports", body: { of: "orders" }, wait: 45 };
const location = { Location: "/exports/7" };
const done = { id: 7, status: "done", rows: 3 };

/** A job that takes `durationMs`, started by a POST; `place` says where it is. */
function jobOf(
  durationMs: number,
  place: Record<string, string> = location,
  finish: RespondAt = (_request, response) => sendJson(response, done),
): RespondAt {
  const poll: RespondAt = (request, response, elapsedMs) =>
    elapsedMs < durationMs
      ? sendJson(response, { id: 7, status: "running" })
      : finish(request, response, elapsedMs);
  return accept(poll, { id: 7 }, place);
}

/** An API that accepts the POST, at `place`, and answers each GET by `poll`. */
function accept(
  poll: RespondAt,
  body: unknown = {},
  place: Record<string, string> = location,
): RespondAt {
  return (request, response, elapsedMs) =>
    request.method === "POST"
      ? sendJson(response, body, 202, place)
      : poll(request, response, elapsedMs);
}

it("a wait ends by its pauses where the clock is set back", async () => {
  const seams = { clock: { now: () => 0 }, sleep: noSleep };
  const { ask } = await startShopTool(
    (_request, response) => sendJson(response, { id: 7 }),
    {},
    seams,
  );
  const answer = await ask({ method: "GET", path: "/exports/7", wait: 5, until: "rows" });
  expect(answer).toMatchObject({ next: { wait: 5 }, job: { polls: 3 } });
  // The work may be over, and its condition be wrong.
  expect(answer.notes).toContainEqual(
    expect.stringMatching(/^`until` was not true after 5 seconds/),
  );
});

describe("a write that starts a job", () => {
  it("shows the state that was read where its body reports a failure", async () => {
    const odd = { success: false, status: "done", result: 42 };
    api = await startJobApi(accept((_request, response) => sendJson(response, odd)));
    const answer = await api.ask(start);
    expect(answer.data).toEqual(odd);
    expect(answer.notes.join()).toContain("The job could not be read");
  });

  it.each(["Location", "Operation-Location", "Azure-AsyncOperation"])(
    "is followed to the place in %s, in one call",
    async (header) => {
      api = await startJobApi(jobOf(6_000, { [header]: "/exports/7" }));
      const answer = await api.ask(start);
      expect(answer).toMatchObject({ status: 200, data: done });
      expect(answer.job).toEqual({ path: "/exports/7", polls: 3, ms: 7_000 });
      expect(answer).not.toHaveProperty("next");
      expect(api.lines()).toEqual(["POST /exports", ...Array(3).fill("GET /exports/7")]);
      expect(api.pauses).toEqual([1_000, 2_000, 4_000]);
    },
  );

  it.each([
    ["its own path where the resource of Azure is not provisioned yet", {}, "/exports/7?v=1"],
    [
      "the operation of Azure until one of its three ends",
      { "Azure-AsyncOperation": "/op/9" },
      "/op/9",
    ],
  ])("is followed by %s", async (_what, headers, path) => {
    api = await startJobApi(({ method, url }, response, elapsedMs) => {
      const word = elapsedMs < 3_000 ? "Scaling" : "Succeeded";
      const resource = { id: 7, properties: { status: "stopped", provisioningState: word } };
      if (method === "PUT") sendJson(response, resource, 201, headers);
      else sendJson(response, url === "/op/9" ? { status: word } : resource);
    });
    const answer = await api.ask({ ...start, method: "PUT", path: "/exports/7?v=1" });
    expect(answer.job).toMatchObject({ path, polls: 2 });
    expect(JSON.stringify(answer.data)).toContain("Succeeded");
  });

  it.each([
    ["needs no wait where the resource of Azure is provisioned", "succeeded", undefined],
    ["failed where the resource of Azure is not provisioned", "Failed", /Failed/],
  ])("%s", async (_what, word, message) => {
    const properties = { status: "running", provisioningState: "Creating" };
    api = await startJobApi(({ method }, response) => {
      const isAtOnce = message === undefined || method === "GET";
      const state = isAtOnce ? { ...properties, provisioningState: word } : properties;
      sendJson(response, { id: 7, properties: state }, 201);
    });
    const answer = await api.ask({ ...start, method: "PUT", path: "/exports/7" });
    expect(answer.notes).toBeUndefined();
    if (message === undefined) expect(api.lines()).toEqual(["PUT /exports/7"]);
    else expect(answer.error.message).toMatch(message);
  });

  it("gets its result in Azure's style: the operation is polled, then Location is read", async () => {
    api = await startJobApi(({ method, url }, response, elapsedMs) => {
      const place = {
        "Azure-AsyncOperation": `${api.server.url}/operations/9?api-version=2`,
        Location: "/results/9",
      };
      if (method === "POST") sendJson(response, { properties: { state: "Creating" } }, 201, place);
      else if (url.startsWith("/results")) sendJson(response, { total: 12 });
      else sendJson(response, { status: elapsedMs < 3_000 ? "InProgress" : "Succeeded" });
    });
    const answer = await api.ask({ ...start, select: "total" });
    expect(answer).toMatchObject({
      data: 12,
      job: { path: "/operations/9?api-version=2", polls: 2 },
    });
    expect(answer.job.created).toMatch(/^r_/);
  });

  it.each([
    ["a base URL with the version", "/v1", "/exports", "/operations/abc"],
    ["a base URL without it", "", "/v1/exports", "/v1/operations/abc"],
  ])("is followed in Google's style under %s", async (_what, base, path, polled) => {
    api = await startJobApi(
      ({ method }, response, elapsedMs) => {
        const operation = { name: "operations/abc", metadata: { progress: 10 } };
        const isDone = method === "GET" && elapsedMs >= 3_000;
        sendJson(
          response,
          isDone ? { ...operation, done: true, response: { rows: 3 } } : operation,
        );
      },
      {},
      {},
      base,
    );
    const answer = await api.ask({ ...start, path });
    expect(answer).toMatchObject({
      data: { done: true, response: { rows: 3 } },
      job: { path: polled, polls: 2 },
    });
  });

  it.each([{ _links: { self: { href: "/exports/7" } } }, { status_url: "/exports/7" }])(
    "is followed to a link in the body of a 202: %j",
    async (links) => {
      api = await startJobApi(
        accept((_request, response) => sendJson(response, done), { id: 7, ...links }, {}),
      );
      expect(await api.ask(start)).toMatchObject({ data: done, job: { path: "/exports/7" } });
    },
  );

  it("is not followed when Location only names what was created", async () => {
    api = await startJobApi((_request, response) =>
      sendJson(response, { id: 7 }, 201, { Location: "/orders/7" }),
    );
    const answer = await api.ask(start);
    expect(answer).toMatchObject({ status: 201, data: { id: 7 } });
    expect(answer).not.toHaveProperty("job");
    expect(answer.notes).toEqual([
      expect.stringMatching(/nothing to wait for.* "\/orders\/7"\) with `until`/),
    ]);
    expect(api.lines()).toEqual(["POST /exports"]);
    expect(await api.ask({ ...start, wait: null })).not.toHaveProperty("notes");
  });

  it("ends at the result that a 303 leads to, whatever its own state is", async () => {
    const poll: RespondAt = ({ url }, response) =>
      url === "/orders/8"
        ? sendJson(response, { id: 8, status: "pending" })
        : sendJson(response, {}, 303, { Location: "/orders/8" });
    api = await startJobApi(jobOf(2_000, location, poll));
    expect(await api.ask(start)).toMatchObject({ status: 200, data: { id: 8 }, job: { polls: 2 } });
  });

  it("reports a failed job as job_failed with the API's reason and its data", async () => {
    const failed = { status: "Failed", error: { code: "DiskFull", message: "The disk is full." } };
    api = await startJobApi(
      jobOf(2_000, location, (_request, response) => sendJson(response, failed)),
    );
    const answer = await api.ask(start);
    expect(answer).toMatchObject({
      status: 200,
      error: { category: "job_failed", retryable: false, code: "DiskFull" },
      job: { polls: 2 },
    });
    expect(answer.error.message).toContain("The disk is full.");
    expect(answer).not.toHaveProperty("next");
  });

  it.each([
    ["one level down", (status: string) => ({ job: { status, reason: "x" }, links: {} })],
    ["beside an envelope's own", (state: string) => ({ status: "success", data: { state } })],
  ])("is followed by a state %s", async (_what, write) => {
    const poll: RespondAt = (_request, response, elapsedMs) =>
      sendJson(response, write(elapsedMs < 3_000 ? "running" : "done"));
    api = await startJobApi(accept(poll));
    expect(await api.ask(start)).toMatchObject({ data: write("done"), job: { polls: 2 } });
  });

  it.each([
    [{ status: "Q" }, { status: "Z" }, "status != 'Q'"],
    [{ st: "Q" }, { st: "Z" }, "st != 'Q'"],
    [{ "my-job": { state: "it's" } }, { "my-job": { state: "Z" } }, "\"my-job\".state != 'it\\'s'"],
  ])("is answered with its state where that is in no list: %j", async (before, after, until) => {
    const poll: RespondAt = (_request, response, elapsedMs) =>
      sendJson(response, elapsedMs < 5_000 ? before : after);
    api = await startJobApi(accept(poll));
    const answer = await api.ask(start);
    expect(answer).toMatchObject({ status: 200, data: before, job: { polls: 1 } });
    expect(answer.notes).toEqual([expect.stringContaining("until")]);
    expect(answer.next).toEqual({ method: "GET", path: "/exports/7", wait: 45, until });
    expect(await api.ask(answer.next)).toMatchObject({ data: after });
  });

  it("polls again while the job is unknown in the first five seconds, and not longer", async () => {
    api = await startJobApi(
      accept((_request, response, elapsedMs) =>
        elapsedMs < 3_000
          ? sendJson(response, { message: "no such export" }, 404)
          : sendJson(response, done),
      ),
    );
    expect(await api.ask(start)).toMatchObject({ data: done, job: { polls: 2 } });
    api = await startJobApi(accept((_request, response) => sendJson(response, {}, 404), { id: 7 }));
    const answer = await api.ask(start);
    expect(answer).toMatchObject({ status: 202, data: { id: 7 }, job: { polls: 3 } });
    expect(answer.error).toBeUndefined();
  });

  it.each([
    ["is at an internal host", "http://exports.internal:8080/exports/7", {}],
    ["is at a place that the policy refuses", "/exports/7", { paths: { deny: ["/exports/*"] } }],
  ])(
    "is an answer with the reason, and no request, when the job %s",
    async (_what, place, settings) => {
      api = await startJobApi(jobOf(0, { Location: place }), settings);
      const answer = await api.ask(start);
      expect(answer).toMatchObject({
        status: 202,
        data: { id: 7 },
        notes: [expect.stringContaining(place)],
      });
      expect(answer).not.toHaveProperty("next");
      expect(api.lines()).toEqual(["POST /exports"]);
    },
  );

  it("names the call that waits for its job, where it was not asked to wait", async () => {
    api = await startJobApi(jobOf(0));
    const answer = await api.ask({ ...start, wait: null });
    expect(answer.next).toEqual({ method: "GET", path: "/exports/7", wait: 45 });
    expect(await api.ask(answer.next)).toMatchObject({ data: done });
  });

  it("applies until to the polled job alone, and select to the last response alone", async () => {
    const poll: RespondAt = (_request, response, elapsedMs) =>
      sendJson(response, { id: 7, phase: elapsedMs < 3_000 ? "WRITING" : "EXPORTED", rows: 3 });
    api = await startJobApi(accept(poll, { id: 7, phase: "EXPORTED" }));
    const answer = await api.ask({
      ...start,
      wait: null,
      until: "phase=='EXPORTED'",
      select: "rows",
    });
    expect(answer).toMatchObject({ data: 3, job: { polls: 2 } });
  });

  it.each([
    ["Baking", "Baked", "baked"],
    ["進行中", "完了", "完了"],
  ])(
    "follows the record's rule: state (%s, then %s), place and result",
    async (running, finished, named) => {
      api = await startJobApi(
        ({ method, url }, response, elapsedMs) => {
          if (method === "POST") sendJson(response, { links: { self: "/jobs/7" } }, 202);
          else if (url === "/files/7.json") sendJson(response, { rows: 3 });
          else
            sendJson(response, {
              phase: elapsedMs < 3_000 ? running : finished,
              file: "/files/7.json",
            });
        },
        { jobs: { status: "phase", done: [named], location: "links.self", result: "file" } },
      );
      expect(await api.ask(start)).toMatchObject({
        data: { rows: 3 },
        job: { path: "/jobs/7", polls: 2 },
      });
    },
  );

  it("pauses as long as Retry-After asks for, beyond limits.maxWaitMs too", async () => {
    const running = { ...location, "Retry-After": "15" };
    api = await startJobApi((_request, response, elapsedMs) =>
      sendJson(response, {}, elapsedMs < 30_000 ? 202 : 200, elapsedMs < 30_000 ? running : {}),
    );
    await api.ask(start);
    expect(api.pauses).toEqual([15_000, 15_000]);
  });
});

describe("a wait that ends before the job", () => {
  it("is the last state with the way on, and no error", async () => {
    api = await startJobApi(jobOf(60_000));
    const answer = await api.ask({ ...start, wait: 20 });
    expect(answer).toMatchObject({
      status: 200,
      data: { status: "running" },
      job: { polls: 5, ms: 20_000 },
    });
    expect(answer.next).toEqual({ method: "GET", path: "/exports/7", wait: 20 });
    expect(answer.error).toBeUndefined();
    expect(await api.ask({ ...answer.next, wait: 45 })).toMatchObject({ data: done });
  });

  it("does not pause for what Retry-After asks beyond it", async () => {
    api = await startJobApi(jobOf(60_000, { ...location, "Retry-After": "60" }));
    expect(await api.ask(start)).toMatchObject({ status: 202, next: { path: "/exports/7" } });
    expect(api.pauses).toEqual([]);
  });

  it.each<[string, RespondAt]>([
    ["a broken connection", (_request, response) => response.destroy()],
    ["a 403", (_request, response) => sendJson(response, { message: "no" }, 403)],
  ])("is the last state when a poll ends with %s", async (_what, fail) => {
    api = await startJobApi(jobOf(3_000, location, fail), { limits: { retries: 0 } });
    const answer = await api.ask(start);
    expect(answer).toMatchObject({ data: { status: "running" }, job: { path: "/exports/7" } });
    expect(answer.error).toBeUndefined();
    expect(answer.notes).toHaveLength(1);
  });

  it("answers with the last state, the job and the way on when the caller's time is over", async () => {
    const stop = new AbortController();
    api = await startJobApi(jobOf(60_000));
    const answer = await api.ask(start, {
      signal: stop.signal,
      onProgress: ({ polls }) =>
        polls === 2 && stop.abort(new DOMException("late", "TimeoutError")),
    });
    expect(answer).toMatchObject({
      data: { status: "running" },
      job: { polls: 2 },
      next: { path: "/exports/7" },
    });
    expect(answer.notes.join()).toContain("may still run");
  });

  it("names the job to the caller before the first pause", async () => {
    const progress: unknown[] = [];
    api = await startJobApi(jobOf(2_000));
    await api.ask(start, { onProgress: (each) => progress.push(each) });
    expect(progress).toEqual([
      { source: "shop", job: "/exports/7", polls: 0, waitedMs: 0 },
      { source: "shop", job: "/exports/7", polls: 1, state: "running", waitedMs: 1_000 },
    ]);
  });
});

describe("a GET that waits", () => {
  const counting: RespondAt = (_request, response, elapsedMs) =>
    sendJson(response, {
      count: elapsedMs / 1_000,
      status: elapsedMs < 3_000 ? "running" : "open",
    });

  it("is repeated until its condition is true", async () => {
    api = await startJobApi(counting);
    const answer = await api.ask({
      path: "/import?of=3",
      query: { x: "1" },
      until: "count >= `7`",
    });
    expect(answer).toMatchObject({
      data: { count: 7 },
      job: { path: "/import?of=3&x=1", polls: 3 },
    });
    expect(new Set(api.lines())).toEqual(new Set(["GET /import?of=3&x=1"]));
  });

  it("is repeated while it reports a running state, and while it is answered with 202", async () => {
    api = await startJobApi(counting);
    expect(await api.ask({ path: "/import", wait: 45 })).toMatchObject({
      data: { count: 3, status: "open" },
    });
    api = await startJobApi((_request, response, elapsedMs) =>
      sendJson(response, {}, elapsedMs < 3_000 ? 202 : 200),
    );
    expect(await api.ask({ path: "/stats?of=3", wait: 45 })).toMatchObject({
      status: 200,
      job: { polls: 2 },
    });
    expect(new Set(api.lines())).toEqual(new Set(["GET /stats?of=3"]));
  });

  it.each([{ wait: 45 }, { until: "status=='done'" }])(
    "is an error at once when it fails at once, with %j",
    async (more) => {
      api = await startJobApi((_request, response) =>
        sendJson(response, { message: "no such import" }, 404),
      );
      expect(await api.ask({ path: "/imports/9", ...more })).toMatchObject({
        error: { category: "not_found" },
      });
      expect(api.lines()).toHaveLength(1);
    },
  );

  it.each([
    { pages: 1 },
    { pages: 0 },
    { wait: 0 },
    { pages: 1, wait: 5, until: "" },
    { pages: 3, wait: 0 },
  ])("takes 0, and one page, for absent: %j", async (more) => {
    api = await startJobApi((_request, response) => sendJson(response, [{ id: 1 }]));
    const answer = await api.ask({ path: "/rows", ...more });
    expect(answer).toMatchObject({ status: 200, data: [{ id: 1 }] });
    expect(answer.pages === undefined).toBe(more.pages !== 3);
  });

  it.each([
    ["pages with wait", { path: "/rows", pages: 3, wait: 5 }],
    ["pages with until", { path: "/rows", pages: 3, until: "a" }],
    ["a wait that is no number", { path: "/rows", wait: "soon" }],
    ["an until that is no JMESPath", { path: "/rows", until: "a = 'b'" }],
  ])("is invalid input with %s, and sends nothing", async (_what, input) => {
    api = await startJobApi(counting);
    expect(await api.ask(input)).toMatchObject({ error: { category: "invalid_input" } });
    expect(api.lines()).toEqual([]);
  });
});

describe("a condition of the caller", () => {
  const canceled: RespondAt = (_request, response) =>
    sendJson(response, { id: 7, status: "canceled", error: { message: "by ada" } });

  it.each([
    ["a write", accept(canceled), start],
    ["a GET", canceled, { path: "/exports/7" }],
  ])("that is true wins over a state that means a failure, of %s", async (_what, respond, call) => {
    api = await startJobApi(respond);
    const answer = await api.ask({ ...call, wait: 45, until: "status=='canceled'" });
    expect(answer).toMatchObject({ status: 200, data: { status: "canceled" } });
    expect(answer).not.toHaveProperty("error");
    expect(answer).not.toHaveProperty("next");
  });

  it("means the polled body itself: `data` is a member of it", async () => {
    api = await startJobApi((_request, response) => sendJson(response, { id: 7 }));
    const answer = await api.ask({ path: "/exports/7", wait: 2, until: "data.id==`7`" });
    expect(answer.next).toMatchObject({ until: "data.id==`7`" });
  });

  it("may take 600 seconds at most, which the answer says", async () => {
    api = await startJobApi((_request, response) => sendJson(response, { done: true }));
    const answer = await api.ask({ path: "/exports/7", wait: 9_999, until: "done" });
    expect(answer.notes).toEqual(["`wait` is at most 600 seconds: 600 count, not 9999."]);
  });
});

describe("a failed state", () => {
  const failed: RespondAt = (_request, response) => sendJson(response, { status: "failed" });

  it("of a GET that started no job is data", async () => {
    api = await startJobApi(failed);
    const answer = await api.ask({ path: "/payments/7", wait: 45 });
    expect(answer).toMatchObject({ status: 200, data: { status: "failed" } });
    expect(answer).not.toHaveProperty("error");
    expect(api.lines()).toHaveLength(1);
  });

  it("of a GET is an error where the record says how its jobs report", async () => {
    api = await startJobApi(failed, { jobs: { status: "status", done: ["done"] } });
    const answer = await api.ask({ path: "/exports/7", wait: 45 });
    expect(answer.error).toMatchObject({ category: "job_failed" });
  });
});

describe("the state of a job", () => {
  const change =
    (before: object, after: object): RespondAt =>
    (_request, response, elapsedMs) =>
      sendJson(response, elapsedMs < 3_000 ? before : after);

  it.each<[string, object, object]>([
    [
      "`state` beside a `status` of the envelope",
      { status: "ok", state: "running" },
      { status: "ok", state: "done" },
    ],
    [
      "`state` beside a `status` with a word of its own",
      { status: "accepted", state: "running" },
      { status: "accepted", state: "done" },
    ],
    [
      "JSON:API's attributes",
      { data: { id: "7", attributes: { status: "processing" } } },
      { data: { id: "7", attributes: { status: "completed" } } },
    ],
    ["a name inside of it", { state: { name: "RUNNING" } }, { state: { name: "SUCCESSFUL" } }],
  ])("is %s", async (_what, before, after) => {
    api = await startJobApi(accept(change(before, after)));
    expect(await api.ask(start)).toMatchObject({ data: after, job: { polls: 2 } });
  });

  it("that the API accepted the work with is a running one, whatever its word", async () => {
    api = await startJobApi(accept(change({ st: "Q" }, { st: "Z" }), { id: 7, st: "Q" }));
    expect(await api.ask(start)).toMatchObject({ data: { st: "Z" }, job: { polls: 2 } });
  });

  it("has a note and a way on where a 202 is followed by a response without one", async () => {
    const before = { id: 7, progress: 0.2 };
    api = await startJobApi(accept(change(before, { id: 7, progress: 1 })));
    const answer = await api.ask(start);
    expect(answer).toMatchObject({ data: before, job: { polls: 1 } });
    expect(answer.notes).toEqual([expect.stringMatching(/^The response reports no state: /)]);
    expect(await api.ask(answer.next)).toMatchObject({ data: { progress: 1 } });
  });

  it.each([
    { payment_state: "failed" },
    { order: { payment_state: "failed" } },
    { order: { payment_state: { name: "failed" } } },
  ])("is not known by a word that may be about something else: %j", async (body) => {
    api = await startJobApi(accept((_request, response) => sendJson(response, body)));
    const answer = await api.ask(start);
    expect(answer).not.toHaveProperty("error");
    expect(answer.notes).toEqual([expect.stringContaining("is not known")]);
  });

  it("is the one that an object named so has", async () => {
    const write = (phase: string): object => ({ status: { phase } });
    api = await startJobApi(accept(change(write("Pending"), write("Succeeded"))));
    expect(await api.ask(start)).toMatchObject({ data: write("Succeeded"), job: { polls: 2 } });
  });

  it("needs no word where a poll was answered with 202", async () => {
    api = await startJobApi(
      accept((_request, response, elapsedMs) =>
        sendJson(response, { rows: 3 }, elapsedMs < 3_000 ? 202 : 200),
      ),
    );
    const answer = await api.ask(start);
    expect(answer).toMatchObject({ data: { rows: 3 }, job: { polls: 2 } });
    expect(answer).not.toHaveProperty("notes");
  });

  it.each([
    ["Q", "is polled"],
    ["LOADING", "is polled"],
    ["RENDERING_IN_QUEUE", "has a note and a way on"],
    ["SUBMITTED", "has a note and a way on"],
    ["BROKEN", "has a note and a way on"],
    ["WARNING", "has a note and a way on"],
    ["DONE_WITH_REJECTS", "is the end"],
  ])("is judged by the values of the API's document: %s %s", async (word, outcome) => {
    const openapi = await describeStates();
    api = await startJobApi(accept(change({ st: word }, { st: "DONE" })), { openapi });
    const { data, job, next, notes = [] } = await api.ask(start);
    const isPolled = outcome === "is polled";
    const isUnknown = outcome === "has a note and a way on";
    expect(data).toEqual({ st: isPolled ? "DONE" : word });
    expect(job.polls).toBe(isPolled ? 2 : 1);
    expect(next).toEqual(
      isUnknown
        ? { method: "GET", path: "/exports/7", wait: 45, until: `st != '${word}'` }
        : undefined,
    );
    expect(notes).toEqual(isUnknown ? [expect.stringContaining("is not known")] : []);
  });

  it("is that of the last answer where the time of the call is over", async () => {
    const end = new AbortController();
    let polls = 0;
    const poll: RespondAt = (_request, response) => {
      polls += 1;
      if (polls === 1) sendJson(response, { st: "Q" });
      else end.abort(new DOMException("Late.", "TimeoutError"));
    };
    api = await startJobApi(accept(poll), { openapi: await describeStates() });
    const { status, data, next, notes } = await api.ask(start, { signal: end.signal });
    expect({ status, data, next }).toMatchObject({
      status: 200,
      data: { st: "Q" },
      next: { method: "GET", path: "/exports/7" },
    });
    expect(notes).toEqual([expect.stringContaining("the time of the call is over")]);
  });
});

const states = ["Q", "LOADING", "SUBMITTED", "BROKEN", "WARNING", "DONE_WITH_REJECTS"];

/** A document that has the states of a job. */
function describeStates(): Promise<string> {
  const schema = {
    type: "object",
    properties: { st: { type: "string", enum: [...states, "DONE"] } },
  };
  const answer = { description: "A job", content: { "application/json": { schema } } };
  return folder.write("jobs.json", {
    openapi: "3.1.0",
    info: { title: "Jobs", version: "1" },
    paths: { "/exports/{id}": { get: { responses: { 200: answer } } } },
  });
}

describe("the place of a job", () => {
  it("is the Location of a 201 without a body, for a call that waits", async () => {
    api = await startJobApi(({ method }, response) =>
      method === "POST" ? response.writeHead(201, location).end() : sendJson(response, done),
    );
    expect(await api.ask(start)).toMatchObject({ data: done, job: { path: "/exports/7" } });
    expect(await api.ask({ ...start, wait: null })).not.toHaveProperty("job");
  });

  const jobs = "/jobs/1";
  it.each<[string, Record<string, string>, object]>([
    ["Content-Location", { "Content-Location": jobs }, {}],
    ["a Link with rel monitor", { Link: `<${jobs}>; rel="monitor"` }, {}],
    ["a Link with rel status", { Link: `<${jobs}>; rel=status` }, {}],
    ["a link of the body", {}, { links: { self: "/exports", status: { href: jobs } } }],
    ["a URL of the body", {}, { id: 1, statusQueryGetUri: jobs }],
  ])("is that in %s of a 202, of a GET, too, which is sent once", async (_where, headers, body) => {
    for (const method of ["GET", "POST"]) {
      api = await startJobApi(({ url }, response, elapsedMs) => {
        if (url !== jobs) sendJson(response, body, 202, headers);
        else if (elapsedMs < 2_000) response.writeHead(202).end();
        else sendJson(response, done);
      });
      const { next, notes } = await api.ask({ method, path: "/exports" });
      expect(next).toEqual({ method: "GET", path: jobs, wait: 45 });
      expect(notes).toBeUndefined();
      const answer = await api.ask({ method, path: "/exports", wait: 9 });
      expect(answer).toMatchObject({ data: done, job: { path: jobs } });
      expect(api.lines().filter((line) => !line.endsWith(jobs))).toHaveLength(2);
    }
  });

  it("is the request itself where Content-Location names it", async () => {
    api = await startJobApi((_request, response, elapsedMs) => {
      if (elapsedMs >= 2_000) sendJson(response, done);
      else sendJson(response, {}, 202, { "Content-Location": `${api.server.url}/stats?of=3` });
    });
    expect(await api.ask({ path: "/stats?of=3", wait: 9 })).toMatchObject({ data: done });
  });

  it("is not repeated where it is not below the base URL", async () => {
    const place = { "Content-Location": "https://jobs.example.com/1" };
    api = await startJobApi((_request, response) => sendJson(response, {}, 202, place));
    const answer = await api.ask({ path: "/exports", wait: 9 });
    expect(answer.notes).toEqual([expect.stringContaining("not below the base URL")]);
    expect(api.lines()).toHaveLength(1);
  });

  it("leads to what the job made, where it ends as a 201 without a body", async () => {
    const made = { Location: "/bundles/9" };
    api = await startJobApi(({ url }, response) => {
      if (url === "/batch") sendJson(response, {}, 202, { "Content-Location": jobs });
      else if (url === jobs) response.writeHead(201, made).end();
      else sendJson(response, { rows: 3 });
    });
    const answer = await api.ask({ ...start, path: "/batch" });
    expect(answer).toMatchObject({ data: { rows: 3 }, job: { path: jobs } });
  });

  it.each([
    ["a header that the record names", "header:X-Job", {}, { "X-Job": "/jobs/7" }],
    ["a path below the base URL", "job", { job: "/jobs/7" }, {}],
    ["a path with the base URL's own", "job", { job: "/v1/jobs/7" }, {}],
  ])("is %s", async (_what, place, body, headers) => {
    const jobs = { status: "status", done: ["done"], location: place };
    const poll: RespondAt = (_request, response) => sendJson(response, done);
    api = await startJobApi(accept(poll, body, headers), { jobs }, {}, "/v1");
    expect(await api.ask(start)).toMatchObject({ data: done, job: { path: "/jobs/7" } });
    expect(api.lines()).toEqual(["POST /v1/exports", "GET /v1/jobs/7"]);
  });
});

describe("a POST answered with 202 and no URL", () => {
  it.each([
    ["a plain receipt", { received: true }, {}, true],
    ["a state", { status: "queued" }, {}, true],
    ["a condition of the call", { received: true }, { until: "done" }, true],
    ["a call that does not wait", { received: true }, { wait: null }, true],
  ])("has a note about the missing URL: %s", async (_what, body, more, isNoted) => {
    api = await startJobApi((_request, response) => sendJson(response, body, 202));
    const { notes = [] } = await api.ask({ ...start, wait: 45, ...more });
    expect(notes.some((note: string) => note.includes("no URL of its job"))).toBe(isNoted);
  });

  it("has a note that names the URLs which may be its job's", async () => {
    const headers = { Link: '</docs>; rel="help"', "X-Job": "/jobs/7" };
    const body = { job: { href: "/exports/7" }, of: "/a b", site: "https://example.com/" };
    api = await startJobApi((_request, response) => sendJson(response, body, 202, headers));
    const { notes } = await api.ask({ ...start, wait: null });
    expect(notes).toEqual([expect.stringMatching(/"\/docs", "\/jobs\/7", "\/exports\/7"/)]);
    expect(notes.join()).not.toContain("reports no URL");
  });

  it.each([
    ["POST", "/exports", { id: 7 }, "/exports/7"],
    ["PUT", "/exports/7", {}, "/exports/7"],
    ["POST", "/imports", { id: 7 }, undefined],
    ["POST", "/exports", { of: 7 }, undefined],
  ])("has the way that the API's document has: %s %s", async (method, path, body, place) => {
    const write = { responses: { 202: { description: "Accepted" } } };
    const openapi = await folder.write("places.json", {
      openapi: "3.1.0",
      info: { title: "Jobs", version: "1" },
      paths: {
        "/exports": { post: write },
        "/imports": { post: write },
        "/exports/{id}": { get: { responses: {} }, put: write },
      },
    });
    const respond: RespondAt = (_request, response) => sendJson(response, body, 202);
    api = await startJobApi(respond, { openapi, methods: ["GET", "POST", "PUT"] });
    const { next } = await api.ask({ method, path, body: {} });
    expect(next?.path).toBe(place);
  });
});

describe("a POST answered with 303", () => {
  it("is a success whose result is read by GET", async () => {
    api = await startJobApi(({ method }, response) =>
      method === "POST"
        ? sendJson(response, {}, 303, { Location: "/orders/8?view=full" })
        : sendJson(response, { id: 8 }),
    );
    expect(await api.ask({ ...start, wait: null })).toMatchObject({ status: 200, data: { id: 8 } });
    expect(api.lines()).toEqual(["POST /exports", "GET /orders/8?view=full"]);
  });

  it.each([
    ["leads elsewhere", "https://other.example.com/orders/8"],
    ["leads nowhere", ""],
  ])("is a success without a result when it %s", async (_what, target) => {
    api = await startJobApi((_request, response) =>
      sendJson(response, {}, 303, target === "" ? {} : { Location: target }),
    );
    const answer = await api.ask({ ...start, wait: null });
    expect(answer).toMatchObject({ status: 303, notes: [expect.stringContaining("carried out")] });
    expect(answer.error).toBeUndefined();
  });
});

describe("the requests of a job", () => {
  it("carry a credential that is resolved anew for each, and are approved with the write", async () => {
    let tokens = 0;
    const asked: string[] = [];
    api = await startJobApi(
      jobOf(3_000),
      { authType: "bearer" },
      {
        credentials: { shop: { token: async () => `token-${++tokens}` } },
        approve: "all",
        approver: async ({ method }) => {
          asked.push(method);
          return { type: "approve" };
        },
      },
    );
    expect(await api.ask(start)).toMatchObject({ data: done });
    const sent = api.server.requests.map(({ headers }) => headers.authorization);
    expect(new Set(sent).size).toBe(sent.length);
    expect(asked).toEqual(["POST"]);
  });

  it("are copies of a GET with its body and headers", async () => {
    const content = { "application/json": { schema: { type: "object" } } };
    const openapi = await folder.write("read-body.json", {
      openapi: "3.1.0",
      info: { title: "Jobs", version: "1" },
      paths: { "/exports/7": { get: { requestBody: { content }, responses: {} } } },
    });
    api = await startJobApi(jobOf(2_000), { openapi });
    const input = { method: "GET", path: "/exports/7", body: { of: "open" }, wait: 5 };
    const answer = await api.ask({ ...input, headers: { "X-Region": "eu" } });
    expect(answer).toMatchObject({ data: done });
    const sent = api.server.requests.map(({ body, headers }) => [body, headers["x-region"]]);
    expect(new Set(sent.map(String))).toEqual(new Set([['{"of":"open"}', "eu"].join()]));
  });

  it("have the headers of the write but those about its body, its resource and its one run", async () => {
    const result: RespondAt = ({ url }, response) =>
      url === "/results/7" ? sendJson(response, { rows: 3 }) : sendJson(response, done);
    const place = { "Operation-Location": "/exports/7", Location: "/results/7" };
    api = await startJobApi(jobOf(2_000, place, result), { idempotencyHeader: "Once" });
    const own = { Once: "1", "If-Match": "a", Prefer: "respond-async" };
    const headers = Object.entries({ "X-Region": "eu", Accept: "text/json", ...own });
    expect(await api.ask({ ...start, headers })).toMatchObject({ data: { rows: 3 } });
    const [, ...reads] = api.server.requests.map((request) => request.headers);
    expect(reads).toHaveLength(3);
    for (const read of reads) {
      expect(read).toMatchObject({ "x-region": "eu", accept: "text/json" });
      for (const name of ["once", "if-match", "prefer", "content-type"])
        expect(read).not.toHaveProperty(name);
    }
  });

  it.each([
    ["the record's own way", {}],
    ["a record whose methods are no other", { methodParameter: "allow" }],
  ])("name no method that a header of the write names, by %s", async (_what, settings) => {
    const override = "X-HTTP-Method-Override";
    api = await startJobApi(jobOf(2_000), { ...settings, allowedHeaders: [override, "X-Region"] });
    const headers = { [override]: "PUT", "X-Region": "eu" };
    expect(await api.ask({ ...start, headers })).toMatchObject({ data: done });
    const named = api.server.requests.map((request) => request.headers[override.toLowerCase()]);
    expect(named).toEqual(["PUT", undefined, undefined]);
    expect(api.server.requests.every((request) => request.headers["x-region"] === "eu")).toBe(true);
  });

  it.each([
    ["the result of a 303", 303],
    ["`next` of a call that does not wait", 202],
  ])("have the headers of the write in %s", async (_what, status) => {
    api = await startJobApi(({ method }, response) =>
      method === "POST" ? sendJson(response, {}, status, location) : sendJson(response, done),
    );
    const headers = { "X-Region": "eu" };
    const { next, ...answer } = await api.ask({ ...start, wait: null, headers });
    if (status === 303) expect(answer).toMatchObject({ data: done });
    else expect(next).toEqual({ method: "GET", path: "/exports/7", headers, wait: 45 });
    expect(api.server.requests.every((request) => request.headers["x-region"] === "eu")).toBe(true);
  });

  it("never send the write again, in 300 generated failures of its polls", async () => {
    const failures: RespondAt[] = [
      (_request, response) => response.destroy(),
      (_request, response) =>
        response.writeHead(200, { "content-length": "900" }).write("{", () => response.destroy()),
      (_request, response) => response.end("<html><title>Login</title></html>"),
      (_request, response) => sendJson(response, { error: { message: "broken" } }),
      (_request, response) => sendJson(response, { status: "failed" }),
      (_request, response) => sendJson(response, { status: "running" }),
      (_request, response) => sendJson(response, {}, 202, { Location: "/exports" }),
      ...[301, 302, 303, 307, 308].map(
        (status): RespondAt =>
          (_request, response) =>
            sendJson(response, {}, status, { Location: "/exports" }),
      ),
      ...[400, 401, 403, 404, 405, 409, 410, 429, 500, 502, 503].flatMap((status): RespondAt[] => [
        (_request, response) => sendJson(response, {}, status),
        (_request, response) => sendJson(response, {}, status, { "Retry-After": "2" }),
      ]),
    ];
    let script: RespondAt[] = [];
    api = await startJobApi(
      accept((...poll) => (script.shift() ?? failures[0])?.(...poll), { id: 7 }),
    );
    const scripts = fc.array(fc.constantFrom(...failures), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(scripts, fc.integer({ min: 1, max: 60 }), async (generated, wait) => {
        script = [...generated];
        // A cooldown of an earlier failure is over.
        api.pass(60_000);
        const before = api.server.requests.length;
        const answer = await api.ask({ ...start, wait });
        const sent = api.server.requests.slice(before);
        expect(sent.filter(({ method }) => method !== "GET")).toHaveLength(1);
        expect(answer.status).toBeLessThan(400);
      }),
      { numRuns: runsOf(300) },
    );
  }, 120_000);
});
