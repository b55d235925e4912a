// One of several processes with one token store: waits for the instant, makes one call, and prints what it got.
import { readFileSync } from "node:fs";

const { entry, record, secrets, directory, postgres, atMs, calls = 1 } = JSON.parse(readFileSync(0, "utf8"));
const { createSourceClient, fileTokenStore } = await import(entry);
let store;
let end = async () => {};
if (postgres === undefined) store = fileTokenStore(directory);
else {
  const { PostgresStore } = await import("@langchain/langgraph-checkpoint-postgres/store");
  store = PostgresStore.fromConnString(postgres);
  // Six at once may make the same table; whoever was second finds it.
  for (let tries = 0; ; tries += 1) {
    try {
      await store.setup();
      break;
    } catch (error) {
      if (tries > 5) throw error;
      await new Promise((later) => setTimeout(later, 100 * (tries + 1)));
    }
  }
  end = () => (store.stop ?? store.end).call(store);
}
const client = createSourceClient(record, { secrets, tokenStore: store });
await new Promise((later) => setTimeout(later, Math.max(0, atMs - Date.now())));
const answers = await Promise.all(
  Array.from({ length: calls }, () => client.call({ method: "GET", path: "/me" })),
);
await end();
process.stdout.write(JSON.stringify(answers.map(({ content }) => JSON.parse(content))), () =>
  process.exit(0),
);
