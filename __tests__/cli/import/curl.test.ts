/** A pasted curl line becomes the record of the API it calls. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { readDescription } from "../../../src/cli/import/read-description.js";
import { parseSource } from "../../../src/core/record/parse-source.js";

/** Lines as the documentation of public APIs prints them, with made-up secrets, and the record that each should become. */
const curlCases = readFileSync("__tests__/cli/import/curl-lines.txt", "utf8")
  .split(/(?<=^=> .*)\n/m)
  .filter(Boolean)
  .map((text) => text.split("\n=> "));

describe("a curl line of a documented API", () => {
  // Behind the arrow: base URL, authType and its word, header or parameter, test endpoint; and a star where a credential stood in the line.
  it.each(curlCases)("becomes the right record: %s", async (line = "", expected) => {
    const { record, notes, credential } = await readDescription(line);
    const {
      baseUrl,
      authType = "none",
      headerName,
      queryParam,
      authScheme,
      testEndpoint = "-",
    } = record.api;
    const detail = headerName ?? queryParam ?? authScheme;
    const auth = detail === undefined ? authType : `${authType}:${detail}`;
    expect(`${baseUrl} ${auth} ${testEndpoint}${credential === undefined ? "" : " *"}`).toBe(
      expected,
    );
    if (credential !== undefined) expect(JSON.stringify(credential)).toContain("c4nary");
    expect(() => parseSource(record)).not.toThrow();
    expect(JSON.stringify([record, notes])).not.toContain("c4nary");
  });

  it.each([
    [
      "' -H 'X-Session: hunter2'",
      { headerName: "X-Session", testEndpoint: "/orders" },
      { token: "hunter2" },
    ],
    [
      "?sig=hunter2&limit=1'",
      { queryParam: "sig", testEndpoint: "/orders?limit=1" },
      { token: "hunter2" },
    ],
    ["?page_token=hunter2'", { testEndpoint: "/orders?page_token=hunter2" }, undefined],
  ])(
    "keeps a secret out of the record by the name of its header or parameter: %s",
    async (end, api, given) => {
      const { record, credential } = await readDescription(
        `curl 'https://api.shop.example/v1/orders${end}`,
      );
      expect([record.api, credential]).toEqual([expect.objectContaining(api), given]);
      if (given !== undefined) expect(JSON.stringify(record)).not.toContain("hunter2");
    },
  );

  it("makes a secret beside the credential a variable, by its name", async () => {
    const { record, secrets } = await readDescription(
      "curl 'https://api.shop.example/v1/orders?sig=hunter3' -H 'Authorization: Bearer t0ps3cret' -H 'X-Passwd: hunter2'",
    );
    expect(record.api).toMatchObject({
      authType: "bearer",
      headers: { "X-Passwd": "${SHOP_X_PASSWD_SECRET}" },
      query: { sig: "${SHOP_SIG_SECRET}" },
    });
    expect(secrets).toEqual({ SHOP_X_PASSWD_SECRET: "hunter2", SHOP_SIG_SECRET: "hunter3" });
  });

  it("keeps no secret under a name that a program reads, such as NODE_OPTIONS", async () => {
    const line = "curl https://api.node.example/me -H 'Options: --require=/tmp/a1.js'";
    const { secrets } = await readDescription(line);
    expect(secrets).toEqual({ NODE_OPTIONS_SECRET: "--require=/tmp/a1.js" });
  });

  it("makes a second secret a variable of the record", async () => {
    const line = `curl https://api.datadoghq.com/api/v1/validate -H "DD-API-KEY: one1" -H "DD-APPLICATION-KEY: two2"`;
    const { record, credential, secrets } = await readDescription(line);
    expect(credential).toEqual({ token: "one1" });
    expect(record.api.headers).toEqual({ "DD-APPLICATION-KEY": "${DATADOGHQ_DD_APPLICATION_KEY}" });
    expect(secrets).toEqual({ DATADOGHQ_DD_APPLICATION_KEY: "two2" });
  });

  it.each([
    [
      'curl -H \'Authorization: Digest username="a", response="b"\' https://x.example/me',
      "signs each request",
    ],
    ["curl --cert me.pem --key me.key https://x.example/me", "client certificate"],
    ["curl -b 'session=1' https://x.example/me", "cookies"],
    ["curl -T a.png https://x.example/files", "$file"],
  ])("lists what a record can't express: %s", async (line, words) => {
    expect((await readDescription(line)).notes.join("\n")).toContain(words);
  });

  it.each([
    "-b 'sid=c4nary1; b=2'",
    "--cookie 'sid=c4nary1; b=2'",
    "-H 'Cookie: sid=c4nary1; b=2'",
    "-b sid=c4nary1 -b b=2",
    "-H 'Cookie: sid=c4nary1' --cookie b=2",
  ])("sends its cookies from a variable: %s", async (option) => {
    const { record, secrets } = await readDescription(`curl ${option} https://x.example/me`);
    const [variable = ""] = Object.keys(secrets);
    expect(record.api.headers).toEqual({ Cookie: `\${${variable}}` });
    expect(secrets).toEqual({ [variable]: "sid=c4nary1; b=2" });
  });

  it.each([
    ["curl x.example/me", "no scheme"],
    ["curl -n https://x.example/me", ".netrc"],
    ["curl -k https://x.example/me", "api.network.ca"],
    ["curl --cacert ca.pem https://x.example/me", "api.network.ca"],
    ["curl https://x.example/me", ""],
  ])("names what it can't take: %s", async (line, named) => {
    const { notes } = await readDescription(line);
    expect(notes).toEqual(named === "" ? [] : [expect.stringContaining(named)]);
  });

  it("gives no password in the clear that it would never send", async () => {
    const line = "curl --digest -u user:passw0rd1 https://x.example/me";
    const { record, credential, notes } = await readDescription(line);
    expect(notes.join()).toContain("signs each request");
    expect([record.api.authType, credential]).toEqual([undefined, undefined]);
  });

  it.each([
    ["code=1234", undefined],
    ["code=Xk29ZqLw03mNbV71aPdR5c", "code"],
  ])("takes a parameter named code for a key by its value alone: %s", async (query, expected) => {
    const { record } = await readDescription(`curl 'https://x.example/me?${query}'`);
    expect(record.api.queryParam).toBe(expected);
  });

  it("names what it leaves out of a path", async () => {
    const line = "curl https://x.example/api/a1B2c3D4e5F6g7H8i9J0k1/rows";
    expect((await readDescription(line)).notes.join()).toContain("{id} takes its place");
  });

  it("that sends a multipart form makes a source that does", async () => {
    const { record } = await readDescription(
      "curl -F file=@a.png -F title=x https://x.example/files",
    );
    expect(record.api.bodyFormat).toBe("multipart");
  });

  it.each([["curl"], ["curl 'https://x.example"], ["curl -H 'A: b'"], ["curl ftp://x.example/a"]])(
    "is refused with what would be right: %s",
    async (line) => {
      await expect(readDescription(`${line} `)).rejects.toMatchObject({
        category: "invalid_input",
      });
    },
  );
});

describe("the words of a pasted line", () => {
  it.each<[string, object]>([
    [
      `curl https://x.example/me -H 'X-A: b c' -H "X-B: \\"d\\" \\n" -H X-C:\\ e`,
      { testEndpoint: "/me", headers: { "X-A": "b c", "X-B": '"d" \\n', "X-C": "e" } },
    ],
    [
      `curl https://x.example/me -H $'X-A: it\\'s \\u00e9'", f"`,
      { headers: { "X-A": "it's é, f" } },
    ],
    ["curl https://x.example/me -H $'X-A: caf\\xe9' \\", { headers: { "X-A": "café" } }],
    ["curl \\\n https://x.example/a | curl https://y.example", { testEndpoint: "/a" }],
    ["curl ^\r\n https://x.example/b; curl https://y.example", { testEndpoint: "/b" }],
    [
      "curl -o '' https://x.example/c?d=1&e=2 && curl https://y.example",
      { testEndpoint: "/c?d=1&e=2" },
    ],
    ["curl https://x.example/f\ncurl https://y.example", { testEndpoint: "/f" }],
  ])("are those of a shell: %j", async (line, expected) => {
    expect((await readDescription(line)).record.api).toMatchObject({
      baseUrl: "https://x.example",
      ...expected,
    });
  });
});

describe("the content of --data-urlencode", () => {
  it.each([
    [`--data-urlencode "q=a b&c=d"`, "?q=a+b%26c%3Dd"],
    [`--data-urlencode "q=a b&c" -d limit=5`, "?limit=5&q=a+b%26c"],
    [`-d "q=a&c=1"`, "?q=a&c=1"],
    [`--data-urlencode "=a&b"`, "?a%26b="],
    [`--data-urlencode "q=50%"`, "?q=50%25"],
  ])("is encoded, and that of other options is sent as it is: %s", async (options, query) => {
    const { record } = await readDescription(`curl -G https://x.example/search ${options}`);
    expect(record.api.testEndpoint).toBe(`/search${query}`);
  });
});

describe("several credentials of one line", () => {
  const key = "-H 'X-Api-Key: k3y'";
  const headers = { "X-Api-Key": "${X_API_KEY_SECRET}" };
  it.each<[string, object, object, object]>([
    [
      `${key} -H 'Authorization: Bearer t0k'`,
      { authType: "bearer", headers },
      { token: "t0k" },
      { X_API_KEY_SECRET: "k3y" },
    ],
    [
      `${key} -H 'Authorization: Key t0k'`,
      { authScheme: "Key", headers },
      { token: "t0k" },
      { X_API_KEY_SECRET: "k3y" },
    ],
    [
      `${key} -u ada:pw`,
      { authType: "basic", headers },
      { username: "ada", password: "pw" },
      { X_API_KEY_SECRET: "k3y" },
    ],
    [
      `-H 'Authorization: Bearer t0k' ${key}`,
      { authType: "bearer", headers },
      { token: "t0k" },
      { X_API_KEY_SECRET: "k3y" },
    ],
  ])("are all in the record: %s", async (options, api, credential, secrets) => {
    const read = await readDescription(`curl https://x.example/me ${options}`);
    expect(read.record.api).toMatchObject(api);
    expect(read.record.api.headerName).toBeUndefined();
    expect([read.credential, read.secrets]).toEqual([credential, secrets]);
  });

  it("are named where a record can't have both", async () => {
    const line = "curl https://ada:pw@x.example/me -H 'Authorization: Bearer t0k'";
    const { notes } = await readDescription(line);
    expect(notes).toContain(
      "Some requests send another credential in `Authorization`: the record has the first one.",
    );
  });
});

describe("a secret without a name that shows it", () => {
  const secret = "c4naryABCDEFghijkl0123456789";

  it("in a header becomes a variable, and an ordinary value stays", async () => {
    const line = `curl https://x.example/me -H 'X-Shop: ${secret}' -H 'X-Version: 2024-11-28' -H 'Accept: application/vnd.shop.v3.orders+json'`;
    const { record, secrets } = await readDescription(line);
    expect(record.api.headers).toEqual({
      "X-Shop": "${X_SHOP_SECRET}",
      "X-Version": "2024-11-28",
      Accept: "application/vnd.shop.v3.orders+json",
    });
    expect(secrets).toEqual({ X_SHOP_SECRET: secret });
  });

  it.each(["X-Pin", "X-PSK", "X-Wsse", "X-Saml", "X-Ticket", "X-Bearer", "X-Pswd", "X-Cert"])(
    "in %s becomes a credential, as the policy has it",
    async (name) => {
      const read = await readDescription(`curl https://x.example/me -H '${name}: s3cr3t'`);
      expect(read.record.api).toMatchObject({ authType: "header", headerName: name });
      expect(read.credential).toEqual({ token: "s3cr3t" });
    },
  );

  it.each([
    `https://x.example/me?state=${secret}&a=1`,
    `https://x.example/hooks/T0/${secret}?a=1`,
    `https://x.example/bot123456:${secret}/getMe`,
    "https://x.example/hooks/c4nary3x9m2p7q1z8w5v4t6r0y/items",
    "https://x.example/hooks/c4a7e0000f1b2c3d4e5f60718293a4b5",
  ])("appears nowhere in the record: %s", async (url) => {
    const { record, notes } = await readDescription(`curl '${url}'`);
    expect(JSON.stringify([record, notes])).not.toMatch(/c4(?:nary|a7e)/);
  });
});
