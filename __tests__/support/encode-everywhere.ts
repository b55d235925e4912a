/** Every form in which an API may echo a secret, written without any code of the package: for canary tests. */

export interface EncodedSecret {
  readonly name: string;
  readonly text: string;
}

type Encode = (secret: string) => string;

const byte = (code: number): string => code.toString(16).padStart(2, "0");

const unit = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const json: Encode = (secret) => JSON.stringify(secret).slice(1, -1);

const bytes = (secret: string, write: (code: number) => string): string =>
  [...Buffer.from(secret, "utf8")].map(write).join("");

const base64: Encode = (secret) => Buffer.from(secret, "utf8").toString("base64");

const hex: Encode = (secret) => Buffer.from(secret, "utf8").toString("hex");

const named: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "/": "&sol;",
  "+": "&plus;",
  "=": "&equals;",
  é: "&eacute;",
};

const html = (secret: string, write: (character: string) => string): string =>
  [...secret].map((character) => (/[\w.~-]/.test(character) ? character : write(character))).join("");

const decimal: Encode = (character) => `&#${character.codePointAt(0)};`;

const hexEntity: Encode = (character) => `&#x${character.codePointAt(0)?.toString(16)};`;

const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Bytes read as Windows-1252, by a table: Node's own decoder reads Latin-1 in several releases. */
export const misread = (utf8: Uint8Array): string =>
  Array.from(utf8, (code) =>
    code >= 0x80 && code < 0xa0 ? windows1252.charAt(code - 0x80) : String.fromCharCode(code),
  ).join("");

/** Encoders that write each character by itself; any of these may work on the result of another. */
export const characterEncoders: Readonly<Record<string, Encode>> = {
  raw: (secret) => secret,
  json,
  "json in json": (secret) => json(json(secret)),
  "json in json in json": (secret) => json(json(json(secret))),
  "json of ASCII alone": (secret) => json(secret).replace(/[^ -~]/g, unit),
  "json with escaped slashes": (secret) => json(secret).replaceAll("/", "\\/"),
  "json for HTML": (secret) => json(secret).replace(/[<>&'+=]/g, unit),
  "all \\u": (secret) => secret.split("").map(unit).join(""),
  "all \\u in capitals": (secret) =>
    secret
      .split("")
      .map((one) => `\\u${unit(one).slice(2).toUpperCase()}`)
      .join(""),
  "every third \\u": (secret) =>
    secret
      .split("")
      .map((one, index) => (index % 3 === 0 ? unit(one) : json(one)))
      .join(""),
  "URL component": encodeURIComponent,
  "URL component in lower case": (secret) =>
    encodeURIComponent(secret).replace(/%../g, (escaped) => escaped.toLowerCase()),
  "URL component twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  form: (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  "every byte %": (secret) => bytes(secret, (code) => `%${byte(code)}`),
  "every byte % in mixed case": (secret) =>
    bytes(secret, (code) => `%${byte(code).charAt(0).toUpperCase()}${byte(code).charAt(1)}`),
  "named entities": (secret) => html(secret, (one) => named[one] ?? decimal(one)),
  "decimal entities": (secret) => html(secret, decimal),
  "all decimal entities": (secret) => [...secret].map(decimal).join(""),
  "all hexadecimal entities": (secret) => [...secret].map(hexEntity).join(""),
  "all hexadecimal entities in capitals": (secret) =>
    [...secret].map((one) => `&#X${one.codePointAt(0)?.toString(16).toUpperCase()};`).join(""),
  "quoted-printable": (secret) =>
    bytes(secret, (code) =>
      code < 0x21 || code > 0x7e || code === 0x3d
        ? `=${byte(code).toUpperCase()}`
        : String.fromCharCode(code),
    ),
  "quotes escaped": (secret) => secret.replace(/["\\]/g, "\\$&"),
  "quotes doubled": (secret) => secret.replaceAll("'", "''"),
};

/** Encoders of the whole. */
export const wholeEncoders: Readonly<Record<string, Encode>> = {
  base64,
  "base64 without padding": (secret) => base64(secret).replace(/=+$/, ""),
  base64url: (secret) => Buffer.from(secret, "utf8").toString("base64url"),
  "base64 after one byte": (secret) => base64(`:${secret}`),
  "base64 after two bytes": (secret) => base64(`a:${secret}`),
  "base64 between others": (secret) => base64(`user:${secret}:and more`),
  "base64 of a JSON document": (secret) => base64(JSON.stringify({ token: secret, more: [1] })),
  "base64 of base64": (secret) => base64(base64(secret)),
  "base64 of Latin-1": (secret) =>
    /[^\0-\u00ff]/.test(secret) ? base64(secret) : Buffer.from(secret, "latin1").toString("base64"),
  hex,
  "hex in capitals": (secret) => hex(secret).toUpperCase(),
  "hex in mixed case": (secret) =>
    hex(secret).replace(/[a-f]/g, (digit, at: number) => (at % 4 < 2 ? digit : digit.toUpperCase())),
  reversed: (secret) => [...secret].reverse().join(""),
  "UTF-8 read as Latin-1": (secret) => Buffer.from(secret, "utf8").toString("latin1"),
  "UTF-8 read as Windows-1252": (secret) => misread(Buffer.from(secret, "utf8")),
  "zero-width spaces": (secret) => [...secret].join("\u200b"),
  "zero-width joiners and others": (secret) =>
    [...secret].map((one, index) => one + ["\u200d", "\u2060", "\ufeff"][index % 3]).join(""),
  "escaped zero-width spaces": (secret) => json([...secret].join("\u200b")).replaceAll("\u200b", "\\u200b"),
};

/** All forms of one secret, without repetitions: `raw` first. */
export function encodeEverywhere(secret: string): readonly EncodedSecret[] {
  const forms = new Map<string, string>();
  for (const [name, encode] of Object.entries({ ...characterEncoders, ...wholeEncoders })) {
    const text = encode(secret);
    if (!forms.has(text)) forms.set(text, name);
  }
  return [...forms].map(([text, name]) => ({ name, text }));
}
