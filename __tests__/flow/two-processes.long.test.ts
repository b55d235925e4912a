/** Two toolkits with one store, as two processes have it, that show values of one thread at the same moment. */

import { describe, expect, it } from "@jest/globals";
import type { Seams } from "../../src/runtime.js";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { openMapStore, type Store } from "../support/map-store.js";
import { openPayroll } from "../support/payroll.js";
import { withSeams } from "../support/seams.js";

const ibans = ["DE89370400440532013000", "FR7630006000011234567890189"];
const payroll = await startHttpServer(({ url }, response) =>
  sendJson(response, { iban: ibans[Number(url.slice(1))] }),
);
const tickets = await startHttpServer((_request, response) => sendJson(response, { id: 7 }));

/** A store in which the first two processes have both read the list of a thread before either writes it, and the second writes after `isLater`. */
function openStore(isLater: () => Promise<unknown>): Store & { readonly puts: () => number } {
  const store = openMapStore().responseStore;
  let puts = 0;
  let meet = (): void => {};
  const haveRead = new Promise<void>((resolve) => {
    meet = resolve;
  });
  return {
    puts: () => puts,
    ...store,
    async put(namespace, key, value) {
      if (isList(key)) puts += 1;
      if (isList(key) && puts === 1) await haveRead;
      if (isList(key) && puts === 2) {
        meet();
        await isLater();
      }
      await store.put(namespace, key, value);
    },
  };
}

/** Only the list of a thread is named by 32 digits alone. */
const isList = (key: string): boolean => /^[0-9a-f]{32}$/.test(key);

async function openProcess(responseStore: Store, sleep?: Seams["sleep"]) {
  const toolkit = await openPayroll(payroll.url, tickets.url, {
    responseStore,
    ...(sleep && withSeams({ sleep })),
  });
  const [source, receiver] = toolkit.listClients();
  const context = { threadId: "shared" };
  const call = async (client: typeof source, input: object) =>
    JSON.parse((await client?.call(input, context))?.content ?? "{}");
  return {
    show: (path: string) => call(source, { path }),
    send: async (body: object): Promise<unknown> =>
      (await call(receiver, { method: "POST", path: "/tickets", body })).error?.category ?? "sent",
  };
}

describe("two processes that show values of one thread at the same moment", () => {
  it("both know both, and a third does, where the later one writes the list that the first has written", async () => {
    const store = openStore(() => new Promise((resolve) => setTimeout(resolve, 300)));
    const processes = await Promise.all([openProcess(store), openProcess(store)]);
    await Promise.all(processes.map(({ show }, at) => show(`/${at}`)));
    for (const each of [...processes, await openProcess(store)])
      for (const iban of ibans) expect(await each.send({ iban })).toBe("approval_required");
    expect(store.puts()).toBeGreaterThan(2);
  });

  it("where one takes longer than the wait, it notes that the other may be missing: each request with parameters is held", async () => {
    let shown: Promise<unknown>[] = [];
    const store = openStore(() => Promise.race(shown));
    const processes = await Promise.all([openProcess(store), openProcess(store)]);
    shown = processes.map(({ show }, at) => show(`/${at}`));
    await Promise.all(shown);
    const third = await openProcess(store);
    for (const iban of ibans) expect(await third.send({ iban })).toBe("approval_required");
    expect(await third.send({ text: "hello" })).toBe("approval_required");
  });

  it("a process that the store lost from the list adds itself again with its next answer", async () => {
    const { entries, responseStore } = openMapStore();
    const { show } = await openProcess(responseStore, async () => {});
    await show("/0");
    for (const key of entries.keys()) if (isList(key)) entries.delete(key);
    await show("/1");
    const { send } = await openProcess(responseStore, async () => {});
    for (const iban of ibans) expect(await send({ iban })).toBe("approval_required");
  });

  it("an answer of a source that is not confidential waits for no one", async () => {
    const waits: number[] = [];
    const store = openMapStore().responseStore;
    const { send, show } = await openProcess(store, async (delayMs) => void waits.push(delayMs));
    expect(await send({ text: "hello" })).toBe("sent");
    expect(waits).toEqual([]);
    await show("/0");
    await show("/1");
    expect(waits).toEqual([1_000]);
  });
});
