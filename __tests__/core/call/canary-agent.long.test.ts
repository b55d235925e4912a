import { format } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { AIMessage } from "@langchain/core/messages";
import { BaseTracer, type Run } from "@langchain/core/tracers/base";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware, fakeModel } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import {
  authTypes,
  canaries,
  credentials,
  type Ears,
  expectNoCanary,
  makeCanaryToolkit,
  openEars,
  toRecord,
} from "../../support/canary-toolkit.js";
import { startEchoApi } from "../../support/echo-api.js";
import { splitOptions, type TestOptions } from "../../support/seams.js";

const all = Object.values(canaries);
const api = await startEchoApi();
let ears: Ears;
const { log, error, warn } = console;

beforeEach(() => {
  ears = openEars();
  const listen =
    (exit: string) =>
    (...parts: unknown[]): void =>
      ears.hear(exit, format(...parts));
  console.log = listen("console.log");
  console.error = listen("console.error");
  console.warn = listen("console.warn");
});
afterEach(() => {
  Object.assign(console, { log, error, warn });
});

const heardOf = ["handleToolStart", "handleToolEnd", "handleToolError"];
const callbacks = [...heardOf, "handleToolEvent", "handleCustomEvent"];

/** Hears all that a callback is told. */
class ListeningHandler extends BaseCallbackHandler {
  name = "listening";

  constructor() {
    super();
    for (const exit of callbacks)
      Object.assign(this, { [exit]: (...parts: unknown[]) => ears.hear(exit, parts) });
  }
}

class ListeningTracer extends BaseTracer {
  name = "listening_tracer";
  protected async persistRun(run: Run): Promise<void> {
    ears.hear("tracer", run);
  }
  override onRunUpdate(run: Run): void {
    ears.hear("tracer update", run);
  }
}

/** Success, failure, refusal, a redirect and a large answer: what a conversation meets. */
const paths =
  "/list?form=0 /error-message?form=1 /../out /redirect-away?form=0 /limited?form=0 /json".split(
    " ",
  );

function scripted(name: string): ReturnType<typeof fakeModel> {
  const calls = paths.map((path, index) => ({
    name,
    args: { method: "GET", path },
    id: `c${index}`,
  }));
  return fakeModel().respondWithTools(calls).respond(new AIMessage("done"));
}

describe.each(authTypes)("with authType %s, no secret is in", (authType) => {
  beforeEach(() => {
    // Its own secret and another's.
    api.secrets = [canaries[authType === "basic" ? "password" : authType], canaries.third];
  });

  it("callbacks and tracer runs", async () => {
    const toolkit = await makeCanaryToolkit(`${api.url}/v1`, ears);
    const [tool] = toolkit.getTools().filter(({ name }) => name === authType);
    const listening = () => ({ callbacks: [new ListeningHandler(), new ListeningTracer()] });
    for (const path of paths) await tool?.invoke({ method: "GET", path }, listening());
    const signal = AbortSignal.abort(new Error("gone"));
    const gone = tool?.invoke({ method: "GET", path: "/list" }, { ...listening(), signal });
    await gone?.catch((thrown: unknown) => ears.hear("rejection", thrown));
    expectNoCanary(ears, undefined, [...heardOf, "tracer", "tracer update", "rejection"]);
  });

  it("an agent's stream, state, checkpoints and store", async () => {
    ears = { ...ears, options: { ...ears.options, responseStore: "runtime" } };
    const toolkit = await makeCanaryToolkit(`${api.url}/v1`, ears);
    const store = new InMemoryStore();
    const checkpointer = new MemorySaver();
    const seen = createMiddleware({
      name: "Seen",
      wrapToolCall: async (request, handler) => {
        const answer = await handler(request);
        ears.hear("middleware", answer);
        return answer;
      },
    });
    const agent = createAgent({
      model: scripted(authType),
      tools: toolkit.getTools(),
      store,
      checkpointer,
      middleware: [seen],
    });
    const config = { configurable: { thread_id: "t1" }, callbacks: [new ListeningTracer()] };
    const streamMode = ["updates", "values", "messages", "debug", "custom"] as never;
    const input = { messages: [{ role: "user", content: "go" }] };
    for await (const part of await agent.stream(
      input as never,
      { ...config, streamMode } as never,
    )) {
      ears.hear("stream", part);
    }
    ears.hear("checkpoint storage", checkpointer);
    for await (const tuple of checkpointer.list({ configurable: { thread_id: "t1" } })) {
      ears.hear("checkpoint", tuple);
    }
    const kept = await store.search(["api-responses"]);
    expect(kept.length).toBeGreaterThan(0);
    ears.hear("runtime store", kept);
    ears.hear("raw store", store);
    expectNoCanary(ears, undefined, [
      "stream",
      "checkpoint",
      "runtime store",
      "middleware",
      "tracer",
      "summarizer",
    ]);
  });
});

describe("no secret is in", () => {
  beforeEach(() => {
    api.secrets = all;
  });

  it("an error of a function that the application gave, whatever its message is", async () => {
    const failure = (): never => {
      throw Object.assign(new Error(`no ${canaries.bearer}`, { cause: canaries.header }), {
        name: `E${canaries.query}`,
        config: { headers: { authorization: canaries.password } },
      });
    };
    const others = { SECOND: "second-value", THIRD: "third-value" };
    const functions: readonly TestOptions[] = [
      { credentials: failure },
      { credentials: { getCredential: failure } as never },
      { secrets: failure, credentials },
      { readEnvironment: failure },
      { countTokens: failure, credentials, secrets: others },
      { responseScope: failure, credentials, secrets: others },
      { credentials: () => ({ token: `${canaries.bearer}\n` }) },
      { credentials: () => ({ apikey: canaries.bearer }) as never },
      { credentials: () => canaries.bearer as never },
      { credentials, secrets: { SECOND: `${canaries.second}\n`, THIRD: canaries.third } },
    ];
    for (const options of functions) {
      try {
        const toolkit = await ApiSourceToolkit.fromSources(
          authTypes.map((authType) => toRecord(authType, `${api.url}/v1`)),
          ...splitOptions({ ...ears.options, ...options }),
        );
        for (const tool of toolkit.getTools().slice(0, authTypes.length)) {
          const args = { method: "GET", path: "/list?form=0" };
          const call = { type: "tool_call", id: "c", name: tool.name, args };
          ears.hear("answer", await tool.invoke(call as never));
        }
      } catch (thrown) {
        ears.hear("throw", thrown);
      }
    }
    expectNoCanary(ears, undefined, ["answer"]);
  });
});
