import { describe, expect, it } from "@jest/globals";
import { createClientRuntime } from "../../src/client/create-client-runtime.js";
import { openTransports, type Transports } from "../../src/client/open-transports.js";
import { type PreparedCall, prepareCall } from "../../src/client/prepare-call.js";
import { parseSource } from "../../src/source/parse-source.js";

/** A source whose host and proxy are another one for each user. */
async function open(): Promise<{
  readonly transports: Transports;
  prepare(host: string, proxy?: string): Promise<PreparedCall>;
}> {
  const source = parseSource({
    name: "Tenants",
    api: {
      baseUrl: "https://{host}/v1",
      variables: { host: "$" + "{TENANT_HOST}" },
      network: { proxy: "$" + "{TENANT_PROXY}" },
    },
  });
  const runtime = createClientRuntime([source], {
    secrets: (name, _source, { configurable }) => String(configurable?.[name]),
  });
  return {
    transports: openTransports(source, runtime),
    prepare: (host, proxy = "http://proxy.test:3128") =>
      prepareCall(source, runtime, { configurable: { TENANT_HOST: host, TENANT_PROXY: proxy } }),
  };
}

/** A record without placeholders: each call resolves to the record's own settings. */
async function openPlain(): Promise<{ readonly transports: Transports; readonly prepared: PreparedCall }> {
  const source = parseSource({ name: "Plain", api: { baseUrl: "https://plain.test/v1" } });
  const runtime = createClientRuntime([source]);
  return {
    transports: openTransports(source, runtime),
    prepared: await prepareCall(source, runtime, {}),
  };
}

describe("openTransports", () => {
  it("keeps hosts and networks apart, in whatever order they come", async () => {
    const { transports, prepare } = await open();
    const [one, two, byOther] = await Promise.all([
      prepare("one.test"),
      prepare("two.test"),
      prepare("one.test", "http://other.test:3128"),
    ]);
    const ofOne = transports.find(one);
    const ofTwo = transports.find(two);
    const ofOther = transports.find(byOther);
    expect(new Set([ofOne, ofTwo, ofOther]).size).toBe(3);
    expect(transports.find(one)).toBe(ofOne);
    expect(transports.find(byOther)).toBe(ofOther);
    expect(transports.find({ ...two, resolved: { ...two.resolved, network: one.resolved.network } })).toBe(
      ofTwo,
    );
    transports.close();
  });

  it("asks for the host even when the network is the very same", async () => {
    const { transports, prepared } = await openPlain();
    const base = new URL("https://other.test/v1");
    const moved = { ...prepared, base, resolved: { ...prepared.resolved, baseUrl: base.href } };
    expect(transports.find(moved)).not.toBe(transports.find(prepared));
    transports.close();
  });

  it("asks for the network even when the base URL is the very same", async () => {
    const { transports, prepared } = await openPlain();
    const network = { ...prepared.resolved.network, proxy: "http://proxy.test:3128" };
    const moved = { ...prepared, resolved: { ...prepared.resolved, network } };
    expect(transports.find(moved)).not.toBe(transports.find(prepared));
    transports.close();
  });

  it("opens a new one after it was closed, and for the oldest host of seventeen", async () => {
    const { transports, prepare } = await open();
    const first = await prepare("h0.test");
    const closed = transports.find(first);
    transports.close();
    const reopened = transports.find(first);
    expect(reopened).not.toBe(closed);
    for (let index = 1; index <= 16; index += 1) transports.find(await prepare(`h${index}.test`));
    expect(transports.find(first)).not.toBe(reopened);
    transports.close();
  });
});
