/** An agent with thirty sources that uses three of them: by a tool for each, and by one for all. */

import { describe, expect, it } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { createAgent, fakeModel } from "langchain";
import { type ApiSourceRecord, ApiSourceToolkit, loadSources } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../support/http-server.js";

const issues = Array.from({ length: 400 }, (_, number) => ({
  number,
  title: `Printer ${number} is out of paper`,
  state: number % 4 === 0 ? "open" : "closed",
  user: { login: `user-${number % 7}` },
}));
const server = await startHttpServer(({ url }, response) => {
  if (url.startsWith("/github/")) return sendJson(response, issues);
  if (url.startsWith("/stripe/"))
    return sendJson(response, { object: "list", data: [{ id: "cus_7", email: "a@b.test" }] });
  sendJson(response, { ok: true, ts: "17.01" });
});

/** Thirty recipes without what their own APIs need, each at a path of this server. */
const recipes = await loadSources("recipes");
const used = ["github", "stripe", "slack"];
const isUsed = ({ slug }: { readonly slug: string }): boolean => used.includes(slug);
const chosen = [...recipes.filter(isUsed), ...recipes.filter((each) => !isUsed(each))];
const records = chosen.slice(0, 30).map(
  ({ name, slug, tagline }): ApiSourceRecord => ({
    name,
    slug,
    ...(tagline !== undefined && { tagline }),
    api: { baseUrl: `${server.url}/${slug}` },
  }),
);
const toolkit = await ApiSourceToolkit.fromSources(records);

/** What a model does for: "Tell ops who has the most open issues, and send them the id of customer a@b.test." */
const find = { method: "GET", path: "/repos/acme/shop/issues" };
const select =
  "items(group_by([?state=='open'],&user.login))[*].{who:[0],open:length([1])} | max_by(@,&open)";
const look = { method: "GET", path: "/v1/customers", query: "email=a@b.test", select: "data[].id" };
const text = JSON.stringify({ channel: "ops", text: "user-0 has 15; cus_7" });
const write = { method: "POST", path: "/api/chat.postMessage", body: text };

async function run(combined: boolean) {
  const tools = toolkit.getTools({ combined, strict: false });
  const model = fakeModel();
  const call = (source: string, input: object): void => {
    const args = combined ? { source, ...input } : { ...input };
    const name = combined ? "call_api" : source;
    model.respondWithTools([{ name, args, id: `${source}-1` }]);
  };
  call("github", { ...find, select });
  call("stripe", look);
  call("slack", write);
  model.respond(new AIMessage("done"));
  const agent = createAgent({ model, tools });
  const { messages } = await agent.invoke({ messages: [new HumanMessage("Tell ops.")] });
  const answers = messages
    .filter((message) => message.getType() === "tool")
    .map((each) => each.text);
  const definitions = tools.map((tool) => JSON.stringify(convertToOpenAITool(tool)).length);
  return {
    answers: answers.map((answer) => JSON.parse(answer)),
    read: answers.join("").length,
    shown: definitions.reduce((sum, length) => sum + length, 0),
  };
}

describe("thirty sources", () => {
  it("answer the same by one tool as by thirty, in a tenth of the characters of definitions", async () => {
    const own = await run(false);
    const combined = await run(true);
    expect(own.answers.map(({ data }) => data)).toEqual([
      { who: "user-0", open: 15 },
      ["cus_7"],
      { ok: true, ts: "17.01" },
    ]);
    const kept = own.answers.map((answer) => answer.kept && expect.stringMatching(/^r_/));
    expect(combined.answers).toEqual(
      own.answers.map((answer, index) => ({
        ...answer,
        ...(kept[index] && { kept: kept[index] }),
      })),
    );
    expect(combined.read).toBe(own.read);
    expect(combined.shown).toBeLessThan(own.shown / 10);
    expect(server.requests.map(({ method, url }) => `${method} ${url.split("?")[0]}`)).toEqual(
      [...used, ...used].map(
        (slug) =>
          `${slug === "slack" ? "POST" : "GET"} /${slug}${{ github: find.path, stripe: look.path, slack: write.path }[slug]}`,
      ),
    );
  });
});
