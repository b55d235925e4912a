/** The code of an error, when it has the form of a code; anything else may be anything. */

/** Reads codes of the form that Node's (`ECONNRESET`), OpenSSL's and llhttp's have. */
export function readCode(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined;
}
