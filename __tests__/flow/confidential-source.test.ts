/** Values of a source with `confidential: true` in requests to other sources: held, refused or reported, through each door. */

import { afterEach, describe, expect, it } from "@jest/globals";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  type ApprovalRequest,
  type CallContext,
  type CallEvent,
  type ClientOptions,
  createApiSourceTool,
  createSourceClient,
} from "langchain-api-sources";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { openMapStore } from "../support/map-store.js";
import { openPayroll } from "../support/payroll.js";
import { asRecord } from "../support/unchecked.js";

const iban = "DE89370400440532013000";
const person = {
  id: "EMP-0041772",
  name: "Maria Magdalena Weber",
  iban,
  salary: "EUR 84,500.00 a year",
  status: "on_parental_leave",
  since: "2019-04-01T09:00:00Z",
  account: 4417882093,
  level: 7,
};

const payroll = await startHttpServer(({ url }, response) => {
  if (url === "/people") return sendJson(response, { people: [person] });
  if (url === "/error") return sendJson(response, { message: "No access", employee: person.name }, 403);
  if (url === "/many")
    return sendJson(
      response,
      Array.from({ length: 900 }, (_, id) => ({
        id,
        key: `KEY-${1_000_000 + id * 7}`,
        office: "Headquarters Berlin",
      })),
    );
  if (url === "/notes.txt") {
    response.writeHead(200, { "content-type": "text/plain" });
    return response.end(`Dear all,\nplease pay to ${iban.replace(/(.{4})/g, "$1 ").trim()} until Friday.\n`);
  }
  if (url === "/photo.png") {
    response.writeHead(200, { "content-type": "image/png" });
    return response.end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 1, 2, 3, 255]));
  }
  return sendJson(response, { ok: true });
});
/** What the ticket system answers a GET with. */
let listed: unknown = [];
const tickets = await startHttpServer(({ method }, response) =>
  sendJson(response, method === "GET" ? listed : { id: 7 }),
);
afterEach(() => {
  listed = [];
});

const records = (): ApiSourceRecord[] => [
  { name: "Payroll", api: { baseUrl: payroll.url, confidential: true } },
  { name: "Tickets", tagline: "Tickets of the Customer Service Department", api: { baseUrl: tickets.url } },
];

const open = (options: ClientOptions = {}): Promise<ApiSourceToolkit> =>
  ApiSourceToolkit.fromSources(records(), options);

type Answer = ReturnType<typeof JSON.parse>;

/** The memory of a thread is the process's. */
let threads = 0;
const nextThread = (): CallContext => {
  threads += 1;
  return { threadId: `${threads}` };
};

/** A conversation: calls of the tools of one toolkit in one thread. */
async function converse(options: ClientOptions = {}, context: CallContext = nextThread()) {
  const toolkit = await open(options);
  const [payrollClient, ticketClient] = toolkit.listClients();
  const ask =
    (client: typeof payrollClient) =>
    async (input: object, more: CallContext = {}): Promise<Answer> =>
      JSON.parse((await client?.call({ method: "GET", ...input }, { ...context, ...more }))?.content ?? "");
  return { toolkit, payroll: ask(payrollClient), tickets: ask(ticketClient) };
}

const post = (body: unknown): object => ({ method: "POST", path: "/tickets", body });
const sent = { status: 200 };
const held = { error: { category: "approval_required" } };
/** Held because not all that was shown can be compared. */
const heldUnknown = { error: { message: expect.stringContaining("perhaps") } };
const isIban = [{ source: "payroll", field: "people[].iban", kind: "id" }];

describe("a request that repeats a value of a confidential source", () => {
  it.each([
    ["in the body", post({ text: `Her account is ${iban}.` })],
    ["in JSON in the body", post({ payload: JSON.stringify({ inner: JSON.stringify({ iban }) }) })],
    ["in the path", { path: `/search/${iban}` }],
    ["in the query", { path: "/search", query: { q: iban } }],
    ["in a header", { path: "/search", headers: { "X-Note": iban } }],
    ["in base64", { path: "/search", query: { q: Buffer.from(`{"a":"${iban}"}`).toString("base64") } }],
    ["in hexadecimal", { path: "/search", query: { q: Buffer.from(iban).toString("hex") } }],
    ["with separators", post({ text: "iban de89 3704-0044 0532 0130 00" })],
    [
      "in a text part",
      {
        ...post({ note: { $text: `see ${iban}`, name: "a.txt" } }),
        headers: { "Content-Type": "multipart/form-data" },
      },
    ],
    ["as a name", post({ [iban]: 1 })],
  ])("is not sent where no one can be asked: %s", async (_where, input) => {
    const { payroll, tickets: ask } = await converse();
    await payroll({ path: "/people" });
    const { error } = await ask(input);
    expect(error).toMatchObject({ category: "approval_required" });
    expect(error.message).toContain("values of the confidential source payroll: people[].iban (id)");
    expect(JSON.stringify(error)).not.toContain(iban);
    expect(tickets.requests).toEqual([]);
  });
});

describe("a request without such a value", () => {
  it.each([
    [
      "words, dates, states and small numbers of the same answer",
      post({ text: "on_parental_leave since 2019-04-01T09:00:00Z, level 7" }),
    ],
    [
      "values of the user's own words",
      post({ text: `Is ${iban} right?` }),
      { context: { userText: `I am at DE89 3704 0044 0532 0130 00` } },
    ],
    ["words of the receiver's record", post({ text: "for the Customer Service Department" })],
  ])("is sent: %s", async (_what, input, context: CallContext = {}) => {
    const { payroll, tickets: ask } = await converse();
    await payroll({ path: "/people" });
    expect(await ask(input, context)).toMatchObject(sent);
    expect(tickets.requests).toHaveLength(1);
  });

  it("is sent with values that the receiver answered with before, in a text of its own, too", async () => {
    listed = [{ customer: person.name, note: `pays from ${iban} each month, as agreed by telephone` }];
    const { payroll, tickets: ask } = await converse();
    await ask({ path: "/tickets" });
    await payroll({ path: "/people" });
    expect(await ask(post({ customer: person.name, text: iban }))).toMatchObject(sent);
    const { error } = await ask(post({ text: person.salary }));
    expect(error.message).toContain("people[].salary (text)");
    listed = { note: `She earns ${person.salary}, as agreed by telephone` };
    await ask({ path: "/tickets" });
    expect(await ask(post({ text: person.salary }))).toMatchObject(sent);
  });

  it("is sent with a value that more than five rows of one answer have, and not with one of a single row", async () => {
    const { payroll, tickets: ask } = await converse();
    await payroll({ path: "/many" });
    expect(await ask(post({ text: "Headquarters Berlin" }))).toMatchObject(sent);
    expect(await ask(post({ text: "KEY-1000007" }))).toMatchObject(held);
  });

  it("is sent to the confidential source itself, and from another thread, scope or toolkit", async () => {
    const { toolkit, payroll: ask } = await converse();
    await ask({ path: "/people" });
    expect(await ask(post({ iban }))).toMatchObject(sent);
    const [, client] = toolkit.listClients();
    const other = await client?.call(post({ iban }), { threadId: "another" });
    expect(JSON.parse(other?.content ?? "")).toMatchObject(sent);
    const [, ofOther] = (await open({ responseScope: () => "another user" })).listClients();
    const scoped = await ofOther?.call(post({ iban }), { threadId: `${threads}` });
    expect(JSON.parse(scoped?.content ?? "")).toMatchObject(sent);
  });
});

describe("what was shown of a confidential source", () => {
  it("is remembered of errors, numbers and names", async () => {
    const { payroll, tickets: ask } = await converse({}, { threadId: "errors" });
    await payroll({ path: "/error" });
    expect(await ask(post({ text: person.name }))).toMatchObject(held);
    const second = await converse({}, { threadId: "numbers" });
    await second.payroll({ path: "/people" });
    for (const text of ["account 441-788-2093", "account 4.417.882.093"])
      expect(await second.tickets(post({ text }))).toMatchObject({
        error: { message: expect.stringContaining("people[].account (number)") },
      });
  });

  it("is remembered of the parts that read_api_response shows, and not of the others", async () => {
    const { toolkit, payroll, tickets: ask } = await converse({ maxTokens: 300 }, { threadId: "parts" });
    const { shortened } = await payroll({ path: "/many" });
    const unseen = post({ text: "KEY-1003507" });
    expect(await ask(unseen)).toMatchObject(sent);
    const reader = toolkit.getTools().find(({ name }) => name === "read_api_response");
    await reader?.invoke({ id: shortened.id, find: "KEY-1003507" }, { configurable: { thread_id: "parts" } });
    expect(await ask(unseen)).toMatchObject(held);
  });

  it("is remembered by tools that were made alone, and without a thread", async () => {
    const [confidential, other] = records() as [ApiSourceRecord, ApiSourceRecord];
    const source = createApiSourceTool(confidential);
    const receiver = createApiSourceTool(other);
    for (const config of [{ configurable: { thread_id: "alone" } }, {}]) {
      const ask = async (): Promise<Answer> =>
        JSON.parse(await receiver.invoke({ method: "POST", path: "/tickets", body: { iban } }, config));
      expect(await ask()).toMatchObject(sent);
      await source.invoke({ method: "GET", path: "/people" }, config);
      expect(await ask()).toMatchObject(held);
    }
  });

  it("is not shown where the store fails, and the answer reports that the request was carried out", async () => {
    const responseStore = {
      get: async () => null,
      put: async () => {
        throw new Error("down");
      },
      delete: async () => {},
    };
    const { payroll: ask } = await converse({ responseStore });
    const { status, data, error } = await ask({ path: "/people" });
    expect([status, data]).toEqual([200, undefined]);
    expect(error).toMatchObject({
      code: "not_remembered",
      message: expect.stringContaining("was carried out"),
    });
  });

  it("cannot be compared where the store fails later, so that each request with parameters is held", async () => {
    const { entries, responseStore: store } = openMapStore();
    let isDown = false;
    const responseStore: typeof store = {
      ...store,
      get: async (namespace, key) => {
        if (isDown) throw new Error("down");
        return store.get(namespace, key);
      },
    };
    const first = await converse({ responseStore }, { threadId: "stored" });
    await first.payroll({ path: "/people" });
    const second = await converse({ responseStore }, { threadId: "stored" });
    expect(await second.tickets(post({ iban }))).toMatchObject(held);
    expect(await second.tickets(post({ text: "hello" }))).toMatchObject(sent);
    isDown = true;
    expect(await second.tickets(post({ text: "hello" }))).toMatchObject(heldUnknown);
    expect(await second.tickets({ path: "/tickets" })).toMatchObject(sent);
    isDown = false;
    // The list of the thread's writers stays.
    for (const key of entries.keys()) if (key.length > 32) entries.delete(key);
    const third = await converse({ responseStore }, { threadId: "stored" });
    expect(await third.tickets(post({ text: "hello" }))).toMatchObject(heldUnknown);
  });
});

it("a request of more than 2 MB to another source is held, and sent to the source itself", async () => {
  const { payroll, tickets: ask } = await converse();
  const large = post({ text: "ab ".repeat(700_000) });
  expect(await ask(large)).toMatchObject(sent);
  // An answer without a value that could be found in a request: the source has shown something, all the same.
  await payroll({ path: "/ok" });
  expect(await ask(large)).toMatchObject(heldUnknown);
  expect(await payroll(large)).toMatchObject(sent);
});

describe("what cannot all be remembered", () => {
  it.each([
    [
      "more than 100,000 values",
      JSON.stringify(Array.from({ length: 100_001 }, (_, id) => `KEY-${10_000_000 + id}`)),
    ],
    ["a text of more than 500,000 characters", JSON.stringify("abcdefghij ".repeat(50_000))],
  ])("%s: then each request with parameters to another source is held", async (_what, body) => {
    const transport: ClientOptions["transport"] = async ({ url }) => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: url.includes("payroll") ? body : "{}",
    });
    const toolkit = await openPayroll("https://payroll.example", "https://tickets.example", { transport });
    const [source, receiver] = toolkit.listClients();
    const context = nextThread();
    const ask = async (input: object): Promise<Answer> =>
      JSON.parse((await receiver?.call(input, context))?.content ?? "");
    expect(await ask(post({ text: "hello" }))).toMatchObject(sent);
    await source?.callWhole({ path: "/all" }, context);
    expect(await ask(post({ text: "hello" }))).toMatchObject(heldUnknown);
    expect(await ask({ path: "/tickets/7" })).toMatchObject(held);
    expect(await ask({ path: "/tickets" })).toMatchObject(sent);
  });
});

describe("a file of a confidential source", () => {
  it("is held by its origin, whatever is in it, and shown to the person so", async () => {
    const asked: ApprovalRequest[] = [];
    const approver: ClientOptions["approver"] = async (request) => {
      asked.push(request);
      return { type: "approve" };
    };
    const { payroll, tickets: ask } = await converse({ approver }, { threadId: "files" });
    const { file } = await payroll({ path: "/photo.png" });
    expect(await ask(post({ $file: file.id }))).toMatchObject(sent);
    expect(asked).toMatchObject([
      {
        flow: [{ source: "payroll", field: "file", kind: "file" }],
        files: [{ confidentialSource: "payroll" }],
      },
    ]);
    expect(await payroll(post({ $file: file.id }))).toMatchObject(sent);
    expect(asked).toHaveLength(1);
  });

  it("is remembered by what its text showed", async () => {
    const { payroll, tickets: ask } = await converse({}, { threadId: "texts" });
    await payroll({ path: "/notes.txt" });
    expect(await ask(post({ text: iban }))).toMatchObject(held);
  });
});

describe("the option flow", () => {
  it("asks the approver whatever `approve` is, once for each request, and sends what they let pass", async () => {
    const asked: ApprovalRequest[] = [];
    const answers = [{ type: "reject" }, { type: "approve" }] as const;
    const approver: ClientOptions["approver"] = async (request) => {
      asked.push(request);
      return answers[asked.length - 1] ?? { type: "reject" };
    };
    const { payroll, tickets: ask } = await converse({ approver, approve: () => false });
    await payroll({ path: "/people" });
    expect(await ask(post({ iban }))).toMatchObject({ error: { code: "rejected" } });
    expect(tickets.requests).toEqual([]);
    expect(await ask(post({ iban }))).toMatchObject(sent);
    expect(asked[0]?.flow).toEqual(isIban);
    expect(asked).toHaveLength(2);
  });

  it("refuses", async () => {
    const { payroll, tickets: ask } = await converse({ flow: "refuse" });
    await payroll({ path: "/people" });
    const { error } = await ask(post({ iban }));
    expect(error).toMatchObject({
      category: "refused_by_policy",
      code: "confidential_values",
      details: { flow: isIban },
    });
    expect(tickets.requests).toEqual([]);
  });

  it("reports: to the model by a note, to the application by the log and by onCall", async () => {
    const events: CallEvent[] = [];
    const { payroll, tickets: ask } = await converse({
      flow: "report",
      onCall: (event) => events.push(event),
    });
    await payroll({ path: "/people" });
    const { status, notes } = await ask(post({ iban }));
    expect(status).toBe(200);
    expect(notes).toEqual([expect.stringContaining("people[].iban (id)")]);
    expect(events.at(-1)).toMatchObject({
      phase: "call",
      flow: isIban,
    });
  });

  it("is checked when a toolkit is made", async () => {
    await expect(open({ flow: "block" as "hold" })).rejects.toThrow(
      'flow is "block"; it must be "hold", "refuse" or "report".',
    );
    expect(() =>
      createSourceClient(asRecord({ api: { baseUrl: tickets.url, confidential: "yes" } })),
    ).toThrow("api.confidential");
    expect(() => createSourceClient(asRecord({ confidential: true, api: { baseUrl: tickets.url } }))).toThrow(
      "confidential",
    );
  });
});

describe("a redirected download", () => {
  it("is not followed to a URL that repeats a value which the request did not", async () => {
    const storage = await startHttpServer((_request, response) => response.end("x"));
    let location = "";
    const box = await startHttpServer((_request, response) => {
      response.writeHead(302, { location });
      response.end();
    });
    const toolkit = await ApiSourceToolkit.fromSources([
      ...records().slice(0, 1),
      {
        name: "Box",
        api: { baseUrl: box.url, network: { downloadHosts: ["localhost"] }, limits: { retries: 0 } },
      },
    ]);
    const [source, receiver] = toolkit.listClients();
    const ask = async (): Promise<Answer> =>
      JSON.parse((await receiver?.call({ path: "/file" }, { threadId: "redirected" }))?.content ?? "");
    await source?.call({ path: "/people" }, { threadId: "redirected" });
    location = `http://localhost:${storage.port}/bucket/a?of=${iban}`;
    expect(await ask()).toMatchObject({
      error: { message: expect.stringContaining("repeats values of a confidential source") },
    });
    expect(storage.requests).toEqual([]);
    location = `http://localhost:${storage.port}/bucket/a`;
    expect(await ask()).toMatchObject(sent);
  });
});
