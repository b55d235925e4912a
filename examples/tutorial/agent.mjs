// An agent over the sources. Run: node agent.mjs, or node agent.mjs openai:gpt-5-mini
import { AIMessage, createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit, loadEnvFile } from "langchain-api-sources";

loadEnvFile();
const toolkit = await ApiSourceToolkit.fromDirectory("./sources");

// Without a model's name, this script plays the model: it looks the operation up, calls it, and repeats the answer.
const script = fakeModel()
  .respondWithTools([
    { name: "describe_api", args: { source: "notes", find: "list notes" }, id: "1" },
  ])
  .respondWithTools([
    {
      name: "notes",
      args: {
        method: "GET",
        path: "/notes",
        query: { tag: "garden" },
        select: "notes[].title",
        pages: 5,
      },
      id: "2",
    },
  ])
  .respond(
    (messages) => new AIMessage(`They are: ${JSON.parse(messages.at(-1).text).data.join(", ")}.`),
  );

const agent = createAgent({ model: process.argv[2] ?? script, tools: toolkit.getTools() });
const { messages } = await agent.invoke({ messages: "Which notes are about the garden?" });
for (const message of messages.slice(1)) {
  for (const { name, args } of message.tool_calls ?? [])
    console.log(`calls ${name} ${JSON.stringify(args)}`);
  if (message.type === "tool") console.log(`reads ${message.text}`);
}
console.log(`answers ${messages.at(-1)?.text}`);
