/** Holds a value that must never be seen, so that printing or serialising it by accident shows nothing. */

import { inspect } from "node:util";

/** Replaces a secret. It never shows which secret, or anything about it. */
export const redactedMarker = "[REDACTED]";

/** A secret of fewer characters is redacted only where it is an exact whole value. */
const shortestAnywhere = 8;

export class Secret {
  readonly #value: string;

  static {
    // Not a computed method: isolated declarations can't name one.
    Object.defineProperty(Secret.prototype, inspect.custom, { value: () => redactedMarker });
  }

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself; call it only where it goes on the wire or into the redactor. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return redactedMarker;
  }

  toJSON(): string {
    return redactedMarker;
  }
}

/**
 * The texts that give away a username and a password: the password, `username:password` and its base64 (RFC 7617). The username
 * alone is a secret only when the password is empty: some APIs take their key as the username, elsewhere answers mention it.
 */
export function listBasicSecrets(username: string, password: string): Secret[] {
  const pair = `${username}:${password}`;
  const alone = password === "" ? username : password;
  return [alone, pair, Buffer.from(pair, "utf8").toString("base64")]
    .filter((value) => value !== "" && pair !== ":")
    .map((value) => new Secret(value));
}

/**
 * The texts that give away a token that is sent behind a word in a header: itself and, when it is short, the whole value that is
 * sent (`Splunk abc12`), which is found where the token alone is not.
 */
export function listHeaderSecrets(token: string, scheme: string): Secret[] {
  const trimmed = token.trim();
  if (trimmed === "") return [];
  const isShort = scheme !== "" && !hasLength(trimmed);
  return (isShort ? [token, `${scheme} ${trimmed}`] : [token]).map((value) => new Secret(value));
}

/** Whether a text is long enough to be redacted wherever it occurs. */
export function hasLength(text: string): boolean {
  // A character is at most two code units: a long text is not taken apart.
  return text.length >= 2 * shortestAnywhere || [...text].length >= shortestAnywhere;
}
