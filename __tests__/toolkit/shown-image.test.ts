/** A kept image that a model is shown. */

import { describe, expect, it } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  type CallEvent,
  type ClientOptions,
  createReadApiResponseTool,
} from "langchain-api-sources";
import { apiSourcesMiddleware } from "langchain-api-sources/middleware";
import { forgetConfidential } from "../support/forget-confidential.js";
import { sendJson, startHttpServer } from "../support/http-server.js";

forgetConfidential();

const token = "tok_canary_image_52d1c7";
const pngMark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
const png = Buffer.concat([pngMark, Buffer.from([0, 1, 2, 3, 255])]);
const largest = 3_932_160;
const sized = (bytes: number): Buffer => Buffer.concat([pngMark, Buffer.alloc(bytes - 8, 1)]);

const files: Readonly<Record<string, readonly [type: string, bytes: Buffer]>> = {
  "/a.png": ["image/png", png],
  "/b": ["application/octet-stream", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2])],
  "/c.webp": ["image/webp", Buffer.from("RIFF\x1a\0\0\0WEBPVP8 \0\x01", "latin1")],
  "/d.gif": ["image/png", Buffer.from("GIF89a\x01\0\x01\0\0\xff", "latin1")],
  "/largest.png": ["image/png", sized(largest)],
  "/larger.png": ["image/png", sized(largest + 1)],
  "/a.pdf": ["application/pdf", Buffer.from("%PDF-1.7\n\0\xff", "latin1")],
  "/no.png": ["image/png", Buffer.from([1, 2, 3, 0, 255])],
  "/a.svg": ["image/svg+xml", Buffer.from("<svg/>")],
  "/secret.png": ["image/png", Buffer.concat([png, Buffer.from(token), Buffer.from([0])])],
};
const shop = await startHttpServer(({ url }, response) => {
  const file = files[url];
  if (file === undefined)
    return sendJson(response, { items: [{ id: 1, note: "n".repeat(20_000) }] });
  response.writeHead(200, { "content-type": file[0] });
  response.end(file[1]);
});
const desk = await startHttpServer();

const records: ApiSourceRecord[] = [
  { name: "Shop", api: { baseUrl: shop.url, authType: "bearer" } },
  { name: "Desk", api: { baseUrl: desk.url } },
];
const open = (options: ClientOptions = {}, given = records) =>
  ApiSourceToolkit.fromSources(given, { credentials: { shop: { token } }, ...options });

const pick = (toolkit: ApiSourceToolkit, name: string): StructuredToolInterface => {
  const found = toolkit.getTools().find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
};
const invoke = async (
  tool: StructuredToolInterface,
  args: object,
  config: object = {},
): Promise<ToolMessage> =>
  tool.invoke({ type: "tool_call", id: "1", name: tool.name, args: { ...args } }, config);
const inThread = (thread_id: string) => ({ configurable: { thread_id } });

async function keep(toolkit: ApiSourceToolkit, path: string, config: object = {}): Promise<string> {
  const { text } = await invoke(pick(toolkit, "shop"), { method: "GET", path }, config);
  const { file, shortened } = JSON.parse(text);
  return shortened?.id ?? file?.id ?? file;
}

const imageOf = ({ content }: BaseMessage): unknown =>
  Array.isArray(content) ? content.find(({ type }) => type === "image") : undefined;
const blockOf = (path: string, mimeType: string) => ({
  type: "image",
  mimeType,
  data: files[path]?.[1].toString("base64"),
});

describe('read_api_response with as: "image"', () => {
  it.each([
    ["/a.png", "image/png"],
    ["/b", "image/jpeg"],
    ["/c.webp", "image/webp"],
    ["/d.gif", "image/gif"],
    ["/largest.png", "image/png"],
  ])("gives %s as a content block of the type of its first bytes", async (path, type) => {
    const toolkit = await open();
    const id = await keep(toolkit, path);
    const message = await invoke(pick(toolkit, "read_api_response"), { id, as: "image" });
    expect(imageOf(message)).toEqual(blockOf(path, type));
    const bytes = files[path]?.[1].length;
    const { status, file, notes } = JSON.parse(message.text);
    expect({ status, notes }).toEqual({ status: 200, notes: ["The image follows this text."] });
    expect(file).toEqual({ id, name: path.slice(1), type, bytes });
    expect(message.artifact).toMatchObject({ responseId: id, file: { id, type, bytes } });
    expect(JSON.stringify(message.artifact)).not.toContain(blockOf(path, type).data?.slice(0, 40));
  });

  it.each([
    ["/larger.png", {}, "too_large", /3932161 bytes; at most 3932160/],
    ["/a.pdf", {}, "invalid_input", /application\/pdf/],
    ["/no.png", {}, "invalid_input", /not an image/],
    ["/a.svg", {}, "invalid_input", /svg/],
    ["/items", {}, "invalid_input", /it is "?application\/json/],
    ["/secret.png", {}, "refused_by_policy", /contains a credential/],
    ["/a.png", { select: "a" }, "invalid_input", /all of the image/],
    ["/a.png", { offset: 1 }, "invalid_input", /all of the image/],
    ["/a.png", { as: "picture" }, "invalid_input", /as is "picture"/],
    ["/a.png", { id: "r_0000000000000000" }, "not_found", /no kept response/],
  ])("answers for %s with %o that it is %s", async (path, more, category, said) => {
    const toolkit = await open();
    const id = await keep(toolkit, path);
    const given = { id, as: "image", ...more };
    const message = await invoke(pick(toolkit, "read_api_response"), given);
    expect(message.status).toBe("error");
    const { error } = JSON.parse(String(message.content));
    expect(error.category).toBe(category);
    expect(error.message).toMatch(said);
    expect(error.hint).not.toBe("");
  });

  it.each([false, true])("shows it to the model of an agent (combined: %s)", async (combined) => {
    const events: CallEvent[] = [];
    const toolkit = await open({ onCall: (event) => void events.push(event) });
    const seen: BaseMessage[][] = [];
    const get = { method: "GET", path: "/a.png" };
    const model = fakeModel()
      .respondWithTools([
        combined
          ? { name: "call_api", args: { source: "shop", ...get }, id: "1" }
          : { name: "shop", args: get, id: "1" },
      ])
      .respond((messages: BaseMessage[]) => {
        const { file } = JSON.parse(messages.at(-1)?.text ?? "");
        const args = { id: file.id, select: "", find: "", offset: 0, limit: 0, as: "image" };
        const tool_calls = [{ name: "read_api_response", args, id: "2" }];
        return new AIMessage({ content: "", tool_calls });
      })
      .respond((messages: BaseMessage[]) => {
        seen.push(messages);
        return new AIMessage("A picture.");
      });
    const agent = createAgent({ model, tools: toolkit.getTools({ combined }) });
    await agent.invoke({ messages: [new HumanMessage("Which picture is it?")] });
    const last = seen[0]?.at(-1);
    expect(last && imageOf(last)).toEqual(blockOf("/a.png", "image/png"));
    expect(JSON.stringify(events)).not.toContain(png.toString("base64"));
  });

  it.each([
    ["openai", false],
    ["google", false],
    ["anthropic", true],
    ["google-genai", true],
    [undefined, true],
  ])(
    "is refused in an agent whose model's package hands no image on (%s: shown %s)",
    async (model_provider, isShown) => {
      const toolkit = await open();
      const id = await keep(toolkit, "/a.png", inThread("p"));
      const tool_calls = [{ name: "read_api_response", args: { id, as: "image" }, id: "1" }];
      const response_metadata = { model_provider };
      const model = fakeModel()
        .respond(new AIMessage({ content: "", tool_calls, response_metadata }))
        .respond(new AIMessage("done"));
      const agent = createAgent({ model, tools: toolkit.getTools() });
      const asked = { messages: [new HumanMessage("go")] };
      const { messages } = await agent.invoke(asked, inThread("p"));
      const message = messages.find(ToolMessage.isInstance);
      expect(message && imageOf(message) !== undefined).toBe(isShown);
      expect(message?.text.includes("no_images")).toBe(!isShown);
      const read = await invoke(pick(toolkit, "read_api_response"), { id }, inThread("p"));
      expect(JSON.parse(read.text).data).toEqual({ type: "image/png", bytes: png.length });
    },
  );

  it("works in a reader that was made alone, in the thread of the image only", async () => {
    const toolkit = await open();
    const id = await keep(toolkit, "/a.png", inThread("mine"));
    const reader = createReadApiResponseTool();
    const shown = await invoke(reader, { id, as: "image" }, inThread("mine"));
    expect(imageOf(shown)).toEqual(blockOf("/a.png", "image/png"));
    const other = await invoke(reader, { id, as: "image" }, inThread("another"));
    expect(JSON.parse(String(other.content)).error.category).toBe("not_found");
  });

  it("reads an image whose answer was cleared, and none of a source that is hidden", async () => {
    const toolkit = await open({ countTokens: (text) => text.length });
    let shownLast: BaseMessage | undefined;
    let isHidden = false;
    const path = "/a.png";
    const get = [{ name: "shop", args: { method: "GET", path }, id: "1" }];
    const read = (messages: BaseMessage[]) => {
      const { kept } = JSON.parse(messages.find(ToolMessage.isInstance)?.text ?? "");
      isHidden = shownLast !== undefined;
      const args = { id: kept, as: "image" };
      return new AIMessage({
        content: "",
        tool_calls: [{ name: "read_api_response", args, id: `r${messages.length}` }],
      });
    };
    const look = (messages: BaseMessage[]) => {
      shownLast = messages.at(-1);
      return read(messages);
    };
    const model = fakeModel()
      .respondWithTools(get)
      .respondWithTools([{ ...get[0], name: "shop", args: { method: "GET", path }, id: "2" }])
      .respond(read)
      .respond(look)
      .respond(new AIMessage("done"));
    const agent = createAgent({
      model,
      tools: toolkit.getTools(),
      middleware: [
        apiSourcesMiddleware(toolkit, {
          clearAfterTokens: 1,
          visible: (slug) => !(isHidden && slug === "shop"),
        }),
      ],
      checkpointer: new MemorySaver(),
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("go")] }, inThread("c"));
    expect(shownLast && imageOf(shownLast)).toEqual(blockOf(path, "image/png"));
    const refused = messages.findLast(ToolMessage.isInstance);
    expect(refused?.status).toBe("error");
    expect(refused?.text).toMatch(/shop.*not available|not_found|hidden/i);
  });

  it("is handed over by the middleware behind all answers of its step", async () => {
    const toolkit = await open();
    const id = await keep(toolkit, "/a.png", inThread("s"));
    let seen: BaseMessage[] = [];
    const model = fakeModel()
      .respondWithTools([
        { name: "read_api_response", args: { id, as: "image" }, id: "1" },
        { name: "shop", args: { method: "GET", path: "/items" }, id: "2" },
      ])
      .respond((messages: BaseMessage[]) => {
        seen = messages;
        return new AIMessage("done");
      });
    const middleware = [apiSourcesMiddleware(toolkit)];
    const agent = createAgent({ model, tools: toolkit.getTools(), middleware });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("go")] }, inThread("s"));
    const types = seen.map((message) => message.getType());
    expect(types).toEqual(["human", "ai", "tool", "tool", "human"]);
    const [image] = seen.slice(-1);
    expect(image && imageOf(image)).toEqual(blockOf("/a.png", "image/png"));
    // A name that the API gives its file is not a user's word.
    expect(image?.text).toBe(`Image ${id} of read_api_response:`);
    // The run keeps the image in the message of the tool.
    expect(messages.filter(imageOf).map((message) => message.getType())).toEqual(["tool"]);
  });

  it("is cleared where a later image was shown, and can be read again", async () => {
    const toolkit = await open({ countTokens: (text) => text.length });
    const config = inThread("i");
    const ids = [await keep(toolkit, "/a.png", config), await keep(toolkit, "/d.gif", config)];
    const model = fakeModel();
    for (const [at, id] of ids.entries()) {
      const args = { id, as: "image" };
      model.respondWithTools([{ name: "read_api_response", args, id: `${at}` }]);
    }
    let seen: BaseMessage[] = [];
    model.respond((messages: BaseMessage[]) => {
      seen = messages.slice(1).filter((message) => message.getType() !== "ai");
      return new AIMessage("done");
    });
    const middleware = [apiSourcesMiddleware(toolkit, { clearAfterTokens: 2_000 })];
    const agent = createAgent({ model, tools: toolkit.getTools(), middleware });
    await agent.invoke({ messages: [new HumanMessage("go")] }, config);
    const [first, , last] = seen;
    const cleared = { cleared: "GET /a.png", status: 200, kept: ids[0] };
    expect(JSON.parse(first?.text ?? "")).toEqual(cleared);
    expect(first && imageOf(first)).toBeUndefined();
    expect(last && imageOf(last)).toEqual(blockOf("/d.gif", "image/gif"));
    const reader = pick(toolkit, "read_api_response");
    const again = await invoke(reader, { id: cleared.kept, as: "image" }, config);
    expect(imageOf(again)).toEqual(blockOf("/a.png", "image/png"));
  });

  it("marks the thread that sees an image of a confidential source", async () => {
    const [given, ...others] = records;
    const confidential = {
      ...given,
      api: { ...given?.api, confidential: true },
    } as ApiSourceRecord;
    const options = { flow: "refuse", responseScope: () => "ada" } as const;
    const toolkit = await open(options, [confidential, ...others]);
    const id = await keep(toolkit, "/a.png", inThread("one"));
    const write = { method: "POST", path: "/tickets", body: "{}" };
    const before = await invoke(pick(toolkit, "desk"), write, inThread("two"));
    expect(JSON.parse(before.text).status).toBe(200);
    await invoke(pick(toolkit, "read_api_response"), { id, as: "image" }, inThread("two"));
    const after = await invoke(pick(toolkit, "desk"), write, inThread("two"));
    expect(JSON.parse(String(after.content)).error.category).toBe("refused_by_policy");
  });
});

describe("read_api_response", () => {
  it('takes "", 0 and "data" for what is left out', async () => {
    const toolkit = await open();
    const id = await keep(toolkit, "/items");
    const reader = pick(toolkit, "read_api_response");
    const unused = { select: "", find: "", offset: 0, limit: 0, as: "data" };
    const [filled, bare] = [await invoke(reader, { id, ...unused }), await invoke(reader, { id })];
    expect(filled.text).toBe(bare.text);
    expect(Object.keys(JSON.parse(bare.text).data)).toEqual(["items"]);
  });
});
