/** The syntax of names and values of a record: the words of its lists, the two kinds of gap (`${NAME}`, a secret; `{name}`, a variable), and headers. */

export const httpMethods = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;
export type HttpMethod = (typeof httpMethods)[number];
export const authTypes = ["bearer", "header", "query", "basic"] as const;
export type AuthType = (typeof authTypes)[number];
export const bodyFormats = ["json", "form", "multipart"] as const;
export type BodyFormat = (typeof bodyFormats)[number];

/** How a token is obtained: RFC 6749 sections 4.4, 6 and 4.1, and RFC 8628. */
export const oauthGrants = [
  "client_credentials",
  "refresh_token",
  "authorization_code",
  "device_code",
] as const;
export type OAuthGrant = (typeof oauthGrants)[number];

/** In an Authorization header, in the body, or not at all (RFC 6749, section 2.3). */
export const clientAuthentications = ["basic", "post", "none"] as const;

const secretPattern = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const placeholderPattern = /\{([A-Za-z_][A-Za-z0-9_.-]*)\}/g;

const listNames = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** The NAMEs of every `${NAME}` in a text, in order. */
export const findSecretNames = (text: string): string[] => listNames(text, secretPattern);

/** The names of every `{name}` in a text, in order. */
export const findPlaceholderNames = (text: string): string[] => listNames(text, placeholderPattern);

/** Fills each `${NAME}` in one pass: a value that itself looks like a placeholder stays as it is. */
export const fillSecrets = (text: string, toValue: (name: string) => string): string =>
  text.replace(secretPattern, (_whole, name: string) => toValue(name));

/** Fills each `{name}` in the same way. */
export const fillPlaceholders = (text: string, toValue: (name: string) => string): string =>
  text.replace(placeholderPattern, (_whole, name: string) => toValue(name));

/** Whether a text without gaps is the address of a proxy: absolute, http or https. */
export const isProxyUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);

/** A field name is a token (RFC 9110, sections 5.1 and 5.6.2). */
export const headerNamePattern: RegExp = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * The characters that Node's parser and every server take in a field value (RFC 9110, section 5.5): tab, visible ASCII and the upper
 * half of Latin-1. No line break, no other control character.
 */
export const headerValuePattern: RegExp = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers that say where a message goes or where it ends (RFC 9110 section 7, RFC 9112 section 6): given by a record,
 * they would contradict what is really sent. `Content-Length: 0` before a body is a second, smuggled request.
 */
const framingHeader =
  /^(?:host|content-length|transfer-encoding|(?:proxy-)?connection|keep-alive|te|trailer|upgrade|expect|http2-settings|proxy-auth(?:orization|enticate))$/i;

/** Whether a header belongs to the connection and not to the record. */
export const isFramingHeader = (name: string): boolean => framingHeader.test(name);
