// One of several processes with one token store: makes its calls when it is told, and tells what they gave.
const { entry, record, secrets, directory, postgres, calls = 1 } = JSON.parse(process.argv[2]);
const { createSourceClient, fileTokenStore } = await import(entry);
const tokenStore = postgres === undefined ? fileTokenStore(directory) : await openPostgres();
const client = createSourceClient(record, { secrets, tokenStore });

process.on("disconnect", () => process.exit());
process.on("message", async () => {
  const call = () => client.call({ method: "GET", path: "/me" });
  const answers = await Promise.all(Array.from({ length: calls }, call));
  process.send(answers.map(({ content }) => JSON.parse(content)));
});
process.send("ready");

async function openPostgres() {
  const { PostgresStore } = await import("@langchain/langgraph-checkpoint-postgres/store");
  const store = PostgresStore.fromConnString(postgres);
  // Several at once may make the same table; whoever was second finds it.
  for (let tries = 0; ; tries += 1) {
    try {
      await store.setup();
      return store;
    } catch (error) {
      if (tries > 5) throw error;
      await new Promise((later) => setTimeout(later, 100 * (tries + 1)));
    }
  }
}
