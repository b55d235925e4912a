/** The rule on confidential sources: what a thread with their content sends to others waits for a person, whatever is in it. */

import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  type ApprovalRequest,
  type CallContext,
  type CallEvent,
  type CallRequest,
  type ClientOptions,
  createApiSourceTool,
  createSourceClient,
  type Logger,
} from "langchain-api-sources";
import { forgetConfidential } from "../../support/forget-confidential.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { importAnew } from "../../support/import-anew.js";
import { openMapStore } from "../../support/map-store.js";
import { openTestFolder } from "../../support/test-folder.js";
import { asRecord } from "../../support/unchecked.js";

forgetConfidential();

const iban = "DE89370400440532013000";
const photo = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 1, 2, 3, 255]);
let onPayroll = async (): Promise<unknown> => undefined;
const payroll = await startHttpServer(async ({ url }, response) => {
  await onPayroll();
  if (url !== "/photo.png")
    return sendJson(response, { iban, note: "x".repeat(url === "/long" ? 9_000 : 0) });
  response.writeHead(200, { "content-type": "image/png" });
  response.end(photo);
});
const tickets = await startHttpServer(({ url }, response) =>
  sendJson(response, { id: 7, note: "y".repeat(url === "/long" ? 9_000 : 0) }),
);
const crm = await startHttpServer((_request, response) => sendJson(response, { id: 8 }));

const listRecords = (sharesWith?: string[]): ApiSourceRecord[] => [
  {
    name: "Payroll",
    api: { baseUrl: payroll.url, confidential: true, ...(sharesWith && { sharesWith }) },
  },
  { name: "Tickets", api: { baseUrl: tickets.url } },
  { name: "CRM", api: { baseUrl: crm.url } },
];

type Answer = ReturnType<typeof JSON.parse>;

/** The marks are the process's: each test has a thread of its own. */
let threads = 0;
let context: CallContext = {};
beforeEach(() => {
  threads += 1;
  context = { threadId: `thread ${threads}` };
});
afterEach(() => {
  onPayroll = async () => undefined;
});

/** Calls of the sources of one toolkit, in the thread of the test where no other is given. */
async function open(
  options: ClientOptions = {},
  records: readonly ApiSourceRecord[] = listRecords(),
) {
  const toolkit = await ApiSourceToolkit.fromSources(records, options);
  const call = async (
    slug: string,
    request: CallRequest,
    own: CallContext = context,
  ): Promise<Answer> => {
    const client = toolkit.listClients().find(({ source }) => source.slug === slug);
    return JSON.parse((await client?.call(request, own))?.content ?? "{}");
  };
  return { toolkit, call };
}

/** Decides what a test wants, and remembers what it was asked. */
function openApprover(...types: ("approve" | "always" | "reject")[]) {
  const asked: ApprovalRequest[] = [];
  const approver: ClientOptions["approver"] = async (request) => {
    const type = types[asked.length] ?? "reject";
    asked.push(request);
    return type === "always" ? { type: "approve", always: true } : { type };
  };
  return { asked, approver };
}

const read: CallRequest = { method: "GET", path: "/people" };
const write: CallRequest = { method: "POST", path: "/tickets", body: { text: "hello" } };
const sent = { status: 200 };
const held = { error: { category: "approval_required" } };

it("a failed login of a confidential source, which is quoted, marks the thread before it is sent", async () => {
  const marksAtLogin: number[] = [];
  const { entries, responseStore } = openMapStore();
  const refusing = await startHttpServer((_request, response) => {
    marksAtLogin.push(entries.size);
    sendJson(response, { message: `Account ${iban} is locked` }, 401);
  });
  const login = { path: "/login", body: { user: "ada" }, tokenAt: "token" };
  const { call } = await open({ responseStore }, [
    asRecord({
      name: "Payroll",
      api: { baseUrl: refusing.url, authType: "bearer", confidential: true, login },
    }),
    ...listRecords().slice(1),
  ]);
  expect((await call("payroll", read)).error.message).toContain(iban);
  expect(marksAtLogin).toEqual([1]);
  expect(await call("tickets", { path: `/search?q=${iban}` })).toMatchObject(held);
  expect(tickets.requests).toEqual([]);
});

it("a failed login of a confidential source is not sent where its thread cannot be marked", async () => {
  const refusing = await startHttpServer((_request, response) => sendJson(response, {}, 401));
  const { responseStore } = openMapStore();
  responseStore.put = async () => {
    throw new Error("down");
  };
  const login = { path: "/login", body: { user: "ada" }, tokenAt: "token" };
  const { call } = await open({ responseStore }, [
    asRecord({
      name: "Payroll",
      api: { baseUrl: refusing.url, authType: "bearer", confidential: true, login },
    }),
  ]);
  expect((await call("payroll", read)).error.code).toBe("not_marked");
  expect(refusing.requests).toEqual([]);
});

describe("a thread that has read a confidential source", () => {
  it("sends nothing to another source where no one can be asked, whatever is in the request", async () => {
    const request = { ...write, body: { text: "An account at a bank in Germany" } };
    const { toolkit, call } = await open();
    await call("payroll", read);
    const { error } = await call("tickets", request);
    expect(error).toMatchObject({ category: "approval_required" });
    expect(error.message).toContain("payroll");
    const client = toolkit.listClients()[1];
    expect((await client?.fetchBytes(request, context))?.error).toMatchObject(held.error);
    expect((await client?.callWhole(request, context))?.answer.error).toMatchObject(held.error);
    expect(tickets.requests).toEqual([]);
  });

  it("reads and writes the confidential source itself, and describes nothing less", async () => {
    const { call } = await open();
    await call("payroll", read);
    expect(await call("payroll", { ...write, body: { iban } })).toMatchObject(sent);
    expect(await call("payroll", read)).toMatchObject(sent);
  });

  it("is another thread than one that has not, which is not held", async () => {
    const { call } = await open();
    await call("payroll", read);
    expect(await call("tickets", write, { threadId: "another" })).toMatchObject(sent);
    expect(await call("tickets", write, { configurable: { thread_id: 4_711 } })).toMatchObject(
      sent,
    );
    expect(await call("tickets", write)).toMatchObject(held);
  });

  it("sends to what sharesWith names, and to nothing else", async () => {
    const { call } = await open({}, listRecords(["crm"]));
    await call("payroll", read);
    expect(await call("crm", { ...write, body: { iban } })).toMatchObject(sent);
    expect(await call("tickets", write)).toMatchObject(held);
  });

  it("sends to what sharesWith names now, whatever it named when the thread was marked", async () => {
    const { call } = await open({}, listRecords(["tickets"]));
    await call("payroll", read);
    const ends: [string[], object][] = [
      [["tickets"], sent],
      [[], held],
      [["crm"], held],
      [["crm", "tickets"], sent],
    ];
    for (const [sharesWith, end] of ends) {
      const later = await open({}, listRecords(sharesWith));
      expect(await later.call("tickets", write)).toMatchObject(end);
    }
  });

  it("is the same source under the same slug and base URL alone", async () => {
    const { call } = await open();
    await call("payroll", read);
    const other = await open({}, [{ slug: "payroll", api: { baseUrl: tickets.url } }]);
    expect(await other.call("payroll", read)).toMatchObject(held);
  });

  it("is marked before the request is sent: a call beside it waits, although no answer came", async () => {
    let release = (): void => {};
    const reached = new Promise<void>((arrived) => {
      onPayroll = () => {
        arrived();
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      };
    });
    const { call } = await open();
    const first = call("payroll", read);
    await reached;
    expect(await call("tickets", write)).toMatchObject(held);
    release();
    expect(await first).toMatchObject(sent);
  });

  it("is every call of the process without a thread", async () => {
    const [confidential, other] = listRecords();
    const receiver = createApiSourceTool(asRecord(other));
    const ask = async (): Promise<Answer> => JSON.parse(await receiver.invoke({ ...write }));
    expect(await ask()).toMatchObject(sent);
    await createSourceClient(asRecord(confidential)).call(read);
    expect(await ask()).toMatchObject(held);
  });
});

describe("kept content of a confidential source", () => {
  /** Threads of one user share what is kept. */
  const responseScope = (): string => `user ${threads}`;
  const second = { threadId: "second" };

  it.each<[string, (toolkit: ApiSourceToolkit, id: string) => Promise<unknown>]>([
    [
      "read_api_response",
      async (toolkit, id) =>
        toolkit
          .getTools()
          .find(({ name }) => name === "read_api_response")
          ?.invoke({ id, find: "DE89" }, { configurable: { thread_id: context.threadId } }),
    ],
    [
      "client.read",
      (toolkit, id) => toolkit.listClients()[1]?.read(id, {}, context) ?? Promise.resolve(),
    ],
  ])("marks the thread that receives it by %s", async (_door, receive) => {
    const { toolkit, call } = await open({ responseScope });
    const { shortened } = await call("payroll", { ...read, path: "/long" }, second);
    expect(await call("tickets", write)).toMatchObject(sent);
    await toolkit.readResponse(shortened.id);
    expect(await call("tickets", write)).toMatchObject(sent);
    await receive(toolkit, shortened.id);
    expect(await call("tickets", write)).toMatchObject(held);
  });

  it("is a file that no thread sends to another source", async () => {
    const { call } = await open({ responseScope });
    const { file } = await call("payroll", { ...read, path: "/photo.png" }, second);
    const body = { $file: file.id };
    expect(await call("tickets", { ...write, body })).toMatchObject(held);
    expect(await call("payroll", { ...write, body })).toMatchObject(sent);
  });
});

describe("a store", () => {
  const openFailing = () => {
    const { responseStore } = openMapStore();
    const down = { get: false, put: false };
    const store: typeof responseStore = {
      ...responseStore,
      get: async (namespace, key) => {
        if (down.get) throw new Error("down");
        return responseStore.get(namespace, key);
      },
      put: async (namespace, key, value) => {
        if (down.put && namespace[0] === "api-confidential") throw new Error("down");
        await responseStore.put(namespace, key, value);
      },
    };
    return { down, store };
  };

  it("that cannot note the mark: nothing is sent", async () => {
    const { down, store } = openFailing();
    down.put = true;
    const { call } = await open({ responseStore: store });
    const { error } = await call("payroll", read);
    expect(error).toMatchObject({ category: "not_configured", code: "not_marked" });
    expect(payroll.requests).toEqual([]);
  });

  it("that does not answer in the time of the call: the call is held as where it fails", async () => {
    const { responseStore } = openMapStore();
    const store: typeof responseStore = { ...responseStore, get: () => new Promise(() => {}) };
    const [{ api, ...record } = asRecord({})] = listRecords();
    const slow = { ...record, api: { ...api, limits: { timeoutMs: 300 } } };
    const { call } = await open({ responseStore: store }, [slow]);
    expect(await call("payroll", read)).toMatchObject({ error: { category: "approval_required" } });
    expect(payroll.requests).toEqual([]);
  });

  it("that cannot be read: every request of a thread is held", async () => {
    const { down, store } = openFailing();
    down.get = true;
    const { asked, approver } = openApprover("always", "reject");
    const { call } = await open({ responseStore: store, approver });
    expect(await call("tickets", read)).toMatchObject({
      status: 200,
      notes: [expect.stringContaining("the store of marks failed")],
    });
    expect(await call("tickets", read)).toMatchObject({ error: { code: "rejected" } });
    expect(asked.map(({ confidential }) => confidential)).toEqual([["*"], ["*"]]);
  });

  it("with an entry that is not a list of marks: every request of the thread is held", async () => {
    const { entries, responseStore } = openMapStore();
    const { call } = await open({ responseStore });
    await call("payroll", read);
    for (const [key, { value }] of entries)
      if ("marks" in value) entries.set(key, { value: { marks: [3] } });
    const { createSourceClient: create } = await importAnew();
    const other = create(asRecord(listRecords()[2]), { responseStore, flow: "hold" });
    expect(JSON.parse((await other.call(read, context)).content)).toMatchObject(held);
    expect(JSON.parse((await other.call(read, { threadId: "another" })).content)).toMatchObject(
      sent,
    );
  });

  it("that fails when kept content is read: it is not given", async () => {
    const { down, store } = openFailing();
    const { call, toolkit } = await open({ responseStore: store, responseScope: () => "user" });
    const { shortened } = await call("payroll", { ...read, path: "/long" });
    down.put = true;
    const outcome = await toolkit.listClients()[0]?.read(shortened.id, {}, { threadId: "third" });
    expect(JSON.parse(outcome?.content ?? "")).toMatchObject({ error: { code: "not_marked" } });
    expect(outcome?.content).not.toContain(iban);
  });

  it("is read by another process, and has the marks of both where they write at the same moment", async () => {
    const { entries, responseStore } = openMapStore();
    let puts = 0;
    let meet = (): void => {};
    const haveRead = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const store: typeof responseStore = {
      ...responseStore,
      put: async (namespace, key, value) => {
        // Both have read the list before the first writes it.
        puts += 1;
        if (puts === 1) await haveRead;
        else meet();
        await responseStore.put(namespace, key, value);
      },
    };
    const openProcess = async (name: string) => {
      const { createSourceClient: create } = await importAnew();
      return create(
        { name, api: { baseUrl: payroll.url, confidential: true } },
        { responseStore: store },
      );
    };
    const processes = [await openProcess("One"), await openProcess("Two")];
    await Promise.all(processes.map((client) => client.call(read, context)));
    expect([...entries.values()].map(({ value }) => JSON.stringify(value))).toEqual([
      expect.stringMatching(/one.*two|two.*one/),
    ]);
    const third = await importAnew();
    const { asked, approver } = openApprover();
    const options = { responseStore, approver, flow: "hold" } as const;
    const receiver = third.createSourceClient(asRecord(listRecords()[1]), options);
    await receiver.call(read, context);
    expect(asked[0]?.confidential?.toSorted()).toEqual(["one", "two"]);
    await receiver.call(read, { threadId: "another" });
    expect(tickets.requests).toHaveLength(1);
  });
});

describe("a person", () => {
  it("is asked whatever `approve` is, is shown both sources, and decides about one request", async () => {
    const { asked, approver } = openApprover("reject", "approve");
    const events: CallEvent[] = [];
    const onCall = (event: CallEvent): unknown => events.push(event);
    const { call } = await open({ approver, approve: () => false, onCall });
    await call("payroll", read);
    expect(await call("tickets", read)).toMatchObject({ error: { code: "rejected" } });
    expect(tickets.requests).toEqual([]);
    expect(events.at(-1)).toMatchObject({
      phase: "call",
      approval: "reject",
      confidential: ["payroll"],
    });
    expect(await call("tickets", read)).toMatchObject(sent);
    expect(await call("tickets", read)).toMatchObject({ error: { code: "rejected" } });
    expect(asked).toHaveLength(3);
    expect(asked[0]).toMatchObject({ source: "tickets", method: "GET", confidential: ["payroll"] });
    expect(asked[0]?.always).toMatch(/tickets.*payroll/);
  });

  it("opens the way for the thread with `always`, and answers nothing else: writes are still asked about", async () => {
    const { asked, approver } = openApprover("always", "approve", "reject", "always");
    const { toolkit, call } = await open({ approver, approve: "writes" });
    await call("payroll", read);
    expect(await call("tickets", write)).toMatchObject(sent);
    expect(await call("tickets", read)).toMatchObject(sent);
    expect(asked).toHaveLength(1);
    expect(await call("tickets", write)).toMatchObject(sent);
    expect(asked[1]).not.toHaveProperty("confidential");
    expect(asked).toHaveLength(2);
    expect(await call("crm", read)).toMatchObject({ error: { code: "rejected" } });
    const third = { threadId: `${context.threadId} beside` };
    await call("payroll", read, third);
    await call("tickets", read, third);
    expect(asked[3]).toMatchObject({ confidential: ["payroll"] });
    expect(await toolkit.listApprovals(context.threadId ?? "")).toMatchObject([
      { source: "tickets", from: "payroll", method: "*", path: "*" },
    ]);
    await toolkit.revokeApprovals(context.threadId ?? "");
    expect(await call("tickets", read)).toMatchObject({ error: { code: "rejected" } });
  });

  it("has opened no way by an earlier `always` for a path", async () => {
    const { asked, approver } = openApprover("always", "reject");
    const { call } = await open({ approver, approve: "writes" });
    expect(await call("tickets", write)).toMatchObject(sent);
    expect(await call("tickets", write)).toMatchObject(sent);
    await call("payroll", read);
    expect(await call("tickets", write)).toMatchObject({ error: { code: "rejected" } });
    expect(asked).toHaveLength(2);
  });

  it("answers the whole request with an edit, which is judged again: a way that was not shown is asked about", async () => {
    const asked: ApprovalRequest[] = [];
    const edits: unknown[] = [];
    const approver: ClientOptions["approver"] = async (request) => {
      asked.push(request);
      if (edits.length === 0) return { type: "reject" };
      return {
        type: "edit",
        editedAction: { name: "tickets", args: { ...write, body: edits.shift() } },
      };
    };
    const responseScope = (): string => `user ${threads}`;
    const health = { name: "Health", api: { baseUrl: payroll.url, confidential: true } };
    const { call } = await open({ approver, approve: "writes", responseScope }, [
      ...listRecords(),
      health,
    ]);
    const { file } = await call(
      "health",
      { ...read, path: "/photo.png" },
      { threadId: "of a doctor" },
    );
    await call("payroll", read);
    edits.push({ text: "shorter" });
    expect(await call("tickets", write)).toMatchObject(sent);
    expect(tickets.requests.map(({ body }) => body.toString())).toEqual(['{"text":"shorter"}']);
    expect(asked).toHaveLength(1);
    edits.push({ $file: file.id });
    expect(await call("tickets", write)).toMatchObject({ error: { code: "rejected" } });
    expect(asked.slice(1).map(({ confidential }) => confidential)).toEqual([
      ["payroll"],
      ["health"],
    ]);
    expect(tickets.requests).toHaveLength(1);
  });

  it("is not asked with the option refuse: the request is refused", async () => {
    const { asked, approver } = openApprover("approve");
    const { call } = await open({ flow: "refuse", approver });
    await call("payroll", read);
    const { error } = await call("tickets", read);
    expect(error).toMatchObject({ category: "refused_by_policy", code: "confidential_source" });
    expect([asked, tickets.requests]).toEqual([[], []]);
  });
});

describe("the settings", () => {
  it("warn of a slug in sharesWith that no source has", async () => {
    const warnings: unknown[] = [];
    const logger: Logger = {
      ...console,
      info: () => {},
      warn: (message, data) => warnings.push([message, data]),
    };
    await open({ logger }, listRecords(["crm", "hr"]));
    expect(warnings).toEqual([
      [
        expect.stringContaining("sharesWith of payroll"),
        expect.objectContaining({ names: ["hr"] }),
      ],
    ]);
  });
});

describe("what is not held", () => {
  const folder = openTestFolder();

  it("a token call, a login call, the connection test, and describe_api", async () => {
    const server = await startHttpServer(({ url }, response) =>
      sendJson(
        response,
        url === "/me"
          ? { id: 7 }
          : { access_token: "t-7f3ak2m9", token_type: "bearer", expires_in: 60 },
      ),
    );
    const api = { baseUrl: server.url, authType: "bearer", testEndpoint: "/me" } as const;
    const oauth2 = {
      grant: "client_credentials",
      tokenUrl: `${server.url}/token`,
      clientId: "an-agent",
    } as const;
    const openapi = await folder.write("desk.json", {
      openapi: "3.1.0",
      info: { title: "Desk", version: "1" },
      paths: { "/orders": { get: { responses: { 200: { description: "Orders" } } } } },
    });
    const records: ApiSourceRecord[] = [
      asRecord(listRecords()[0]),
      {
        name: "Login",
        api: { ...api, login: { path: "/login", body: {}, tokenAt: "access_token" } },
      },
      {
        name: "OAuth",
        api: { ...api, oauth2: { ...oauth2, clientSecret: "${DESK_SECRET}" }, openapi },
      },
    ];
    const { asked, approver } = openApprover();
    const { toolkit, call } = await open(
      { approver, secrets: { DESK_SECRET: "s-91hw2kx7" } },
      records,
    );
    await call("payroll", read);
    for (const slug of ["login", "oauth"])
      expect(await call(slug, read)).toMatchObject({ error: { code: "rejected" } });
    const listSent = (): string[] => server.requests.map(({ method, url }) => `${method} ${url}`);
    expect(listSent()).toEqual(["POST /login", "POST /token"]);
    expect(asked).toHaveLength(2);
    const [, ...reports] = await toolkit.testConnections();
    expect(reports.map(({ ok }) => ok)).toEqual([true, true]);
    expect(
      listSent()
        .slice(2)
        .filter((line) => line !== "GET /me"),
    ).toEqual([]);
    const describer = toolkit.getTools().find(({ name }) => name === "describe_api");
    const config = { configurable: { thread_id: `thread ${threads}` } };
    expect(await describer?.invoke({ source: "oauth" }, config)).toContain("/orders");
    expect(asked).toHaveLength(2);
  });
});
