/**
 * One service for many users: one toolkit, each call with the credential of whoever asks, what was kept for one user out of reach of
 * the next. A scripted model, no key.
 *
 *   npm run example:one-service-many-users
 */

import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit, type CallContext } from "langchain-api-sources";
import { z } from "zod";
import { shopUsers, startShopServer } from "./shop-server.js";
import { say } from "./transcript.js";

const shop = await startShopServer();

/** The service's vault. It is asked on each call: a user who connects the shop later needs no new toolkit. */
const vault = new Map<string, string>(Object.entries(shopUsers));

const userOf = ({ context }: CallContext): string =>
  z.object({ userId: z.string() }).parse(context).userId;

// Made once, when the service starts. No user's credential is in it.
const toolkit = await ApiSourceToolkit.fromSources(
  [{ name: "Shop", api: { baseUrl: `${shop.url}/bearer`, authType: "bearer" } }],
  {
    credentials: (_source, context) => {
      const token = vault.get(userOf(context));
      return token === undefined ? undefined : { token };
    },
    // Kept responses belong to the user, whatever thread the user is in.
    responseScope: (context) => ["user", userOf(context)],
    maxTokens: 400,
  },
);

/** Serves one user's turn: the model calls the tool once, and repeats what it was told. */
async function serve(userId: string, tool: string, args: Record<string, unknown>): Promise<string> {
  const model = fakeModel()
    .respondWithTools([{ name: tool, args, id: "call_1" }])
    .respond((messages) => new AIMessage(messages.at(-1)?.text ?? ""));
  const agent = createAgent({
    model,
    tools: toolkit.getTools(),
    contextSchema: z.object({ userId: z.string() }),
  });
  const input = { messages: [new HumanMessage(`${tool} ${JSON.stringify(args)}`)] };
  const { messages } = await agent.invoke(input, { context: { userId } });
  const answer = messages.findLast((message) => ToolMessage.isInstance(message))?.text ?? "";
  console.log(`  ${userId.padEnd(6)} asks ${tool} ${JSON.stringify(args)}`);
  for (const { method, url, credential } of shop.requests.splice(0))
    console.log(`         server received ${method} ${url} [${credential}]`);
  console.log(`         told ${answer.length > 160 ? `${answer.slice(0, 160)}…` : answer}`);
  return answer;
}

try {
  say("bold", "\nEach call carries the credential of whoever asks");
  await serve("ada", "shop", { method: "GET", path: "/me" });
  await serve("ben", "shop", { method: "GET", path: "/me" });

  say("bold", "\nA user who has not connected the shop gets an answer, and nothing is sent");
  await serve("cleo", "shop", { method: "GET", path: "/me" });

  say("bold", "\nWhat was kept for ada is read by ada alone");
  const list = JSON.parse(
    await serve("ada", "shop", { method: "GET", path: "/customers?per_page=100" }),
  );
  const read = { id: String(list.shortened.id), select: "length(@)" };
  await serve("ada", "read_api_response", read);
  await serve("ben", "read_api_response", read);

  say("bold", "\nA token that ends for one user ends for nobody else");
  vault.set("ben", "demo-bearer-that-ended");
  await serve("ben", "shop", { method: "GET", path: "/me" });
  await serve("ada", "shop", { method: "GET", path: "/me" });
} finally {
  await shop.close();
}
