/** Tells bytes that are no text, and what they are. */

import { isUtf8 } from "node:buffer";

/** Beginnings of files, in hex; `.` is any half-byte. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^89504e470d0a1a0a/, "image/png"],
  [/^ffd8ff/, "image/jpeg"],
  [/^474946383[79]61/, "image/gif"],
  [/^52494646.{8}57454250/, "image/webp"],
  [/^52494646.{8}57415645/, "audio/wav"],
  [/^255044462d/, "application/pdf"],
  [/^504b0(?:304|506|708)/, "application/zip"],
  [/^1f8b08/, "application/gzip"],
  [/^28b52ffd/, "application/zstd"],
  [/^377abcaf271c/, "application/x-7z-compressed"],
  [/^425a68[3]/, "application/x-bzip2"],
  [/^494433|^fff[b3]/, "audio/mpeg"],
  [/^4f676753/, "audio/ogg"],
  [/^.{8}66747970/, "video/mp4"],
  [/^1a45dfa3/, "video/webm"],
  [/^0061736d/, "application/wasm"],
  [/^774f4632/, "font/woff2"],
  [/^53514c69746520666f726d6174203300/, "application/vnd.sqlite3"],
];

const textBeginnings: ReadonlySet<number> = new Set([0x7b, 0x5b, 0x3c, 0x20, 0x0a, 0x0d]);

const sampleBytes = 8192;

/** Takes bytes. Returns the media type that their beginning gives away; `undefined` when it gives none. */
export function sniffMediaType(bytes: Uint8Array): string | undefined {
  // `{`, `[`, `<` and blanks begin no file of these.
  if (textBeginnings.has(bytes[0] ?? 0)) return undefined;
  const head = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  return beginnings.find(([pattern]) => pattern.test(head))?.[1];
}

/**
 * Takes bytes that no byte order mark or charset calls text. Returns whether they are binary: over one in a hundred of the
 * first 8,192 is zero or a control character that no text has, or over a third is not valid UTF-8.
 */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  let control = 0;
  let high = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const byte = sample[index] ?? 0;
    if (byte < 32 && (byte < 7 || (byte > 13 && byte !== 27 && byte !== 30))) control += 1;
    else if (byte > 127) high += 1;
  }
  if (control * 100 > sample.length) return true;
  return high * 3 > sample.length && !isUtf8(trimPartial(sample));
}

/** Without a character that the end of the sample may have cut. */
function trimPartial(sample: Uint8Array): Uint8Array {
  let end = sample.length;
  while (end > 0 && sample.length - end < 4 && ((sample[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return sample.subarray(0, Math.max(0, end - 1));
}
