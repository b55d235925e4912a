import { describe, expect, it } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import { clientSecret, createTokenRecord, startTokenServer } from "../../support/token-server.js";

interface Question {
  readonly id: string;
  readonly value: {
    readonly type?: string;
    readonly auth_url?: string;
    readonly request?: { readonly method: string; readonly body?: string; readonly digest: string };
  };
}

const server = await startTokenServer();

const order = (item: string, id: string) => ({
  name: "shop",
  args: { method: "POST", path: "/orders", body: { item } },
  id,
});
const approve = { decisions: [{ type: "approve" }] };
const config = { configurable: { thread_id: "t" } };
const bodiesSent = (): string[] =>
  server.requests.filter(({ url }) => url.startsWith("/api")).map(({ body }) => body);

/** A source that needs a person's consent. */
const createRecord = () =>
  createTokenRecord(server, {
    grant: "authorization_code",
    authorizationUrl: `${server.url}/authorize`,
    redirectUri: "https://app.example.com/callback",
  });

/** A run of an agent with such a source, whose writes need their approval. */
async function openRun(): Promise<{
  readonly toolkit: ApiSourceToolkit;
  start(calls: readonly ReturnType<typeof order>[]): Promise<Question[]>;
  resume(answers: Record<string, unknown>): Promise<Question[]>;
  answers(): Promise<unknown[]>;
  /** All that is in the checkpoints and the log. */
  kept(): string;
}> {
  const lines: unknown[] = [];
  const log = (...all: unknown[]): void => void lines.push(all);
  const toolkit = await ApiSourceToolkit.fromSources([createRecord()], {
    approve: "writes",
    secrets: { SHOP_CLIENT_SECRET: clientSecret },
    logger: { debug: log, info: log, warn: log, error: log },
  });
  const checkpointer = new MemorySaver();
  const open = (calls: readonly ReturnType<typeof order>[]) => {
    const model =
      calls.length === 0
        ? fakeModel()
        : fakeModel().respondWithTools(calls.map((one) => ({ ...one })));
    return createAgent({
      model: model.respond(new AIMessage("done")),
      tools: toolkit.getTools(),
      checkpointer,
    });
  };
  const asked = (state: unknown): Question[] => Object(state).__interrupt__ ?? [];
  return {
    toolkit,
    start: async (calls) =>
      asked(await open(calls).invoke({ messages: [new HumanMessage("go")] }, config)),
    resume: async (resume) => asked(await open([]).invoke(new Command({ resume }), config)),
    kept: () => JSON.stringify([lines, checkpointer.storage, checkpointer.writes]),
    answers: async () => {
      const { values } = await open([]).graph.getState(config);
      const texts: string[] = values.messages.map(({ text }: { text: string }) => text);
      return texts.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text));
    },
  };
}

describe("a call that needs consent and then approval", () => {
  it("stops for the consent, then for the approval, each resumed by its id, and is sent once", async () => {
    const run = await openRun();
    const [consent] = await run.start([order("chair", "c1")]);
    expect(consent?.value).toMatchObject({
      type: "auth_required",
      auth_required: true,
      source: "shop",
      message: expect.any(String),
    });
    expect(consent?.value.request).toBeUndefined();
    await run.toolkit.completeAuthorization(server.agree(String(consent?.value.auth_url)));
    // An answer to the first question that reads like one to the second approves nothing.
    const [approval, ...others] = await run.resume({ [String(consent?.id)]: approve });
    expect(others).toEqual([]);
    expect(approval?.value.request).toMatchObject({ method: "POST", body: '{"item":"chair"}' });
    expect(bodiesSent()).toEqual([]);
    const last = await run.resume({ [String(approval?.id)]: approve });
    expect(last).toEqual([]);
    expect(bodiesSent()).toEqual(['{"item":"chair"}']);
    expect(await run.answers()).toMatchObject([{ status: 200, data: { user: "person" } }]);
    for (const canary of server.canaries) expect(run.kept()).not.toContain(canary);
  });

  it("is not sent a second time by an old approval where consent is needed again", async () => {
    const run = await openRun();
    const [consent] = await run.start([order("chair", "c1")]);
    await run.toolkit.completeAuthorization(server.agree(String(consent?.value.auth_url)));
    const [approval] = await run.resume({ [String(consent?.id)]: {} });
    server.revokeAccess();
    server.revokeGrants();
    const [again] = await run.resume({ [String(approval?.id)]: approve });
    expect(again?.value.type).toBe("auth_required");
    await run.toolkit.completeAuthorization(server.agree(String(again?.value.auth_url)));
    expect(await run.resume({ [String(again?.id)]: {} })).toEqual([]);
    expect(await run.answers()).toMatchObject([{ error: { category: "approval_required" } }]);
    expect(bodiesSent()).toEqual(['{"item":"chair"}']);
  });

  it("stops for no consent after an answer to a write that is not repeated", async () => {
    const run = await openRun();
    const before = bodiesSent().length;
    const [consent] = await run.start([order("lamp", "c1")]);
    await run.toolkit.completeAuthorization(server.agree(String(consent?.value.auth_url)));
    const [approval] = await run.resume({ [String(consent?.id)]: {} });
    server.revokeAccess();
    server.revokeGrants();
    server.options.refusedStatus = 500;
    expect(await run.resume({ [String(approval?.id)]: approve })).toEqual([]);
    expect(await run.answers()).toMatchObject([{ status: 500 }]);
    expect(bodiesSent().slice(before)).toEqual(['{"item":"lamp"}']);
  });
});
