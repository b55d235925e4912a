import { describe, expect, it } from "@jest/globals";
import { diagnoseDns } from "../../src/connection/diagnose-dns.js";
import { diagnoseTimeout } from "../../src/connection/diagnose-timeout.js";
import type { Subject } from "../../src/connection/finding.js";
import { findExistingHost, listNearMisses, toRegisteredDomain } from "../../src/connection/suggest-host.js";
import { ApiSourceError } from "../../src/errors.js";
import { makeSource } from "../support/api-source.js";

function subjectAt(baseUrl: string): Subject {
  const origin = { variables: [], candidates: [], isFromEnvironment: false };
  return {
    source: makeSource({ baseUrl }),
    credential: undefined,
    origin,
    baseUrl,
    testEndpoint: "/user",
    url: `${baseUrl}/user`,
  };
}

async function fixFor(host: string, existing: readonly string[] = [], code = "ENOTFOUND"): Promise<string> {
  const error = new ApiSourceError({ message: "", category: "dns", hint: "", code });
  const hostExists = async (name: string): Promise<boolean> => existing.includes(name);
  return (await diagnoseDns(subjectAt(`https://${host}`), error, hostExists)).fix;
}

describe("near misses of a host", () => {
  it.each([
    ["example.com", "example.com"],
    ["a.b.example.com", "example.com"],
    ["api.example.co.uk", "example.co.uk"],
    ["example.io", "example.io"],
  ])("%s is registered as %s", (host, domain) => {
    expect(toRegisteredDomain(host)).toBe(domain);
  });

  it("stay within the registered domain", () => {
    expect(listNearMisses("ap.shop.example.co.uk")).toEqual([
      "api.example.co.uk",
      "api.ap.shop.example.co.uk",
      "shop.example.co.uk",
      "example.co.uk",
      "www.example.co.uk",
    ]);
    expect(listNearMisses("localhost")).toEqual([]);
    expect(listNearMisses("10.0.0.1")).toEqual([]);
  });

  it("are asked for within a time", async () => {
    expect(await findExistingHost("x.example.com", () => new Promise(() => {}), 10)).toBeUndefined();
    expect(
      await findExistingHost("x.example.com", () => Promise.reject(new Error("no")), 10),
    ).toBeUndefined();
  });

  it.each([
    [
      "shop.com",
      ["api.shop.com"],
      /api\.shop\.com exists: if that is the API, write it instead of shop\.com/,
    ],
    ["apii.shop.com", ["api.shop.com", "shop.com"], /api\.shop\.com exists/],
    ["api.shop.com", ["shop.com"], /shop\.com exists/],
    ["api.shop.con", [], /did you mean api\.shop\.com\?/],
    ["shop", [], /only inside its own network/],
    ["shop.internal", [], /only inside its own network/],
    ["https", [], /scheme twice/],
    ["api.shop.example", [], /reserved for examples/],
    ["api.shop.dev", [], /letter by letter/],
  ])("%s leads to a fix", async (host, existing, fix) => {
    expect(await fixFor(host, existing)).toMatch(fix);
  });

  it("are no matter when the resolver itself failed", async () => {
    expect(await fixFor("shop.com", ["api.shop.com"], "EAI_AGAIN")).toMatch(/its DNS works/);
  });
});

describe("diagnoseTimeout", () => {
  it.each([
    [undefined, /requestsPerMinute/],
    ["dns", /DNS does not answer/],
    ["connect", /No connection to api\.shop\.dev came about within 30,000 ms/],
    ["tls", /handshake did not end/],
    ["first_byte", /did not begin to answer/],
    ["body", /its body did not end/],
  ] as const)("tells the phase %s", (phase, message) => {
    expect(diagnoseTimeout(subjectAt("https://api.shop.dev"), phase).message).toMatch(message);
  });
});
