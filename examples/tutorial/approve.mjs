// A write that waits for you. Run: node approve.mjs
import { createInterface } from "node:readline/promises";
import { ApiSourceToolkit, loadEnvFile } from "langchain-api-sources";

loadEnvFile();
const terminal = createInterface({ input: process.stdin, output: process.stdout });
const toolkit = await ApiSourceToolkit.fromDirectory("./sources", {
  approve: "writes",
  approver: async ({ method, url, body }) => {
    const answer = await terminal.question(`${method} ${url}\n${body}\nSend it? (y/n) `);
    return answer === "y" ? { type: "approve" } : { type: "reject", message: "Not now." };
  },
});
const notes = toolkit.getTools().find(({ name }) => name === "notes");
console.log(
  await notes.invoke({
    method: "POST",
    path: "/notes",
    body: { title: "Buy seeds", tag: "garden" },
  }),
);
terminal.close();
