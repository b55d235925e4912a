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

/** As MIME (76) and GitHub's contents (60) wrap it. */
const wrap = (text: string, width: number, end: string): string =>
  text.replace(new RegExp(`.{${width}}(?=.)`, "g"), (line) => line + end);

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
      .map((one, index) => (index % 3 === 0 && secret[index - 1] !== "\\" ? unit(one) : json(one)))
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
  "quotes doubled": (secret) => secret.replaceAll("'", "''"),
  "quotes of CSV doubled": (secret) => secret.replaceAll('"', '""'),
  "quotes escaped": (secret) => secret.replace(/["\\]/g, "\\$&"),
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
  "base64 of Latin-1": (secret) =>
    /[^\0-\u00ff]/.test(secret) ? base64(secret) : Buffer.from(secret, "latin1").toString("base64"),
  hex,
  "hex in capitals": (secret) => hex(secret).toUpperCase(),
  "base64 in lines after others": (secret) => wrap(base64(`some header: ${secret}\nand more`), 20, "\n"),
  "base64 after two bytes in lines with CRLF": (secret) => wrap(base64(`a:${secret}`), 12, "\r\n"),
  "base64 in indented lines, as in YAML": (secret) => wrap(base64(secret), 12, "\n    "),
  "base64 after two bytes in indented lines with CRLF, as in XML": (secret) =>
    wrap(base64(`a:${secret}`), 12, "\r\n\t"),
  "base64 in lines as JSON": (secret) => wrap(base64(secret), 9, "\\n"),
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
