import { writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parseSource } from "../../../src/core/record/parse-source.js";
import { type ResolveOptions, resolveSource } from "../../../src/core/record/resolve-source.js";
import { Secret } from "../../../src/core/secrets/secret.js";
import { anyCharacter } from "../../support/any-character.js";
import { runsOf } from "../../support/long-run.js";
import { awaitRefusal } from "../../support/refusals.js";
import { useDirectory } from "../../support/temporary-directory.js";
import { words } from "../../support/words.js";

const baseUrl = "https://api.example.com/v1";
const pem = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----";

interface Given extends Omit<ResolveOptions, "resolveSecret"> {
  readonly secrets?: Record<string, string>;
}

function resolve(api: Record<string, unknown>, { secrets = {}, ...options }: Given = {}) {
  return resolveSource(parseSource({ name: "Shop", api: { baseUrl, ...api } }), {
    resolveSecret: async (name) => {
      const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
      return value === undefined ? undefined : new Secret(value);
    },
    ...options,
  });
}

const findError = (api: Record<string, unknown>, given: Given = {}) =>
  awaitRefusal(resolve(api, given));

const reveal = (secrets: readonly Secret[]) => secrets.map((secret) => secret.reveal());

describe("resolveSource", () => {
  it("fills `${NAME}` wherever it occurs, asks once for each and lists what it filled in", async () => {
    const asked: string[] = [];
    const source = parseSource({
      api: {
        baseUrl: "https://{tenant}.example.com",
        headers: { "X-Key": "${KEY}", "X-App": "app ${KEY}-${APP}", Accept: "a" },
        query: { second: "${SECOND}", plain: "1" },
        variables: { tenant: "t-${TENANT}" },
        network: { cert: pem, key: "-----BEGIN ${CLIENT_KEY}" },
      },
    });
    const resolved = await resolveSource(source, {
      resolveSecret: async (name) => {
        asked.push(name);
        return new Secret(name.toLowerCase().replace("_", "-"));
      },
    });
    expect(resolved).toMatchObject({
      baseUrl: "https://t-tenant.example.com",
      headers: { "X-Key": "key", "X-App": "app key-app", Accept: "a" },
      query: { second: "second", plain: "1" },
      network: { cert: pem, key: "-----BEGIN client-key" },
    });
    expect(asked.sort()).toEqual(["APP", "CLIENT_KEY", "KEY", "SECOND", "TENANT"]);
    // The tenant only names the host, which is no secret: hidden, it would hide the API's own links.
    expect(reveal(resolved.secrets).sort()).toEqual([
      "-----BEGIN client-key",
      "app",
      "client-key",
      "key",
      "second",
    ]);
  });

  it("leaves out headers and parameters that hold a secret, and asks for none of them, with `omitSecrets`", async () => {
    const resolved = await resolve(
      {
        baseUrl: "https://{tenant}.example.com",
        headers: { "X-Key": "a ${MISSING}", Accept: "b" },
        query: { key: "${MISSING}", page: "1" },
        variables: { tenant: "${TENANT}" },
      },
      { omitSecrets: true, secrets: { TENANT: "acme" } },
    );
    expect(resolved).toMatchObject({
      baseUrl: "https://acme.example.com",
      headers: { Accept: "b" },
      query: { page: "1" },
    });
    expect(resolved.headers).not.toHaveProperty("X-Key");
    expect(resolved.query).not.toHaveProperty("key");
    expect(reveal(resolved.secrets)).toEqual([]);
  });

  it("names every variable without a value, the fields that need it, and what to set", async () => {
    const error = await findError(
      {
        headers: { "X-Key": "${SHOP_KEY}", "X-App": "${SHOP_APP}" },
        query: { key: "${SHOP_KEY}" },
      },
      { secrets: { SHOP_APP: "" } },
    );
    expect(error).toMatchObject({
      category: "not_configured",
      code: "missing_secret",
      retryable: false,
    });
    expect(error.message).toBe(
      'The source "Shop" needs variables that have no value: SHOP_KEY (for api.headers.X-Key, api.query.key), SHOP_APP (for api.headers.X-App).',
    );
    expect(error.hint).toMatch(/SHOP_KEY and SHOP_APP.*environment.*`secrets`/);
  });

  it.each([
    [
      { baseUrl: "https://{tenant}.example.com", variables: { tenant: "" } },
      "{tenant} in `api.baseUrl`",
    ],
    [{ baseUrl: "https://api.example.com/{constructor}" }, "{constructor} in `api.baseUrl`"],
    [{ testEndpoint: "/accounts/{id}" }, "{id} in `api.testEndpoint`"],
    [
      { baseUrl: "https://api.example.com/{username}", authType: "basic" },
      "{username} in `api.baseUrl`",
    ],
  ])("names the placeholder of %j that has no value", async (api, name) => {
    const error = await findError(api);
    expect(error).toMatchObject({ category: "not_configured", code: "unresolved_placeholder" });
    expect(error.message).toContain(name);
    expect(error.hint).toContain('"variables"');
  });

  it("takes the username for `{username}` with basic, in front of a variable of that name", async () => {
    const api = { baseUrl: "https://api.example.com/{username}", variables: { username: "other" } };
    const basic = { ...api, authType: "basic" };
    expect((await resolve(basic, { username: "an${A}a" })).baseUrl).toBe(
      "https://api.example.com/an%24%7BA%7Da",
    );
    expect((await resolve(basic)).baseUrl).toBe("https://api.example.com/other");
    expect((await resolve(api, { username: "ana" })).baseUrl).toBe("https://api.example.com/other");
  });

  it.each(["a\r\nX-B: b", "a\u0000", "“quoted”"])(
    "refuses to send %j in a header, and doesn't print it",
    async (value) => {
      const error = await findError(
        { headers: { "X-Key": "x ${KEY}" } },
        { secrets: { KEY: value } },
      );
      expect(error).toMatchObject({ category: "not_configured", code: "malformed_secret" });
      expect(error.message).toMatch(/KEY.*api\.headers\.X-Key/);
      const said = JSON.stringify([error.message, error.hint, error.details]);
      expect(said).not.toContain(JSON.stringify(value).slice(1, -1));
    },
  );
});

describe("resolveSource, of a base URL", () => {
  it.each([
    ["https://{x}.example.com", "Acme-2.eu", "https://Acme-2.eu.example.com"],
    ["https://{x}.example.com", "xn--bcher-kva", "https://xn--bcher-kva.example.com"],
    ["https://{x}/v1", "api.example.com", "https://api.example.com/v1"],
    ["http://10.0.0.{x}", "5", "http://10.0.0.5"],
    ["https://{x}-api.example.com", "eu", "https://eu-api.example.com"],
    ["http://localhost:{x}/v1", "8080", "http://localhost:8080/v1"],
    [
      "https://a.example/{x}/v1",
      "a/b c?d#e%2F&é",
      "https://a.example/a%2Fb%20c%3Fd%23e%252F%26%C3%A9/v1",
    ],
    ["https://api.example.com/bot{x}/", "1:A", "https://api.example.com/bot1%3AA/"],
    ["https://api.example.com/{x}", ".hidden..x", "https://api.example.com/.hidden..x"],
  ])("fills %s with %j", async (template, x, expected) => {
    expect((await resolve({ baseUrl: template, variables: { x } })).baseUrl).toBe(expected);
  });

  const hostile = [
    ...words(`
      evil.example/ evil.example# evil.example? evil.example\\ u:p@evil.example evil.example:80 :80 @ / //evil.example
      %2F a%2eb . .. a. .a a..b -a a- a_b bücher ⓔvil evil。example evil．example [::1] \u212a \u0000 \ud800 a\u00adb
    `),
    ...["a b", " a", "a\t", "a\n", "a\r\nHost: evil.example", "a".repeat(64), "a.".repeat(130)],
  ];

  it.each(hostile)("refuses %j in a host, and doesn't print it", async (x) => {
    const error = await findError({ baseUrl: "https://{x}.example.com", variables: { x } });
    expect(error).toMatchObject({ category: "not_configured", code: "malformed_placeholder" });
    if (x.length > 3) expect(`${error.message} ${error.hint}`).not.toContain(x);
  });

  it.each(["2130706433", "0x7f000001", "0x7f.1", "127.1", "010.0.0.1", "999.1.1.1"])(
    "refuses %s for a host, which the URL parser would turn into another",
    async (x) => {
      expect(await findError({ baseUrl: "https://{x}/", variables: { x } })).toMatchObject({
        code: "malformed_placeholder",
      });
    },
  );

  it.each(["127.0.0.1", "169.254.169.254", "localhost", "intranet", "a.localhost"])(
    "takes %s for a whole host only where the record sets that",
    async (host) => {
      const api = { baseUrl: "http://{x}/v1", variables: { x: "${HOST}" } };
      const secrets = { HOST: host };
      expect(await findError(api, { secrets })).toMatchObject({ code: "malformed_placeholder" });
      const network = { allowLocalAddresses: true };
      expect((await resolve({ ...api, network }, { secrets })).baseUrl).toBe(`http://${host}/v1`);
      expect((await resolve({ ...api, variables: { x: host } })).baseUrl).toBe(`http://${host}/v1`);
    },
  );

  it.each(["", "80/", "80@evil.example", "8O", "99999", "123456", "-1", " 80", "８０"])(
    "refuses %j in a port",
    async (x) => {
      const error = await findError({ baseUrl: "https://api.example.com:{x}/", variables: { x } });
      expect(error.category).toBe("not_configured");
    },
  );

  it.each([
    ...words(".. . ../admin ..\\admin %2e%2e ..%2Fadmin %252e%252e%252f ..;x ．． \ud800"),
    "a\nb",
  ])("refuses %j in a path", async (x) => {
    for (const api of [
      { baseUrl: "https://api.example.com/v1/{x}" },
      { testEndpoint: "/a/{x}/b?c=1" },
    ]) {
      expect(await findError({ ...api, variables: { x } })).toMatchObject({
        code: "malformed_placeholder",
      });
    }
  });

  it("refuses two values that make a dot segment together", async () => {
    const api = { baseUrl: "https://api.example.com/v1/{x}{x}", variables: { x: "." } };
    expect(await findError(api)).toMatchObject({ code: "malformed_placeholder" });
    expect(await findError({ ...api, baseUrl: "https://api.example.com/v1/.{x}" })).toMatchObject({
      code: "malformed_placeholder",
    });
  });

  const anyValue = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(...hostile),
    fc.tuple(fc.constantFrom(...hostile), fc.constantFrom(...hostile)).map(([a, b]) => a + b),
    fc.webUrl(),
    fc.domain(),
    fc.stringMatching(/^[a-z0-9.-]{1,12}$/),
  );

  /** The base URL that a value makes of a template; undefined when it is refused. */
  async function fill(template: string, x: string): Promise<URL | undefined> {
    try {
      const { baseUrl: filled } = await resolve({ baseUrl: template, variables: { x } });
      expect(new URL(filled).href.toLowerCase()).toBe(filled.toLowerCase());
      return new URL(filled);
    } catch (error) {
      expect(error).toMatchObject({ category: "not_configured" });
      return undefined;
    }
  }

  it("never lets a value move the request off the fixed part of a host, or change more than its segment", async () => {
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        const url = await fill("https://{x}.example.com:8443/v1", value);
        if (url) expect(url.href).toBe(`https://${value.toLowerCase()}.example.com:8443/v1`);
        const path = await fill("https://api.example.com/v1/{x}/x", value);
        const segments = path?.href.split("/") ?? [];
        if (path)
          expect(segments).toEqual(["https:", "", "api.example.com", "v1", segments[4], "x"]);
        if (path) expect(decodeURIComponent(segments[4] ?? "")).toBe(value);
      }),
      { numRuns: runsOf(1_000) },
    );
  });
});

describe("resolveSource, of the network", () => {
  const folder = useDirectory();

  it("percent-encodes a secret inside a proxy's URL and lists it in both forms", async () => {
    const resolved = await resolve(
      { network: { proxy: "http://user:${PW}@proxy.example.com:3128" } },
      { secrets: { PW: "p@ss/word" } },
    );
    expect(resolved.network.proxy).toBe("http://user:p%40ss%2Fword@proxy.example.com:3128");
    expect(reveal(resolved.secrets)).toEqual(
      expect.arrayContaining(["p@ss/word", "p%40ss%2Fword"]),
    );
  });

  it("takes a whole proxy's URL from a secret and lists its password", async () => {
    const resolved = await resolve(
      { network: { proxy: "${PROXY}" } },
      { secrets: { PROXY: "http://u:inner%2Dpw@p.example.com" } },
    );
    expect(resolved.network.proxy).toBe("http://u:inner%2Dpw@p.example.com");
    expect(reveal(resolved.secrets)).toEqual([
      "http://u:inner%2Dpw@p.example.com",
      "inner%2Dpw",
      "inner-pw",
    ]);
  });

  it.each([
    ["${PROXY}", "proxy.example.com:3128"],
    ["${PROXY}", "socks5://proxy.example.com"],
    ["http://${PROXY}", "evil.example/x y"],
  ])("refuses a proxy %s of %j", async (proxy, value) => {
    const error = await findError({ network: { proxy } }, { secrets: { PROXY: value } });
    expect(error).toMatchObject({ category: "not_configured", code: "malformed_secret" });
    expect(error.message).toContain("PROXY");
    expect(error.message).not.toContain(value);
  });

  it("lists a private key of the record as a secret", async () => {
    expect(reveal((await resolve({ network: { cert: pem, key: pem } })).secrets)).toEqual([pem]);
  });

  it("reads the files that a certificate, a key and an authority name, and lists the key as a secret", async () => {
    for (const name of ["ca", "cert", "key"]) writeFileSync(folder(name), `${pem}${name}`);
    const [ca, cert, key] = ["ca", "cert", "key"].map((name) => folder(name));
    const resolved = await resolve({ network: { ca, cert, key } });
    expect(resolved.network).toMatchObject({
      ca: `${pem}ca`,
      cert: `${pem}cert`,
      key: `${pem}key`,
    });
    expect(reveal(resolved.secrets)).toEqual([`${pem}key`]);
  });

  it("names the field whose file can't be read", async () => {
    const error = await findError({ network: { ca: "/nowhere/ca.pem" } });
    expect(error).toMatchObject({ category: "not_configured", code: "unreadable_file" });
    expect(error.message).toContain("api.network.ca");
  });

  it("counts a tenant that is also in the path as a secret", async () => {
    const resolved = await resolve(
      { baseUrl: "https://{t}.example.com/{t}", variables: { t: "${TENANT}" } },
      { secrets: { TENANT: "acme" } },
    );
    expect(reveal(resolved.secrets)).toEqual(["acme"]);
  });
});
