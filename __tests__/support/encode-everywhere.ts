/** The forms in which a secret is redacted, written without any code of the package: for canary tests. */

export interface EncodedSecret {
  readonly name: string;
  readonly text: string;
}

type Encode = (secret: string) => string;

const byte = (code: number): string => code.toString(16).padStart(2, "0");

const unit = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const json: Encode = (secret) => JSON.stringify(secret).slice(1, -1);

const reference: Encode = (one) => `&#${one.codePointAt(0)};`;

const pad = (digits: string): string => digits.padStart(6, "0").toUpperCase();

const bytes = (secret: string, write: (code: number) => string): string =>
  [...Buffer.from(secret, "utf8")].map(write).join("");

const base64: Encode = (secret) => Buffer.from(secret, "utf8").toString("base64");

const hex: Encode = (secret) => Buffer.from(secret, "utf8").toString("hex");

/** Encoders that write each character by itself; any of these may work on the result of another. */
export const characterEncoders: Readonly<Record<string, Encode>> = {
  raw: (secret) => secret,
  json,
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
  form: (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  "every byte %": (secret) => bytes(secret, (code) => `%${byte(code)}`),
  "every byte % in mixed case": (secret) =>
    bytes(secret, (code) => `%${byte(code).charAt(0).toUpperCase()}${byte(code).charAt(1)}`),
  "markup references": (secret) => secret.replace(/[^\w -]/gu, reference),
  "every character a reference": (secret) => secret.replace(/./gsu, reference),
  "references in hexadecimal": (secret) =>
    secret.replace(/[^\w]/gu, (one) => `&#x${(one.codePointAt(0) ?? 0).toString(16)};`),
  "references with zeros": (secret) =>
    secret.replace(/[^\w]/gu, (one) => `&#X${pad((one.codePointAt(0) ?? 0).toString(16))};`),
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
  hex,
  "hex in capitals": (secret) => hex(secret).toUpperCase(),
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
