/**
 * Files, both ways: a model downloads a text, changes a line and uploads it as a new version; then it copies a binary file from one API to
 * another, and sees none of its bytes. Real requests to two small servers of this file, a scripted model, no key.
 *
 *   npm run example:files
 */

import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import { say } from "./transcript.js";

/** An API that keeps files by their path: GET reads one, PUT writes one, a POST of a form adds a version. */
async function startFiles(files: Map<string, Buffer>): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { method, url = "" } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (method === "GET") {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(files.get(url));
      return;
    }
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    const form = method === "POST" ? await new Response(body, { headers }).formData() : undefined;
    const file = form?.get("file");
    files.set(url, file instanceof File ? Buffer.from(await file.arrayBuffer()) : body);
    response
      .writeHead(201, { "content-type": "application/json" })
      .end(JSON.stringify({ path: url }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const drive = new Map([
  ["/notes.txt", Buffer.from("milk\nbread\napples\n")],
  ["/photo.jpg", randomBytes(300_000)],
]);
const backup = new Map<string, Buffer>();
const servers = [await startFiles(drive), await startFiles(backup)];
const [driveUrl = "", backupUrl = ""] = servers.map(
  (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
);
const toolkit = await ApiSourceToolkit.fromSources([
  { name: "Drive", api: { baseUrl: driveUrl } },
  { name: "Backup", api: { baseUrl: backupUrl } },
]);

/** What the model reads of the last result. */
const seen = (messages: readonly BaseMessage[]) => JSON.parse(messages.at(-1)?.text ?? "{}");
let calls = 0;
const call = (name: string, args: Record<string, unknown>): AIMessage => {
  calls += 1;
  return new AIMessage({ content: "", tool_calls: [{ name, args, id: `call_${calls}` }] });
};
const form = [{ name: "Content-Type", value: "multipart/form-data" }];
const model = fakeModel()
  .respond(call("drive", { method: "GET", path: "/notes.txt" }))
  .respond((messages) => {
    const { data } = seen(messages);
    const text = String(data).replace("bread", "rye bread");
    const body = JSON.stringify({ file: { $text: text, name: "notes.txt" } });
    return call("drive", { method: "POST", path: "/notes.txt/versions", headers: form, body });
  })
  .respond((messages) => new AIMessage(`The new version is at ${seen(messages).data.path}.`))
  .respond(call("drive", { method: "GET", path: "/photo.jpg" }))
  .respond((messages) => {
    const body = JSON.stringify({ $file: seen(messages).file.id });
    return call("backup", { method: "PUT", path: "/photo.jpg", body });
  })
  .respond((messages) => new AIMessage(`The copy is at ${seen(messages).data.path}.`));
const agent = createAgent({ model, tools: toolkit.getTools() });

for (const question of [
  "In notes.txt, change bread to rye bread, and upload it as a new version.",
  "Copy photo.jpg from the drive to the backup.",
]) {
  say("bold", `\n━━━ ${question}`);
  const config = { configurable: { thread_id: "1" } };
  const { messages } = await agent.invoke({ messages: [new HumanMessage(question)] }, config);
  for (const message of messages.slice(1)) {
    if (AIMessage.isInstance(message))
      for (const { name, args } of message.tool_calls ?? [])
        say("cyan", `  ${name} ${JSON.stringify(args)}`);
    if (message.text !== "") say(message.type === "tool" ? "yellow" : "green", `  ${message.text}`);
  }
}
const hash = (bytes: Buffer = Buffer.alloc(0)) => createHash("sha256").update(bytes).digest("hex");
say("bold", "\n━━━ What the servers have");
console.log(`  ${JSON.stringify(drive.get("/notes.txt/versions")?.toString())}`);
console.log(
  `  the copy is equal: ${hash(drive.get("/photo.jpg")) === hash(backup.get("/photo.jpg"))}`,
);
for (const server of servers) server.close();
