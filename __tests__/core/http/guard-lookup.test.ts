import type { LookupFunction } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { guardLookup, isLocalAddress } from "../../../src/core/http/guard-lookup.js";
import { startRawServer } from "../../support/raw-server.js";
import { createTestTransport } from "../../support/test-transport.js";

const local = [
  "127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 169.254.0.1 169.254.169.254 169.254.170.2 100.100.100.200",
  "168.63.129.16 192.0.0.192 ::1 :: 0:0:0:0:0:0:0:1 fe80::1 FE80::1%eth0 febf::1 fd00:ec2::254",
  "fd00:ec2::253 fd00:a9fe:a9fe::1 fd20:ce::254 fd00:42::42 ::ffff:127.0.0.1 ::ffff:7f00:1",
  "::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::ffff:0.0.0.0 ::ffff:6464:64c8 ::127.0.0.1 ::7f00:1",
  "::ffff:0:127.0.0.1 ::ffff:0:a9fe:a9fe 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::7f00:1",
  "64:ff9b:1:7f00:0:100:: 2002:7f00:1:: 2002:a9fe:a9fe::1 2002:0:0::",
  "2001:0:4136:e378:8000:63bf:80ff:fffe 2001:0:7f00:1:: fe80::5efe:7f00:1 2001:db8::5efe:169.254.169.254",
  "2001:db8::200:5efe:7f00:1 2001:db8::5efe:8.8.8.8 64:ff9b:1:808:8:800:: 64:ff9b:1::808:808 2002:808:808::1",
  "2002:a00:1:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 localhost 1.2.3 ::g 127.1",
]
  .flatMap((line) => line.split(" "))
  .concat("", "not an address");

const other = [
  "1.1.1.1 8.8.8.8 126.255.255.255 128.0.0.1 169.253.0.1 169.255.0.1 1.0.0.0 255.255.255.255 10.0.0.1",
  "172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1 100.100.100.201 168.63.129.17 192.0.0.191",
  "2606:4700::1111 fd12:3456::1 fc00::1 fec0::1 fe7f::1 ::ffff:8.8.8.8 ::ffff:10.0.0.1 64:ff9b::808:808",
  "2001:db8::7f00:1 2001:db8::5eff:7f00:1 2003::1",
].flatMap((line) => line.split(" "));

it("distinguishes an address of this machine, its link or its cloud's metadata from every other", () => {
  expect(local.filter((address) => !isLocalAddress(address))).toEqual([]);
  expect(other.filter(isLocalAddress)).toEqual([]);
});

const answering =
  (...addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    expect(options.all).toBe(true);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };

function ask(
  host: string,
  lookup: LookupFunction,
  { all = true, allowLocalAddresses = false } = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    guardLookup({ allowLocalAddresses, lookup })(host, { all }, (error, address, family) => {
      if (error) reject(error);
      else
        resolve(
          typeof address === "string" ? [address, family] : address.map((entry) => entry.address),
        );
    });
  });
}

describe("guardLookup", () => {
  it("hands on every address of a clean answer, or the first when one is asked for", async () => {
    const lookup = answering("8.8.8.8", "2606:4700::1");
    expect(await ask("api.example.com", lookup)).toEqual(["8.8.8.8", "2606:4700::1"]);
    expect(await ask("api.example.com", lookup, { all: false })).toEqual(["8.8.8.8", 4]);
  });

  it.each([true, false])(
    "refuses the whole answer for one local address in it (all: %s)",
    async (all) => {
      for (const answer of [
        ["127.0.0.1"],
        ["8.8.8.8", "::ffff:169.254.169.254"],
        ["2606:4700::1", "8.8.8.8", "0.0.0.0"],
      ]) {
        await expect(ask("api.example.com", answering(...answer), { all })).rejects.toMatchObject({
          name: "ApiSourceError",
          category: "refused_by_policy",
          code: "ERR_LOCAL_ADDRESS",
          hint: expect.stringContaining("network.allowLocalAddresses"),
        });
      }
    },
  );

  it.each(
    "localhost.example.com notlocalhost.com localhost.com. metadata.google.internal".split(" "),
  )("takes %s for a public name", async (host) => {
    await expect(ask(host, answering("127.0.0.1"))).rejects.toMatchObject({
      code: "ERR_LOCAL_ADDRESS",
    });
  });

  it.each(
    "localhost LOCALHOST localhost. api.localhost a.b.localhost. intranet intranet.".split(" "),
  )("takes %s as meant", async (host) => {
    expect(await ask(host, answering("127.0.0.1"))).toEqual(["127.0.0.1"]);
  });

  it("lets everything pass with allowLocalAddresses", async () => {
    const options = { allowLocalAddresses: true };
    expect(await ask("api.example.com", answering("169.254.169.254"), options)).toEqual([
      "169.254.169.254",
    ]);
  });

  it("judges an answer in the form of a single address too, and hands on an error as it is", async () => {
    const single: LookupFunction = (_host, _options, callback) => callback(null, "127.0.0.1", 4);
    await expect(ask("api.example.com", single)).rejects.toMatchObject({
      code: "ERR_LOCAL_ADDRESS",
    });
    const failure = Object.assign(new Error("x"), { code: "ENOTFOUND" });
    const failing: LookupFunction = (_host, _options, callback) => callback(failure, "");
    await expect(ask("api.example.com", failing)).rejects.toBe(failure);
  });
});

describe("a transport", () => {
  const start = async (options: Parameters<typeof createTestTransport>[1]) => {
    const api = await startRawServer();
    return { api, transport: createTestTransport(`http://api.example.com:${api.port}`, options) };
  };

  it("sends nothing to a public-looking name that resolves to loopback, and does not try again", async () => {
    const { api, transport } = await start({ lookup: answering("127.0.0.1") });
    const error = await transport.refuse({});
    expect(error).toMatchObject({
      category: "refused_by_policy",
      code: "ERR_LOCAL_ADDRESS",
      retryable: false,
    });
    expect(error.message).toContain("api.example.com resolves to 127.0.0.1");
    expect(api.connections.opened).toBe(0);
  });

  it("connects with allowLocalAddresses", async () => {
    const options = { lookup: answering("127.0.0.1"), network: { allowLocalAddresses: true } };
    const { transport } = await start(options);
    expect(await transport.send({})).toMatchObject({ status: 200 });
  });
});
