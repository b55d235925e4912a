import { inspect } from "node:util";
import { describe, expect, it, jest } from "@jest/globals";
import { ExactNumber } from "../../../src/core/base/exact-number.js";
import { createRedactor, type Redactor } from "../../../src/core/secrets/redactor.js";
import { redactedMarker, Secret } from "../../../src/core/secrets/secret.js";
import { encodeEverywhere } from "../../support/encode-everywhere.js";
import { isLongRun } from "../../support/long-run.js";

const pem = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7notRealAtAll+
abcdEFGHijklMNOPqrstUVWXyz0123456789+/abcdEFGHijklMNOPqrstUVWXyz01
Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4
-----END PRIVATE KEY-----
`;

const nastySecrets: readonly string[] = [
  'sk-live/S3cr+t=="q&<é日本',
  "8675309123",
  "550e8400-e29b-41d4-a716-446655440000",
  `it's"a\\b'c"d/e+f`,
  "日本語のパスワード",
  "!@#$%^&*()_+{}",
  "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  "C:\\new\\table%41",
  "emoji😀pässword",
  "two words + one",
  "$&$1$`[REDACT",
  "a.b.c.d.e.f.g",
  "back\\\\slash\\u0041bc",
  "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
];

const redactorOf = (...values: string[]): Redactor =>
  createRedactor(values.map((value) => new Secret(value)));

describe("createRedactor", () => {
  it.each(nastySecrets)("replaces %j in every encoding, and nothing around it", (secret) => {
    const redactor = redactorOf(secret);
    for (const { name, text } of encodeEverywhere(secret)) {
      const redacted = redactor.redact(`Before (${text}) after.`);
      if (/after|between|document/.test(name)) {
        expect(redacted).toContain(redactedMarker);
        expect(redacted).not.toContain(text);
      } else expect([name, redacted]).toEqual([name, "Before ([REDACTED]) after."]);
      // In the document it is spelled in two ways at once.
      if (text.includes("\\")) continue;
      const document = JSON.stringify({ rows: [{ echo: text, price: 19.9 }], next: null });
      const echo = expect.stringContaining(redactedMarker);
      expect(JSON.parse(redactor.redact(document))).toEqual({
        rows: [{ echo, price: 19.9 }],
        next: null,
      });
    }
  });

  it("returns a text without a secret as the same text", () => {
    const text = JSON.stringify({
      a: ["sk-live", "%41%zz", "\u200bé日本\\u00", "&#&amp;#;&bogus;"],
      n: 8675309122,
    });
    expect(redactorOf(...nastySecrets).redact(text)).toBe(text);
    expect(redactorOf().redact(nastySecrets.join())).toBe(nastySecrets.join());
  });

  it("joins adjacent and overlapping secrets to one marker", () => {
    const redactor = redactorOf("abcdefgh-1234", "1234-ijklmnop", "qrstuvwxyz");
    expect(redactor.redact("<abcdefgh-1234-ijklmnopqrstuvwxyz>")).toBe("<[REDACTED]>");
    expect(redactorOf("abababab").redact("xababababababy")).toBe("x[REDACTED]y");
  });

  it("gives no meaning to what a replacement pattern would mean", () => {
    expect(redactorOf("abc$&$1$`def").redact("$& abc$&$1$`def $1")).toBe("$& [REDACTED] $1");
  });

  it.each(nastySecrets)(
    "leaves every part of %j standing, so that nobody can find it piece by piece",
    (secret) => {
      const redactor = redactorOf(secret);
      const characters = [...secret.trim()];
      for (let length = 1; length < characters.length; length++) {
        const parts = [characters.slice(0, length).join(""), characters.slice(-length).join("")];
        for (const part of parts.flatMap((one) => [
          one,
          JSON.stringify(one),
          Buffer.from(one).toString("base64"),
          Buffer.from(one).toString("hex"),
        ])) {
          expect(redactor.redact(part)).toBe(part);
        }
      }
    },
  );

  it("distinguishes a wrong first or last character from the right one inside base64", () => {
    const redactor = redactorOf("Passw0rd-long");
    for (const wrong of ["Qassw0rd-long", "@assw0rd-long", "Passw0rd-lonf", "Passw0rd-lon'"]) {
      for (const before of ["", "a", "ab"]) {
        const text = Buffer.from(`${before}${wrong}!!`).toString("base64");
        expect(redactor.redact(text)).toBe(text);
      }
    }
  });

  it("knows the secrets of one call besides its own, and is the same when there is nothing new", () => {
    const redactor = redactorOf("first-secret");
    const wider = redactor.with([new Secret("second-secret")]);
    expect(wider.redact("first-secret second-secret")).toBe("[REDACTED] [REDACTED]");
    expect(redactor.redact("second-secret")).toBe("second-secret");
    expect(redactor.with([new Secret("first-secret")])).toBe(redactor);
    expect(wider.with([new Secret("first-secret"), new Secret("second-secret")])).toBe(wider);
  });

  it("shows no secret of its own", () => {
    const redactor = redactorOf("first-secret");
    expect(inspect(redactor, { depth: null, showHidden: true })).not.toContain("first");
    expect(JSON.stringify(redactor)).not.toContain("first");
  });

  it.each(["back-slashes\\\\", "back-slashes%5C"])(
    "leaves of a secret that ends with a backslash at most that, as in %s",
    (text) => {
      expect(redactorOf("back-slashes\\").redact(`(${text})`)).toMatch(
        /^\(\[REDACTED\](?:\\|%5C)?\)$/,
      );
    },
  );

  it("ignores a secret that is empty, blank, or a part of the marker", () => {
    const redactor = redactorOf("", "   ", "\n", "REDACTED", "[REDACTED]");
    expect(redactor.redact('a "" "   " \n REDACTED [REDACTED]')).toBe(
      'a "" "   " \n REDACTED [REDACTED]',
    );
  });

  it("redacts what is sent of a secret with quotes or spaces around it", () => {
    expect(redactorOf(' "quoted-secret"\n').redact("is quoted-secret.")).toBe("is [REDACTED].");
  });

  it("finds a hexadecimal secret and a UUID in the other case", () => {
    const redactor = redactorOf("550e8400-e29b-41d4-a716-446655440000", "DEADBEEF00112233");
    expect(redactor.redact("550E8400-E29B-41D4-A716-446655440000 deadbeef00112233")).toBe(
      "[REDACTED] [REDACTED]",
    );
  });

  // Each takes minutes where the cost is not linear.
  it.each([
    ["backslashes", "\\"],
    ["percents", "%25"],
    ["percents that wait for their end", "%3"],
    ["open references", "&#x"],
    ["references", "&amp;#"],
    ["semicolons", "&;;;;;;;;"],
    ["escapes of its first character", "\\u0073"],
    ["line breaks", "\n"],
    ["anchors", "456789/abc"],
    ["secrets that lack their end", "sk-live-0123456789/ab"],
    ["secrets", "sk-live-0123456789/abc "],
    ["lines of a PEM", `${pem.slice(0, -30)}\n`],
    ["base64 anchors", Buffer.from("sk-live-0123456789").toString("base64")],
    ["hexadecimal", "ab"],
    ["numbers", "8675309123."],
    ["short values", '"kitty",'],
    ["markers", redactedMarker],
  ])("reads many %s in time", (_, piece) => {
    const redactor = redactorOf(
      "sk-live-0123456789/abc",
      "8675309123",
      "C:\\\\new",
      "!@#$%^&*()",
      "kitty",
      pem,
    );
    const text = piece.repeat((isLongRun ? 1_250_000 : 200_000) / piece.length);
    expect(redactor.redactBody(`[${text}`, { truncated: true })).toContain("[");
  });
});

it.each([
  ["its first character", "xk-live-0123456789/abc"],
  ["its last character", "sk-live-0123456789/abx"],
  ["one in the middle", "sk-live-0x23456789/abc"],
  ["its beginning", "9/abc"],
])("compares a text at most once where it is like the secret but for %s", (_, near) => {
  const redactor = redactorOf("sk-live-0123456789/abc");
  const count = Math.ceil((isLongRun ? 10_000_000 : 200_000) / near.length);
  let compared = 0;
  const compare = jest.spyOn(String.prototype, "startsWith").mockImplementation(function (
    this: string,
    ...[part, at = 0]
  ) {
    compared += 1;
    return this.substring(at, at + part.length) === part;
  });
  const text = near.repeat(count);
  expect(redactor.redact(text)).toBe(text);
  compare.mockRestore();
  expect(compared).toBeLessThanOrEqual(count);
});

it.each([
  "dXNlcjpw&#43;c3M&#x2F;d29yZA&#x3D;=",
  "dXNlcjpw&#43c3M&#x2F;d29yZA&#61&equals;",
  "dXNlcjpw&#0000000043;c3M&#x000000002F;d29yZA&#61&equals;",
  "dXNlcjpw&plus;c3M&sol;d29yZA==",
  "dXNlcjpw\\u0026#43;c3M%26%23x2f;d29yZA==",
])("finds a base64 credential in the references of markup: %s", (text) => {
  const redactor = redactorOf("dXNlcjpw+c3M/d29yZA==");
  expect(redactor.redact(`<a>${text}</a>`)).toBe("<a>[REDACTED]</a>");
});

it.each(["&#x110000;", "&#99999999;", "&#xD800;", "&nothing;"])(
  "reads %s, which is no character, as it is written",
  (text) => {
    expect(redactorOf("dXNlcjpw+c3M/d29yZA==").redact(text)).toBe(text);
  },
);

it("finds more secrets in a text than a function takes arguments", () => {
  const redacted = redactorOf("sk-live/0123").redact("sk-live\\/0123 ".repeat(200_000));
  expect(redacted).toBe("[REDACTED] ".repeat(200_000));
});

it("makes no bytes for each percent-encoded character of a body", () => {
  const redactor = redactorOf("p@ss$word!x9", "C:\\new%41");
  const make = jest.spyOn(Buffer, "from");
  redactor.redact("%2525%41".repeat(1_000));
  expect(make.mock.calls.length).toBeLessThan(100);
  make.mockRestore();
  expect(redactor.redact("is %70@ss%24word%2521x9, %2543%5c%3A.")).toBe(
    "is [REDACTED], %2543%5c%3A.",
  );
});

describe("createRedactor with a structured secret", () => {
  it("replaces each line of a PEM", () => {
    const redactor = redactorOf(pem);
    for (const line of pem.trim().split("\n"))
      expect(redactor.redact(`line: ${line}.`)).toBe("line: [REDACTED].");
    expect(redactor.redact(JSON.stringify({ key: pem }))).toBe('{"key":"[REDACTED]\\n"}');
  });

  it("replaces the token behind a scheme, and no word of a phrase", () => {
    const redactor = redactorOf(
      "Token 0-canary-4f8a1c77e2",
      "correct battery1 staple",
      "correct battery1",
    );
    expect(redactor.redact("got 0-canary-4f8a1c77e2")).toBe("got [REDACTED]");
    expect(redactor.redact("battery1 staple Token")).toBe("battery1 staple Token");
  });

  it("replaces each string of a service account's JSON, and the document as it is", () => {
    const account = {
      type: "service_account",
      private_key_id: "0f1e2d3c4b5a",
      private_key: pem,
      deep: [{ pin: "12345678" }],
    };
    const redactor = redactorOf(JSON.stringify(account, null, 2));
    expect(redactor.redact("0f1e2d3c4b5a, 12345678")).toBe("[REDACTED], [REDACTED]");
    expect(redactor.redact(pem.split("\n")[2] ?? "")).toBe(redactedMarker);
    const echoed = redactor.redact(JSON.stringify({ account, other: "stays" }));
    expect(JSON.parse(echoed)).toHaveProperty("other", "stays");
    expect(echoed).not.toContain("0f1e2d3c4b5a");
  });
});

describe("createRedactor with a secret of digits", () => {
  const redactor = redactorOf("8675309123");

  it.each([
    ['{"pin":8675309123}', '{"pin":"[REDACTED]"}'],
    ['{"pin": 8675309123 , "a":1}', '{"pin": "[REDACTED]" , "a":1}'],
    ["[8675309123,8675309123]", '["[REDACTED]","[REDACTED]"]'],
    [
      '{"pin":-8675309123,"b":8675309123.0,"c":8675309123e2}',
      '{"pin":"[REDACTED]","b":"[REDACTED]","c":"[REDACTED]"}',
    ],
    [
      '{"a":"b\\":8675309123,","c":"x: 8675309123, y"}',
      '{"a":"b\\":[REDACTED],","c":"x: [REDACTED], y"}',
    ],
    [
      '{"a":["1"],"pin":8675309123}\n{"pin":8675309123}',
      '{"a":["1"],"pin":"[REDACTED]"}\n{"pin":"[REDACTED]"}',
    ],
    ["8675309123", "[REDACTED]"],
    ["pin=8675309123&a=1", "pin=[REDACTED]&a=1"],
    ["a%208675309123", "a%20[REDACTED]"],
    ['{"a":"\\u00208675309123"}', '{"a":"\\u0020[REDACTED]"}'],
  ])("turns %s into %s", (text, redacted) => {
    expect(redactor.redact(text)).toBe(redacted);
  });

  it.each(["86753091234", "18675309123", '{"id":1867530912345}', "[0.18675309123]"])(
    "leaves %s",
    (text) => {
      expect(redactor.redact(text)).toBe(text);
    },
  );
});

describe("createRedactor on JSON", () => {
  it.each([
    ["the n of a line break", "nabcdefgh", '{"a":"\\nabcdefgh"}', '{"a":"[REDACTED]"}'],
    ["half of an escape", "41abcdefgh", '{"a":"\\u0041abcdefgh"}', '{"a":"[REDACTED]"}'],
    ["a backslash at its end", "abcdefgh\\", '{"a":"abcdefgh\\"x"}', '{"a":"[REDACTED]x"}'],
    ["a backslash that is escaped", "abcdefgh\\", '{"a":"abcdefgh\\\\"}', '{"a":"[REDACTED]"}'],
  ])("keeps the document valid when the secret holds %s", (_, secret, text, redacted) => {
    expect(redactorOf(secret).redact(text)).toBe(redacted);
  });

  it("replaces a secret in keys", () => {
    expect(redactorOf("secret-key").redact('{"a secret-key b":1}')).toBe('{"a [REDACTED] b":1}');
  });

  it("replaces as a whole what only begins like a document", () => {
    expect(redactorOf('sk"abc"def12345').redact('[INFO] sk"abc"def12345 sent')).toBe(
      "[INFO] [REDACTED] sent",
    );
  });
});

describe("createRedactor with a short secret", () => {
  it.each([
    "kitty",
    '{"password":"kitty"}',
    JSON.stringify(JSON.stringify({ password: "kitty" })),
    "https://api.example.com/?api_key=kitty&page=2",
    "X-Api-Key: kitty\r\nHost: api.example.com",
    "Authorization: Bearer kitty",
    "<password>kitty</password>",
    "%22password%22%3A%22kitty%22",
    "{&quot;password&quot;:&quot;kitty&quot;}",
    '{"password":"\\u006bitty"}',
    '{"password":"%6bitty"}',
    `Basic ${Buffer.from("kitty").toString("base64")}`,
    `{"hex":"${Buffer.from("kitty").toString("hex")}"}`,
  ])("replaces it in %s", (text) => {
    const redacted = redactorOf("kitty").redact(text);
    expect(redacted).toContain(redactedMarker);
    expect(redacted).not.toMatch(/k?itty/);
  });

  it.each([
    ["kitty", "kittycat, hellokitty, kitty1, 2kitty"],
    ["123", '{"id":1234,"n":123456,"at":"2024-01-1230"}'],
  ])("leaves the words and numbers that contain %s alone: %s", (secret, text) => {
    expect(redactorOf(secret).redact(text)).toBe(text);
  });
});

describe("redactBody", () => {
  const redactor = redactorOf("sécret-välue");

  it("replaces a secret in UTF-8 and in Latin-1 and keeps every other byte", () => {
    const around = (middle: Buffer): Buffer =>
      Buffer.concat([Buffer.from([0, 0xff, 0x80]), middle, Buffer.from([0xfe, 0])]);
    for (const charset of ["utf8", "latin1"] as const) {
      const redacted = redactor.redactBody(around(Buffer.from("sécret-välue", charset)));
      expect(Buffer.from(redacted)).toEqual(around(Buffer.from("[REDACTED]")));
    }
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect(redactor.redactBody(bytes)).toBe(bytes);
  });

  it("replaces a secret between zero bytes, as UTF-16 and UTF-32 spell it", () => {
    const little = Buffer.from("sécret-välue", "utf16le");
    const wide = Buffer.from([..."sécret-välue"].flatMap((one) => [one.charCodeAt(0), 0, 0, 0]));
    for (const bytes of [little, Buffer.from(little).swap16(), wide]) {
      const around = Buffer.concat([Buffer.from([7, 0xff]), bytes, Buffer.from([0xfe, 7])]);
      const redacted = Buffer.from(redactor.redactBody(around)).toString("latin1");
      expect(redacted.replaceAll("\0", "")).toBe("\u0007\xff[REDACTED]\xfe\u0007");
    }
    const clean = Buffer.from("another-value", "utf16le");
    expect(redactor.redactBody(clean)).toBe(clean);
  });
});

it.each(['"abc/def=="', 'ses="abc/def=="', '"abc-def-gh', 'abc-def-gh"', 'abc-def-gh\\"'])(
  "leaves a document valid JSON around %j, whose quotes are like those of a string",
  (secret) => {
    const redactor = redactorOf(secret);
    const inside = secret.replaceAll('"', "");
    for (const echo of [secret, `<${secret}>`, inside]) {
      const redacted = redactor.redact(JSON.stringify({ [echo]: [echo, 1], n: [2] }));
      const { n, ...rest } = JSON.parse(redacted);
      expect(n).toEqual([2]);
      expect(JSON.stringify(rest)).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
  },
);

it("replaces a secret with zeros between its characters in a text, also in JSON", () => {
  const redactor = redactorOf("sk-live-0123456789");
  const spelled = [..."sk-live-0123456789"].join("\0");
  expect(redactor.redact(`a ${spelled} b`)).toBe("a [REDACTED] b");
  expect(redactor.redactBody(JSON.stringify({ m: spelled, n: 1 }))).toBe(
    '{"m":"[REDACTED]","n":1}',
  );
  expect(redactor.redact({ m: spelled, n: "\u001f" })).toEqual({ m: "[REDACTED]", n: "\u001f" });
});

describe("redact", () => {
  const redactor = redactorOf("sk-live-0123456789", "8675309123");

  it("replaces secrets in strings, keys and numbers and leaves what was given as it is", () => {
    const given = {
      "a sk-live-0123456789": [
        "sk-live-0123456789",
        { pin: 8675309123, exact: new ExactNumber("8675309123") },
      ],
      other: [1.5, null, true, new ExactNumber("19.90"), "\0"],
    };
    const before = structuredClone(given);
    expect(redactor.redact(given)).toEqual({
      "a [REDACTED]": ["[REDACTED]", { pin: "[REDACTED]", exact: "[REDACTED]" }],
      other: [1.5, null, true, new ExactNumber("19.90"), "\0"],
    });
    expect(structuredClone(given)).toEqual(before);
    expect(redactor.redact("sk-live-0123456789")).toBe("[REDACTED]");
    expect(redactor.redact(8675309123)).toBe("[REDACTED]");
  });

  it("returns the same tree when there is nothing to replace", () => {
    const tree = { a: ["sk-live-", "0123456789", { b: 867530912 }] };
    expect(redactor.redact(tree)).toBe(tree);
    expect(redactorOf().redact(tree)).toBe(tree);
  });

  it("walks 100,000 levels", () => {
    let tree: unknown = "sk-live-0123456789";
    for (let level = 0; level < 50_000; level++) tree = [{ a: tree }];
    let value: unknown = redactor.redact(tree);
    while (typeof value === "object") value = Object.values(value ?? {})[0];
    expect(value).toBe("[REDACTED]");
  });

  it("keeps a key __proto__ a key", () => {
    const tree: unknown = JSON.parse('{"__proto__":{"a":"sk-live-0123456789"}}');
    expect(JSON.stringify(redactor.redact(tree))).toBe('{"__proto__":{"a":"[REDACTED]"}}');
  });
});

describe("redactBody of a truncated text", () => {
  const secret = "sk-live-é/0123456789";
  const redactor = redactorOf(secret);
  const dropped = 2 * Buffer.byteLength(secret);

  it("replaces a whole secret that the new end splits", () => {
    const given = `before ${secret}${"x".repeat(dropped - 5)}`;
    expect(redactor.redactBody(given, { truncated: true })).toBe("before [REDACTED]");
    expect(redactor.redactBody(given, { truncated: 12 })).toBe("before [REDACTED]");
    const bytes = Buffer.from(`before ${secret}${"x".repeat(dropped - 5)}`);
    expect(Buffer.from(redactor.redactBody(bytes, { truncated: true })).toString()).toBe(
      "before [REDACTED]",
    );
  });

  it("drops what is behind a place that is given, and nothing else", () => {
    expect(redactor.redactBody("a line\nsk-li", { truncated: 7 })).toBe("a line\n");
  });

  it("keeps nothing of a text that is shorter than what is dropped, and no half of a character", () => {
    expect(redactor.redactBody("abc", { truncated: true })).toBe("");
    expect(redactor.redactBody(`a😀${"x".repeat(dropped - 1)}`, { truncated: true })).toBe("a");
  });

  it("drops twice the bytes of the longest line of the longest secret, at most 512 characters, and nothing where there is no secret", () => {
    const text = "x".repeat(20_000);
    const lengthOf = (...secrets: string[]): number =>
      text.length - redactorOf(...secrets).redactBody(text, { truncated: true }).length;
    expect(lengthOf()).toBe(0);
    expect(lengthOf("")).toBe(0);
    expect(lengthOf("a".repeat(43), "b".repeat(200))).toBe(400);
    expect(lengthOf("c".repeat(64).concat("\n").repeat(50))).toBe(128);
    expect(lengthOf("d".repeat(2_000))).toBe(512);
    // In hexadecimal a character beyond ASCII takes four or more.
    expect(lengthOf("ä".repeat(40))).toBe(160);
  });

  it("leaves all ends of a text that is whole", () => {
    expect(redactor.redact("before sk-live-é/012345678")).toBe("before sk-live-é/012345678");
  });
});

it("finds a secret whose Latin-1 bytes were read as UTF-8", () => {
  const spoiled = Buffer.from("sécret-välue", "latin1").toString("utf8");
  expect(redactorOf("sécret-välue").redact(`is ${spoiled}.`)).toBe("is [REDACTED].");
});
