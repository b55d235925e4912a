/** A request as text, in every way in which the redactor reads one: with escapes undone, and what base64 and hexadecimal in it encode. */

import { resolveEscapes } from "../secrets/unescape.js";

/** The shortest that can encode a value: eight bytes. */
const base64 = /[A-Za-z0-9+/_-]{11,}/g;
const hexadecimal = /[0-9A-Fa-f]{16,}/g;

/** Lists the readings of some bytes, the first as it is. */
export function listReadings(bytes: Buffer): string[] {
  const resolved = resolveEscapes(bytes, false);
  const own = resolved === bytes ? [bytes] : [bytes, resolved];
  const text = resolved.toString("latin1");
  const encoded = [...decodeRuns(text, base64, "base64", 4), ...decodeRuns(text, hexadecimal, "hex", 2)];
  const unescaped = encoded.map((each) => resolveEscapes(each, false));
  return [...own, ...encoded, ...unescaped.filter((each, at) => each !== encoded[at])].flatMap(decode);
}

/** Each run once for each way in which its bytes can fall; the bytes of all runs of one way together. */
function decodeRuns(text: string, run: RegExp, encoding: "base64" | "hex", ways: number): Buffer[] {
  const runs = text.match(run) ?? [];
  if (runs.length === 0) return [];
  return Array.from({ length: ways }, (_, skipped) =>
    Buffer.concat(runs.flatMap((each) => [Buffer.from(each.slice(skipped), encoding), gap])),
  );
}

/** Between two runs: no value contains it. */
const gap = Buffer.from("\u{1}");

/** As UTF-8, and as Latin-1 where the bytes are not. */
function decode(bytes: Buffer): string[] {
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? [text, bytes.toString("latin1")] : [text];
}
