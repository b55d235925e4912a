// One of several processes that show values of confidential sources in the same threads at the same instant; what they share is a store over HTTP.
const { entry, payroll, tickets, store } = JSON.parse(process.argv[2]);
const { ApiSourceToolkit } = await import(entry);

const ask = async (namespace, key, init) => {
  const answer = await fetch(`${store}/${encodeURIComponent(JSON.stringify([namespace, key]))}`, init);
  return answer.json();
};
const responseStore = {
  get: (namespace, key) => ask(namespace, key),
  put: (namespace, key, value) => ask(namespace, key, { method: "PUT", body: JSON.stringify({ value }) }),
  delete: (namespace, key) => ask(namespace, key, { method: "DELETE" }),
};
const toolkit = await ApiSourceToolkit.fromSources(
  [
    { name: "Payroll", api: { baseUrl: payroll, confidential: true } },
    { name: "Tickets", api: { baseUrl: tickets } },
  ],
  { responseStore },
);
const [source, receiver] = toolkit.listClients();

process.on("disconnect", () => process.exit());
process.on("message", async ({ threads, show, send }) => {
  const call = async (threadId) => {
    const [client, input] =
      show === undefined
        ? [receiver, { method: "POST", path: "/tickets", body: { send } }]
        : [source, { path: show }];
    const { content } = await client.call(input, { threadId });
    const { status, error } = JSON.parse(content);
    return error?.category ?? status;
  };
  process.send(await Promise.all(threads.map(call)));
});
process.send("ready");
