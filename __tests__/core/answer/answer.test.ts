import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { InMemoryStore } from "@langchain/langgraph";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { projectionSummarizer, type Summarizer } from "langchain-api-sources";
import { type Respond, sendJson } from "../../support/http-server.js";
import { noSleep, type TestOptions } from "../../support/seams.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../../support/shop-tool.js";

let shop: ShopTool;

const get = { method: "GET", path: "/" };
const many = Array.from({ length: 900 }, (_, index) => ({
  id: index + 1,
  name: `Thing ${index + 1}`,
  state: "open",
}));

/** Answers every request so. */
const json =
  (
    ...answer: Parameters<typeof sendJson> extends [unknown, ...infer Rest] ? Rest : never
  ): Respond =>
  (_request, response) =>
    sendJson(response, ...answer);

const text =
  (body: string, type: string): Respond =>
  (_request, response) => {
    response.writeHead(200, { "Content-Type": type });
    response.end(body);
  };

async function answerTo(
  respond: Respond,
  input: unknown = get,
  options: TestOptions = {},
): Promise<AnswerDocument> {
  shop = await startShopTool(respond, { limits: { retries: 1 } }, options);
  return shop.ask(input);
}

describe("the parts of an answer", () => {
  it("show the headers that the next call needs, with locations as paths below the base URL", async () => {
    const answer = await answerTo((_request, response) =>
      sendJson(response, {}, 201, {
        ETag: '"v7"',
        Location: `${shop.server.url}/jobs/7`,
        "Content-Location": "https://elsewhere.example/x",
        "Content-Disposition": "attachment; filename=\"a b.csv\"; filename*=UTF-8''%C3%A4%20b.csv",
        Sunset: "Sat, 31 Dec 2033 23:59:59 GMT",
        "X-Request-Id": "r-1",
        Server: "nginx",
      }),
    );
    expect(answer).toEqual({
      status: 201,
      data: {},
      headers: {
        etag: '"v7"',
        location: "/jobs/7",
        "content-location": "https://elsewhere.example/x",
        "content-disposition": "ä b.csv",
        sunset: "Sat, 31 Dec 2033 23:59:59 GMT",
      },
    });
    expect(Object.keys(answer)).toEqual(["status", "data", "headers"]);
  });

  it.each([
    ["a list", many],
    ["a list in a wrapper", { data: many, has_more: false }],
    ["a list deep in wrappers", { result: { rows: many }, meta: { total: 900 } }],
  ])(
    "take the name at the end of the path for %s, and a name of the body's own for itself",
    async (_what, body) => {
      const select = "length(things[?state=='open'])";
      const answer = await answerTo(json(body), { ...get, path: "/v1/things.json?all=1", select });
      expect(answer).toMatchObject({ status: 200, data: 900, kept: expect.anything() });
      expect((await shop.read({ id: answer.kept, select: "things[0].id" })).data).toBe(1);
      const wrong = await shop.ask({ ...get, path: "/v1/things", select: "thing[0].id" });
      expect(wrong.notes).toHaveLength(1);
    },
  );

  it("report that the call waited and was sent twice, also for a write that the API refused unprocessed", async () => {
    const answer = await answerTo(
      (_request, response) =>
        shop.server.requests.length === 1
          ? sendJson(response, {}, 429, { "Retry-After": "1" })
          : sendJson(response, { id: 1 }, 201),
      { method: "POST", path: "/", body: { a: 1 } },
      { sleep: noSleep },
    );
    expect(answer).toEqual({
      status: 201,
      data: { id: 1 },
      waited: { ms: 1_000, requests: 2, why: "429, Retry-After 1" },
    });
  });

  it("are only status and data for a write whose answer is complete, also where it contains a list, a total or a link to itself", async () => {
    const lines = many.slice(0, 3);
    const answers = [
      { id: 1, name: "Thing 1" },
      { id: 1, total: 30, lines },
      { id: 1, total: 30, limit: 3, offset: 0, lines },
      { id: 1, count: 30, page: 1, lines, links: { self: "/things/1" } },
    ];
    for (const [index, answered] of answers.entries())
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const answer = await answerTo(json(answered), {
          method,
          path: `/things/${index}`,
          body: { a: 1 },
        });
        expect(answer).toEqual({ status: 200, data: answered });
      }
  });

  it("keep the whole of a large body that a select ran on, and nothing of a small one", async () => {
    const select = "length(@)";
    const large = await answerTo(json(many), { ...get, select });
    expect(large).toEqual({ status: 200, data: 900, kept: expect.stringMatching(/^r_/) });
    expect(await shop.read({ id: large.kept, select: "[0].name" })).toEqual({
      status: 200,
      data: "Thing 1",
    });
    expect(shop.server.requests).toHaveLength(1);
    expect(await shop.ask({ ...get, path: "/x", select: "[0].id" })).toMatchObject({ data: 1 });
    expect(await answerTo(json([1, 2]), { ...get, select })).toEqual({ status: 200, data: 2 });
  });

  it("keep the error of a later read within the budget", async () => {
    const first = await answerTo(json(many), { ...get, select: "[0]" }, { maxTokens: 300 });
    const select = `[?${Array.from({ length: 170 }, (_, index) => `id=\`${index}\``).join("&&")}]`;
    const answer = await shop.read({ id: first.kept, select });
    const hint = expect.stringMatching(/^Write ==/);
    expect(answer.error).toMatchObject({ category: "invalid_input", hint });
    expect(countTokens(JSON.stringify(answer))).toBeLessThan(300);
  });

  it("show the shape of a body whose select can't be run, and keep the whole for the next one", async () => {
    const answer = await answerTo(json(many), { ...get, select: "sum([].name)" });
    expect(answer.error.category).toBe("invalid_input");
    expect(answer.shortened.shownTokens).toBeLessThanOrEqual(400);
    expect((await shop.read({ id: answer.shortened.id, select: "sum([].id)" })).data).toBe(405_450);
    expect(shop.server.requests).toHaveLength(1);
  });

  it("report that a query over an incomplete body ran on a part", async () => {
    shop = await startShopTool(json(many), { limits: { maxBytes: 5_000 } });
    const answer = await shop.ask({ ...get, select: "length(@)" });
    expect(answer.notes).toEqual([expect.stringMatching(/is incomplete/)]);
    expect(answer.data).toBeLessThan(900);
  });
});

describe("a search", () => {
  const found = Array.from({ length: 200 }, (_, at) => ({
    id: at,
    user_id: `U${at}`,
    text: `Parcel ${at} of the customer came late, in a box that was wet on one side and open on the other, and the customer wants a refund of all ${at} euros, please, to the account that was used.`,
  }));
  const post = { method: "POST", path: "/find" };

  it.each([
    ["the query", { method: "GET", path: "/find", query: { q: "refund", limit: 200 } }],
    ["a JSON body", { ...post, body: { filter: { any: ["of money", "Refund"] } } }],
    ["a body of XML", { ...post, body: "<q>refund</q>", headers: { "Content-Type": "text/xml" } }],
    [
      "a form",
      {
        ...post,
        body: "q=a+refund",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      },
    ],
  ])("shows in each row the text with the word of %s", async (where, input) => {
    const { data } = await answerTo(json(found), input);
    const rows = data as typeof found;
    const isText = where !== "a body of XML";
    expect(rows.slice(3).every(({ text }) => text?.includes("refund") === true)).toBe(isText);
  });

  it("gives a summarizer its words, and none of a secret", async () => {
    const words: (readonly string[] | undefined)[] = [];
    const { summarize } = projectionSummarizer();
    const summarizer: Summarizer = {
      summarize(input) {
        words.push(input.request.words);
        return summarize(input);
      },
    };
    const query = { q: "Refund", note: "of 0-aBcd-Efgh" };
    shop = await startShopTool(
      json(found),
      { authType: "bearer" },
      { summarizer, credentials: { shop: { token: "0-aBcd-Efgh" } } },
    );
    await shop.ask({ method: "GET", path: "/find", query });
    expect(words).toEqual([["Refund", "REDACTED"]]);
  });
});

describe("the budget", () => {
  const long = "x".repeat(400_000);

  const fields = Array.from({ length: 500 }, (_, at) => ({
    field: `f${at}`,
    message: long.slice(0, 800),
  }));

  it.each<[string, Respond]>([
    ["a cursor", json({ data: [{ id: 1 }], next_cursor: long })],
    [
      "one just short enough",
      json({ data: [{ id: 1 }], next_cursor: randomBytes(5_900).toString("base64url") }),
    ],
    ["a link", json({ data: [{ id: 1 }], next: `/?after=${long}` })],
    ["an error's message", json({ message: long }, 400)],
    ["an error's code", json({ error: { code: long, message: long } }, 400)],
    ["an error's details", json({ errors: fields }, 422)],
    ["a media type", json({}, 200, { "Content-Type": `text/plain; a=${long.slice(0, 7_000)}` })],
    ["an etag", json({}, 200, { ETag: long.slice(0, 7_000) })],
    ["a warning", json({}, 200, { Warning: "w ".repeat(3_000) })],
    ["a name in a row", json([{ [long]: 1 }])],
  ])("binds %s", async (_what, respond) => {
    const answer = await answerTo(respond);
    expect(countTokens(JSON.stringify(answer))).toBeLessThan(2_000 * 1.15);
  });

  it("reports the parts that were omitted", async () => {
    const answer = await answerTo(json({ data: [{ id: 1 }], next_cursor: "y".repeat(7_900) }));
    expect(answer.next).toBeUndefined();
    expect(answer.notes?.join(" ")).toMatch(/next/);
  });
});

describe("reading on", () => {
  async function readAll(
    first: AnswerDocument,
    take: (data: AnswerDocument) => unknown[],
  ): Promise<unknown[]> {
    const seen: unknown[] = [];
    let next: unknown = first;
    for (let turn = 0; turn < 500 && next !== undefined; turn += 1) {
      const answer = await shop.read(next);
      seen.push(...take(answer.data));
      next = answer.next;
    }
    return seen;
  }

  it("shows every row of a list once, whatever number was requested at a time", async () => {
    for (const limit of [70, 500, undefined]) {
      const { shortened } = await answerTo(json(many));
      const rows = await readAll(
        { id: shortened.id, offset: 0, ...(limit === undefined ? {} : { limit }) },
        (data) => data,
      );
      expect(rows.map((row) => (row as { id: number }).id)).toEqual(many.map(({ id }) => id));
    }
  });

  it("gives the next input for an id alone, also for a list inside an object", async () => {
    const { shortened } = await answerTo(json({ total: 900, rows: many }));
    const first = await shop.read({ id: shortened.id });
    expect(first.next).toMatchObject({ id: shortened.id, select: "rows" });
    const rest = await readAll(first.next, (data) => data);
    const shown = (first.data.rows as unknown[]).length;
    expect(rest.map((row) => (row as { id: number }).id)).toEqual(
      many.slice(shown).map(({ id }) => id),
    );
  });

  it("shows every character of a text once", async () => {
    const log = Array.from({ length: 3_000 }, (_, index) => `line ${index} of a long log`).join(
      "\n",
    );
    const { shortened } = await answerTo(text(log, "text/plain"));
    const parts = await readAll({ id: shortened.id, offset: 0 }, (data) => [
      String(data).replace(/…$/, ""),
    ]);
    expect(parts.join("")).toBe(log);
  });

  it("shows every match once", async () => {
    const { shortened } = await answerTo(json(many));
    const found = await readAll(
      { id: shortened.id, find: "Thing 1", limit: 300 },
      (data) => data.matches,
    );
    const expected = many.filter(({ name }) => name.startsWith("Thing 1")).length;
    expect(new Set(found.map((match) => (match as { path: string }).path)).size).toBe(expected);
    expect(found).toHaveLength(expected);
  });
});

describe("the owner of a kept response", () => {
  const large: Respond = json(many);

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["an empty string", ""],
    ["a list with an empty string", ["a", ""]],
    ["an object", { user: "a" }],
  ])(
    "is missing when the scope is %s: nothing is kept, and the answer reports that",
    async (_what, scope) => {
      const answer = await answerTo(large, get, { responseScope: () => scope as string });
      expect(answer.shortened.id).toBeUndefined();
      expect(answer.notes).toEqual([expect.stringContaining("responseScope")]);
    },
  );

  it.each([
    ["a", "a"],
    [["thread", "a"], "a"],
  ])("is never a thread for a function's scope %j", async (scope, thread) => {
    const responseStore = new InMemoryStore();
    const scoped = await answerTo(large, get, { responseStore, responseScope: () => scope });
    const { id } = scoped.shortened;
    shop = await startShopTool(large, {}, { responseStore });
    const inThread = await shop.read({ id }, { configurable: { thread_id: thread } });
    expect(inThread.error.category).toBe("not_found");
    const namespaces = await responseStore.listNamespaces();
    expect(namespaces).toHaveLength(1);
    expect(namespaces.flat().join("")).toMatch(/^[A-Za-z0-9-]+$/);
  });
});
