/** Commands as browsers, shells and collections write them: the format of the body, escapes of cmd.exe and PowerShell, gaps in the address. */

import { describe, expect, it } from "@jest/globals";
import type { Imported } from "../../../src/cli/import/imported.js";
import { readDescription } from "../../../src/cli/import/read-description.js";
import { parseSource } from "../../../src/core/record/parse-source.js";

const url = "https://api.shop.example/v1/items";
const token = "c4naryABCDEF0123456789";

async function read(text: string, baseUrl?: string): Promise<Imported> {
  const imported = await readDescription(text, { baseUrl });
  expect(() => parseSource(imported.record)).not.toThrow();
  expect(JSON.stringify([imported.record, imported.notes])).not.toContain("c4nary");
  return imported;
}

const readFormat = async (line: string) => (await read(line)).record.api.bodyFormat;

describe("the body of a curl line", () => {
  it.each([
    ["application/json", "-d @body.json", undefined],
    ["application/json;odata=verbose", "-d @body.json", undefined],
    ["application/merge-patch+json", "-d true", undefined],
    ["application/vnd.api+json; charset=utf-8", '-d "$BODY"', undefined],
    ["text/xml", "-d '<a/>'", undefined],
    ["application/x-ndjson", "--data-binary @a.ndjson", undefined],
    ["text/csv", "--data-binary 'a,b'", undefined],
    ["application/octet-stream", "--data-binary @a.bin", undefined],
    ["Application/X-WWW-Form-Urlencoded; charset=UTF-8", "--data-raw '{\"a\":1}'", "form"],
    ["multipart/form-data", "-F a=1", "multipart"],
  ])("is written as its Content-Type %s states: %s", async (type, data, expected) => {
    expect(await readFormat(`curl ${url} -H 'content-type: ${type}' ${data}`)).toBe(expected);
  });

  it.each([
    ["-d a=1", "form"],
    ["--data-urlencode 'a=b c'", "form"],
    ["-d '{\"a\":1}'", undefined],
    ["--json '[1]'", undefined],
    ["--form-string a=1", "multipart"],
    ['-d "$BODY"', undefined],
    ["-T a.bin", undefined],
    ["-G -d a=1", undefined],
    ["-X POST", undefined],
  ])("without a Content-Type is what curl makes of %s", async (data, expected) => {
    expect(await readFormat(`curl ${url} ${data}`)).toBe(expected);
  });
});

describe("a curl line for cmd.exe", () => {
  it.each([
    ['^"…^"', `curl ^"${url}^" ^\r\n  -H ^"authorization: Bearer ${token}^"`, "/items"],
    ["^&", `curl "${url}?a=1^&b=2" ^\r\n  -H "authorization: Bearer ${token}"`, "/items?a=1&b=2"],
    ["^%^", `curl "${url}?q=a^%^20b" -H "authorization: Bearer ${token}"`, "/items?q=a+b"],
    ["%^", `curl ^"${url}?q=a%^20b^" -H ^"authorization: Bearer ${token}^"`, "/items?q=a+b"],
    [
      "^ at the end, and LF",
      `curl ^"${url}^" ^\n  -H ^"authorization: Bearer ${token}^" ^\n  --compressed`,
      "/items",
    ],
    [
      "^! and ^(",
      `curl ^"${url}?q=^(a^!^)^" -H ^"authorization: Bearer ${token}^"`,
      "/items?q=%28a%21%29",
    ],
  ])("is read by its escapes: %s", async (_what, line, testEndpoint) => {
    const { record, credential } = await read(line);
    expect([record.api.baseUrl, record.api.authType, record.api.testEndpoint]).toEqual([
      "https://api.shop.example/v1",
      "bearer",
      testEndpoint,
    ]);
    expect(credential).toEqual({ token });
  });

  it.each([
    `--data-raw ^"^{^\\^"a^\\^":1^}^"`,
    `--data-raw "{""a"":""b""}" ^\r\n --compressed`,
    `--data-raw ^"^[1,2^]^"`,
  ])("has JSON where its text is JSON: %s", async (data) => {
    expect(await readFormat(`curl ^"${url}^" ${data}`)).toBeUndefined();
  });

  it("is one for a POSIX shell where `^` is text", async () => {
    const { record } = await read(`curl '${url}?q=^a' -H 'X-Rule: ^[a-z]+$ ^b'`);
    expect([record.api.testEndpoint, record.api.headers]).toEqual(["/items?q=%5Ea", undefined]);
  });
});

describe("a PowerShell command", () => {
  const chrome = `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0 (X11; Linux x86_64)"
$session.Cookies.Add((New-Object System.Net.Cookie("sid", "c4nary1", "/", "api.shop.example")))
Invoke-WebRequest -UseBasicParsing -Uri "${url}" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"accept"="application/json"
  "authorization"="Bearer ${token}"
  "x-shop"="it\`"s"
} \`
-ContentType "application/json;charset=UTF-8" \`
-Body "{\`"a\`":1}"`;

  it("as a browser copies it becomes the record of its API", async () => {
    const { record, credential, notes } = await read(chrome);
    expect(record.api).toMatchObject({
      baseUrl: "https://api.shop.example/v1",
      authType: "bearer",
      headers: { "x-shop": 'it"s' },
    });
    expect([record.api.bodyFormat, record.api.testEndpoint]).toEqual([undefined, undefined]);
    expect(credential).toEqual({ token });
    expect(notes.join()).toContain("cookies");
  });

  it.each<[string, string, object]>([
    [
      "variables for headers",
      `$headers = @{ Authorization = "Bearer ${token}"; 'X-Version' = '2' }\nInvoke-RestMethod -Uri '${url}?a=1' -Headers $headers -Method Get`,
      { authType: "bearer", headers: { "X-Version": "2" }, testEndpoint: "/items?a=1" },
    ],
    [
      "a variable in a text",
      `$token = "${token}"\n$r = Invoke-RestMethod -Uri "${url}" -Headers @{ "X-Api-Key" = "$token" }`,
      { authType: "header", headerName: "X-Api-Key", testEndpoint: "/items" },
    ],
    [
      "a form of a table",
      `$form = @{ a = 1; b = 'x' }\nInvoke-RestMethod '${url}' -Method Post -Body $form -Headers @{ Authorization = 'Bearer ${token}' }`,
      { bodyFormat: "form", authType: "bearer" },
    ],
    [
      "a table that is converted",
      `Invoke-RestMethod -Method POST -Uri ${url} -ContentType 'application/json' -Body (@{ a = @(1,2) } | ConvertTo-Json) -Token ${token}`,
      { authType: "bearer" },
    ],
    [
      "a short name and a word without quotes",
      `irm ${url} -Headers @{Authorization='Basic ${Buffer.from(`ada:${token}`).toString("base64")}'}`,
      { authType: "basic", testEndpoint: "/items" },
    ],
    [
      "bytes of a text, as browsers write what is not ASCII",
      `Invoke-WebRequest -Uri "${url}" -Method "POST" -ContentType "application/json" -Body ([System.Text.Encoding]::UTF8.GetBytes("{\`"a\`":\`"$([char]228)\`"}"))`,
      { baseUrl: "https://api.shop.example/v1" },
    ],
  ])("is read with %s", async (_what, text, api) => {
    expect((await read(text)).record.api).toMatchObject(api);
  });

  it.each([
    "Invoke-RestMethod",
    "Invoke-RestMethod -Uri 'https://a.example",
    "Invoke-RestMethod -Uri $url",
  ])("is refused with what would be right: %s", async (text) => {
    await expect(readDescription(text)).rejects.toMatchObject({ category: "invalid_input" });
  });
});

describe("an address with a gap", () => {
  it.each([
    "curl $BASE_URL/me",
    'curl "${BASE_URL}/me"',
    "curl https://$HOST/me",
    "curl https://api-$ENV.shop.example/me",
    "curl %API%/me",
    "curl {{baseUrl}}/me",
    "curl https:///me",
    "curl https://:8080/me",
    "curl http://user:pw@/me",
    'Invoke-RestMethod -Uri "$base/me"',
  ])("is never a base URL: %s", async (line) => {
    await expect(readDescription(line)).rejects.toMatchObject({ category: "invalid_input" });
  });

  it.each(["curl $BASE_URL/me", 'curl "${BASE_URL}/me"', "curl {{baseUrl}}/me", 'irm "$base/me"'])(
    "takes the base URL that is given: %s",
    async (line) => {
      const { record } = await read(line, "https://api.shop.example/v1/");
      expect([record.api.baseUrl, record.api.testEndpoint]).toEqual([
        "https://api.shop.example/v1",
        "/me",
      ]);
    },
  );

  it.each(["{{host}}/orders", "https://{{empty}}/orders", "https:///orders"])(
    "of a collection is left out, and the other requests remain: %s",
    async (raw) => {
      const { record } = await read(
        JSON.stringify({
          info: { name: "Shop", schema: "x" },
          variable: [{ key: "empty", value: "" }],
          item: [{ request: { url: raw } }, { request: { url: "https://api.shop.example/me" } }],
        }),
      );
      expect(record.api.baseUrl).toBe("https://api.shop.example");
    },
  );
});

describe("typographic quotes and dashes", () => {
  it.each([
    "curl “https://a.example/me”",
    "curl ‘https://a.example/me’",
    "curl https://a.example/me –H 'A: b'",
    "curl https://a.example/me —header 'A: b'",
    "curl https://a.example/me -H “Authorization: Bearer x”",
    "curl https://a.example/me -H «A: b»",
    "Invoke-RestMethod –Uri “https://a.example/me”",
  ])("are named as the cause: %s", async (line) => {
    await expect(readDescription(line)).rejects.toMatchObject({
      category: "invalid_input",
      message: expect.stringContaining("typographic"),
    });
  });

  it("inside of quotes are text", async () => {
    const { record } = await read(`curl ${url} -d '{"a":"“b” – c"}'`);
    expect(record.api.baseUrl).toBe("https://api.shop.example/v1");
  });
});

describe("a Postman collection", () => {
  const collection = (request: object, more: object = {}): string =>
    JSON.stringify({
      info: { name: "Shop", schema: "x" },
      item: [{ request: { url, method: "POST", ...request } }],
      ...more,
    });
  const raw = (text: string, language?: string): object => ({
    mode: "raw",
    raw: text,
    options: language === undefined ? undefined : { raw: { language } },
  });
  const type = (value: string): object[] => [{ key: "Content-Type", value }];

  it.each<[string, object[], string | undefined]>([
    ["one form", [{ mode: "urlencoded" }], "form"],
    ["a form and JSON", [{ mode: "urlencoded" }, raw("{}", "json")], undefined],
    ["a form and XML", [{ mode: "urlencoded" }, raw("<a/>", "xml")], undefined],
    ["multipart and a file", [{ mode: "formdata" }, { mode: "file" }], undefined],
    [
      "two forms and a request without a body",
      [{ mode: "urlencoded" }, { mode: "urlencoded" }, raw("")],
      "form",
    ],
    ["GraphQL", [{ mode: "graphql" }], undefined],
  ])("has a bodyFormat only where all bodies agree: %s", async (_what, bodies, expected) => {
    const item = bodies.map((body, index) => ({
      request: { url: `${url}/${index}`, method: "POST", body },
    }));
    const { record } = await read(collection({}, { item }));
    expect(record.api.bodyFormat).toBe(expected);
  });

  it("takes the Content-Type of a raw body before its language", async () => {
    const header = type("application/x-www-form-urlencoded");
    const { record } = await read(collection({ header, body: raw("a=1", "json") }));
    expect(record.api.bodyFormat).toBe("form");
  });

  it("fills variables that name others, and ends where they name themselves", async () => {
    const variable = [
      { key: "baseUrl", value: "{{proto}}://{{host}}/{{version}}" },
      { key: "proto", value: "https" },
      { key: "host", value: "api.{{domain}}" },
      { key: "domain", value: "shop.example" },
      { key: "version", value: "v1" },
      { key: "loop", value: "{{loop}}" },
    ];
    const request = {
      url: "{{baseUrl}}/me",
      method: "GET",
      header: [{ key: "X-L", value: "{{loop}}" }],
    };
    const { record } = await read(collection(request, { variable }));
    expect([record.api.baseUrl, record.api.testEndpoint]).toEqual([
      "https://api.shop.example/v1",
      "/me",
    ]);
  });

  const settings = (values: Readonly<Record<string, string>>): object => ({
    type: "oauth2",
    oauth2: Object.entries(values).map(([key, value]) => ({ key, value })),
  });
  const tokenUrl = "https://api.shop.example/oauth/token";

  it("takes settings of OAuth 2, the client as variables", async () => {
    const auth = settings({
      grant_type: "client_credentials",
      accessTokenUrl: "{{tokenUrl}}",
      clientId: "c4nary-id",
      clientSecret: "c4nary-secret",
      scope: "read write",
      client_authentication: "body",
      accessToken: "c4nary-old",
    });
    const variable = [{ key: "tokenUrl", value: tokenUrl }];
    const { record, secrets, credential } = await read(
      collection({ method: "GET" }, { auth, variable }),
    );
    expect(record.api).toMatchObject({
      authType: "bearer",
      oauth2: {
        grant: "client_credentials",
        tokenUrl,
        clientId: "${SHOP_CLIENT_ID}",
        clientSecret: "${SHOP_CLIENT_SECRET}",
        clientAuthentication: "post",
        scopes: ["read", "write"],
      },
    });
    expect(secrets).toEqual({ SHOP_CLIENT_ID: "c4nary-id", SHOP_CLIENT_SECRET: "c4nary-secret" });
    expect(credential).toBeUndefined();
  });

  it.each(["Bearer t0ken", "Basic YWRhOnB3"])(
    "keeps settings of OAuth 2 whose token is in the query, where another request sends %s",
    async (value) => {
      const auth = settings({
        grant_type: "client_credentials",
        accessTokenUrl: tokenUrl,
        addTokenTo: "queryParams",
      });
      const header = [{ key: "Authorization", value }];
      const item = [{ auth }, { header }].map((more) => ({
        request: { url, method: "GET", ...more },
      }));
      const { record, credential, notes } = await read(collection({}, { item }));
      expect(record.api).toMatchObject({ authType: "query", queryParam: "access_token" });
      expect([record.api.oauth2?.grant, credential]).toEqual(["client_credentials", undefined]);
      expect(notes.join()).toContain("Some requests send another credential in `Authorization`");
    },
  );

  it.each<[string, Readonly<Record<string, string>>, string | undefined, string]>([
    [
      "an authorization code",
      {
        grant_type: "authorization_code",
        accessTokenUrl: tokenUrl,
        authUrl: "https://api.shop.example/agree",
      },
      "authorization_code",
      "Tokens come by OAuth 2",
    ],
    [
      "one with PKCE",
      {
        grant_type: "authorization_code_with_pkce",
        accessTokenUrl: tokenUrl,
        authUrl: "https://api.shop.example/agree",
      },
      "authorization_code",
      "Tokens come by OAuth 2",
    ],
    [
      "a password",
      { grant_type: "password_credentials", accessTokenUrl: tokenUrl },
      undefined,
      "password_credentials) are left out",
    ],
    [
      "an implicit grant",
      { grant_type: "implicit", authUrl: tokenUrl },
      undefined,
      "implicit) are left out",
    ],
    [
      "an address that is a variable",
      { grant_type: "client_credentials", accessTokenUrl: "{{unknown}}" },
      undefined,
      "are left out",
    ],
    ["a token alone", { accessToken: token, addTokenTo: "queryParams" }, undefined, "are left out"],
  ])("names or takes settings of OAuth 2 with %s", async (_what, values, grant, note) => {
    const { record, notes } = await read(collection({ method: "GET" }, { auth: settings(values) }));
    expect(record.api.oauth2?.grant).toBe(grant);
    expect(notes.join()).toContain(note);
  });
});
